//! Statements that are made of the names of tables and columns, which nothing can bind.

use sea_query::{Value, Values};
use sqlx::{AssertSqlSafe, SqlSafeStr as _};

use super::Dialect;
use super::statement::{Rendered, Statement};

/// A statement made of the names of tables and columns.
pub(super) struct Made {
    text: String,
    values: Vec<Value>,
}

/// Makes a statement. The names in it come from the database's own catalog, [`quoted`].
pub(super) fn made(text: impl Into<String>) -> Made {
    Made { text: text.into(), values: Vec::new() }
}

impl Made {
    pub(super) fn bind(mut self, value: impl Into<Value>) -> Self {
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
pub(super) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// The names, quoted and separated by commas.
pub(super) fn listed<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    names.into_iter().map(quoted).collect::<Vec<_>>().join(", ")
}
