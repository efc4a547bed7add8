//! Passwords: argon2id with 19 MiB, two passes, one lane, on dedicated threads, with a limit on concurrent hashes.

use std::collections::HashSet;
use std::sync::{Arc, LazyLock};

use aws_lc_rs::constant_time::verify_slices_are_equal;

use super::hashing::{For, Hashing, LANES, MEMORY_KIB, PASSES};
use super::presence::Presence;
use crate::error::Result;
use crate::kernel::Random;

static COMMON: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| include_str!("../../assets/passwords/common.txt").lines().collect());

/// Whether it is exactly one of the thousand most common passwords.
#[must_use]
pub fn is_common(password: &str) -> bool {
    COMMON.contains(password)
}

/// Hashes and checks passwords. Both refuse with 503 `unavailable` if too many already wait, and skip callers who hung
/// up before their turn.
#[derive(Clone, Debug)]
pub struct Hasher(Arc<Hashing>);

impl Hasher {
    /// At most `at_once` concurrent hashes; each takes 19 MiB, which are kept for the next one.
    #[must_use]
    pub fn new(at_once: usize) -> Self {
        Self(Arc::new(Hashing::new(at_once)))
    }

    /// The stored form: `argon2id$19456$2$1$SALT$HASH`, both in hexadecimal.
    pub async fn hash(
        &self,
        password: &str,
        random: &dyn Random,
        caller: Presence,
    ) -> Result<String> {
        let mut salt = [0; 16];
        random.fill(&mut salt);
        let password = password.to_owned();
        let hash = self.0.derive(For::NewPassword, password, salt.to_vec(), caller);
        Ok(format!(
            "argon2id${MEMORY_KIB}${PASSES}${LANES}${}${}",
            hex::encode(salt),
            hex::encode(hash.await?)
        ))
    }

    /// Whether the password matches the stored one. Without a stored one it takes the same time and returns false, so
    /// that the time does not reveal whether an account exists.
    pub async fn verify(
        &self,
        password: &str,
        stored: Option<&str>,
        caller: Presence,
    ) -> Result<bool> {
        let parts = stored.and_then(|stored| {
            let mut parts = stored.rsplitn(3, '$');
            let hash = hex::decode(parts.next()?).ok()?;
            let salt = hex::decode(parts.next()?).ok()?;
            Some((salt, hash))
        });
        let (salt, expected) = parts.unwrap_or_else(|| (vec![0; 16], Vec::new()));
        let password = password.to_owned();
        let actual = self.0.derive(For::LogIn, password, salt, caller).await?;
        Ok(verify_slices_are_equal(&actual, &expected).is_ok())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::SystemRandom;

    #[tokio::test]
    async fn only_the_right_password_passes() {
        let hasher = Hasher::new(1);
        let caller = Presence::default;
        let hash = hasher.hash("correct horse", &SystemRandom, caller());
        let stored = hash.await.unwrap();
        for (password, stored, right) in [
            ("correct horse", Some(&*stored), true),
            ("correct horsf", Some(&*stored), false),
            ("correct horse", None, false),
        ] {
            let verified = hasher.verify(password, stored, caller()).await;
            assert_eq!(verified.unwrap(), right);
        }
    }

    #[test]
    fn the_thousand_commonest_are_known() {
        assert_eq!(COMMON.len(), 1_000);
        assert!(is_common("password"));
        assert!(!is_common("correct horse battery staple"));
    }
}
