//! Names of callers for programs outside that must not learn who they are.

use aws_lc_rs::hmac;

use super::vault::MasterKey;
use crate::error::Result;

/// Gives callers other names: always the same for the same caller, on every server with this key.
pub struct Pseudonyms(hmac::Key);

impl std::fmt::Debug for Pseudonyms {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Pseudonyms")
    }
}

impl Pseudonyms {
    /// With a key of its own, derived from the master key.
    pub fn new(master: &MasterKey) -> Result<Self> {
        Ok(Self(hmac::Key::new(hmac::HMAC_SHA256, &master.derive("names of callers outside")?)))
    }

    /// The name of a caller of this operation, as 32 hexadecimal digits.
    pub fn of(&self, operation: &str, caller: &str) -> String {
        let tag = hmac::sign(&self.0, format!("{operation}\0{caller}").as_bytes());
        tag.as_ref().first_chunk::<16>().map(hex::encode).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_differ_by_key_operation_and_caller_and_tell_none_of_them() {
        let names = |digit: &str| {
            Pseudonyms::new(&MasterKey::from_hex(&digit.repeat(64)).unwrap()).unwrap()
        };
        let ours = names("a");
        let name = ours.of("core.auth.log_in", "at:203.0.113.9");
        assert_eq!(name, names("a").of("core.auth.log_in", "at:203.0.113.9"));
        assert_eq!(name.len(), 32);
        for other in [
            names("b").of("core.auth.log_in", "at:203.0.113.9"),
            ours.of("admin.auth.log_in", "at:203.0.113.9"),
            ours.of("core.auth.log_in", "at:203.0.113.8"),
        ] {
            assert_ne!(name, other);
        }
    }
}
