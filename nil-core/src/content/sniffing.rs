//! Detects a file's type from its content. Its name and declared type are only compared with the
//! result.

use super::file::MediaType;

/// The brands of MP4 files. Pictures in the same container (HEIC, AVIF) have others.
const MP4_BRANDS: &[&[u8]] = &[
    b"isom", b"iso2", b"iso3", b"iso4", b"iso5", b"iso6", b"iso8", b"iso9", b"mp41", b"mp42",
    b"avc1", b"M4V ", b"M4VP", b"MSNV", b"dash",
];

/// The type of these bytes, if it is an accepted one.
#[must_use]
pub fn sniff(bytes: &[u8]) -> Option<MediaType> {
    let at = |from: usize, to: usize| bytes.get(from..to).unwrap_or_default();
    let kind = match bytes {
        [0xff, 0xd8, 0xff, ..] => MediaType::Jpeg,
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => MediaType::Png,
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => MediaType::Gif,
        [b'R', b'I', b'F', b'F', ..] if at(8, 12) == b"WEBP" => MediaType::Webp,
        [b'%', b'P', b'D', b'F', b'-', ..] => MediaType::Pdf,
        _ if at(4, 8) == b"ftyp" && at(8, 12) == b"qt  " => MediaType::Quicktime,
        _ if at(4, 8) == b"ftyp" && MP4_BRANDS.contains(&at(8, 12)) => MediaType::Mp4,
        _ if is_text(bytes) => MediaType::PlainText,
        _ => return None,
    };
    Some(kind)
}

/// The number of bytes by which a type is known.
pub(crate) const BEGINNING: usize = 4 * 1024;

/// The type of content that begins with these bytes, if it is an accepted one: [`BEGINNING`] of
/// them, or all.
#[must_use]
pub(crate) fn sniff_beginning(bytes: &[u8]) -> Option<MediaType> {
    // The beginning of a text may end within a character.
    let cut = |error: &std::str::Utf8Error| error.error_len().is_none();
    match std::str::from_utf8(bytes) {
        Err(error) if bytes.len() >= BEGINNING && cut(&error) => {
            sniff(bytes.get(..error.valid_up_to())?)
        }
        _ => sniff(bytes),
    }
}

/// Plain text only: UTF-8, no control characters, no markup.
fn is_text(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return false;
    };
    let control = |c: char| c.is_control() && !matches!(c, '\t' | '\n' | '\r');
    let start = text.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    !start.starts_with('<') && !text.contains(control)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_type_is_known_by_its_first_bytes() {
        for (bytes, kind) in [
            (&b"\xff\xd8\xff\xe0\0\x10JFIF"[..], MediaType::Jpeg),
            (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", MediaType::Png),
            (b"GIF87a\x01\0", MediaType::Gif),
            (b"GIF89a\x01\0", MediaType::Gif),
            (b"RIFF\x24\0\0\0WEBPVP8 ", MediaType::Webp),
            (b"%PDF-1.7\n%\xe2\xe3", MediaType::Pdf),
            (b"\0\0\0\x18ftypmp42\0\0\0\0", MediaType::Mp4),
            (b"\0\0\0\x20ftypisom\0\0\x02\0", MediaType::Mp4),
            (b"\0\0\0\x14ftypqt  \0\0\0\0", MediaType::Quicktime),
            ("Zoë,5\r\n\tnaïve".as_bytes(), MediaType::PlainText),
            ("\u{feff}a;b".as_bytes(), MediaType::PlainText),
        ] {
            assert_eq!(sniff(bytes), Some(kind), "{bytes:?}");
        }
    }

    #[test]
    fn a_long_text_is_known_by_its_beginning() {
        let long = "é".repeat(BEGINNING);
        let odd = format!("a{long}");
        for text in [&long, &odd] {
            let beginning = &text.as_bytes()[..BEGINNING];
            assert_eq!(sniff_beginning(beginning), Some(MediaType::PlainText));
        }
        assert_eq!(sniff_beginning(b"cut: \xc3"), None, "a short text is whole");
        assert_eq!(sniff_beginning(b"\x89PNG\r\n\x1a\n"), Some(MediaType::Png));
    }

    #[test]
    fn what_could_run_or_is_nothing_known_is_not_taken() {
        for bytes in [
            &b"<svg xmlns='http://www.w3.org/2000/svg'/>"[..],
            b"<!DOCTYPE html><script>alert(1)</script>",
            b"  \r\n\t<HTML>",
            b"\xef\xbb\xbf<?xml version='1.0'?>",
            b"MZ\x90\0\x03\0",
            b"\x7fELF\x02\x01",
            b"PK\x03\x04\x14\0",
            b"\0\0\0\x18ftypheic\0\0\0\0",
            b"\0\0\0\x1cftypavif\0\0\0\0",
            b"RIFF\x24\0\0\0WAVEfmt ",
            b"BM\x36\0\0\0",
            b"text with \0 in it",
            b"text with \x1b[31m in it",
            b"latin-1: na\xefve",
            b"\x89PNG",
            b"\xff\xd8",
        ] {
            assert_eq!(sniff(bytes), None, "{bytes:?}");
        }
    }
}
