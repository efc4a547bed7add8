//! Writes the rows of a whole database in one transaction.

use serde_json::Value as Json;

use super::super::made::{listed, made, quoted};
use super::super::partitions::{self, Room};
use super::super::{Db, Dialect, Session, sql};
use super::reading::Pages;
use super::shape::{Column, Counter, Kind, Table, tables};
use super::tally::Tally;
use crate::error::{Error, Result, codes};

/// The tables that tell whether somebody has used the database: each deed leaves an entry in the
/// audit trail.
const USED: &str = "SELECT 1 FROM audit_entry LIMIT 1";

/// A database that is being filled. What checks and counts rows is put aside while they come in any
/// order, and is put back at the end, which checks them all. Nothing is there before
/// [`end`](Loading::end), and nothing if that is never reached.
#[derive(Debug)]
pub struct Loading {
    session: Session,
    tables: Vec<Table>,
    /// The room in tables that are divided.
    rooms: Vec<Room>,
    /// Puts back what was put aside.
    put_back: Vec<String>,
}

impl Loading {
    /// Begins to fill a database, which is migrated and was never used. The rows that migrations
    /// made are removed.
    pub async fn begin(db: &Db) -> Result<Self> {
        let mut session = db.begin().await?;
        refuse_used(&mut session).await?;
        let tables = tables(&mut session).await?;
        let put_back = match session.dialect() {
            Dialect::Sqlite => aside_sqlite(&mut session, &tables).await?,
            Dialect::Postgres => aside_postgres(&mut session, &tables).await?,
        };
        let rooms = partitions::rooms(&mut session).await?;
        Ok(Self { session, tables, rooms, put_back })
    }

    /// The transaction, for what must be changed in a copy.
    pub fn session(&mut self) -> &mut Session {
        &mut self.session
    }

    /// Adds rows that were read from a table of this shape.
    pub async fn add(&mut self, from: &Table, rows: &[String]) -> Result<()> {
        let own = self.tables.iter().find(|own| own.name == from.name);
        let own = own.ok_or_else(|| unknown(&from.name))?;
        let mut values = Vec::with_capacity(from.columns.len());
        for (place, column) in from.columns.iter().enumerate() {
            let own = own.columns.iter().find(|own| own.name == column.name);
            let own = own.ok_or_else(|| unknown(&format!("{}.{}", from.name, column.name)))?;
            values.push(match self.session.dialect() {
                Dialect::Sqlite => into_sqlite(place, column, own),
                Dialect::Postgres => into_postgres(place, own),
            });
        }
        if self.session.dialect() == Dialect::Postgres {
            refuse_nul(from, rows)?;
            self.make_room(from, rows).await?;
        }
        let (overriding, each) = match self.session.dialect() {
            Dialect::Sqlite => ("", "json_each($1)"),
            Dialect::Postgres => {
                (" OVERRIDING SYSTEM VALUE", "json_array_elements($1::text::json) value")
            }
        };
        let text = format!(
            "INSERT INTO {} ({}){overriding} SELECT {} FROM {each}",
            quoted(&from.name),
            listed(from.names()),
            values.join(", "),
        );
        let array = format!("[{}]", rows.join(","));
        let added = self.session.run(made(text).bind(array)).await?;
        if usize::try_from(added).is_ok_and(|added| added == rows.len()) {
            Ok(())
        } else {
            Err(Error::internal(format!("{added} of {} rows arrived in {}", rows.len(), from.name)))
        }
    }

    /// Makes ranges for rows, which come in the order of their ids.
    async fn make_room(&mut self, from: &Table, rows: &[String]) -> Result<()> {
        let room = self.rooms.iter_mut().find(|room| room.table == from.name);
        let (Some(room), Some(place), Some(last)) = (room, from.place("id"), rows.last()) else {
            return Ok(());
        };
        let values: Vec<Json> = serde_json::from_str(last).map_err(Error::internal)?;
        let id = values.get(place).and_then(Json::as_i64).unwrap_or_default();
        partitions::make_room_for(&mut self.session, room, id).await
    }

