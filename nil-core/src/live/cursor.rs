//! The position of a stream: one number per source, written `n123.m456`.

use std::fmt;
use std::str::FromStr;

use super::source::SOURCES;

/// The last id sent of each source, in the order of [`SOURCES`]. None: not known yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cursor(Vec<Option<i64>>);

impl Cursor {
    /// A stream that has not started.
    pub(super) fn unknown() -> Self {
        Self(vec![None; SOURCES.len()])
    }

    pub(super) fn at(&self, source: usize) -> Option<i64> {
        self.0.get(source).copied().flatten()
    }

    pub(super) fn set(&mut self, source: usize, id: i64) {
        if let Some(place) = self.0.get_mut(source) {
            *place = Some(id);
        }
    }
}

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut dot = "";
        for (source, id) in SOURCES.iter().zip(&self.0) {
            if let Some(id) = id {
                write!(f, "{dot}{}{id}", source.letter)?;
                dot = ".";
            }
        }
        Ok(())
    }
}

impl FromStr for Cursor {
    type Err = &'static str;

    /// Letters of unknown sources are ignored: the client may come from a server with more sources.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const WRONG: &str = "must be the id of an event of this stream, such as n123";
        let mut cursor = Self::unknown();
        for part in text.split('.') {
            let mut letters = part.chars();
            let letter = letters.next().filter(char::is_ascii_lowercase).ok_or(WRONG)?;
            let digits = letters.as_str();
            if !digits.bytes().all(|b| b.is_ascii_digit()) {
                return Err(WRONG);
            }
            let id: i64 = digits.parse().map_err(|_| WRONG)?;
            if let Some(source) = SOURCES.iter().position(|source| source.letter == letter) {
                cursor.set(source, id);
            }
        }
        Ok(cursor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_reads_as_it_is_written() {
        let cursor: Cursor = "n123".parse().unwrap();
        assert_eq!((cursor.at(0), cursor.to_string().as_str()), (Some(123), "n123"));
        let wider: Cursor = "z9.n7".parse().unwrap();
        assert_eq!(wider.at(0), Some(7), "an unknown source is passed over");
        for wrong in ["", "n", "7", "n-1", "n1.", "n+1", "N1", "n99999999999999999999", "n1 "] {
            assert!(wrong.parse::<Cursor>().is_err(), "{wrong:?}");
        }
    }
}
