//! Reads the rows of a table page by page, in the order of its primary key.

use sea_query::Value;
use serde_json::Value as Json;
use tokio::task::spawn_blocking;

use super::super::made::{Made, listed, made, quoted};
use super::super::{Dialect, Session};
use super::shape::{Column, Kind, Table};
use super::tally::Tally;
use crate::error::{Error, Result};

/// About how many bytes a page has. A single row may have more.
const PAGE_BYTES: usize = 2 * 1024 * 1024;
/// The most rows of a page.
const PAGE_ROWS: usize = 2_000;

/// The pages of a table, one after the other, and what they come to so far.
#[derive(Debug)]
pub struct Pages<'t> {
    table: &'t Table,
    after: Vec<Value>,
    rows: usize,
    ended: bool,
    tally: Tally,
}

impl<'t> Pages<'t> {
    /// From the first row on.
    #[must_use]
    pub fn of(table: &'t Table) -> Self {
        Self { table, after: Vec::new(), rows: 100, ended: false, tally: Tally::default() }
    }

    /// The next rows, each the text of a JSON array; none after the last. All pages of a table
    /// belong to one state of the database if the session is a snapshot.
    pub async fn next(&mut self, session: &mut Session) -> Result<Option<Vec<String>>> {
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
        let mut tally = self.tally;
        let summed = spawn_blocking(move || {
            let rows: Vec<String> = rows.into_iter().map(|(row,)| row).collect();
            rows.iter().try_for_each(|row| tally.add(row))?;
            Ok::<_, Error>((rows, tally))
        });
        let rows;
        (rows, self.tally) = summed.await.map_err(Error::internal)??;
        Ok(Some(rows))
    }

    /// What the pages so far come to.
    #[must_use]
    pub fn tally(&self) -> Tally {
        self.tally
    }

    /// What the whole table comes to.
    pub async fn whole(mut self, session: &mut Session) -> Result<Tally> {
        while self.next(session).await?.is_some() {}
        Ok(self.tally)
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
