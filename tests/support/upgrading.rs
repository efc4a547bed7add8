//! Databases of an older version with rows in them: the rows of a world of today, as far as that
//! version has the tables and columns. What the later migrations make of them can be compared with
//! what the platform writes today.

use std::path::Path;

use nil_core::storage::Location;
use sqlx::migrate::{Migration, Migrator};
use sqlx::{AssertSqlSafe, Connection as _, Executor as _, PgConnection};

use crate::contents::{Connected, opened};
use crate::database::Fresh;
use crate::world::World;

/// The table of applied migrations, with the engine's words for bytes and instants.
fn applied(bytes: &str, instant: &str) -> String {
    format!(
        "CREATE TABLE _sqlx_migrations (version BIGINT PRIMARY KEY, description TEXT NOT NULL, \
         installed_on {instant} NOT NULL DEFAULT CURRENT_TIMESTAMP, success BOOLEAN NOT NULL, \
         checksum {bytes} NOT NULL, execution_time BIGINT NOT NULL)"
    )
}

/// A row of that table.
fn row(migration: &Migration, bytes: impl Fn(&str) -> String) -> String {
    let hex: String = migration.checksum.iter().map(|byte| format!("{byte:02x}")).collect();
    format!(
        "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
         VALUES ({}, '{}', TRUE, {}, 0)",
        migration.version,
        migration.description,
        bytes(&hex)
    )
}

/// The migrations of an engine up to this number.
pub(crate) async fn up_to(last: i64, engine: &str) -> Vec<Migration> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../nil-core/migrations").join(engine);
    let all = Migrator::new(folder).await.expect("the migrations");
    all.iter().filter(|migration| migration.version <= last).cloned().collect()
}

impl World {
    /// This world as a database of the version whose last migration has this number, opened by the
    /// platform of today: all later migrations have run on its rows. The clock and the key are the
    /// same.
    pub async fn upgraded_from(&self, last: i64) -> Self {
        let fresh = match &self.database.location {
            Location::Sqlite(from) => {
                let fresh = Fresh::empty_file();
                if let Location::Sqlite(to) = &fresh.location {
                    let on = opened(to);
                    begin_file(&on, &up_to(last, "sqlite").await);
                    on.execute("ATTACH ?1 AS today", [from.display().to_string()])
                        .expect("the other file");
                    fill_file(&on, copy_file);
                    on.execute_batch("DETACH today").expect("one file again");
                }
                fresh
            }
            Location::Postgres(from) => {
                let fresh = Fresh::empty_database().await;
                if let Location::Postgres(to) = &fresh.location {
                    let mut from = PgConnection::connect(from).await.expect("the database");
                    let mut on = PgConnection::connect(to).await.expect("a new database");
                    begin_database(&mut on, &up_to(last, "postgres").await).await;
                    copy_database(&mut from, &mut on).await;
                    on.close().await.expect("an end");
                }
                fresh
            }
        };
        self.on_database(fresh).await
    }

    /// The definitions of tables, indexes, constraints, views and triggers, by name.
    pub async fn definitions(&self) -> Vec<(String, String)> {
        let mut on = self.connected().await;
        let text = match &on {
            Connected::Sqlite(_) => {
                "SELECT type || ' ' || name, COALESCE(sql, '') FROM sqlite_master \
                 WHERE name NOT LIKE '_sqlx_%' AND name NOT LIKE 'sqlite_%' ORDER BY 1"
            }
            Connected::Postgres(_) => {
                "SELECT 'index ' || indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' \
                 UNION ALL SELECT 'constraint ' || c.conname || ' of ' || t.relname, \
                     pg_get_constraintdef(c.oid) FROM pg_constraint c \
                     JOIN pg_class t ON t.oid = c.conrelid \
                     WHERE c.connamespace = 'public'::regnamespace \
                 UNION ALL SELECT 'view ' || viewname, definition FROM pg_views \
                     WHERE schemaname = 'public' \
                 UNION ALL SELECT 'trigger ' || tgname || ' of ' || t.relname, \
                     pg_get_triggerdef(g.oid) FROM pg_trigger g \
                     JOIN pg_class t ON t.oid = g.tgrelid WHERE NOT g.tgisinternal \
                 UNION ALL SELECT 'function ' || p.proname, p.prosrc FROM pg_proc p \
                     WHERE p.pronamespace = 'public'::regnamespace \
                 UNION ALL SELECT 'column ' || t.relname || '.' || a.attname, \
                     format_type(a.atttypid, a.atttypmod) || COALESCE(' ' || \
                     pg_get_expr(d.adbin, d.adrelid), '') FROM pg_attribute a \
                     JOIN pg_class t ON t.oid = a.attrelid \
                     LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum \
                     WHERE t.relnamespace = 'public'::regnamespace AND t.relkind IN ('r', 'p') \
                     AND t.relname <> '_sqlx_migrations' AND a.attnum > 0 \
                     AND NOT a.attisdropped ORDER BY 1"
            }
        };
        let mut all = on.pairs(text.to_owned()).await;
        all.sort();
        all
    }
}

