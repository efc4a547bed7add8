//! Every row of a database in a form that both engines write and read: for backups, and for copies
//! from one engine to the other.
//!
//! A row is the text of a JSON array with a value for each column: numbers, texts, and null.
//! Instants and JSON are texts as SQLite keeps them, bytes are hexadecimal digits. What an engine
//! makes of rows by itself (search indexes, generated columns) is left out, and so are the worker's
//! leases, which belong to processes.

mod closing;
mod loading;
mod reading;
mod shape;
mod tally;

pub use closing::{Closed, closed};
pub use loading::{Loading, refuse_used};
pub use reading::Pages;
pub use shape::{Column, Counter, Kind, Table, counters, tables};
pub use tally::Tally;
