//! Tables that leave the platform: a [`Table`] is poured into CSV, into a spreadsheet or into a member of
//! an archive, a few hundred rows at a time, while it is sent.

mod archive;
mod csv;
mod table;
mod xlsx;

pub(crate) use archive::Archive;
pub(crate) use table::{AT_ONCE, Column, Table, into_archive, send_csv, send_xlsx};