    /// What a table that was read elsewhere comes to here.
    pub async fn tally(&mut self, from: &Table) -> Result<Tally> {
        let own = self.tables.iter().find(|own| own.name == from.name);
        let own = own.ok_or_else(|| unknown(&from.name))?;
        // In the order of the columns there: the engines' tables have other orders.
        let named = |name: &str| own.columns.iter().find(|column| column.name == name).cloned();
        let columns: Option<Vec<Column>> = from.names().map(named).collect();
        let columns = columns.filter(|columns| columns.len() == own.columns.len());
        let columns = columns.ok_or_else(|| unknown(&from.name))?;
        let alike = Table { name: own.name.clone(), columns, key: own.key.clone() };
        Pages::of(&alike).whole(&mut self.session).await
    }

    /// Puts back what was put aside, numbers new rows after those of the source, and commits.
    pub async fn end(mut self, counters: &[Counter]) -> Result<()> {
        match self.session.dialect() {
            Dialect::Sqlite => {
                let broken: Option<(String, String)> = self
                    .session
                    .first(sql("SELECT \"table\", parent FROM pragma_foreign_key_check LIMIT 1"))
                    .await?;
                if let Some((table, parent)) = broken {
                    return Err(Error::internal(format!(
                        "a row of {table} names no row of {parent}"
                    )));
                }
                for index in fulltext(&mut self.session).await? {
                    let (table, column) = (quoted(&index), quoted(&index));
                    let rebuild = format!("INSERT INTO {table} ({column}) VALUES ('rebuild')");
                    self.session.run(made(rebuild)).await?;
                }
            }
            Dialect::Postgres => self.count_on(counters).await?,
        }
        for statement in self.put_back {
            self.session.run(made(statement)).await?;
        }
        self.session.commit().await
    }

    /// Sets each numbered column's counter to the last number of the source, or of its rows.
    async fn count_on(&mut self, counters: &[Counter]) -> Result<()> {
        for own in super::counters(&mut self.session).await? {
            let same = |of: &&Counter| of.table == own.table && of.column == own.column;
            let last = counters.iter().find(same).map_or(0, |counter| counter.last);
            let (table, column) = (quoted(&own.table), quoted(&own.column));
            let set = format!(
                "SELECT setval(pg_get_serial_sequence($1::text, $2::text), GREATEST(last, 1), last > 0) FROM \
                 (SELECT GREATEST(COALESCE(MAX({column}), 0), $3::bigint) AS last FROM {table}) numbers"
            );
            let set = made(set).bind(table).bind(own.column).bind(last);
            self.session.value::<i64>(set).await?;
        }
        Ok(())
    }
}

/// Refuses a database that somebody has used.
pub async fn refuse_used(session: &mut Session) -> Result<()> {
    if session.exists(sql(USED)).await? {
        return Err(codes::UNAVAILABLE.saying(
            "The database has been used: its audit trail has entries. Name an empty one.",
        ));
    }
    Ok(())
}

fn unknown(name: &str) -> Error {
    codes::UNAVAILABLE
        .saying(format!("{name} is not in this database: both must be of one version."))
}

/// PostgreSQL keeps no NUL character in a text.
fn refuse_nul(table: &Table, rows: &[String]) -> Result<()> {
    for row in rows.iter().filter(|row| row.contains("\\u0000")) {
        let values: Vec<Json> = serde_json::from_str(row).map_err(Error::internal)?;
        let holds = |value: &Json| value.as_str().is_some_and(|text| text.contains('\0'));
        let Some(place) = values.iter().position(holds) else { continue };
        let column = table.columns.get(place).map_or("", |column| column.name.as_str());
        let key: Vec<String> = table
            .key
            .iter()
            .filter_map(|name| Some(format!("{name} {}", values.get(table.place(name)?)?)))
            .collect();
        return Err(codes::UNAVAILABLE.saying(format!(
            "{}.{column} of the row with {} has a NUL character, which PostgreSQL cannot keep. Remove it first.",
            table.name,
            key.join(", ")
        )));
    }
    Ok(())
}

