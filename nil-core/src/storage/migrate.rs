//! Migrations: numbered plain SQL, with the same numbers and names for both engines.

use std::sync::LazyLock;

use sqlx::SqlSafeStr;
use sqlx::migrate::{Migration, MigrationType, Migrator};

use super::{Db, Dialect, Session, sql};
use crate::error::{Result, codes};

/// Names the migrations: `FILES` has each name with its text for SQLite and for PostgreSQL.
macro_rules! files {
    ($($name:literal)+) => {
        const FILES: &[(&str, &str, &str)] = &[$((
            $name,
            include_str!(concat!("../../migrations/sqlite/", $name, ".sql")),
            include_str!(concat!("../../migrations/postgres/", $name, ".sql")),
        )),+];
    };
}

files! {
    "0001_reference" "0002_access" "0003_accounts" "0004_directory" "0005_jobs_and_contracts"
    "0006_services_and_sales" "0007_money" "0008_subscriptions_and_taxes" "0009_files"
    "0010_notices_and_messages" "0011_institutions_and_filings" "0012_disclosures" "0013_figures"
    "0014_capital_saltillo" "0015_around_apostrophes" "0016_inbox" "0017_two_steps_of_officers"
    "0018_counted_from_indexes" "0019_movements" "0020_disputes" "0021_statements"
    "0022_confirmations" "0023_restrictions" "0024_webhooks" "0025_sign_on"
    "0026_calendars_and_squad_lists" "0027_verified_and_undeliverable" "0028_partitions"
    "0029_older_servers_go_on"
}

static SQLITE: LazyLock<Migrator> = LazyLock::new(|| migrations(|(_, sqlite, _)| sqlite));
static POSTGRES: LazyLock<Migrator> = LazyLock::new(|| migrations(|(_, _, postgres)| postgres));

