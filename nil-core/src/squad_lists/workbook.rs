//! Workbooks (XLSX): a ZIP archive of XML files, whose first sheet is read.

use std::io::{Cursor, Read as _};

use calamine::{DataRef, Reader as _, Xlsx, XlsxError};
use chrono::NaiveDate;
use zip::ZipArchive;

use super::sheet::{Cell, Row, push, put, refused};
use crate::error::{Error, Result};

/// The most members of the archive.
const MOST_MEMBERS: usize = 500;
/// The most bytes of all members together, inflated. A list of 5,000 rows has about four MiB.
const MOST_INFLATED: u64 = 32 * 1024 * 1024;

/// The rows of the first sheet; 422 if it is no workbook, or inflates to more than a list has.
/// Cells are read one at a time, so that a single one far away makes no large table.
pub(super) fn rows(file: &[u8]) -> Result<Vec<Row>> {
    check_members(file)?;
    let mut book: Xlsx<_> = Xlsx::new(Cursor::new(file)).map_err(unreadable)?;
    let first = book.sheet_names().into_iter().next();
    let first = first.ok_or_else(|| refused("is a workbook without a sheet"))?;
    let mut cells = book.worksheet_cells_reader(&first).map_err(unreadable)?;
    let mut rows = Vec::new();
    let (mut number, mut row) = (0, Vec::new());
    while let Some(cell) = cells.next_cell().map_err(unreadable)? {
        let (line, column) = cell.get_position();
        let line = u64::from(line) + 1;
        if line < number {
            return Err(refused("has rows that are not in order"));
        }
        if line > number {
            push(&mut rows, number, std::mem::take(&mut row))?;
            number = line;
        }
        let column = usize::try_from(column).unwrap_or(usize::MAX);
        if column < row.len() {
            return Err(refused("has cells that are not in order"));
        }
        put(&mut row, column, value(cell.get_value()))?;
    }
    push(&mut rows, number, row)?;
    Ok(rows)
}

fn unreadable(error: XlsxError) -> Error {
    refused("is a workbook that cannot be read").because(error)
}

/// Inflates every member and counts: what the archive says of their sizes may be wrong.
fn check_members(file: &[u8]) -> Result<()> {
    let broken =
        |error: zip::result::ZipError| refused("is a workbook that cannot be read").because(error);
    let mut archive = ZipArchive::new(Cursor::new(file)).map_err(broken)?;
    if archive.len() > MOST_MEMBERS {
        return Err(refused(format!("must be a workbook of at most {MOST_MEMBERS} parts")));
    }
    let mut left = MOST_INFLATED;
    for place in 0..archive.len() {
        let member = archive.by_index(place).map_err(broken)?;
        let mut counted = member.take(left + 1);
        let inflated = std::io::copy(&mut counted, &mut std::io::sink());
        let inflated = inflated
            .map_err(|error| refused("is a workbook that cannot be read").because(error))?;
        left = left.checked_sub(inflated).ok_or_else(|| {
            refused(format!("must have at most {} MiB unpacked", MOST_INFLATED / 1024 / 1024))
        })?;
    }
    Ok(())
}

fn value(cell: &DataRef<'_>) -> Cell {
    match cell {
        DataRef::Empty => Cell::Text(String::new()),
        DataRef::String(text) | DataRef::DurationIso(text) => Cell::Text(text.clone()),
        DataRef::SharedString(text) => Cell::Text((*text).to_owned()),
        DataRef::Int(number) => Cell::Number(number.to_string()),
        DataRef::Float(number) => Cell::Number(number.to_string()),
        DataRef::Bool(yes) => Cell::Text(if *yes { "TRUE" } else { "FALSE" }.to_owned()),
        DataRef::DateTime(at) if at.is_datetime() => {
            let (year, month, day, ..) = at.to_ymd_hms_milli();
            let day = NaiveDate::from_ymd_opt(year.into(), month.into(), day.into());
            day.map_or(Cell::Unreadable, Cell::Day)
        }
        DataRef::DateTimeIso(text) => {
            let day = text.get(..10).and_then(|day| day.parse().ok());
            day.map_or(Cell::Unreadable, Cell::Day)
        }
        DataRef::DateTime(_) | DataRef::Error(_) => Cell::Unreadable,
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use zip::write::SimpleFileOptions;
    use zip::{CompressionMethod, ZipWriter};

    use super::*;

    fn archive(members: &[(String, Vec<u8>)]) -> Vec<u8> {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        let deflated = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
        for (name, bytes) in members {
            zip.start_file(name.as_str(), deflated).unwrap();
            zip.write_all(bytes).unwrap();
        }
        zip.finish().unwrap().into_inner()
    }

    fn why(file: &[u8]) -> String {
        rows(file).unwrap_err().to_string()
    }

    #[test]
    fn an_archive_that_inflates_to_much_is_refused_before_it_is_read() {
        let half = usize::try_from(MOST_INFLATED / 2).unwrap() + 1;
        let bomb = archive(&[("a".into(), vec![0; half]), ("b".into(), vec![0; half])]);
        assert!(bomb.len() < 100_000, "{}", bomb.len());
        assert!(why(&bomb).contains("at most 32 MiB unpacked"));
        let many: Vec<_> =
            (0..=MOST_MEMBERS).map(|number| (number.to_string(), Vec::new())).collect();
        assert!(why(&archive(&many)).contains("at most 500 parts"));
        assert!(why(&archive(&[("a".into(), b"b".to_vec())])).contains("cannot be read"));
        assert!(why(b"PK\x03\x04 no archive").contains("cannot be read"));
    }
}
