//! Keys. All keys are derived from one master key (a file in the data folder, or `NIL_SECRET_KEY`
//! if several servers share a database), so that only one secret must be guarded.

use aws_lc_rs::aead::{AES_256_GCM, Aad, Nonce, RandomizedNonceKey};
use aws_lc_rs::constant_time::verify_slices_are_equal;
use aws_lc_rs::digest::{SHA256, digest};
use aws_lc_rs::hkdf::{HKDF_SHA256, KeyType, Salt};
use aws_lc_rs::hmac;

use crate::error::{Error, Result, codes};
use crate::kernel::{Random, Secret};

/// The 256-bit master key.
#[derive(Clone)]
pub struct MasterKey([u8; 32]);

impl MasterKey {
    /// A new one.
    #[must_use]
    pub fn generate(random: &dyn Random) -> Self {
        let mut key = [0; 32];
        random.fill(&mut key);
        Self(key)
    }

    /// From 64 hexadecimal digits.
    pub fn from_hex(text: &str) -> Result<Self, String> {
        let mut key = [0; 32];
        hex::decode_to_slice(text.trim(), &mut key)
            .map_err(|_| "the secret key must be 64 hexadecimal digits".to_owned())?;
        Ok(Self(key))
    }

    /// As 64 hexadecimal digits, for the key file.
    #[must_use]
    pub fn to_hex(&self) -> Secret {
        Secret::new(hex::encode(self.0))
    }

    pub(super) fn derive(&self, purpose: &str) -> Result<[u8; 32]> {
        struct Key32;
        impl KeyType for Key32 {
            fn len(&self) -> usize {
                32
            }
        }
        let mut key = [0; 32];
        Salt::new(HKDF_SHA256, b"nil")
            .extract(&self.0)
            .expand(&[purpose.as_bytes()], Key32)
            .and_then(|okm| okm.fill(&mut key))
            .map_err(|_| Error::internal("key derivation failed"))?;
        Ok(key)
    }
}

impl std::fmt::Debug for MasterKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("***")
    }
}

/// The derived keys.
pub struct Vault {
    jwt: [u8; 32],
    seal: RandomizedNonceKey,
    mark: hmac::Key,
    link: hmac::Key,
    services: hmac::Key,
}

impl std::fmt::Debug for Vault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Vault")
    }
}

impl Vault {
    #[doc(hidden)]
    pub fn new(master: &MasterKey) -> Result<Self> {
        Ok(Self {
            jwt: master.derive("core and compliance tokens")?,
            seal: RandomizedNonceKey::new(&AES_256_GCM, &master.derive("sealed columns")?)
                .map_err(|_| Error::internal("the sealing key was refused"))?,
            mark: hmac::Key::new(hmac::HMAC_SHA256, &master.derive("marks of short secrets")?),
            link: hmac::Key::new(hmac::HMAC_SHA256, &master.derive("signed addresses")?),
            services: hmac::Key::new(hmac::HMAC_SHA256, &master.derive("secrets of services")?),
        })
    }

    #[doc(hidden)]
    pub fn jwt_key(&self) -> &[u8] {
        &self.jwt
    }

    /// Encrypts a column. `context` binds it to its row: it cannot be opened in another context.
    pub fn seal(&self, context: &str, plain: &[u8]) -> Result<Vec<u8>> {
        let mut sealed = plain.to_vec();
        let nonce = self
            .seal
            .seal_in_place_append_tag(Aad::from(context.as_bytes()), &mut sealed)
            .map_err(|_| Error::internal("sealing failed"))?;
        let mut out = nonce.as_ref().to_vec();
        out.append(&mut sealed);
        Ok(out)
    }

    /// Decrypts data that [`seal`](Self::seal) encrypted in the same context.
    pub fn open(&self, context: &str, sealed: &[u8]) -> Result<Vec<u8>> {
        let broken = || Error::internal("a sealed column does not open with this server's key");
        let (nonce, body) = sealed.split_at_checked(12).ok_or_else(broken)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).map_err(|_| broken())?;
        let mut body = body.to_vec();
        let plain = self
            .seal
            .open_in_place(nonce, Aad::from(context.as_bytes()), &mut body)
            .map_err(|_| broken())?;
        Ok(plain.to_vec())
    }

    /// A keyed hash of a secret that is too short for a plain hash, such as a six-digit code.
    pub fn mark(&self, context: &str, text: &str) -> String {
        hex::encode(hmac::sign(&self.mark, format!("{context}\0{text}").as_bytes()))
    }

    /// Whether `mark` is the mark of the text; compares in constant time.
    pub fn is_mark(&self, context: &str, text: &str, mark: &str) -> bool {
        verify_slices_are_equal(self.mark(context, text).as_bytes(), mark.as_bytes()).is_ok()
    }

    /// The signature of a self-contained address.
    pub fn sign_text(&self, text: &str) -> String {
        hex::encode(hmac::sign(&self.link, text.as_bytes()))
    }

    /// Whether it is the signature of the text; compares in constant time.
    pub fn is_signature(&self, text: &str, signature: &str) -> bool {
        verify_slices_are_equal(self.sign_text(text).as_bytes(), signature.as_bytes()).is_ok()
    }

    /// The secret for signing requests with this API key. It is derived, so a dump of the database
    /// does not contain it.
    pub fn signing_secret(&self, key: &str) -> Secret {
        let name = fingerprint(key);
        Secret::new(hex::encode(hmac::sign(&self.services, name.as_bytes())))
    }
}

/// A new 256-bit token, as text.
pub fn new_token(random: &dyn Random) -> Secret {
    let mut bytes = [0; 32];
    random.fill(&mut bytes);
    Secret::new(hex::encode(bytes))
}

/// The stored name of a 256-bit token: its SHA-256, so that a dump of the database contains no
/// usable token.
pub fn fingerprint(token: &str) -> String {
    hex::encode(digest(&SHA256, token.as_bytes()))
}

/// The error for an invalid header or token.
pub fn unauthenticated() -> Error {
    codes::UNAUTHENTICATED
        .saying("This token, key or session is unknown or has ended. Please log in again.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::SystemRandom;

    #[test]
    fn what_is_sealed_opens_in_its_own_context_only() {
        let vault = Vault::new(&MasterKey::generate(&SystemRandom)).unwrap();
        let sealed = vault.seal("outbox:1", b"482913").unwrap();
        assert_eq!(vault.open("outbox:1", &sealed).unwrap(), b"482913");
        assert!(vault.open("outbox:2", &sealed).is_err());
        assert!(vault.open("outbox:1", &sealed[..20]).is_err());
    }

    #[test]
    fn marks_depend_on_context() {
        let vault = Vault::new(&MasterKey::generate(&SystemRandom)).unwrap();
        let mark = vault.mark("user:1", "482913");
        assert!(vault.is_mark("user:1", "482913", &mark));
        assert!(!vault.is_mark("user:2", "482913", &mark));
        assert!(!vault.is_mark("user:1", "482914", &mark));
    }
}
