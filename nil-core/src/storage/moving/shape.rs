//! The tables of a database, as the database itself describes them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::super::{Dialect, Session, sql};
use super::under_way;
use crate::error::{Error, Result};

/// The tables that belong to a process or to the migrations, not to the platform's records.
const APART: [&str; 2] = ["_sqlx_migrations", "worker_lease"];

/// A table with the columns that are written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Table {
    /// Its name.
    pub name: String,
    /// Its columns, without those that the engine generates.
    pub columns: Vec<Column>,
    /// The names of the columns of its primary key, in the key's order.
    pub key: Vec<String>,
}

/// A column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// What it holds, as far as its engine knows.
    pub kind: Kind,
}

/// What a column holds. SQLite knows numbers, texts and bytes only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Whole numbers.
    Number,
    /// True or false: 1 or 0.
    Truth,
    /// Texts.
    Text,
    /// Days.
    Day,
    /// Instants.
    Instant,
    /// JSON.
    Json,
    /// Bytes.
    Bytes,
}

impl Kind {
    /// What a declared type holds.
    fn declared(kind: &str) -> Option<Self> {
        Some(match kind {
            "INTEGER" | "bigint" | "integer" | "smallint" => Self::Number,
            "boolean" => Self::Truth,
            "TEXT" | "text" => Self::Text,
            "date" => Self::Day,
            "timestamp with time zone" => Self::Instant,
            "jsonb" => Self::Json,
            "BLOB" | "bytea" => Self::Bytes,
            _ => return None,
        })
    }
}

impl Table {
    /// The names of its columns.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|column| column.name.as_str())
    }

    /// The position of a column in a row.
    pub(super) fn place(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.name == name)
    }
}

/// The last number that a column of PostgreSQL was given by itself: rows that are gone keep theirs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counter {
    /// The table.
    pub table: String,
    /// The column.
    pub column: String,
    /// The number.
    pub last: i64,
}

const OF_SQLITE: &str = "SELECT t.name, c.name, c.type, c.pk FROM pragma_table_list t, pragma_table_xinfo(t.name) c \
    WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite!_%' ESCAPE '!' AND c.hidden = 0 \
    ORDER BY t.name, c.cid";

const OF_POSTGRES: &str = "SELECT t.relname::text, c.attname::text, format_type(c.atttypid, NULL), \
        COALESCE(array_position(k.indkey::int2[], c.attnum) + 1, 0)::bigint \
    FROM pg_class t \
    JOIN pg_attribute c ON c.attrelid = t.oid AND c.attnum > 0 AND NOT c.attisdropped AND c.attgenerated = '' \
    LEFT JOIN pg_index k ON k.indrelid = t.oid AND k.indisprimary \
    WHERE t.relnamespace = current_schema()::regnamespace AND t.relkind IN ('r', 'p') AND NOT t.relispartition \
    ORDER BY t.relname COLLATE \"C\", c.attnum";

/// The tables in the order of their names.
pub async fn tables(session: &mut Session) -> Result<Vec<Table>> {
    let described = sql(OF_SQLITE).on_postgres(OF_POSTGRES);
    let columns: Vec<(String, String, String, i64)> = session.all(described).await?;
    let mut tables: BTreeMap<String, (Vec<Column>, BTreeMap<i64, String>)> = BTreeMap::new();
    for (table, name, declared, place) in columns {
        if APART.contains(&table.as_str()) || under_way::TABLES.contains(&table.as_str()) {
            continue;
        }
        let kind = Kind::declared(&declared).ok_or_else(|| {
            Error::internal(format!(
                "{table}.{name} has the type {declared}, which cannot be moved"
            ))
        })?;
        let (columns, key) = tables.entry(table).or_default();
        if place > 0 {
            key.insert(place, name.clone());
        }
        columns.push(Column { name, kind });
    }
    let made = tables.into_iter().map(|(name, (columns, key))| {
        if key.is_empty() {
            return Err(Error::internal(format!("the table {name} has no primary key")));
        }
        Ok(Table { name, columns, key: key.into_values().collect() })
    });
    made.collect()
}

/// The columns that PostgreSQL numbers, each with the last number it gave; none on SQLite, which
/// numbers from the largest that is there.
pub async fn counters(session: &mut Session) -> Result<Vec<Counter>> {
    if session.dialect() == Dialect::Sqlite {
        return Ok(Vec::new());
    }
    let numbered = sql(
        "SELECT t.relname::text, c.attname::text, COALESCE(pg_sequence_last_value( \
            pg_get_serial_sequence(quote_ident(t.relname), c.attname)::regclass), 0) \
        FROM pg_class t JOIN pg_attribute c ON c.attrelid = t.oid AND c.attidentity <> '' \
        WHERE t.relnamespace = current_schema()::regnamespace AND t.relkind IN ('r', 'p') AND NOT t.relispartition \
        ORDER BY t.relname COLLATE \"C\"",
    );
    let counters: Vec<(String, String, i64)> = session.all(numbered).await?;
    Ok(counters.into_iter().map(|(table, column, last)| Counter { table, column, last }).collect())
}
