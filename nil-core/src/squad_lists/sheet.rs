//! The rows of a file, whatever its form.

use super::column::{Column, Columns};
use super::{delimited, workbook};
use crate::error::{Error, Result};
use crate::kernel::{Date, fold};

/// The most bytes of a file.
pub(super) const MOST_BYTES: usize = 5 * 1024 * 1024;
/// The most rows below the header.
pub(super) const MOST_ROWS: usize = 5_000;
/// The most columns.
pub(super) const MOST_COLUMNS: usize = 60;
/// The most characters of a cell.
pub(super) const LONGEST: usize = 500;
/// How many rows from the top on may be the header: some files have titles above it.
const TITLES: usize = 10;

/// What a cell has.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Cell {
    Text(String),
    /// A number of a spreadsheet, as text without needless digits.
    Number(String),
    /// A date of a spreadsheet.
    Day(Date),
    /// What cannot be read, such as an error of a formula.
    Unreadable,
}

impl Cell {
    /// Its text, with one blank between words.
    pub(super) fn text(&self) -> String {
        match self {
            Self::Text(text) => text.split_whitespace().collect::<Vec<_>>().join(" "),
            Self::Number(text) => text.clone(),
            Self::Day(day) => day.to_string(),
            Self::Unreadable => String::new(),
        }
    }

    /// Whether it has nothing.
    pub(super) fn is_empty(&self) -> bool {
        matches!(self, Self::Text(text) if text.trim().is_empty())
    }
}

/// A row, with the number that people find it by.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Row {
    /// In a workbook the row's own, in a text the number of the line in which it begins.
    pub(super) number: u64,
    /// Its cells by column; later ones may be missing.
    pub(super) cells: Vec<Cell>,
}

/// A file: its columns, and the rows below them.
#[derive(Debug)]
pub(super) struct Sheet {
    pub(super) columns: Columns,
    pub(super) rows: Vec<Row>,
}

/// What is wrong about the file as a whole.
pub(super) fn refused(why: impl Into<String>) -> Error {
    Error::invalid("content", why.into())
}

/// A text as it is looked up: in small letters and digits alone, whatever its accents.
pub(super) fn plain(text: &str) -> String {
    fold(text).chars().filter(char::is_ascii_alphanumeric).collect()
}

/// Reads a file: a workbook (XLSX), or text with commas, semicolons or tabs between the values. 422
/// says what is wrong about the file as a whole. Blocks.
pub(super) fn read(file: &[u8]) -> Result<Sheet> {
    if file.len() > MOST_BYTES {
        return Err(refused(format!("must have at most {} MiB", MOST_BYTES / 1024 / 1024)));
    }
    let rows = match file {
        [b'P', b'K', 3, 4, ..] => workbook::rows(file)?,
        [0xd0, 0xcf, 0x11, 0xe0, ..] => {
            let why = "is an old workbook (XLS), or one with a password: save it as XLSX or CSV";
            return Err(refused(why));
        }
        _ => delimited::rows(file)?,
    };
    let found = rows.iter().take(TITLES).enumerate().find_map(|(place, row)| {
        let columns = Columns::of(row);
        (columns.known() >= 2 || columns.has(Column::Name)).then_some((place, columns))
    });
    let Some((place, columns)) = found else {
        return Err(refused("has no header with names of columns such as Name, Class and Email"));
    };
    columns.check()?;
    let rows: Vec<Row> = rows.into_iter().skip(place + 1).collect();
    if rows.len() > MOST_ROWS {
        return Err(refused(format!("must have at most {MOST_ROWS} rows below the header")));
    }
    Ok(Sheet { columns, rows })
}

/// Takes a cell into a row; 422 if there are too many, or it is too long.
pub(super) fn put(cells: &mut Vec<Cell>, column: usize, cell: Cell) -> Result<()> {
    if cell.is_empty() {
        return Ok(());
    }
    if column >= MOST_COLUMNS {
        return Err(refused(format!("must have at most {MOST_COLUMNS} columns")));
    }
    if matches!(&cell, Cell::Text(text) if text.chars().count() > LONGEST) {
        return Err(refused(format!("has a cell of more than {LONGEST} characters")));
    }
    while cells.len() < column {
        cells.push(Cell::Text(String::new()));
    }
    cells.push(cell);
    Ok(())
}

/// Takes a row, unless it is empty; 422 if there are too many.
pub(super) fn push(rows: &mut Vec<Row>, number: u64, cells: Vec<Cell>) -> Result<()> {
    if cells.is_empty() {
        return Ok(());
    }
    if rows.len() >= MOST_ROWS + TITLES {
        return Err(refused(format!("must have at most {MOST_ROWS} rows below the header")));
    }
    rows.push(Row { number, cells });
    Ok(())
}
