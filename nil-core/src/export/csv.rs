//! Tables as CSV (RFC 4180) that a spreadsheet can open without executing formulas written by users.

use super::table::{Cell, Column, Table, moment};

/// A table that grows line by line; the lines written so far can be taken out at any time.
#[derive(Debug, Default)]
pub(super) struct Sheet {
    bytes: Vec<u8>,
    begun: bool,
}

impl Sheet {
    /// The line of titles.
    pub(super) fn of<T: Table>(_: &T) -> Self {
        let mut sheet = Self::default();
        for Column(title, _) in T::COLUMNS {
            sheet.text(title);
        }
        sheet.end_line();
        sheet
    }

    /// A line for each row.
    pub(super) fn lines<T: Table>(&mut self, _: &T, rows: &[T::Row]) {
        for row in rows {
            for Column(_, cell) in T::COLUMNS {
                self.cell(cell(row));
            }
            self.end_line();
        }
    }

    fn cell(&mut self, cell: Cell<'_>) {
        match cell {
            Cell::Empty => self.separate(),
            Cell::Text(text) => self.text(&text),
            Cell::Number(number) => self.number(number),
            Cell::Cents(cents) => self.cents(cents),
            Cell::Time(time) => self.text(&moment(time)),
            Cell::Date(date) => self.text(&date.to_string()),
        }
    }

    /// A text cell. If a spreadsheet would take it for a formula, it gets a leading `'`, which spreadsheets do not
    /// show.
    fn text(&mut self, text: &str) {
        let start = text.trim_start_matches([' ', '\u{feff}', '\n']);
        let formula = start.starts_with(['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠']);
        let plain = !formula && !text.contains(['"', ',', '\n', '\r', '\'']);
        self.separate();
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

    /// A cell with a whole number.
    fn number(&mut self, number: i64) {
        self.separate();
        self.bytes.extend_from_slice(number.to_string().as_bytes());
    }

    /// A cell with an amount of money, with two decimals and no separators.
    fn cents(&mut self, cents: i64) {
        let (sign, cents) = (if cents < 0 { "-" } else { "" }, cents.unsigned_abs());
        self.separate();
        let amount = format!("{sign}{}.{:02}", cents / 100, cents % 100);
        self.bytes.extend_from_slice(amount.as_bytes());
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

    fn separate(&mut self) {
        if std::mem::replace(&mut self.begun, true) {
            self.bytes.push(b',');
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn line(cells: &[&str]) -> String {
        let mut sheet = Sheet::default();
        for cell in cells {
            sheet.text(cell);
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
        sheet.number(-7);
        sheet.cents(-105);
        sheet.cents(123_456);
        sheet.end_line();
        assert_eq!(sheet.take(), b"-7,-1.05,1234.56\r\n");
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
