//! Reads a ZIP by the directory at its end, independently of the writer under test.

use std::collections::BTreeMap;
use std::io::Read as _;

use flate2::Crc;
use flate2::read::DeflateDecoder;

fn number(bytes: &[u8], at: usize, length: usize) -> usize {
    let digits = bytes[at..at + length].iter().rev();
    digits.fold(0, |number, digit| number << 8 | usize::from(*digit))
}

/// The entries of an archive by name. Panics on wrong checksums, sizes, duplicate names and stray
/// bytes.
#[must_use]
pub fn unpacked(archive: &[u8]) -> BTreeMap<String, Vec<u8>> {
    let end = archive.len() - 22;
    assert_eq!(&archive[end..end + 4], b"PK\x05\x06", "the end of the directory");
    let (count, size, start) =
        (number(archive, end + 10, 2), number(archive, end + 12, 4), number(archive, end + 16, 4));
    assert_eq!(start + size, end, "the directory ends where it says");
    let (mut at, mut entries) = (start, BTreeMap::new());
    for _ in 0..count {
        assert_eq!(&archive[at..at + 4], b"PK\x01\x02", "a line of the directory");
        let [name, extra, comment] = [28, 30, 32].map(|field| number(archive, at + field, 2));
        let path = std::str::from_utf8(&archive[at + 46..at + 46 + name]).expect("a UTF-8 name");
        let bytes = content(archive, at);
        let known = entries.insert(path.to_owned(), bytes);
        assert!(known.is_none(), "{path} comes twice");
        at += 46 + name + extra + comment;
    }
    assert_eq!(at, end, "nothing stands behind the directory");
    entries
}

fn content(archive: &[u8], line: usize) -> Vec<u8> {
    let (method, sum) = (number(archive, line + 10, 2), number(archive, line + 16, 4));
    let (packed, size) = (number(archive, line + 20, 4), number(archive, line + 24, 4));
    let head = number(archive, line + 42, 4);
    assert_eq!(&archive[head..head + 4], b"PK\x03\x04", "the head of an entry");
    let name = number(archive, head + 26, 2);
    assert_eq!(
        archive[head + 30..head + 30 + name],
        archive[line + 46..line + 46 + name],
        "one name in both places"
    );
    let from = head + 30 + name + number(archive, head + 28, 2);
    let packed = &archive[from..from + packed];
    let mut bytes = Vec::new();
    match method {
        0 => bytes.extend_from_slice(packed),
        8 => {
            let read = DeflateDecoder::new(packed).read_to_end(&mut bytes);
            read.expect("deflated bytes");
        }
        other => panic!("packed by method {other}"),
    }
    assert_eq!(bytes.len(), size, "the size it says");
    let mut crc = Crc::new();
    crc.update(&bytes);
    assert_eq!(usize::try_from(crc.sum()), Ok(sum), "the sum it says");
    bytes
}
