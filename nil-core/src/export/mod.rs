//! Exports: a [`Table`] is written as CSV, as a spreadsheet or as a file in an archive, a few
//! thousand rows at a time, while it is sent. The domain folders describe their exports as tables;
//! this folder knows only the formats.

#![expect(missing_docs, reason = "only the packages of this library use it")]

mod archive;
mod csv;
mod report;
mod sending;
mod table;
mod xlsx;

pub use archive::Archive;
pub use csv::MARK as UTF8_MARK;
pub use report::{Report, dated};
pub use sending::{content_type, into_archive, send};
pub use table::ExportFormat;
pub use table::{Cell, Column, Counter, Table};
pub use xlsx::MEDIA_TYPE as XLSX;
