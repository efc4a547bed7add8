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

use sea_query::{Value, Values};
use sqlx::{AssertSqlSafe, SqlSafeStr as _};

use super::Dialect;
use super::statement::{Rendered, Statement};

pub use closing::{Closed, closed};
pub use loading::Loading;
pub use reading::{Page, Pages};
pub use shape::{Column, Counter, Kind, Table, counters, tables};
pub use tally::Tally;

/// A statement made of the names of tables and columns.
struct Made {
    text: String,
    values: Vec<Value>,
}

fn made(text: impl Into<String>) -> Made {
    Made { text: text.into(), values: Vec::new() }
}

impl Made {
    fn bind(mut self, value: impl Into<Value>) -> Self {
        self.values.push(value.into());
        self
    }
}

impl Statement for Made {
    fn render(self, _: Dialect) -> Rendered {
        Rendered { text: AssertSqlSafe(self.text).into_sql_str(), values: Values(self.values) }
    }
}

/// A name as it stands in a statement.
fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// The names, quoted and separated by commas.
fn listed<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    names.into_iter().map(quoted).collect::<Vec<_>>().join(", ")
}
