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
/// The rows of a first page, which tells how long rows are.
const FIRST_ROWS: usize = 100;

/// The pages of a table, one after the other, and what they come to so far.
#[derive(Debug)]
pub struct Pages<'t> {
    table: &'t Table,
    after: Option<Key>,
    /// The last row that is read; all rows are if there is none.
    until: Option<Key>,
    rows: usize,
    ended: bool,
    tally: Tally,
}

/// The key of a row: numbers and texts, in the order of the key's columns.
#[derive(Clone, Debug)]
struct Key(Vec<Json>);

impl Key {
    fn of(values: Vec<Json>) -> Option<Self> {
        values.iter().all(|value| value.is_string() || value.is_i64()).then_some(Self(values))
    }

    fn values(&self) -> impl Iterator<Item = Value> {
        self.0.iter().map(|value| match value.as_i64() {
            Some(number) => Value::from(number),
            None => Value::from(value.as_str()),
        })
    }
}

impl<'t> Pages<'t> {
    /// From the first row on.
    #[must_use]
    pub fn of(table: &'t Table) -> Self {
        let (after, until, tally) = (None, None, Tally::default());
        Self { table, after, until, rows: FIRST_ROWS, ended: false, tally }
    }

    /// From the first row to the one that has this key, or would have it.
    pub fn until(table: &'t Table, key: Vec<Json>) -> Result<Self> {
        let until = Key::of(key).filter(|key| key.0.len() == table.key.len());
        let until = until.ok_or_else(|| no_key(table))?;
        Ok(Self { until: Some(until), ..Self::of(table) })
    }

    /// Goes on behind the row up to which it has read.
    pub fn go_on(&mut self) {
        if let Some(key) = self.until.take() {
            (self.after, self.ended) = (Some(key), false);
        }
    }

    /// The key of the last row that was read.
    #[must_use]
    pub fn last_key(&self) -> &[Json] {
        self.after.as_ref().map_or(&[], |key| &key.0)
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
        self.after = Some(self.key_of(last)?);
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
        self.rest(session).await
    }

    /// Reads what is left without keeping it. Returns what all pages come to.
    pub async fn rest(&mut self, session: &mut Session) -> Result<Tally> {
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
        let bounds = [(">", &self.after), ("<=", &self.until)];
        let bounds = bounds.into_iter().filter_map(|(how, key)| Some((how, key.as_ref()?)));
        let (mut conditions, mut bound) = (Vec::new(), Vec::new());
        for (how, values) in bounds {
            let places = table.key.iter().zip(bound.len() + 1..);
            let places: Vec<String> =
                places.map(|(name, place)| self.bound(name, place, dialect)).collect();
            conditions.push(format!("({key}) {how} ({})", places.join(", ")));
            bound.extend(values.values());
        }
        let conditions = if conditions.is_empty() {
            String::new()
        } else {
            format!(" WHERE {}", conditions.join(" AND "))
        };
        let text = format!(
            "SELECT CAST({array}({}) AS TEXT) FROM {}{conditions} ORDER BY {key} LIMIT {}",
            values.join(", "),
            quoted(&table.name),
            self.rows
        );
        bound.into_iter().fold(made(text), Made::bind)
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

    fn key_of(&self, row: &str) -> Result<Key> {
        let values: Vec<Json> = serde_json::from_str(row).map_err(Error::internal)?;
        let names = self.table.key.iter();
        let key = names.map(|name| values.get(self.table.place(name)?).cloned()).collect();
        Option::and_then(key, Key::of).ok_or_else(|| no_key(self.table))
    }
}

fn no_key(table: &Table) -> Error {
    Error::internal(format!("a row of {} has no key", table.name))
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
