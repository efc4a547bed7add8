//! Where the bytes of files are kept: under keys that only the server makes, apart from the database.
//!
//! An object is written once and never changed. Which objects are wanted is the database's affair: a
//! key is entered there before its object is written, so an object whose key nobody knows is a relic.

mod folder;

use std::fmt;
use std::future::Future;
use std::io;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;

use bytes::Bytes;
use futures::Stream;

use crate::kernel::{Random, Time};

pub use folder::Folder;

/// An answer that comes later.
pub type Later<'a, T> = Pin<Box<dyn Future<Output = io::Result<T>> + Send + 'a>>;

/// An object's bytes as they come.
pub type Pieces = Pin<Box<dyn Stream<Item = io::Result<Vec<u8>>> + Send + Sync>>;

/// The name of an object: 32 hexadecimal digits that nothing a user wrote gets into.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObjectKey(String);

impl ObjectKey {
    /// A new one that nobody can guess.
    #[must_use]
    pub fn draw(random: &dyn Random) -> Self {
        let mut bytes = [0; 16];
        random.fill(&mut bytes);
        Self(hex::encode(bytes))
    }

    /// The key with these digits, if they can be one.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        (text.len() == 32 && text.bytes().all(digit)).then(|| Self(text.to_owned()))
    }

    /// Its digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The first two digits: one of 256 shelves that objects stand on.
    fn shelf(&self) -> &str {
        self.0.get(..2).unwrap_or_default()
    }
}

impl fmt::Debug for ObjectKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A store of objects. Implementations keep nothing else than what they are given.
pub trait Objects: Send + Sync + 'static {
    /// Writes an object. When this answers it is durable and whole; before, nobody sees any of it.
    fn put<'a>(&'a self, key: &'a ObjectKey, bytes: Bytes) -> Later<'a, ()>;

    /// The object's bytes; none where there is no such object.
    fn get<'a>(&'a self, key: &'a ObjectKey) -> Later<'a, Option<Pieces>>;

    /// Removes an object for good; a missing one is removed already.
    fn remove<'a>(&'a self, key: &'a ObjectKey) -> Later<'a, ()>;

    /// The keys on a shelf: those whose first two digits are this number.
    fn shelf(&self, number: u8) -> Later<'_, Vec<ObjectKey>>;

    /// Takes an object that the database does not know out of the way, from where an administrator can
    /// bring it back for a month: it may be the database that was mistaken, such as an old backup.
    fn set_aside<'a>(&'a self, key: &'a ObjectKey, now: Time) -> Later<'a, ()>;

    /// Removes what was begun and never ended, and what has been set aside for a month.
    fn tidy(&self, now: Time) -> Later<'_, ()>;
}

/// The host's own store, or else a folder of the data folder.
pub(crate) fn chosen(own: Option<&Arc<dyn Objects>>, data: &Path) -> Arc<dyn Objects> {
    match own {
        Some(objects) => objects.clone(),
        None => Arc::new(Folder::new(data.join("objects"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_the_server_makes_is_a_key() {
        let key = ObjectKey::draw(&crate::kernel::SystemRandom);
        assert_eq!(ObjectKey::parse(key.as_str()), Some(key));
        for wrong in [
            "",
            "..",
            "../../../../etc/passwd",
            "0123456789abcdef0123456789abcde",
            "0123456789abcdef0123456789abcdef0",
            "0123456789ABCDEF0123456789ABCDEF",
            "../456789abcdef0123456789abcdef00",
            "0123456789abcdef0123456789abcd\\0",
            "0123456789abcdef0123456789abcd/x",
            "0123456789abcdef0123456789abcd\u{e9}",
        ] {
            assert_eq!(ObjectKey::parse(wrong), None, "{wrong}");
        }
    }
}
