//! The store for the bytes of files: under keys created by the server, apart from the database.
//!
//! An object is written once and never changed. The database decides which objects are needed: a
//! key is stored there before its object is written, so an object with an unknown key is a relic.

mod folder;
mod parts;
mod s3;

use std::fmt;
use std::future::Future;
use std::io;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures::Stream;

use crate::kernel::{Random, Time};

pub use folder::Folder;
pub use parts::{PartAddress, Parted};
pub use s3::{S3, S3Settings};

/// A future result.
pub type Later<'a, T> = Pin<Box<dyn Future<Output = io::Result<T>> + Send + 'a>>;

/// An object's bytes as a stream.
pub type Pieces = Pin<Box<dyn Stream<Item = io::Result<Vec<u8>>> + Send + Sync>>;

/// Bytes on their way to a store.
pub type Incoming = Pin<Box<dyn Stream<Item = io::Result<Bytes>> + Send>>;

/// The key of an object: 32 hexadecimal digits, independent of user input.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObjectKey(String);

impl ObjectKey {
    /// A new random key that cannot be guessed.
    #[must_use]
    pub fn draw(random: &dyn Random) -> Self {
        let mut bytes = [0; 16];
        random.fill(&mut bytes);
        Self(hex::encode(bytes))
    }

    /// The key with these digits, if they are valid.
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

    /// The first two digits: the object's shelf, one of 256.
    fn shelf(&self) -> &str {
        self.0.get(..2).unwrap_or_default()
    }
}

impl fmt::Debug for ObjectKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A store of objects. Implementations store only the given bytes.
pub trait Objects: Send + Sync + 'static {
    /// Writes an object. When it returns, the object is durable and complete; before that it is not
    /// visible.
    fn put<'a>(&'a self, key: &'a ObjectKey, bytes: Bytes) -> Later<'a, ()>;

    /// The object's bytes; none if there is no such object.
    fn get<'a>(&'a self, key: &'a ObjectKey) -> Later<'a, Option<Pieces>>;

    /// At most `length` bytes of the object from the byte `from` on; none if there is no such
    /// object.
    fn get_part<'a>(
        &'a self,
        key: &'a ObjectKey,
        from: u64,
        length: u64,
    ) -> Later<'a, Option<Pieces>>;

    /// Begins an object that arrives in parts; answers the store's own name for the upload. The
    /// object is not visible until [`join`](Objects::join).
    fn begin<'a>(&'a self, key: &'a ObjectKey) -> Later<'a, String>;

    /// Writes a part of exactly this many bytes, and answers its tag. Parts are numbered from 1,
    /// arrive in any order, and replace an earlier one of their number. `InvalidInput` for another
    /// number of bytes, `NotFound` for an upload that does not exist (any more).
    fn put_part<'a>(
        &'a self,
        of: &'a Parted,
        number: u16,
        length: u64,
        bytes: Incoming,
    ) -> Later<'a, String>;

    /// An address of the store's own that takes a part without credentials for so long; none if the
    /// store has no such addresses, and the parts come through [`put_part`](Objects::put_part).
    fn part_address<'a>(
        &'a self,
        of: &'a Parted,
        number: u16,
        good_for: Duration,
    ) -> Later<'a, Option<PartAddress>>;

    /// Makes the object of its parts, given their tags in the order of their numbers. When it
    /// returns, the object is durable and complete, and the upload is over; before that it is not
    /// visible. `InvalidInput` if a part is missing or has another tag, `NotFound` for an upload
    /// that does not exist (any more). For an upload whose object is made a store may answer as it
    /// did then; the object stays as it is.
    fn join<'a>(&'a self, of: &'a Parted, tags: &'a [String]) -> Later<'a, ()>;

    /// Removes what has arrived of an upload; removing a missing one is not an error.
    fn abort<'a>(&'a self, of: &'a Parted) -> Later<'a, ()>;

    /// Removes an object for good; removing a missing one is not an error.
    fn remove<'a>(&'a self, key: &'a ObjectKey) -> Later<'a, ()>;

    /// The keys on a shelf: those whose first two digits are this number.
    fn shelf(&self, number: u8) -> Later<'_, Vec<ObjectKey>>;

    /// Sets aside an object that the database does not know. An administrator can restore it for a
    /// month, because the database may be wrong, for example restored from an old backup.
    fn set_aside<'a>(&'a self, key: &'a ObjectKey, now: Time) -> Later<'a, ()>;

    /// Removes incomplete objects, parts of uploads that nobody ended, and objects set aside for a
    /// month.
    fn tidy(&self, now: Time) -> Later<'_, ()>;
}

/// The host's own store, or a subfolder of the data folder if there is none.
pub fn chosen(own: Option<&Arc<dyn Objects>>, data: &Path) -> Arc<dyn Objects> {
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
