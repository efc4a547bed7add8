//! Passwords: argon2id with 19 MiB, two passes, one lane, on dedicated threads, with a limit on
//! concurrent hashes.
//!
//! Keyboards write `é` as one character or as two. A password is stored by its composed form (NFC,
//! as RFC 8265 says). Hashes from before that are of what was typed then, so a log-in tries the
//! composed form first, then the other two.

use std::collections::HashSet;
use std::sync::{Arc, LazyLock};

use aws_lc_rs::constant_time::verify_slices_are_equal;
use unicode_normalization::UnicodeNormalization as _;

use super::hashing::{For, Hashing, LANES, MEMORY_KIB, PASSES};
use super::presence::Presence;
use crate::error::Result;
use crate::kernel::Random;

static COMMON: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| include_str!("../../assets/passwords/common.txt").lines().collect());

/// Whether it is exactly one of the thousand most common passwords.
#[must_use]
pub fn is_common(password: &str) -> bool {
    COMMON.contains(composed(password).as_str())
}

fn composed(password: &str) -> String {
    password.nfc().collect()
}

/// The forms of a password that a stored hash may be of, each once: one for ASCII.
fn forms(password: &str) -> Vec<String> {
    let mut forms = vec![composed(password)];
    for form in [password.nfd().collect(), password.to_owned()] {
        if !forms.contains(&form) {
            forms.push(form);
        }
    }
    forms
}

/// Hashes and checks passwords. Both refuse with 503 `unavailable` if too many already wait, and
/// skip callers who hung up before their turn.
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
        let hash = self.0.derive(For::NewPassword, composed(password), salt.to_vec(), caller);
        Ok(format!(
            "argon2id${MEMORY_KIB}${PASSES}${LANES}${}${}",
            hex::encode(salt),
            hex::encode(hash.await?)
        ))
    }

    /// Whether the password matches the stored one. Without a stored one it takes the same time and
    /// returns false, so that the time does not reveal whether an account exists.
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
        for form in forms(password) {
            let actual = self.0.derive(For::LogIn, form, salt.clone(), caller.clone()).await?;
            if verify_slices_are_equal(&actual, &expected).is_ok() {
                return Ok(true);
            }
        }
        Ok(false)
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

    #[tokio::test]
    async fn a_password_is_the_same_however_its_accents_are_written() {
        let hasher = Hasher::new(1);
        let (composed, apart) =
            ("caf\u{e9} \u{c5}ngstr\u{f6}m", "cafe\u{301} A\u{30a}ngstro\u{308}m");
        let mixed = "caf\u{e9} A\u{30a}ngstr\u{f6}m";
        let all = [composed, apart, mixed];
        for set in all {
            let stored = hasher.hash(set, &SystemRandom, Presence::default()).await.unwrap();
            // As it was stored before: of what was typed.
            let salt = vec![7; 16];
            let old =
                hasher.0.derive(For::NewPassword, set.into(), salt.clone(), Presence::default());
            let old = format!(
                "argon2id$19456$2$1${}${}",
                hex::encode(salt),
                hex::encode(old.await.unwrap())
            );
            for typed in all {
                let right = hasher.verify(typed, Some(&stored), Presence::default());
                assert!(right.await.unwrap(), "{typed:?} for {set:?}");
                // A mixture is known only to who types the same mixture.
                if set != mixed || typed == mixed {
                    let right = hasher.verify(typed, Some(&old), Presence::default());
                    assert!(right.await.unwrap(), "{typed:?} for the old {set:?}");
                }
            }
            let wrong = hasher.verify("cafe Angstrom", Some(&stored), Presence::default());
            assert!(!wrong.await.unwrap(), "an accent counts");
        }
        assert_eq!(forms("correct horse").len(), 1, "ASCII takes one hash");
        assert_eq!((forms(composed).len(), forms(apart).len(), forms(mixed).len()), (2, 2, 3));
    }

    #[test]
    fn the_thousand_commonest_are_known() {
        assert_eq!(COMMON.len(), 1_000);
        assert!(is_common("password"));
        assert!(!is_common("correct horse battery staple"));
    }
}
