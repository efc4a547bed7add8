//! The result of a SQLite statement: all rows in one buffer, copied out while the statement runs.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use rusqlite::types::ValueRef as Cell;
use rusqlite::{Row, Statement};

/// Every value of every row, one row after the other.
#[derive(Debug, Default)]
pub(super) struct Cells {
    names: Names,
    values: Vec<Place>,
    /// The texts and blobs that the values point into.
    bytes: Vec<u8>,
    /// The index of the current row's first value. `None`: before the first row.
    at: Option<usize>,
}

#[derive(Clone, Debug)]
enum Place {
    Null,
    Integer(i64),
    Real(f64),
    Text(Range<usize>),
    Blob(Range<usize>),
}

impl Cells {
    /// Adds a row, and the columns' names before the first one.
    #[inline]
    pub(super) fn add(&mut self, row: &Row<'_>) -> rusqlite::Result<()> {
        if self.columns() == 0 {
            self.name(row.as_ref())?;
        }
        for column in 0..self.columns() {
            self.push(row.get_ref(column)?);
        }
        Ok(())
    }

    /// Replaces all rows by this one, and moves to it.
    #[inline]
    pub(super) fn replace(&mut self, row: &Row<'_>) -> rusqlite::Result<()> {
        self.values.clear();
        self.bytes.clear();
        self.at = Some(0);
        self.add(row)
    }

    fn name(&mut self, statement: &Statement<'_>) -> rusqlite::Result<()> {
        let columns = statement.column_count();
        self.names.reserve(columns);
        self.values.reserve(columns);
        for column in 0..columns {
            self.names.push(statement.column_name(column)?);
        }
        Ok(())
    }

    #[inline]
    fn push(&mut self, cell: Cell<'_>) {
        let place = match cell {
            Cell::Null => Place::Null,
            Cell::Integer(number) => Place::Integer(number),
            Cell::Real(number) => Place::Real(number),
            Cell::Text(bytes) => Place::Text(self.keep(bytes)),
            Cell::Blob(bytes) => Place::Blob(self.keep(bytes)),
        };
        self.values.push(place);
    }

    #[inline]
    fn keep(&mut self, bytes: &[u8]) -> Range<usize> {
        let from = self.bytes.len();
        self.bytes.extend_from_slice(bytes);
        from..self.bytes.len()
    }

    #[inline]
    pub(super) fn columns(&self) -> usize {
        self.names.ends.len()
    }

    pub(super) fn rows(&self) -> usize {
        self.values.len().checked_div(self.columns()).unwrap_or(0)
    }

    /// Moves to the next row; returns whether there is one.
    #[inline]
    pub(super) fn advance(&mut self) -> bool {
        let next = self.at.map_or(0, |at| at + self.columns());
        self.at = Some(next);
        next < self.values.len()
    }

    /// A value of the current row.
    #[inline]
    pub(super) fn get(&self, column: usize) -> Option<Cell<'_>> {
        if column >= self.columns() {
            return None;
        }
        let within = |range: &Range<usize>| self.bytes.get(range.clone()).unwrap_or_default();
        Some(match self.values.get(self.at? + column)? {
            Place::Null => Cell::Null,
            Place::Integer(number) => Cell::Integer(*number),
            Place::Real(number) => Cell::Real(*number),
            Place::Text(range) => Cell::Text(within(range)),
            Place::Blob(range) => Cell::Blob(within(range)),
        })
    }

    /// The column with this name.
    #[inline]
    pub(super) fn position(&self, name: &str) -> Option<usize> {
        self.names.position(name)
    }
}

/// The names of the columns in one text. Structs mostly read their columns in order, so the search
/// for a name starts after the last one found.
#[derive(Debug, Default)]
struct Names {
    text: String,
    ends: Vec<usize>,
    next: AtomicUsize,
}

impl Names {
    /// Makes room for this many names of ordinary length.
    fn reserve(&mut self, columns: usize) {
        self.text.reserve(columns.saturating_mul(16));
        self.ends.reserve(columns);
    }

    fn push(&mut self, name: &str) {
        self.text.push_str(name);
        self.ends.push(self.text.len());
    }

    #[inline]
    fn get(&self, index: usize) -> Option<&str> {
        let end = *self.ends.get(index)?;
        let from = match index.checked_sub(1) {
            Some(before) => *self.ends.get(before)?,
            None => 0,
        };
        self.text.get(from..end)
    }

    #[inline]
    fn position(&self, name: &str) -> Option<usize> {
        let next = self.next.load(Ordering::Relaxed);
        let is = |index: &usize| self.get(*index) == Some(name);
        let found = (next..self.ends.len()).find(is).or_else(|| (0..next).find(is))?;
        self.next.store(found + 1, Ordering::Relaxed);
        Some(found)
    }
}
