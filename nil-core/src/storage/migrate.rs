//! Migrations: numbered plain SQL, the same numbers and names for both engines.

use sqlx::migrate::Migrator;

use super::{Db, Dialect, sql};
use crate::error::{Result, codes};

static SQLITE: Migrator = sqlx::migrate!("migrations/sqlite");
static POSTGRES: Migrator = sqlx::migrate!("migrations/postgres");

/// How a database differs from what this program expects.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Drift {
    /// Migrations this program has and the database has not: number and name.
    pub missing: Vec<(i64, String)>,
    /// Migrations the database has and this program does not know: it is too old.
    pub unknown: Vec<i64>,
}

impl Drift {
    /// Whether the program may serve on this database.
    #[must_use]
    pub fn is_none(&self) -> bool {
        self.missing.is_empty() && self.unknown.is_empty()
    }
}

fn migrator(dialect: Dialect) -> &'static Migrator {
    match dialect {
        Dialect::Sqlite => &SQLITE,
        Dialect::Postgres => &POSTGRES,
    }
}

/// Applies what is missing. Refuses a database that a newer program has migrated.
pub async fn migrate(db: &Db) -> Result<()> {
    let drift = pending(db).await?;
    if !drift.unknown.is_empty() {
        return Err(codes::UNAVAILABLE.saying(format!(
            "The database was migrated by a newer version (unknown migrations {:?}). \
             Use that version, or restore a backup.",
            drift.unknown
        )));
    }
    db.migrate_with(migrator(db.dialect())).await
}

/// What `nil migrate --check` and `/readyz` look at.
pub async fn pending(db: &Db) -> Result<Drift> {
    let applied: Vec<i64> = {
        let mut session = db.read().await?;
        match session
            .all::<(i64,)>(sql("SELECT version FROM _sqlx_migrations WHERE success"))
            .await
        {
            Ok(rows) => rows.into_iter().map(|(version,)| version).collect(),
            // No table yet: nothing has been applied. Any other fault shows itself when migrating.
            Err(_) => Vec::new(),
        }
    };
    let known = migrator(db.dialect());
    Ok(Drift {
        missing: known
            .iter()
            .filter(|migration| !applied.contains(&migration.version))
            .map(|migration| (migration.version, migration.description.to_string()))
            .collect(),
        unknown: applied
            .into_iter()
            .filter(|version| !known.iter().any(|migration| migration.version == *version))
            .collect(),
    })
}
