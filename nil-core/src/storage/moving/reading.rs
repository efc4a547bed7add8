//! Reads the rows of a table page by page, in the order of its primary key.

use sea_query::Value;
use serde_json::Value as Json;
use tokio::task::spawn_blocking;

use super::super::{Dialect, Session};
use super::shape::{Column, Kind, Table};
use super::tally::Tally;
use super::{Made, listed, made, quoted};
use crate::error::{Error, Result};

/// About how many bytes a page has. A single row may have more.
const PAGE_BYTES: usize = 2 * 1024 * 1024;
/// The most rows of a page.
const PAGE_ROWS: usize = 2_000;

/// The pages of a table, one after the other.
#[derive(Debug)]
pub struct Pages<'t> {
    table: &'t Table,
    after: Vec<Value>,
    rows: usize,
    ended: bool,
}

/// Some rows of a table.
#[derive(Debug)]
pub struct Page {
    /// The rows, each the text of a JSON array.
    pub rows: Vec<String>,
    /// What they come to.
    pub tally: Tally,
}

impl<'t> Pages<'t> {
    /// From the first row on.
    #[must_use]
    pub fn of(table: &'t Table) -> Self {
        Self { table, after: Vec::new(), rows: 100, ended: false }
    }

    /// The next rows; none after the last. All pages of a table belong to one state of the database
    /// if the session is a snapshot.
    pub async fn next(&mut self, session: &mut Session) -> Result<Option<Page>> {
        if self.ended {
            return Ok(None);
        }
        let page = self.statement(session.dialect());
        let rows: Vec<(String,)> = session.all(page).await?;
        self.ended = rows.len() < self.rows;
        let Some((last,)) = rows.last() else { return Ok(None) };
        self.after = self.key_of(last)?;
        let bytes: usize = rows.iter().map(|(row,)| row.len()).sum();
        self.rows = (PAGE_BYTES / (bytes / rows.len()).max(1)).clamp(1, PAGE_ROWS);
        let summed = spawn_blocking(move || {
            let mut tally = Tally::default();
            let mut texts = Vec::with_capacity(rows.len());
            for (row,) in rows {
                tally.add(&row)?;
                texts.push(row);
            }
            Ok::<_, Error>(Page { rows: texts, tally })
        });
        summed.await.map_err(Error::internal)?.map(Some)
    }

    /// What the whole table comes to.
    pub async fn tally(mut self, session: &mut Session) -> Result<Tally> {
        let mut tally = Tally::default();
        while let Some(page) = self.next(session).await? {
            tally.join(page.tally);
        }
        Ok(tally)
    }

    fn statement(&self, dialect: Dialect) -> Made {
        let table = self.table;
        let values: Vec<String> =
            table.columns.iter().map(|column| read_from(column, dialect)).collect();
        let array = match dialect {
            Dialect::Sqlite => "json_array",
            Dialect::Postgres => "json_build_array",
        };
        let key = listed(table.key.iter().map(String::as_str));
        let after = if self.after.is_empty() {
            String::new()
        } else {
            let places: Vec<String> = table
                .key
                .iter()
                .zip(1..)
                .map(|(name, place)| self.bound(name, place, dialect))
                .collect();
            format!(" WHERE ({key}) > ({})", places.join(", "))
        };
        let text = format!(
            "SELECT CAST({array}({}) AS TEXT) FROM {}{after} ORDER BY {key} LIMIT {}",
            values.join(", "),
            quoted(&table.name),
            self.rows
        );
        self.after.iter().fold(made(text), |statement, value| statement.bind(value.clone()))
    }

    /// The place of a bound value of the key. The value is a number or a text.
    fn bound(&self, name: &str, place: usize, dialect: Dialect) -> String {
        let kind = self.table.columns.iter().find(|column| column.name == name);
        let cast = match (dialect, kind.map(|column| column.kind)) {
            (Dialect::Postgres, Some(Kind::Instant)) => "::timestamptz",
            (Dialect::Postgres, Some(Kind::Day)) => "::date",
            (Dialect::Postgres, Some(Kind::Truth)) => "::int::boolean",
            _ => "",
        };
        let text = if cast.contains("time") || cast.contains("date") { "::text" } else { "" };
        format!("${place}{text}{cast}")
    }

    fn key_of(&self, row: &str) -> Result<Vec<Value>> {
        let values: Vec<Json> = serde_json::from_str(row).map_err(Error::internal)?;
        let value = |name: &String| match values.get(self.table.place(name)?)? {
            Json::String(text) => Some(Value::from(text.as_str())),
            Json::Number(number) => number.as_i64().map(Value::from),
            _ => None,
        };
        let key: Option<Vec<Value>> = self.table.key.iter().map(value).collect();
        key.ok_or_else(|| Error::internal(format!("a row of {} has no key", self.table.name)))
    }
}

/// A column's value in the common form.
fn read_from(column: &Column, dialect: Dialect) -> String {
    let name = quoted(&column.name);
    match (dialect, column.kind) {
        // `hex` of nothing is a text without digits.
        (Dialect::Sqlite, Kind::Bytes) => format!("iif({name} IS NULL, NULL, lower(hex({name})))"),
        (Dialect::Sqlite, _) | (Dialect::Postgres, Kind::Number | Kind::Text) => name,
        (Dialect::Postgres, Kind::Truth) => format!("{name}::int"),
        (Dialect::Postgres, Kind::Day) => format!("to_char({name}, 'YYYY-MM-DD')"),
        // SQLite's texts of instants have no digits of the second, three, or six.
        (Dialect::Postgres, Kind::Instant) => format!(
            "regexp_replace(to_char({name} AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US'), \
             '(\\.000000|000)$', '') || '+00:00'"
        ),
        (Dialect::Postgres, Kind::Json) => format!("{name}::text"),
        (Dialect::Postgres, Kind::Bytes) => format!("encode({name}, 'hex')"),
    }
}
