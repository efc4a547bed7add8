//! Tables as CSV (RFC 4180) that a spreadsheet can open without executing formulas written by
//! users.

use super::table::{Cell, Column, Table, amount, day, moment, number};

/// The byte order mark of UTF-8: without it Excel reads a file in the code page of its country.
pub const MARK: &[u8] = b"\xEF\xBB\xBF";

/// A table that grows line by line; the lines written so far can be taken out at any time.
#[derive(Debug, Default)]
pub(super) struct Sheet {
    bytes: Vec<u8>,
    begun: bool,
}

impl Sheet {
    /// The line of titles, behind the mark by which spreadsheets know UTF-8.
    pub(super) fn of<T: Table>() -> Self {
        let mut sheet = Self::default();
        if T::FOR_SPREADSHEETS {
            sheet.bytes.extend_from_slice(MARK);
        }
        for Column(title, _) in T::COLUMNS {
            sheet.cell((*title).into());
        }
        sheet.end_line();
        sheet
    }

    /// A line for each row.
    pub(super) fn lines<T: Table>(&mut self, rows: &[T::Row]) {
        for row in rows {
            for Column(_, cell) in T::COLUMNS {
                self.cell(cell(row));
            }
            self.end_line();
        }
    }

    #[inline]
    fn cell(&mut self, cell: Cell<'_>) {
        self.separate();
        match cell {
            Cell::Empty => {}
            Cell::Text(text) => self.text(&text),
            Cell::Number(whole) => number(whole, &mut self.bytes),
            Cell::Cents(cents) => amount(cents, &mut self.bytes),
            Cell::Time(time) => moment(time, &mut self.bytes),
            Cell::Date(date) => day(date, &mut self.bytes),
        }
    }

    /// A text cell. If a spreadsheet would take it for a formula, it gets a leading `'`, which
    /// spreadsheets do not show.
    fn text(&mut self, text: &str) {
        if is_plain(text.as_bytes()) {
            self.bytes.extend_from_slice(text.as_bytes());
            return;
        }
        let start = text.trim_start_matches([' ', '\u{feff}', '\n']);
        let formula = start.starts_with(['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠']);
        let plain = !formula && !text.contains(['"', ',', '\n', '\r', '\'']);
        if plain && text.trim() == text {
            self.bytes.extend_from_slice(text.as_bytes());
            return;
        }
        self.bytes.push(b'"');
        if formula {
            self.bytes.push(b'\'');
        }
        for byte in text.bytes() {
            if byte == b'"' {
                self.bytes.push(b'"');
            }
            self.bytes.push(byte);
        }
        self.bytes.push(b'"');
    }

    /// Ends the line.
    fn end_line(&mut self) {
        self.bytes.extend_from_slice(b"\r\n");
        self.begun = false;
    }

    /// Takes out the bytes written since the last call.
    pub(super) fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.bytes)
    }

    #[inline]
    fn separate(&mut self) {
        if std::mem::replace(&mut self.begun, true) {
            self.bytes.push(b',');
        }
    }
}

/// Whether a text surely needs no quotes, as most texts do: it begins and ends with an ASCII letter
/// or digit, and has nothing in it that is written with quotes.
#[inline]
fn is_plain(text: &[u8]) -> bool {
    let edge = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
    edge(text.first())
        && edge(text.last())
        && !text.iter().any(|byte| matches!(byte, b'"' | b',' | b'\n' | b'\r' | b'\''))
}

#[cfg(test)]
mod tests {
    use chrono::SecondsFormat;
    use proptest::prelude::*;

    use super::*;

    fn line(cells: &[&str]) -> String {
        let mut sheet = Sheet::default();
        for cell in cells {
            sheet.cell((*cell).into());
        }
        sheet.end_line();
        String::from_utf8(sheet.take()).unwrap()
    }

    #[test]
    fn what_could_be_a_formula_is_text() {
        for (text, written) in [
            ("=1+1", "\"'=1+1\"\r\n"),
            ("+1", "\"'+1\"\r\n"),
            ("-1", "\"'-1\"\r\n"),
            ("@SUM(A1)", "\"'@SUM(A1)\"\r\n"),
            ("\t=1", "\"'\t=1\"\r\n"),
            ("\r=1", "\"'\r=1\"\r\n"),
            (" =1", "\"' =1\"\r\n"),
            ("\n=1", "\"'\n=1\"\r\n"),
            ("＝1", "\"'＝1\"\r\n"),
            ("a=1", "a=1\r\n"),
            ("", "\r\n"),
            ("a,b", "\"a,b\"\r\n"),
            ("\"=1\"", "\"\"\"=1\"\"\"\r\n"),
        ] {
            assert_eq!(line(&[text]), written, "{text:?}");
        }
    }

    #[test]
    fn numbers_stay_numbers() {
        let mut sheet = Sheet::default();
        for cell in [Cell::Number(-7), Cell::Cents(-105), Cell::Cents(123_456), Cell::Cents(-5)] {
            sheet.cell(cell);
        }
        sheet.end_line();
        assert_eq!(sheet.take(), b"-7,-1.05,1234.56,-0.05\r\n");
    }

    #[test]
    fn instants_and_days_are_written_as_the_standard_says() {
        for text in [
            "2026-11-20T12:34:56.789+00:00",
            "1000-01-01T00:00:00+00:00",
            "0999-12-31T23:59:59+00:00",
            "2016-12-31T23:59:60+00:00",
        ] {
            let at: crate::kernel::Time = text.parse().unwrap();
            let mut sheet = Sheet::default();
            sheet.cell(Cell::Time(at));
            sheet.cell(Cell::Date(crate::kernel::utc_day(at)));
            let (instant, date) =
                (at.to_rfc3339_opts(SecondsFormat::Secs, true), crate::kernel::utc_day(at));
            assert_eq!(String::from_utf8(sheet.take()).unwrap(), format!("{instant},{date}"));
        }
    }

    proptest! {
        #[test]
        fn other_readers_read_what_was_written(cells in proptest::collection::vec(any::<String>(), 2..6)) {
            let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
            let text = line(&cells);
            let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
            let record = reader.records().next().unwrap().unwrap();
            let read: Vec<&str> = record.iter().collect();
            prop_assert_eq!(read.len(), cells.len());
            for (read, cell) in read.iter().zip(&cells) {
                prop_assert!(read == cell || read.strip_prefix('\'') == Some(*cell));
                prop_assert!(!read.starts_with(['=', '+', '-', '@', '\t', '\r']));
            }
        }
    }
}
