//! Applies migrations to SQLite, and keeps the table of those that were applied.

use std::fmt::Display;
use std::time::Instant;

use sea_query::{Value, Values};
use sqlx::SqlSafeStr as _;
use sqlx::migrate::Migration;

use super::embedded::{Asked, Embedded, Wanted};
use super::record::Rows;
use crate::error::{Error, Result, codes};

/// sqlx's table of applied migrations. Databases created by sqlx's own migrator keep working, also
/// with sqlx again.
const TABLE: &str = "CREATE TABLE IF NOT EXISTS _sqlx_migrations (
    version BIGINT PRIMARY KEY,
    description TEXT NOT NULL,
    installed_on TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
    success BOOLEAN NOT NULL,
    checksum BLOB NOT NULL,
    execution_time BIGINT NOT NULL
)";

pub(super) fn inapplicable(error: impl Display) -> Error {
    codes::UNAVAILABLE.saying(format!("The migrations cannot be applied: {error}."))
}

/// Applies the missing migrations to SQLite. Each migration and its row in the table are one
/// transaction.
pub(super) fn apply<'m>(
    writer: &Embedded,
    migrations: impl Iterator<Item = &'m Migration>,
) -> Result<()> {
    writer.waiting(|writer| writer.script(TABLE)).map_err(inapplicable)?;
    for migration in migrations {
        if is_applied(writer, migration)? {
            continue;
        }
        writer.waiting(|writer| writer.say("BEGIN IMMEDIATE")).map_err(inapplicable)?;
        // Another process may have applied it while this one waited.
        let applied = match is_applied(writer, migration) {
            Ok(true) => Ok(()),
            Ok(false) => apply_one(writer, migration).map_err(inapplicable),
            Err(error) => Err(error),
        };
        let end = if applied.is_ok() { "COMMIT" } else { "ROLLBACK" };
        let ended = writer.say(end).map_err(inapplicable);
        applied?;
        ended?;
    }
    Ok(())
}

/// Whether a migration has been applied completely and with the same content.
fn is_applied(writer: &Embedded, migration: &Migration) -> Result<bool> {
    let mut asked = Asked {
        text: "SELECT checksum, success FROM _sqlx_migrations WHERE version = $1".into_sql_str(),
        values: Values(vec![migration.version.into()]),
        wanted: Wanted::First,
    };
    let answer = writer.run(&mut asked, None)?;
    let why = match Rows::Cells(answer.cells).decode::<(Vec<u8>, bool)>()?.pop() {
        None => return Ok(false),
        Some((_, false)) => "was started but not finished. Restore a backup.",
        Some((checksum, true)) if checksum != *migration.checksum => {
            "was applied with different content. Use the version that applied it."
        }
        Some(_) => return Ok(true),
    };
    Err(codes::UNAVAILABLE.saying(format!("Migration {} {why}", migration.version)))
}

fn apply_one(writer: &Embedded, migration: &Migration) -> rusqlite::Result<()> {
    let begun = Instant::now();
    writer.script(migration.sql.as_str())?;
    let took = i64::try_from(begun.elapsed().as_nanos()).unwrap_or(i64::MAX);
    let values: [Value; 4] = [
        migration.version.into(),
        migration.description.as_ref().into(),
        migration.checksum.to_vec().into(),
        took.into(),
    ];
    let mut asked = Asked {
        text: "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
               VALUES ($1, $2, TRUE, $3, $4)"
            .into_sql_str(),
        values: Values(values.into()),
        wanted: Wanted::Count,
    };
    writer.run(&mut asked, None)?;
    Ok(())
}
