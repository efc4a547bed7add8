//! Keys. All keys are derived from one master key (a file in the data folder, or `NIL_SECRET_KEY`
//! if several servers share a database), so that only one secret must be guarded.

use aws_lc_rs::aead::{AES_256_GCM, Aad, Nonce, RandomizedNonceKey};
use aws_lc_rs::constant_time::verify_slices_are_equal;
use aws_lc_rs::digest::{SHA256, digest};
use aws_lc_rs::hkdf::{HKDF_SHA256, KeyType, Salt};
use aws_lc_rs::hmac;

use super::token::{TokenAlgorithm, TokenKeys};
use crate::error::{Error, Result, codes};
use crate::kernel::{Random, Secret};

/// How many keys a master key may have: its own, and earlier ones.
const MOST: usize = 5;

/// The 256-bit master key, with the earlier ones whose traces are still in the database.
#[derive(Clone)]
pub struct MasterKey {
    own: [u8; 32],
    earlier: Vec<[u8; 32]>,
}

impl MasterKey {
    /// A new one.
    #[must_use]
    pub fn generate(random: &dyn Random) -> Self {
        let mut own = [0; 32];
        random.fill(&mut own);
        Self { own, earlier: Vec::new() }
    }

    /// From 64 hexadecimal digits, and 64 more for each earlier key, the last one first, with
    /// blanks, line ends or commas between them.
    pub fn from_hex(text: &str) -> Result<Self, String> {
        let between = |letter: char| letter.is_whitespace() || letter == ',';
        let mut keys = Vec::new();
        for digits in text.split(between).filter(|digits| !digits.is_empty()) {
            let mut key = [0; 32];
            hex::decode_to_slice(digits, &mut key)
                .map_err(|_| "the secret key must be 64 hexadecimal digits".to_owned())?;
            keys.push(key);
        }
        let mut keys = keys.into_iter();
        let own = keys.next().ok_or("the secret key must be 64 hexadecimal digits")?;
        let earlier: Vec<[u8; 32]> = keys.filter(|key| *key != own).collect();
        if earlier.len() >= MOST {
            return Err(format!("there are more than {MOST} secret keys"));
        }
        Ok(Self { own, earlier })
    }

    /// As 64 hexadecimal digits, for the key file; each earlier key in a line of its own.
    #[must_use]
    pub fn to_hex(&self) -> Secret {
        let lines: Vec<String> = self.all().map(hex::encode).collect();
        Secret::new(lines.join("\n"))
    }

    /// A new key, with this one and those before it as earlier ones.
    pub fn rotated(&self, random: &dyn Random) -> Result<Self, String> {
        if self.earlier.len() + 1 >= MOST {
            return Err(format!(
                "there are {MOST} secret keys already: forget the earlier ones first"
            ));
        }
        Ok(Self { earlier: self.all().copied().collect(), ..Self::generate(random) })
    }

    /// The key without the earlier ones.
    #[must_use]
    pub fn alone(&self) -> Self {
        Self { own: self.own, earlier: Vec::new() }
    }

    /// How many earlier keys it has.
    #[must_use]
    pub fn earlier(&self) -> usize {
        self.earlier.len()
    }

    /// A key for one purpose, derived from its own one.
    pub(super) fn derive(&self, purpose: &str) -> Result<[u8; 32]> {
        derive(&self.own, purpose)
    }

    fn all(&self) -> impl Iterator<Item = &[u8; 32]> {
        std::iter::once(&self.own).chain(&self.earlier)
    }
}

/// A key for one purpose.
fn derive(master: &[u8; 32], purpose: &str) -> Result<[u8; 32]> {
    struct Key32;
    impl KeyType for Key32 {
        fn len(&self) -> usize {
            32
        }
    }
    let mut key = [0; 32];
    Salt::new(HKDF_SHA256, b"nil")
        .extract(master)
        .expand(&[purpose.as_bytes()], Key32)
        .and_then(|okm| okm.fill(&mut key))
        .map_err(|_| Error::internal("key derivation failed"))?;
    Ok(key)
}

impl std::fmt::Debug for MasterKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("***")
    }
}

