//! What checks and counts rows: it is put aside while they come in any order, and put back at the
//! end, which checks them all.

use super::super::made::{made, quoted};
use super::super::{Dialect, Session, sql};
use super::destination::emptied;
use super::shape::{Counter, Table};
use crate::error::{Error, Result};

/// Puts aside what checks and counts the rows of these tables, and removes the rows that migrations
/// made. Returns the statements that put it back.
pub(super) async fn put_aside(session: &mut Session, tables: &[Table]) -> Result<Vec<String>> {
    let back = match session.dialect() {
        Dialect::Sqlite => aside_sqlite(session, tables).await?,
        Dialect::Postgres => aside_postgres(session, tables).await?,
    };
    emptied(session, tables).await?;
    Ok(back)
}

/// Puts back what was put aside, and numbers new rows after those of the source.
pub(super) async fn put_back(
    session: &mut Session,
    statements: Vec<String>,
    counters: &[Counter],
) -> Result<()> {
    match session.dialect() {
        Dialect::Sqlite => {
            let broken: Option<(String, String)> = session
                .first(sql("SELECT \"table\", parent FROM pragma_foreign_key_check LIMIT 1"))
                .await?;
            if let Some((table, parent)) = broken {
                return Err(Error::internal(format!("a row of {table} names no row of {parent}")));
            }
            for index in fulltext(session).await? {
                let (table, column) = (quoted(&index), quoted(&index));
                let rebuild = format!("INSERT INTO {table} ({column}) VALUES ('rebuild')");
                session.run(made(rebuild)).await?;
            }
        }
        Dialect::Postgres => count_on(session, counters).await?,
    }
    for statement in statements {
        session.run(made(statement)).await?;
    }
    Ok(())
}

/// Sets each numbered column's counter to the last number of the source, or of its rows.
async fn count_on(session: &mut Session, counters: &[Counter]) -> Result<()> {
    for own in super::counters(session).await? {
        let same = |of: &&Counter| of.table == own.table && of.column == own.column;
        let last = counters.iter().find(same).map_or(0, |counter| counter.last);
        let (table, column) = (quoted(&own.table), quoted(&own.column));
        let set = format!(
            "SELECT setval(pg_get_serial_sequence($1::text, $2::text), GREATEST(last, 1), last > 0) FROM \
             (SELECT GREATEST(COALESCE(MAX({column}), 0), $3::bigint) AS last FROM {table}) numbers"
        );
        let set = made(set).bind(table).bind(own.column).bind(last);
        session.value::<i64>(set).await?;
    }
    Ok(())
}

/// Puts SQLite's triggers aside, and checks references when the transaction ends.
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
    Ok(put_back)
}
