//! What a database says about a copy that fills it in several transactions and is not finished. Its
//! tables are made by the first transaction and removed by the last one, so that a database that
//! has them is half filled.

use std::collections::BTreeMap;

use super::super::made::made;
use super::super::{Session, sql};
use crate::error::{Error, Result, codes};

/// The tables, which no copy and no backup takes along.
pub(super) const TABLES: [&str; 3] = ["copy_progress", "copy_put_back", "copy_under_way"];

const MADE: [&str; 3] = [
    "CREATE TABLE copy_under_way (id BIGINT PRIMARY KEY, source TEXT NOT NULL, migration BIGINT NOT NULL, \
        run BIGINT NOT NULL)",
    "CREATE TABLE copy_put_back (place BIGINT PRIMARY KEY, statement TEXT NOT NULL)",
    "CREATE TABLE copy_progress (name TEXT PRIMARY KEY, last_key TEXT NOT NULL)",
];

/// What is wrong with a database that is half filled.
pub const HALF_FILLED: &str = "A copy to this database is not finished.";
/// What can be done about it.
pub const GO_ON: &str =
    "Run `nil copy` with the same arguments again: it goes on. Or name an empty database.";

/// A copy that is not finished.
pub(super) struct UnderWay {
    /// The mark of the installation that is copied.
    pub(super) source: String,
    /// The number of the last migration of both databases.
    pub(super) migration: i64,
}

/// How far the tables are: for each that has rows, the key of the last one.
pub(super) type Progress = BTreeMap<String, String>;

/// Whether a copy to this database is not finished.
pub(in crate::storage) async fn is_half_filled(session: &mut Session) -> Result<bool> {
    let there = sql("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'copy_under_way'")
        .on_postgres(
            "SELECT 1 FROM pg_class WHERE relname = 'copy_under_way' AND relkind = 'r' \
            AND relnamespace = current_schema()::regnamespace",
        );
    session.exists(there).await
}

/// The refusal of a database that is half filled.
pub(in crate::storage) fn half_filled() -> Error {
    codes::UNAVAILABLE.saying(format!("{HALF_FILLED} {GO_ON}"))
}

/// Whether an error says that a database is half filled.
pub fn says_half_filled(error: &Error) -> bool {
    error.message().starts_with(HALF_FILLED)
}

/// Notes that a copy has begun, and what must be put back at its end.
pub(super) async fn begin(
    session: &mut Session,
    UnderWay { source, migration }: UnderWay,
    put_back: &[String],
) -> Result<()> {
    for table in MADE {
        session.run(sql(table)).await?;
    }
    let begun =
        sql("INSERT INTO copy_under_way (id, source, migration, run) VALUES (1, $1, $2, 0)");
    session.run(begun.bind(source).bind(migration)).await?;
    for (statement, place) in put_back.iter().zip(1_i64..) {
        let kept = sql("INSERT INTO copy_put_back (place, statement) VALUES ($1, $2)");
        session.run(kept.bind(place).bind(statement.as_str())).await?;
    }
    Ok(())
}

/// The copy that is not finished.
pub(super) async fn find(session: &mut Session) -> Result<UnderWay> {
    let found = sql("SELECT source, migration FROM copy_under_way WHERE id = 1");
    let (source, migration) = session.one(found).await?;
    Ok(UnderWay { source, migration })
}

/// Makes the copy the own one; whoever wrote before can write no more. Returns the number of this
/// run.
pub(super) async fn take_over(session: &mut Session) -> Result<i64> {
    session.value(sql("UPDATE copy_under_way SET run = run + 1 WHERE id = 1 RETURNING run")).await
}

/// Refuses to go on if another run has taken the copy over. Until the transaction ends, none can.
pub(super) async fn refuse_taken_over(session: &mut Session, run: i64) -> Result<()> {
    // An earlier transaction of the last run may have removed the table.
    if is_half_filled(session).await? {
        let own = sql("UPDATE copy_under_way SET run = run WHERE id = 1 AND run = $1");
        if session.run(own.bind(run)).await? == 1 {
            return Ok(());
        }
    }
    Err(codes::UNAVAILABLE.saying("Another `nil copy` goes on with this copy."))
}

/// How far the tables are.
pub(super) async fn progress(session: &mut Session) -> Result<Progress> {
    let noted: Vec<(String, String)> =
        session.all(sql("SELECT name, last_key FROM copy_progress")).await?;
    Ok(noted.into_iter().collect())
}

/// Notes the key of the last row of a table.
pub(super) async fn note(session: &mut Session, name: &str, last_key: &str) -> Result<()> {
    let noted = sql("INSERT INTO copy_progress (name, last_key) VALUES ($1, $2) \
        ON CONFLICT (name) DO UPDATE SET last_key = excluded.last_key");
    session.run(noted.bind(name).bind(last_key)).await.map(drop)
}

/// Notes that a table has no rows any more.
pub(super) async fn forget(session: &mut Session, name: &str) -> Result<()> {
    session.run(sql("DELETE FROM copy_progress WHERE name = $1").bind(name)).await.map(drop)
}

/// Notes that the copy is finished. Returns what must be put back.
pub(super) async fn end(session: &mut Session) -> Result<Vec<String>> {
    let kept: Vec<(String,)> =
        session.all(sql("SELECT statement FROM copy_put_back ORDER BY place")).await?;
    for table in TABLES {
        session.run(made(format!("DROP TABLE {table}"))).await?;
    }
    Ok(kept.into_iter().map(|(statement,)| statement).collect())
}
