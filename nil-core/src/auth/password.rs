//! Passwords: argon2id with 19 MiB, two passes, one lane, off the async threads and never more at
//! once than the machine has room for.

use std::collections::HashSet;
use std::sync::{Arc, LazyLock};

use argon2::{Algorithm, Argon2, Params, Version};
use aws_lc_rs::constant_time::verify_slices_are_equal;
use tokio::sync::Semaphore;

use crate::error::{Error, Result};
use crate::kernel::Random;

const MEMORY_KIB: u32 = 19 * 1024;
const PASSES: u32 = 2;
const LANES: u32 = 1;

static COMMON: LazyLock<HashSet<&'static str>> = LazyLock::new(|| {
    include_str!("../../assets/passwords/common.txt")
        .lines()
        .collect()
});

/// Whether it is one of the thousand commonest passwords, letter for letter.
#[must_use]
pub fn is_common(password: &str) -> bool {
    COMMON.contains(password)
}

/// Hashes and checks passwords.
#[derive(Clone, Debug)]
pub struct Hasher {
    permits: Arc<Semaphore>,
}

impl Hasher {
    /// At most `at_once` hashes at a time; each takes 19 MiB.
    #[must_use]
    pub fn new(at_once: usize) -> Self {
        Self {
            permits: Arc::new(Semaphore::new(at_once.max(1))),
        }
    }

    /// The stored form: `argon2id$19456$2$1$SALT$HASH`, both in hexadecimal.
    pub async fn hash(&self, password: &str, random: &dyn Random) -> Result<String> {
        let mut salt = [0; 16];
        random.fill(&mut salt);
        let hash = self.derive(password.to_owned(), salt.to_vec()).await?;
        Ok(format!(
            "argon2id${MEMORY_KIB}${PASSES}${LANES}${}${}",
            hex::encode(salt),
            hex::encode(hash)
        ))
    }

    /// Whether the password is the one that was stored. Without a stored one it takes as long and
    /// says no, so that the time does not tell who has an account.
    pub async fn verify(&self, password: &str, stored: Option<&str>) -> Result<bool> {
        let parts = stored.and_then(|stored| {
            let mut parts = stored.rsplitn(3, '$');
            let hash = hex::decode(parts.next()?).ok()?;
            let salt = hex::decode(parts.next()?).ok()?;
            Some((salt, hash))
        });
        let (salt, expected) = parts.unwrap_or_else(|| (vec![0; 16], Vec::new()));
        let actual = self.derive(password.to_owned(), salt).await?;
        Ok(verify_slices_are_equal(&actual, &expected).is_ok())
    }

    async fn derive(&self, password: String, salt: Vec<u8>) -> Result<[u8; 32]> {
        let permit = self
            .permits
            .clone()
            .acquire_owned()
            .await
            .map_err(Error::internal)?;
        tokio::task::spawn_blocking(move || {
            let _permit = permit;
            let params = Params::new(MEMORY_KIB, PASSES, LANES, Some(32));
            let params = params.map_err(|error| Error::internal(error.to_string()))?;
            let mut hash = [0; 32];
            Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
                .hash_password_into(password.as_bytes(), &salt, &mut hash)
                .map_err(|error| Error::internal(error.to_string()))?;
            Ok(hash)
        })
        .await
        .map_err(Error::internal)?
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::SystemRandom;

    #[tokio::test]
    async fn only_the_right_password_passes() {
        let hasher = Hasher::new(1);
        let stored = hasher.hash("correct horse", &SystemRandom).await.unwrap();
        assert!(hasher.verify("correct horse", Some(&stored)).await.unwrap());
        assert!(!hasher.verify("correct horsf", Some(&stored)).await.unwrap());
        assert!(!hasher.verify("correct horse", None).await.unwrap());
    }

    #[test]
    fn the_thousand_commonest_are_known() {
        assert_eq!(COMMON.len(), 1_000);
        assert!(is_common("password"));
        assert!(!is_common("correct horse battery staple"));
    }
}
