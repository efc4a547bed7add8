//! The contents of a database: every table's rows, and the schema. Read on a separate connection,
//! without the platform.

use std::collections::BTreeMap;
use std::path::Path;

use nil_core::storage::{Location, add_functions};
use rusqlite::types::FromSql;
use sqlx::{Connection as _, PgConnection};

use crate::world::World;

/// A column, as the database describes it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Column {
    pub table: String,
    pub name: String,
    pub nullable: bool,
}

pub(crate) enum Connected {
    Sqlite(rusqlite::Connection),
    Postgres(PgConnection),
}

impl Connected {
    pub(crate) async fn pairs(&mut self, text: String) -> Vec<(String, String)> {
        match self {
            Self::Sqlite(on) => rows(on, &text, |row| (at(row, 0), at(row, 1))),
            Self::Postgres(on) => {
                let statement = sqlx::query_as(sqlx::AssertSqlSafe(text));
                statement.fetch_all(on).await.expect("the rows")
            }
        }
    }

    async fn triples(&mut self, text: &'static str) -> Vec<(String, String, i64)> {
        match self {
            Self::Sqlite(on) => rows(on, text, |row| (at(row, 0), at(row, 1), at(row, 2))),
            Self::Postgres(on) => {
                let statement = sqlx::query_as(text);
                statement.fetch_all(on).await.expect("the columns")
            }
        }
    }
}

fn rows<T>(
    on: &rusqlite::Connection,
    text: &str,
    read: impl Fn(&rusqlite::Row<'_>) -> T,
) -> Vec<T> {
    let mut statement = on.prepare(text).expect("a statement");
    let rows = statement.query_map([], |row| Ok(read(row)));
    rows.expect("an answer").map(|row| row.expect("a row")).collect()
}

/// A SQLite file with the functions that triggers call.
pub(crate) fn opened(path: &Path) -> rusqlite::Connection {
    let on = rusqlite::Connection::open(path).expect("the file");
    add_functions(&on).expect("the functions");
    on
}

fn at<T: FromSql>(row: &rusqlite::Row<'_>, column: usize) -> T {
    row.get(column).expect("a value")
}

impl World {
    pub(crate) async fn connected(&self) -> Connected {
        match &self.database.location {
            Location::Sqlite(path) => Connected::Sqlite(opened(path)),
            Location::Postgres(url) => {
                Connected::Postgres(PgConnection::connect(url).await.expect("the database"))
            }
        }
    }

    /// Every column of our tables, by table and name. Views and full-text indexes are left out:
    /// they follow from the tables, and differ between databases.
    pub async fn columns(&self) -> Vec<Column> {
        let mut on = self.connected().await;
        let text = match &on {
            Connected::Sqlite(_) => {
                "SELECT t.name, c.name, c.\"notnull\" = 0 AND c.pk = 0 FROM sqlite_master t \
                 JOIN pragma_table_list(t.name) l JOIN pragma_table_info(t.name) c \
                 WHERE t.type = 'table' AND l.schema = 'main' AND l.type = 'table' \
                 AND t.name NOT LIKE 'sqlite_%' AND t.name NOT LIKE '_sqlx_%' ORDER BY 1, 2"
            }
            Connected::Postgres(_) => {
                // The catalog itself: the views of `information_schema` take a hundred times as
                // long.
                "SELECT c.relname::text, a.attname::text, \
                 CAST(NOT a.attnotnull AS INTEGER)::bigint FROM pg_attribute a \
                 JOIN pg_class c ON c.oid = a.attrelid \
                 WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition \
                 AND a.attnum > 0 AND NOT a.attisdropped AND a.atttypid <> 'tsvector'::regtype \
                 AND c.relname NOT LIKE '\\_sqlx\\_%' ORDER BY 1, 2"
            }
        };
        let columns = on.triples(text).await.into_iter();
        let mut columns: Vec<Column> = columns
            .map(|(table, name, nullable)| Column { table, name, nullable: nullable == 1 })
            .collect();
        columns.sort();
        columns
    }

    /// The rows of every table as text, except what a mere read changes: a session's last use,
    /// stored responses, and counts of failed log-ins.
    pub async fn contents(&self) -> BTreeMap<String, String> {
        let mut tables: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for column in self.columns().await {
            let passing = column.table == "session" && column.name == "used_at";
            if !passing && !matches!(column.table.as_str(), "idempotency" | "login_failure") {
                tables.entry(column.table).or_default().push(column.name);
            }
        }
        let mut on = self.connected().await;
        let texts = tables.iter().map(|(table, columns)| match &on {
            Connected::Sqlite(_) => {
                let quoted: Vec<_> = columns.iter().map(|c| format!("quote(\"{c}\")")).collect();
                format!(
                    "SELECT '{table}', COALESCE((SELECT group_concat(line, x'0a') FROM \
                     (SELECT {} AS line FROM \"{table}\" ORDER BY 1)), '')",
                    quoted.join(" || ',' || ")
                )
            }
            Connected::Postgres(_) => format!(
                "SELECT '{table}'::text, COALESCE((SELECT string_agg(line, E'\\n') FROM \
                 (SELECT ROW(\"{}\")::text AS line FROM \"{table}\" ORDER BY 1) AS lines), '')",
                columns.join("\", \"")
            ),
        });
        let text = texts.collect::<Vec<_>>().join(" UNION ALL ");
        on.pairs(text).await.into_iter().collect()
    }

    /// The columns that contain one of these texts, in any row: table, column, text. Bytes are not
    /// read.
    pub async fn places_of(&self, texts: &[&str]) -> Vec<(String, String, String)> {
        let mut on = self.connected().await;
        let mut found = Vec::new();
        for column in self.columns().await {
            let Column { table, name, .. } = &column;
            let value = match &on {
                Connected::Sqlite(_) => format!(
                    "CASE typeof(\"{name}\") WHEN 'blob' THEN '' ELSE CAST(\"{name}\" AS TEXT) END"
                ),
                Connected::Postgres(_) => format!("CAST(\"{name}\" AS TEXT)"),
            };
            let rows = format!("SELECT 'x', COALESCE({value}, '') FROM \"{table}\"");
            let rows = on.pairs(rows).await;
            for text in texts {
                let lower = text.to_lowercase();
                if rows.iter().any(|(_, value)| value.to_lowercase().contains(&lower)) {
                    found.push((table.clone(), name.clone(), (*text).to_owned()));
                }
            }
        }
        found
    }

    /// The allowed values of a table's `status`, from the database's own constraint.
    pub async fn status_words(&self, table: &str) -> Vec<String> {
        let mut on = self.connected().await;
        let text = match &on {
            Connected::Sqlite(_) => {
                format!("SELECT name, sql FROM sqlite_master WHERE name = '{table}'")
            }
            Connected::Postgres(_) => format!(
                "SELECT conname::text, pg_get_constraintdef(c.oid) FROM pg_constraint c \
                 JOIN pg_class t ON t.oid = c.conrelid WHERE t.relname = '{table}' \
                 AND c.contype = 'c' AND conname LIKE '%_status_check'"
            ),
        };
        let rows = on.pairs(text).await;
        let (_, definition) = rows.first().unwrap_or_else(|| panic!("no check on {table}"));
        let (_, list) = definition
            .split_once("CHECK (status IN (")
            .or_else(|| definition.split_once("ARRAY["))
            .unwrap_or_else(|| panic!("no list of words: {definition}"));
        let list = list.split([')', ']']).next().unwrap_or_default();
        list.split('\'').skip(1).step_by(2).map(Into::into).collect()
    }
}
