//! Every row of a database in a form that both engines write and read: for backups, and for copies
//! from one engine to the other.
//!
//! A row is the text of a JSON array with a value for each column: numbers, texts, and null.
//! Instants and JSON are texts as SQLite keeps them, bytes are hexadecimal digits. What an engine
//! makes of rows by itself (search indexes, generated columns) is left out, and so are the worker's
//! leases, which belong to processes.
//!
//! `reading` and `destination` are the two halves of every move. `loading` fills a database in one
//! transaction, `copying` in several: `under_way` is what the database says meanwhile, `alone`
//! keeps other copies away, and `checks` is what is put aside and put back.

mod alone;
mod checks;
mod closing;
mod copying;
mod destination;
mod loading;
mod reading;
mod shape;
mod tally;
mod under_way;

use super::Session;
use super::made::{listed, made};
use crate::error::Result;

pub use closing::{Closed, closed};
pub use copying::{Bounds, Copying, Target};
pub use loading::{Loading, refuse_used};
pub use reading::Pages;
pub use shape::{Column, Counter, Kind, Table, counters, tables};
pub use tally::Tally;
pub use under_way::{GO_ON, HALF_FILLED, says_half_filled};
pub(super) use under_way::{half_filled, is_half_filled};

/// Takes a lock of PostgreSQL on tables.
async fn lock(session: &mut Session, tables: &[Table], mode: &str) -> Result<()> {
    let all = listed(tables.iter().map(|table| table.name.as_str()));
    session.run(made(format!("LOCK TABLE {all} IN {mode} MODE"))).await.map(drop)
}