/// The keys that are derived from one master key.
struct Derived {
    tokens: TokenKeys,
    seal: RandomizedNonceKey,
    mark: hmac::Key,
    link: hmac::Key,
    services: hmac::Key,
}

impl Derived {
    fn of(master: &[u8; 32]) -> Result<Self> {
        let hmac = |purpose| -> Result<hmac::Key> {
            Ok(hmac::Key::new(hmac::HMAC_SHA256, &derive(master, purpose)?))
        };
        Ok(Self {
            tokens: TokenKeys::new(
                derive(master, "core and compliance tokens")?,
                &derive(master, "signatures of tokens")?,
            )?,
            seal: RandomizedNonceKey::new(&AES_256_GCM, &derive(master, "sealed columns")?)
                .map_err(|_| Error::internal("the sealing key was refused"))?,
            mark: hmac("marks of short secrets")?,
            link: hmac("signed addresses")?,
            services: hmac("secrets of services")?,
        })
    }

    fn open(&self, context: &str, sealed: &[u8]) -> Option<Vec<u8>> {
        let (nonce, body) = sealed.split_at_checked(12)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).ok()?;
        let mut body = body.to_vec();
        let plain =
            self.seal.open_in_place(nonce, Aad::from(context.as_bytes()), &mut body).ok()?;
        Some(plain.to_vec())
    }

    fn mark(&self, context: &str, text: &str) -> String {
        hex::encode(hmac::sign(&self.mark, format!("{context}\0{text}").as_bytes()))
    }

    fn signature(&self, text: &str) -> String {
        hex::encode(hmac::sign(&self.link, text.as_bytes()))
    }

    fn signing_secret(&self, key: &str) -> Secret {
        let name = fingerprint(key);
        Secret::new(hex::encode(hmac::sign(&self.services, name.as_bytes())))
    }
}

/// The derived keys. What is made is made with those of the master key's own; what was made with
/// those of an earlier key is still read.
pub struct Vault {
    own: Derived,
    earlier: Vec<Derived>,
    pub(super) signs_by: TokenAlgorithm,
}

impl std::fmt::Debug for Vault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Vault")
    }
}

impl Vault {
    #[doc(hidden)]
    pub fn new(master: &MasterKey) -> Result<Self> {
        let earlier: Result<_> = master.earlier.iter().map(Derived::of).collect();
        let signs_by = TokenAlgorithm::Hs256;
        Ok(Self { own: Derived::of(&master.own)?, earlier: earlier?, signs_by })
    }

    /// With tokens signed by this algorithm.
    #[must_use]
    pub fn signing_by(self, algorithm: TokenAlgorithm) -> Self {
        Self { signs_by: algorithm, ..self }
    }

    fn all(&self) -> impl Iterator<Item = &Derived> {
        std::iter::once(&self.own).chain(&self.earlier)
    }

    /// The keys of tokens, the own ones first.
    pub(super) fn token_keys(&self) -> impl Iterator<Item = &TokenKeys> {
        self.all().map(|keys| &keys.tokens)
    }

    /// Encrypts a column. `context` binds it to its row: it cannot be opened in another context.
    pub fn seal(&self, context: &str, plain: &[u8]) -> Result<Vec<u8>> {
        let mut sealed = plain.to_vec();
        let nonce = self
            .own
            .seal
            .seal_in_place_append_tag(Aad::from(context.as_bytes()), &mut sealed)
            .map_err(|_| Error::internal("sealing failed"))?;
        let mut out = nonce.as_ref().to_vec();
        out.append(&mut sealed);
        Ok(out)
    }

    /// Decrypts data that [`seal`](Self::seal) encrypted in the same context.
    pub fn open(&self, context: &str, sealed: &[u8]) -> Result<Vec<u8>> {
        let opened = self.all().find_map(|keys| keys.open(context, sealed));
        opened
            .ok_or_else(|| Error::internal("a sealed column does not open with this server's key"))
    }

    /// Whether data is sealed with the master key's own key, and not with an earlier one.
    pub fn is_sealed_anew(&self, context: &str, sealed: &[u8]) -> bool {
        self.own.open(context, sealed).is_some()
    }