/// The value of a column, from the common form.
fn into_sqlite(place: usize, from: &Column, own: &Column) -> String {
    let value = format!("json_extract(value, '$[{place}]')");
    match (own.kind, from.kind) {
        (Kind::Bytes, _) => format!("unhex({value})"),
        // PostgreSQL's texts of JSON have blanks.
        (_, Kind::Json) => format!("json({value})"),
        _ => value,
    }
}

/// The value of a column, from the common form.
fn into_postgres(place: usize, own: &Column) -> String {
    let value = format!("(value ->> {place})");
    match own.kind {
        Kind::Number => format!("{value}::bigint"),
        Kind::Truth => format!("{value}::int::boolean"),
        Kind::Text => value,
        Kind::Day => format!("{value}::date"),
        Kind::Instant => format!("{value}::timestamptz"),
        Kind::Json => format!("{value}::jsonb"),
        Kind::Bytes => format!("decode({value}, 'hex')"),
    }
}

/// Puts SQLite's triggers aside, and checks references only at the end.
async fn aside_sqlite(session: &mut Session, tables: &[Table]) -> Result<Vec<String>> {
    session.run(sql("PRAGMA defer_foreign_keys = ON")).await?;
    let triggers: Vec<(String, String, String)> = session
        .all(sql(
            "SELECT name, tbl_name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY name",
        ))
        .await?;
    let mut put_back = Vec::new();
    for (name, table, text) in triggers {
        if tables.iter().any(|moved| moved.name == table) {
            session.run(made(format!("DROP TRIGGER {}", quoted(&name)))).await?;
            put_back.push(text);
        }
    }
    for table in tables {
        session.run(made(format!("DELETE FROM {}", quoted(&table.name)))).await?;
    }
    Ok(put_back)
}

/// The search indexes of SQLite.
async fn fulltext(session: &mut Session) -> Result<Vec<String>> {
    let indexes = sql("SELECT name FROM sqlite_master WHERE type = 'table' \
        AND sql LIKE 'CREATE VIRTUAL TABLE%USING fts5%' ORDER BY name");
    let names: Vec<(String,)> = session.all(indexes).await?;
    Ok(names.into_iter().map(|(name,)| name).collect())
}

/// Puts PostgreSQL's references and triggers aside. An owner of the tables may do that, whereas
/// `session_replication_role` needs a superuser.
async fn aside_postgres(session: &mut Session, tables: &[Table]) -> Result<Vec<String>> {
    session.take_all_the_time().await?;
    let references: Vec<(String, String)> = session
        .all(sql("SELECT format('ALTER TABLE %I DROP CONSTRAINT %I', t.relname, k.conname), \
                format('ALTER TABLE %I ADD CONSTRAINT %I %s', t.relname, k.conname, pg_get_constraintdef(k.oid)) \
            FROM pg_constraint k JOIN pg_class t ON t.oid = k.conrelid \
            WHERE k.contype = 'f' AND k.conparentid = 0 AND k.connamespace = current_schema()::regnamespace \
            ORDER BY t.relname, k.conname"))
        .await?;
    let mut put_back = Vec::new();
    for (drop, add) in references {
        session.run(made(drop)).await?;
        put_back.push(add);
    }
    for table in tables {
        let name = quoted(&table.name);
        session.run(made(format!("ALTER TABLE {name} DISABLE TRIGGER USER"))).await?;
        put_back.push(format!("ALTER TABLE {name} ENABLE TRIGGER USER"));
    }
    let all = listed(tables.iter().map(|table| table.name.as_str()));
    session.run(made(format!("TRUNCATE {all}"))).await?;
    Ok(put_back)
}
