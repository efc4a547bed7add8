//! Exports: a [`Table`] is written as CSV, as a spreadsheet or as a file in an archive, a few thousand rows at a time,
//! while it is sent. The domain folders describe their exports as tables; this folder knows only the formats.

mod archive;
mod csv;
mod report;
mod table;
mod xlsx;

pub(crate) use archive::Archive;
pub(crate) use report::{Report, dated};
pub use table::ExportFormat;
pub(crate) use table::{Cell, Column, Counter, Table, content_type, into_archive, send};
pub(crate) use xlsx::MEDIA_TYPE as XLSX;