    /// A keyed hash of a secret that is too short for a plain hash, such as a six-digit code.
    pub fn mark(&self, context: &str, text: &str) -> String {
        self.own.mark(context, text)
    }

    /// The marks that the text may have in the database: under the own key, and under each earlier
    /// one.
    pub fn marks(&self, context: &str, text: &str) -> Vec<String> {
        self.all().map(|keys| keys.mark(context, text)).collect()
    }

    /// Whether `mark` is the mark of the text; compares in constant time.
    pub fn is_mark(&self, context: &str, text: &str, mark: &str) -> bool {
        self.all().any(|keys| same(&keys.mark(context, text), mark))
    }

    /// The signature of a self-contained address.
    pub fn sign_text(&self, text: &str) -> String {
        self.own.signature(text)
    }

    /// Whether it is the signature of the text; compares in constant time.
    pub fn is_signature(&self, text: &str, signature: &str) -> bool {
        self.all().any(|keys| same(&keys.signature(text), signature))
    }

    /// The secret for signing requests with this API key. It is derived, so a dump of the database
    /// does not contain it.
    pub fn signing_secret(&self, key: &str) -> Secret {
        self.own.signing_secret(key)
    }

    /// The secrets that a service with this API key may have: under the own key, and under each
    /// earlier one.
    pub fn signing_secrets(&self, key: &str) -> Vec<Secret> {
        self.all().map(|keys| keys.signing_secret(key)).collect()
    }
}

/// Whether two texts are equal; compares in constant time.
fn same(one: &str, other: &str) -> bool {
    verify_slices_are_equal(one.as_bytes(), other.as_bytes()).is_ok()
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

    #[test]
    fn what_was_made_under_an_earlier_key_is_read_under_a_new_one() {
        let first = MasterKey::generate(&SystemRandom);
        let before = Vault::new(&first).unwrap();
        let second = first.rotated(&SystemRandom).unwrap();
        let read = MasterKey::from_hex(second.to_hex().expose()).unwrap();
        let after = Vault::new(&read).unwrap();
        let sealed = before.seal("outbox:1", b"482913").unwrap();
        assert_eq!(after.open("outbox:1", &sealed).unwrap(), b"482913");
        assert!(after.open("outbox:2", &sealed).is_err());
        assert!(!after.is_sealed_anew("outbox:1", &sealed));
        let anew = after.seal("outbox:1", b"482913").unwrap();
        assert!(after.is_sealed_anew("outbox:1", &anew));
        assert!(before.open("outbox:1", &anew).is_err());
        let mark = before.mark("user:1", "482913");
        assert_ne!(after.mark("user:1", "482913"), mark);
        assert!(after.is_mark("user:1", "482913", &mark));
        assert!(after.marks("user:1", "482913").contains(&mark));
        assert!(after.is_signature("link", &before.sign_text("link")));
        assert!(!before.is_signature("link", &after.sign_text("link")));
        assert!(after.signing_secrets("key").contains(&before.signing_secret("key")));
        let alone = Vault::new(&read.alone()).unwrap();
        assert!(alone.open("outbox:1", &sealed).is_err());
        assert!(alone.open("outbox:1", &anew).is_ok());
    }

    #[test]
    fn keys_are_read_in_any_form_and_are_not_too_many() {
        let key = MasterKey::generate(&SystemRandom);
        let two = key.rotated(&SystemRandom).unwrap();
        let text = two.to_hex().expose().replace('\n', " , ");
        let read = MasterKey::from_hex(&text).unwrap();
        assert_eq!((read.own, read.earlier.clone()), (two.own, vec![key.own]));
        for wrong in ["", " \n", "abc", &"g".repeat(64), &"a".repeat(63), &format!("{text},b")] {
            assert!(MasterKey::from_hex(wrong).is_err(), "{wrong}");
        }
        let mut many = key;
        while many.earlier() + 1 < MOST {
            many = many.rotated(&SystemRandom).unwrap();
        }
        assert!(MasterKey::from_hex(many.to_hex().expose()).is_ok());
        assert!(many.rotated(&SystemRandom).is_err());
    }
}
