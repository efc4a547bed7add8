//! Files that only the holder of a key can read, in the format of `age` (age-encryption.org/v1)
//! with X25519 keys: `age -d -i KEYFILE` opens what is sealed here, and what `age -r` sealed can be
//! opened here.
//!
//! `recipient` has the keys as texts, `header` wraps a file's own key for each recipient, `sealing`
//! and `opening` do the contents, chunk by chunk.

mod header;
mod opening;
mod recipient;
mod sealing;

use std::io;

use aws_lc_rs::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, Nonce, UnboundKey};
use aws_lc_rs::hkdf::{HKDF_SHA256, KeyType, Salt};

pub use opening::{Opened, is_sealed};
pub use recipient::{Identity, Recipient};
pub use sealing::Sealing;

/// The bytes of a chunk, without its tag.
const CHUNK: usize = 64 * 1024;
/// The bytes of a tag.
const TAG: usize = 16;
/// The bytes of the number that the contents' key is derived with.
const NONCE: usize = 16;

struct Key32;

impl KeyType for Key32 {
    fn len(&self) -> usize {
        32
    }
}

/// A key for one purpose.
fn derived(secret: &[u8], salt: &[u8], purpose: &str) -> io::Result<[u8; 32]> {
    let mut key = [0; 32];
    Salt::new(HKDF_SHA256, salt)
        .extract(secret)
        .expand(&[purpose.as_bytes()], Key32)
        .and_then(|filled| filled.fill(&mut key))
        .map_err(|_| io::Error::other("a key cannot be derived"))?;
    Ok(key)
}

fn cipher(key: &[u8; 32]) -> io::Result<LessSafeKey> {
    let key = UnboundKey::new(&CHACHA20_POLY1305, key);
    key.map(LessSafeKey::new).map_err(|_| io::Error::other("a key cannot be used"))
}

/// The contents: a chunk after the other, each with its number and whether it is the last.
struct Chunks(LessSafeKey);

impl Chunks {
    fn new(file_key: &[u8; 16], nonce: &[u8; NONCE]) -> io::Result<Self> {
        Ok(Self(cipher(&derived(file_key, nonce, "payload")?)?))
    }

    fn nonce(number: u64, last: bool) -> Nonce {
        let mut nonce = [0; 12];
        if let Some((end, start)) = nonce.split_last_mut() {
            for (to, from) in start.iter_mut().rev().zip(number.to_be_bytes().into_iter().rev()) {
                *to = from;
            }
            *end = u8::from(last);
        }
        Nonce::assume_unique_for_key(nonce)
    }

    fn seal(&self, number: u64, last: bool, mut chunk: Vec<u8>) -> io::Result<Vec<u8>> {
        let sealed =
            self.0.seal_in_place_append_tag(Self::nonce(number, last), Aad::empty(), &mut chunk);
        sealed.map_err(|_| io::Error::other("a chunk cannot be sealed"))?;
        Ok(chunk)
    }

    fn open(&self, number: u64, last: bool, mut chunk: Vec<u8>) -> io::Result<Vec<u8>> {
        let opened = self.0.open_in_place(Self::nonce(number, last), Aad::empty(), &mut chunk);
        let length = opened.map_err(|_| broken("the file was changed or is cut off"))?.len();
        chunk.truncate(length);
        Ok(chunk)
    }
}

fn broken(why: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why)
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Read as _, Seek as _, SeekFrom};

    use super::*;
    use crate::kernel::{Random, SeededRandom};

    fn identity(seed: u64) -> Identity {
        let mut key = [0; 32];
        SeededRandom::new(seed).fill(&mut key);
        Identity::of_bytes(&key).unwrap()
    }

    fn sealed(text: &[u8], to: &[Recipient]) -> Vec<u8> {
        let mut sealing = Sealing::begin(to, &SeededRandom::new(9)).unwrap();
        let mut file = Vec::new();
        for part in text.chunks(10_001) {
            file.extend(sealing.add(part).unwrap());
        }
        file.extend(sealing.end().unwrap());
        file
    }

    fn noise(length: usize) -> Vec<u8> {
        let mut bytes = vec![0; length];
        SeededRandom::new(3).fill(&mut bytes);
        bytes
    }

    #[test]
    fn each_recipient_reads_what_was_sealed_and_nobody_else() {
        let (one, two) = (identity(1), identity(2));
        let to = [one.recipient().unwrap(), two.recipient().unwrap()];
        for length in [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, 200_000] {
            let text = noise(length);
            let file = sealed(&text, &to);
            assert!(is_sealed(&mut Cursor::new(&file)).unwrap());
            for identity in [&one, &two] {
                let mut opened =
                    Opened::new(Cursor::new(&file), std::slice::from_ref(identity)).unwrap();
                let mut read = Vec::new();
                opened.read_to_end(&mut read).unwrap();
                assert!(read == text, "{length}");
                let back = i64::try_from(length.min(70_000)).unwrap();
                opened.seek(SeekFrom::End(-back)).unwrap();
                read.clear();
                opened.read_to_end(&mut read).unwrap();
                assert!(read == text[length - length.min(70_000)..], "from the middle: {length}");
            }
            assert!(Opened::new(Cursor::new(&file), &[identity(3)]).is_err());
        }
    }

    #[test]
    fn what_was_changed_cannot_be_read() {
        let own = identity(1);
        let file = sealed(&noise(2 * CHUNK + 10), &[own.recipient().unwrap()]);
        let read = |file: &[u8]| -> io::Result<usize> {
            Opened::new(Cursor::new(file), std::slice::from_ref(&own))?.read_to_end(&mut Vec::new())
        };
        assert_eq!(read(&file).unwrap(), 2 * CHUNK + 10);
        for place in [0, 30, 60, 100, 150, 190, 230, 70_000, file.len() - 1] {
            let mut changed = file.clone();
            changed[place] ^= 1;
            assert!(read(&changed).is_err(), "byte {place}");
        }
        for length in [10, 180, 216, 70_000, file.len() - CHUNK, file.len() - 1] {
            assert!(read(&file[..length]).is_err(), "cut after {length}");
        }
        let mut longer = file.clone();
        longer.push(0);
        assert!(read(&longer).is_err());
    }

    #[test]
    fn keys_are_written_as_age_writes_them() {
        // The key pair of the format's own documentation.
        let secret = "AGE-SECRET-KEY-1GFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPQ4EGAEX";
        let identity: Identity = secret.parse().unwrap();
        let public = "age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwj";
        assert_eq!(identity.recipient().unwrap().to_string(), public);
        assert_eq!(public.parse::<Recipient>().unwrap().to_string(), public);
        for wrong in ["", "age1", secret, &public[..60], &public.replace('z', "q")] {
            assert!(wrong.parse::<Recipient>().is_err(), "{wrong}");
        }
        assert!(public.parse::<Identity>().is_err());
    }
}