pub(crate) fn begin_file(on: &rusqlite::Connection, migrations: &[Migration]) {
    on.execute_batch(&applied("BLOB", "TIMESTAMP")).expect("the table of migrations");
    for migration in migrations {
        let ran = on.execute_batch(migration.sql.as_str());
        ran.unwrap_or_else(|error| panic!("{}: {error}", migration.version));
        on.execute_batch(&row(migration, |hex| format!("x'{hex}'"))).expect("a row");
    }
}

/// The values of a column of text.
pub(crate) fn texts(on: &rusqlite::Connection, text: &str) -> Vec<String> {
    let mut statement = on.prepare(text).expect("a statement");
    let rows = statement.query_map([], |row| row.get(0)).expect("rows");
    rows.map(|row| row.expect("a text")).collect()
}

/// Our tables of a file.
pub(crate) const TABLES: &str = "FROM pragma_table_list WHERE schema = 'main' AND name NOT LIKE '\\_sqlx\\_%' \
                                 ESCAPE '\\' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'";

/// Writes rows while no trigger runs and no reference is checked: what triggers write is among the
/// rows.
pub(crate) fn fill_file(on: &rusqlite::Connection, write: impl FnOnce(&rusqlite::Connection)) {
    on.execute_batch("PRAGMA foreign_keys = OFF").expect("no references");
    let triggers = texts(on, "SELECT sql FROM sqlite_master WHERE type = 'trigger'");
    for name in texts(on, "SELECT name FROM sqlite_master WHERE type = 'trigger'") {
        on.execute_batch(&format!("DROP TRIGGER {name}")).expect("no trigger");
    }
    write(on);
    for index in texts(on, &format!("SELECT name {TABLES} AND type = 'virtual'")) {
        on.execute_batch(&format!("INSERT INTO \"{index}\" (\"{index}\") VALUES ('rebuild')"))
            .expect("an index of words");
    }
    for trigger in triggers {
        on.execute_batch(&trigger).expect("the trigger");
    }
    let lost = texts(on, "SELECT \"table\" || ' ' || parent FROM pragma_foreign_key_check");
    assert_eq!(lost, [] as [String; 0], "rows without what they refer to");
}

/// Copies the rows of every table.
fn copy_file(on: &rusqlite::Connection) {
    for table in texts(on, &format!("SELECT name {TABLES} AND type = 'table'")) {
        let columns = texts(
            on,
            &format!(
                "SELECT '\"' || o.name || '\"' FROM pragma_table_info('{table}', 'main') o \
                 JOIN pragma_table_info('{table}', 'today') t ON t.name = o.name ORDER BY o.cid"
            ),
        );
        let columns = columns.join(", ");
        let copied = on.execute_batch(&format!(
            "DELETE FROM main.\"{table}\"; \
             INSERT INTO main.\"{table}\" ({columns}) SELECT {columns} FROM today.\"{table}\""
        ));
        copied.unwrap_or_else(|error| panic!("{table}: {error}"));
    }
    on.execute_batch(OLDER_KEYS).expect("the keys of older versions");
}

/// Requests to the processor had keys such as `charge:7` before `0019_movements`; now they are
/// between a mark and the number of the attempt.
const OLDER_KEYS: &str = "UPDATE sandbox_object \
    SET idempotency_key = substr(idempotency_key, 14, length(idempotency_key) - 15)";

pub(crate) async fn say(on: &mut PgConnection, text: String) {
    let said = on.execute(sqlx::raw_sql(AssertSqlSafe(text.clone()))).await;
    said.unwrap_or_else(|error| panic!("{error}: {}", text.chars().take(400).collect::<String>()));
}