fn migrations(of: fn((&'static str, &'static str, &'static str)) -> &'static str) -> Migrator {
    let migrations = FILES.iter().map(|file| {
        // A test holds that every name begins with a number.
        let (number, name) = file.0.split_once('_').unwrap_or(("0", file.0));
        let description = name.replace('_', " ").into();
        let text = of(*file).into_sql_str();
        let version = number.parse().unwrap_or_default();
        Migration::new(version, description, MigrationType::Simple, text, false)
    });
    Migrator::with_migrations(migrations.collect())
}

/// How a database differs from what this program expects.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Drift {
    /// Migrations of this program that the database lacks: number and name.
    pub missing: Vec<(i64, String)>,
    /// Migrations in the database that this program does not know: of a newer program, or of the
    /// time before 0.1.0.
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

/// Applies the missing migrations. Refuses a database that has others.
pub async fn migrate(db: &Db) -> Result<()> {
    let drift = pending(db).await?;
    if !drift.unknown.is_empty() {
        return Err(codes::UNAVAILABLE.saying(format!(
            "The database has migrations that this version does not know ({:?}): it is of a newer version, or \
             of one before 0.1.0. Use that version, or restore a backup.",
            drift.unknown
        )));
    }
    db.migrate_with(migrator(db.dialect())).await
}

/// The number of the last migration of a database that has some.
pub async fn last_migration(session: &mut Session) -> Result<i64> {
    session.value(sql("SELECT MAX(version) FROM _sqlx_migrations")).await
}

/// Whether a server of this program may go on, on a database with this difference: nothing is
/// missing, and the newer migrations left what it uses.
pub async fn goes_on(db: &Db, drift: &Drift) -> Result<bool> {
    if !drift.missing.is_empty() {
        return Ok(false);
    }
    if drift.unknown.is_empty() {
        return Ok(true);
    }
    let own = migrator(db.dialect()).iter().map(|migration| migration.version).max();
    let from: i64 = db
        .read()
        .await?
        .value(sql("SELECT understood_from FROM installation WHERE id = 1"))
        .await?;
    Ok(own.is_some_and(|own| from <= own))
}

/// The difference that `nil migrate --check` and `/readyz` report.
pub async fn pending(db: &Db) -> Result<Drift> {
    let applied: Vec<i64> = {
        let mut session = db.read().await?;
        match session.all::<(i64,)>(sql("SELECT version FROM _sqlx_migrations WHERE success")).await
        {
            Ok(rows) => rows.into_iter().map(|(version,)| version).collect(),
            // No table yet: nothing has been applied. Any other error appears when migrating.
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

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::super::embedded::Embedded;
    use super::super::embedded::asking::{asked, number};
    use super::super::migration::apply;
    use super::super::record::Rows;
    use super::*;

    fn file() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("nil.db");
        (folder, path)
    }

    fn texts(on: &Embedded, text: &'static str) -> Vec<(String,)> {
        let answer = on.run(&mut asked(text), None).unwrap();
        Rows::Cells(answer.cells).decode().unwrap()
    }

    #[test]
    fn every_file_is_a_migration_of_both_engines() {
        for engine in ["sqlite", "postgres"] {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../migrations").join(engine);
            let files = folder.read_dir().unwrap().map(|file| file.unwrap().file_name());
            let mut files: Vec<_> = files.map(|file| file.into_string().unwrap()).collect();
            files.sort_unstable();
            let named: Vec<_> = FILES.iter().map(|(name, ..)| format!("{name}.sql")).collect();
            assert_eq!(files, named);
        }
        let versions: Vec<i64> = SQLITE.iter().map(|migration| migration.version).collect();
        let expected: Vec<i64> = (1..).take(FILES.len()).collect();
        assert_eq!(versions, expected);
    }

    /// What a program from before a migration may still use or leave out, and the migration takes
    /// away or wants.
    fn stops_older(text: &str) -> bool {
        let lines = text.lines().filter(|line| !line.trim_start().starts_with("--"));
        let text =
            lines.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ").to_uppercase();
        let fresh = |statement: &str| {
            let on = statement.split(" ON ").nth(1).and_then(|on| on.split_whitespace().next());
            on.is_some_and(|table| text.contains(&format!("CREATE TABLE {table} ")))
        };
        text.split(';').map(str::trim).any(|statement| {
            ["DROP TABLE", "DROP VIEW", "DROP COLUMN", "RENAME ", "ALTER COLUMN", "ADD CONSTRAINT"]
                .iter()
                .any(|word| statement.contains(word))
                || (statement.contains("ADD COLUMN")
                    && statement.contains("NOT NULL")
                    && !statement.contains("DEFAULT"))
                || (statement.starts_with("CREATE UNIQUE INDEX") && !fresh(statement))
        })
    }

    #[test]
    fn a_migration_says_whether_older_servers_go_on() {
        for (stops, text) in [
            (true, "ALTER TABLE job DROP COLUMN title;"),
            (true, "-- Why.\nALTER TABLE job\n    RENAME title TO name;"),
            (true, "ALTER TABLE job ADD COLUMN kind TEXT NOT NULL;"),
            (true, "CREATE UNIQUE INDEX job_title_key ON job (title);"),
            (false, "ALTER TABLE job ADD COLUMN kind TEXT NOT NULL DEFAULT 'one';"),
            (false, "CREATE TABLE kind (id BIGINT); CREATE UNIQUE INDEX kind_key ON kind (id);"),
            (false, "-- DROP TABLE job\nCREATE TABLE kind (id BIGINT);\nDROP INDEX job_by_kind;"),
        ] {
            assert_eq!(stops_older(text), stops, "{text}");
        }
        // Before, no server went on.
        for (name, sqlite, postgres) in FILES.iter().skip(29) {
            let number: i64 = name.split_once('_').unwrap().0.parse().unwrap();
            let raised = format!("SET understood_from = {number}");
            for text in [sqlite, postgres] {
                assert!(
                    !stops_older(text) || text.contains(&raised),
                    "{name} stops older servers: it must have `UPDATE installation {raised};`"
                );
            }
        }
    }

    /// The schema of the whole database, as SQLite stores it.
    const SCHEMA: &str = "SELECT type || ' ' || name || ' ' || COALESCE(sql, '') FROM sqlite_master \
        ORDER BY 1";

    #[test]
    fn files_of_older_versions_come_to_the_same() {
        let (_folder, path) = file();
        let whole = Embedded::writer(&path).unwrap();
        apply(&whole, SQLITE.iter()).unwrap();
        let expected = texts(&whole, SCHEMA);
        // The second migration makes the table of operators.
        for older in 2..SQLITE.iter().count() {
            let (_folder, path) = file();
            let used = Embedded::writer(&path).unwrap();
            apply(&used, SQLITE.iter().take(older)).unwrap();
            used.script(
                "INSERT INTO operator (email, name, password_hash, permissions, active, created_at, \
                 updated_at) VALUES ('a@example.com', 'A', 'x', '[]', 1, 'x', 'x')",
            )
            .unwrap();
            drop(used);
            let newer = Embedded::writer(&path).unwrap();
            apply(&newer, SQLITE.iter()).unwrap();
            assert_eq!(texts(&newer, SCHEMA), expected, "from version {older}");
            let mut kept = asked("SELECT COUNT(*) FROM operator WHERE email = 'a@example.com'");
            assert_eq!(number(newer.run(&mut kept, None).unwrap()), 1);
        }
    }

    /// While another process holds the write lock, nothing could be written here.
    #[test]
    fn what_is_applied_is_only_looked_at() {
        let (_folder, path) = file();
        let other = Embedded::writer(&path).unwrap();
        apply(&other, SQLITE.iter()).unwrap();
        other.say("BEGIN IMMEDIATE").unwrap();
        apply(&Embedded::writer(&path).unwrap(), SQLITE.iter()).unwrap();
    }

    #[test]
    fn what_was_applied_otherwise_is_refused() {
        let (_folder, path) = file();
        let writer = Embedded::writer(&path).unwrap();
        apply(&writer, SQLITE.iter().take(1)).unwrap();
        for (spoiled, why) in
            [("checksum = x'00'", "different content"), ("success = FALSE", "not finished")]
        {
            let spoil = format!("UPDATE _sqlx_migrations SET {spoiled}");
            writer.script(&spoil).unwrap();
            let refused = apply(&writer, SQLITE.iter()).unwrap_err();
            assert!(refused.to_string().contains(why), "{refused}");
        }
        let tables = "SELECT name FROM sqlite_master WHERE name = 'athlete'";
        assert!(texts(&writer, tables).is_empty(), "nothing further is applied");
    }
}
