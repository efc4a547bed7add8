//! Files of text with a character between the values: CSV as programs write it.

use std::borrow::Cow;

use super::sheet::{Cell, Row, push, put, refused};
use crate::error::Result;
use crate::export::UTF8_MARK;
use crate::institutions::line_of;

/// What Windows-1252 has where Latin-1 has control characters.
const WINDOWS: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// The rows of a file; 422 if it is no text.
pub(super) fn rows(file: &[u8]) -> Result<Vec<Row>> {
    if file.starts_with(b"\xFF\xFE") || file.starts_with(b"\xFE\xFF") {
        return Err(refused("is text in UTF-16: save it as CSV UTF-8"));
    }
    if file.contains(&0) {
        return Err(refused("is neither CSV nor XLSX"));
    }
    let text = decoded(file.strip_prefix(UTF8_MARK).unwrap_or(file));
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(delimiter(&text))
        .from_reader(text.as_bytes());
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| refused(format!("must be CSV: {error}")))?;
        let number = record.position().map_or(0, |begin| line_of(text.as_bytes(), begin));
        let mut cells = Vec::new();
        for (column, value) in record.iter().enumerate() {
            put(&mut cells, column, Cell::Text(value.to_owned()))?;
        }
        push(&mut rows, number, cells)?;
    }
    Ok(rows)
}

/// The text in UTF-8, or else in Windows-1252, as spreadsheets in Windows write it.
fn decoded(file: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(file) {
        Ok(text) => text.into(),
        Err(_) => file.iter().map(|byte| letter(*byte)).collect::<String>().into(),
    }
}

fn letter(byte: u8) -> char {
    let place = byte.checked_sub(0x80).map(usize::from);
    place.and_then(|place| WINDOWS.get(place)).copied().unwrap_or(char::from(byte))
}

/// What stands between the values: of comma, semicolon and tab the one that the first lines have
/// most of outside quotes.
fn delimiter(text: &str) -> u8 {
    let mut counts = [(b',', 0_u32), (b';', 0), (b'\t', 0)];
    let mut quoted = false;
    for byte in text.bytes().take(4 * 1024) {
        quoted ^= byte == b'"';
        for (delimiter, count) in &mut counts {
            *count += u32::from(!quoted && byte == *delimiter);
        }
    }
    // Of equals the first.
    let most = counts.iter().rev().max_by_key(|(_, count)| *count);
    most.map_or(b',', |(delimiter, _)| *delimiter)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(file: &[u8]) -> Vec<(u64, Vec<String>)> {
        let read = rows(file).unwrap();
        read.iter().map(|row| (row.number, row.cells.iter().map(Cell::text).collect())).collect()
    }

    #[test]
    fn files_are_read_as_programs_write_them() {
        let row =
            |number, cells: &[&str]| (number, cells.iter().map(|&it| it.to_owned()).collect());
        let expected = vec![row(1, &["Name", "Pos"]), row(2, &["Zoe Peña", "G"])];
        assert_eq!(texts("Name,Pos\nZoe Peña,G\n".as_bytes()), expected);
        assert_eq!(texts("\u{feff}Name;Pos\r\nZoe Peña;G\r\n".as_bytes()), expected);
        assert_eq!(texts("Name\tPos\nZoe Peña\tG".as_bytes()), expected);
        assert_eq!(texts(b"Name,Pos\nZoe Pe\xf1a,G\n"), expected);
        let quoted = "\"Name\",\"a;b;c;d\"\n\n\"Zoe\nPe\u{f1}a\",\"say \"\"G\"\"\"\n\nLast,\n";
        let expected = vec![
            row(1, &["Name", "a;b;c;d"]),
            row(3, &["Zoe Peña", "say \"G\""]),
            row(6, &["Last"]),
        ];
        assert_eq!(texts(quoted.as_bytes()), expected);
        assert_eq!(letter(0x92), '’');
        assert_eq!(letter(b'a'), 'a');
    }

    #[test]
    fn what_is_no_text_is_refused() {
        for file in [&b"\xff\xfeN\0a\0"[..], b"a\0b", b"\x7fELF\0\0"] {
            assert!(rows(file).is_err());
        }
        assert!(rows(&b"x,".repeat(61)).is_err());
        assert!(rows("x".repeat(501).as_bytes()).is_err());
    }
}