pub(crate) async fn begin_database(on: &mut PgConnection, migrations: &[Migration]) {
    say(on, applied("BYTEA", "TIMESTAMPTZ")).await;
    for migration in migrations {
        say(on, migration.sql.as_str().to_owned()).await;
        say(on, row(migration, |hex| format!("'\\x{hex}'"))).await;
    }
}

async fn pairs(on: &mut PgConnection, text: &'static str) -> Vec<(String, String)> {
    sqlx::query_as(text).fetch_all(on).await.expect("the rows")
}

/// The tables with the columns that are written, in the order of their names.
const WRITTEN: &str = "SELECT c.relname::text, a.attname::text FROM pg_attribute a \
    JOIN pg_class c ON c.oid = a.attrelid \
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND a.attnum > 0 \
    AND NOT a.attisdropped AND a.attgenerated = '' AND c.relname NOT LIKE '\\_sqlx\\_%' ORDER BY 1, 2";

/// The tables of a database, each with the columns that are written and that `these` have, too.
pub(crate) async fn written(
    on: &mut PgConnection,
    these: Option<&[(String, String)]>,
) -> Vec<(String, Vec<String>)> {
    let mut tables: Vec<(String, Vec<String>)> = Vec::new();
    for column in pairs(on, WRITTEN).await {
        if these.is_some_and(|these| !these.contains(&column)) {
            continue;
        }
        let quoted = format!("\"{}\"", column.1);
        match tables.last_mut() {
            Some((table, columns)) if *table == column.0 => columns.push(quoted),
            _ => tables.push((column.0, vec![quoted])),
        }
    }
    tables
}

/// The rows of a table as a list in JSON, in the order of their first column.
pub(crate) async fn rows_of(on: &mut PgConnection, table: &str, columns: &[String]) -> String {
    let columns = columns.join(", ");
    let rows = format!(
        "SELECT COALESCE(json_agg(row_to_json(t)), '[]')::text FROM \
         (SELECT {columns} FROM \"{table}\" ORDER BY 1) t"
    );
    let rows = sqlx::query_scalar(AssertSqlSafe(rows)).fetch_one(on).await;
    rows.unwrap_or_else(|error| panic!("{table}: {error}"))
}

/// Replaces the rows of a table by those of such a list.
pub(crate) async fn refill(on: &mut PgConnection, table: &str, columns: &[String], rows: String) {
    let columns = columns.join(", ");
    say(on, format!("DELETE FROM \"{table}\"")).await;
    let copy = format!(
        "INSERT INTO \"{table}\" ({columns}) OVERRIDING SYSTEM VALUE SELECT {columns} FROM \
         json_populate_recordset(NULL::\"{table}\", $1::json)"
    );
    let copied = sqlx::query(AssertSqlSafe(copy)).bind(rows).execute(on).await;
    copied.unwrap_or_else(|error| panic!("{table}: {error}"));
}

/// Triggers do not run, and references are not checked, while rows are written: what triggers write
/// is among the rows.
pub(crate) async fn before_filling(on: &mut PgConnection) {
    say(on, "SET session_replication_role = replica".into()).await;
}

/// Copies the rows of every table.
async fn copy_database(from: &mut PgConnection, on: &mut PgConnection) {
    before_filling(on).await;
    let today = pairs(from, WRITTEN).await;
    for (table, columns) in written(on, Some(&today)).await {
        let rows = rows_of(from, &table, &columns).await;
        refill(on, &table, &columns, rows).await;
    }
    say(on, OLDER_KEYS.into()).await;
    after_filling(on).await;
}

pub(crate) async fn after_filling(on: &mut PgConnection) {
    // New rows get the next numbers.
    say(
        on,
        "DO $$ DECLARE one record; BEGIN \
         FOR one IN SELECT c.relname AS name, a.attname AS number FROM pg_attribute a \
             JOIN pg_class c ON c.oid = a.attrelid \
             WHERE c.relnamespace = 'public'::regnamespace AND a.attidentity <> '' LOOP \
             EXECUTE format('SELECT setval(pg_get_serial_sequence(%L, %L), \
                 GREATEST((SELECT MAX(%I) FROM %I), 1))', one.name, one.number, one.number, one.name); \
         END LOOP; END $$"
            .into(),
    )
    .await;
    say(on, "SET session_replication_role = origin".into()).await;
}
