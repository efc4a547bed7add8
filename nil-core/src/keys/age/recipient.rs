//! The keys: `age1…` is public, `AGE-SECRET-KEY-1…` is secret.

use std::fmt;
use std::io;
use std::str::FromStr;

use aws_lc_rs::agreement::{PrivateKey, UnparsedPublicKey, X25519, agree};
use bech32::primitives::decode::CheckedHrpstring;
use bech32::{Bech32, Hrp};

const PUBLIC: &str = "age";
const SECRET: &str = "age-secret-key-";

/// Who can open a file: a public key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recipient(pub(super) [u8; 32]);

/// Who opens a file: a secret key.
pub struct Identity {
    key: PrivateKey,
}

impl fmt::Debug for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

/// The 32 bytes of a key with this prefix.
fn read(text: &str, prefix: &str) -> Option<[u8; 32]> {
    let checked = CheckedHrpstring::new::<Bech32>(text).ok()?;
    if checked.hrp() != Hrp::parse(prefix).ok()? {
        return None;
    }
    let bytes: Vec<u8> = checked.byte_iter().collect();
    bytes.try_into().ok()
}

impl FromStr for Recipient {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let key = read(text.trim(), PUBLIC).map(Self);
        key.ok_or_else(|| "is no public key of age, such as age1…: `age-keygen` makes one".into())
    }
}

impl fmt::Display for Recipient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let prefix = Hrp::parse(PUBLIC).map_err(|_| fmt::Error)?;
        f.write_str(&bech32::encode::<Bech32>(prefix, &self.0).map_err(|_| fmt::Error)?)
    }
}

impl FromStr for Identity {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let key = read(text.trim(), SECRET).and_then(|key| Self::of_bytes(&key).ok());
        key.ok_or_else(|| "is no secret key of age, such as AGE-SECRET-KEY-1…".into())
    }
}

impl Identity {
    /// The secret keys of a file as `age-keygen` writes it: one in a line, with comments.
    pub fn all_of(text: &str) -> Result<Vec<Self>, String> {
        let lines =
            text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        let keys: Vec<Self> = lines.map(str::parse).collect::<Result<_, _>>()?;
        if keys.is_empty() { Err("has no secret key".into()) } else { Ok(keys) }
    }

    pub(super) fn of_bytes(key: &[u8; 32]) -> io::Result<Self> {
        let key = PrivateKey::from_private_key(&X25519, key);
        Ok(Self { key: key.map_err(|_| io::Error::other("the key cannot be used"))? })
    }

    /// The public key to it.
    pub fn recipient(&self) -> io::Result<Recipient> {
        let public = self.key.compute_public_key();
        let bytes = public.ok().and_then(|public| public.as_ref().try_into().ok());
        bytes.map(Recipient).ok_or_else(|| io::Error::other("the key cannot be used"))
    }

    /// The secret that both sides can reckon.
    pub(super) fn shared(&self, with: &[u8; 32]) -> io::Result<[u8; 32]> {
        let refused = || io::Error::new(io::ErrorKind::InvalidData, "the other key is none");
        let with = UnparsedPublicKey::new(&X25519, with);
        agree(&self.key, with, refused(), |secret| secret.try_into().map_err(|_| refused()))
    }
}
