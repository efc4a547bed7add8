//! The tables that rows come to, of a database that is being filled.

use serde_json::Value as Json;

use super::super::made::{listed, made, quoted};
use super::super::partitions::{self, Room};
use super::super::{Dialect, Session};
use super::reading::Pages;
use super::shape::{Column, Kind, Table, tables};
use super::tally::Tally;
use crate::error::{Error, Result, codes};

/// The tables of a database that is being filled, in one transaction or in several.
#[derive(Debug)]
pub(super) struct Destination {
    pub(super) tables: Vec<Table>,
    /// The room in tables that are divided.
    rooms: Vec<Room>,
}

impl Destination {
    /// The tables as they are now.
    pub(super) async fn of(session: &mut Session) -> Result<Self> {
        let tables = tables(session).await?;
        let rooms = partitions::rooms(session).await?;
        Ok(Self { tables, rooms })
    }

    fn named(&self, name: &str) -> Result<&Table> {
        let own = self.tables.iter().find(|own| own.name == name);
        own.ok_or_else(|| unknown(name))
    }

    /// Adds rows that were read from a table of this shape.
    pub(super) async fn add(
        &mut self,
        session: &mut Session,
        from: &Table,
        rows: &[String],
    ) -> Result<()> {
        let own = self.named(&from.name)?;
        let mut values = Vec::with_capacity(from.columns.len());
        for (place, column) in from.columns.iter().enumerate() {
            let own = own.columns.iter().find(|own| own.name == column.name);
            let own = own.ok_or_else(|| unknown(&format!("{}.{}", from.name, column.name)))?;
            values.push(match session.dialect() {
                Dialect::Sqlite => into_sqlite(place, column, own),
                Dialect::Postgres => into_postgres(place, own),
            });
        }
        if session.dialect() == Dialect::Postgres {
            refuse_nul(from, rows)?;
            self.make_room(session, from, rows).await?;
        }
        let (overriding, each) = match session.dialect() {
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
        let added = session.run(made(text).bind(array)).await?;
        if usize::try_from(added).is_ok_and(|added| added == rows.len()) {
            Ok(())
        } else {
            Err(Error::internal(format!("{added} of {} rows arrived in {}", rows.len(), from.name)))
        }
    }

    /// Makes ranges for rows, which come in the order of their ids.
    async fn make_room(
        &mut self,
        session: &mut Session,
        from: &Table,
        rows: &[String],
    ) -> Result<()> {
        let room = self.rooms.iter_mut().find(|room| room.table == from.name);
        let (Some(room), Some(place), Some(last)) = (room, from.place("id"), rows.last()) else {
            return Ok(());
        };
        let values: Vec<Json> = serde_json::from_str(last).map_err(Error::internal)?;
        let id = values.get(place).and_then(Json::as_i64).unwrap_or_default();
        partitions::make_room_for(session, room, id).await
    }

    /// What a table that was read elsewhere comes to here.
    pub(super) async fn tally(&self, session: &mut Session, from: &Table) -> Result<Tally> {
        let own = self.named(&from.name)?;
        // In the order of the columns there: the engines' tables have other orders.
        let named = |name: &str| own.columns.iter().find(|column| column.name == name).cloned();
        let columns: Option<Vec<Column>> = from.names().map(named).collect();
        let columns = columns.filter(|columns| columns.len() == own.columns.len());
        let columns = columns.ok_or_else(|| unknown(&from.name))?;
        let alike = Table { name: own.name.clone(), columns, key: own.key.clone() };
        Pages::of(&alike).whole(session).await
    }

    /// Removes the rows of a table.
    pub(super) async fn empty(&self, session: &mut Session, name: &str) -> Result<()> {
        emptied(session, std::slice::from_ref(self.named(name)?)).await
    }
}

/// Removes the rows of tables whose references are put aside.
pub(super) async fn emptied(session: &mut Session, tables: &[Table]) -> Result<()> {
    if session.dialect() == Dialect::Postgres {
        let all = listed(tables.iter().map(|table| table.name.as_str()));
        session.run(made(format!("TRUNCATE {all}"))).await?;
        return Ok(());
    }
    for table in tables {
        session.run(made(format!("DELETE FROM {}", quoted(&table.name)))).await?;
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
