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

use super::statement::{Rendered, Statement};
use super::{Dialect, Session};
use crate::error::Result;

pub use closing::{Closed, closed};
pub use loading::{Loading, refuse_used};
pub use reading::Pages;
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

/// Lifts the time limits of a transaction of PostgreSQL, but for that of locks.
async fn take_all_the_time(session: &mut Session) -> Result<()> {
    for limit in ["statement_timeout", "idle_in_transaction_session_timeout"] {
        session.run(made(format!("SET LOCAL {limit} = 0"))).await?;
    }
    Ok(())
}

/// A name as it stands in a statement.
fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// The names, quoted and separated by commas.
fn listed<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    names.into_iter().map(quoted).collect::<Vec<_>>().join(", ")
}
