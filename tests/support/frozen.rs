//! Databases as released versions wrote them: one folder of `tests/fixtures` for each version, with
//! the checksums of its migrations and, for each engine, the rows of a small world. Nothing in them
//! changes any more.
//!
//! A world is lines of JSON, packed: the first one is its secret key and the time, each further one
//! a table with its rows.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use nil_core::Config;
use nil_core::auth::MasterKey;
use nil_core::kernel::{Clock as _, FixedClock};
use nil_core::storage::Location;
use serde_json::{Value, json};
use sqlx::{Connection as _, PgConnection};

use crate::contents::{Connected, opened};
use crate::database::{Engine, Fresh};
use crate::upgrading::{
    TABLES, after_filling, before_filling, begin_database, begin_file, fill_file, refill, rows_of,
    texts, up_to, written,
};
use crate::world::World;

/// A released version.
#[derive(Clone, Debug)]
pub struct Frozen {
    folder: PathBuf,
}

fn migrations() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../nil-core/migrations")
}

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")
}

fn file_of(engine: Engine) -> &'static str {
    match engine {
        Engine::Sqlite => "sqlite.jsonl.gz",
        Engine::Postgres => "postgres.jsonl.gz",
    }
}

impl Frozen {
    /// Every released version.
    pub fn all() -> Vec<Self> {
        let folders = std::fs::read_dir(fixtures()).expect("the fixtures");
        let mut all: Vec<_> =
            folders.map(|entry| Self { folder: entry.expect("a version").path() }).collect();
        all.sort_by(|one, other| one.folder.cmp(&other.folder));
        all
    }

    /// A version that is about to be released.
    pub fn begun(version: &str) -> Self {
        let folder = fixtures().join(version);
        std::fs::create_dir_all(&folder).expect("a folder");
        Self { folder }
    }

    /// The checksums of its migrations, in the form of `sha256sum`, with paths within
    /// `nil-core/migrations`.
    pub fn checksums(&self) -> PathBuf {
        self.folder.join("migrations.sha256")
    }

    fn sum_up(&self) {
        let mut names = Vec::new();
        for engine in ["postgres", "sqlite"] {
            for entry in std::fs::read_dir(migrations().join(engine)).expect("the migrations") {
                let name = entry.expect("a migration").file_name();
                names.push(format!("{engine}/{}", name.to_string_lossy()));
            }
        }
        names.sort();
        let sums = Command::new("sha256sum").current_dir(migrations()).args(names).output();
        let sums = sums.expect("sha256sum runs").stdout;
        std::fs::write(self.checksums(), sums).expect("the checksums");
    }

    /// What `sha256sum` says of migrations that are not those of this version any more.
    pub fn changed(&self) -> Vec<String> {
        let mut check = Command::new("sha256sum");
        check.args(["--check", "--quiet", "--strict"]).arg(self.checksums());
        let said = check.current_dir(migrations()).output().expect("sha256sum runs");
        let lines =
            |text: &[u8]| String::from_utf8_lossy(text).lines().map(str::to_owned).collect();
        let (mut changed, errors): (Vec<String>, Vec<String>) =
            (lines(&said.stdout), lines(&said.stderr));
        if !said.status.success() {
            changed.extend(errors);
        }
        changed
    }

    /// The number of its last migration.
    pub fn last(&self) -> i64 {
        let text = std::fs::read_to_string(self.checksums()).expect("the checksums");
        let number = |line: &str| line.rsplit('/').next()?.split('_').next()?.parse().ok();
        text.lines().filter_map(number).max().expect("a migration")
    }

    /// Keeps the rows of this world, and the checksums. Does not replace those that are kept.
    pub async fn keep(&self, world: &World) {
        let header = json!({ "key": world.key(), "now": world.clock.now() });
        let mut lines = vec![header.to_string()];
        let mut line = |table: &str, rows: &str| {
            let rows: Value = serde_json::from_str(rows).expect("rows");
            if rows != json!([]) {
                lines.push(json!({ "table": table, "rows": rows }).to_string());
            }
        };
        let engine = match world.connected().await {
            Connected::Sqlite(on) => {
                for table in
                    texts(&on, &format!("SELECT name {TABLES} AND type = 'table' ORDER BY 1"))
                {
                    line(&table, &rows_in_file(&on, &table));
                }
                Engine::Sqlite
            }
            Connected::Postgres(mut on) => {
                for (table, columns) in written(&mut on, None).await {
                    line(&table, &rows_of(&mut on, &table, &columns).await);
                }
                Engine::Postgres
            }
        };
        let file = File::create_new(self.folder.join(file_of(engine))).expect("a new file");
        let mut packed = GzEncoder::new(file, Compression::best());
        packed.write_all((lines.join("\n") + "\n").as_bytes()).expect("the rows");
        packed.finish().expect("all of them");
        self.sum_up();
    }

    /// A world of this version, opened by the platform of today: all later migrations have run on
    /// its rows. Returns how many rows each table had.
    pub async fn opened(
        &self,
        engine: Engine,
        change: impl FnOnce(&mut Config),
    ) -> (World, Vec<(String, usize)>) {
        let file = File::open(self.folder.join(file_of(engine))).expect("the rows");
        let text = io::read_to_string(GzDecoder::new(file)).expect("the rows");
        let mut lines = text.lines().map(|line| serde_json::from_str(line).expect("JSON"));
        let header: Value = lines.next().expect("a header");
        let tables: Vec<(String, Value)> = lines
            .map(|line: Value| {
                (line["table"].as_str().expect("a table").into(), line["rows"].clone())
            })
            .collect();
        let key = MasterKey::from_hex(header["key"].as_str().expect("a key")).expect("a key");
        let now = serde_json::from_value(header["now"].clone()).expect("an instant");
        let clock = Arc::new(FixedClock::new(now));
        let fresh = match engine {
            Engine::Sqlite => self.file(&tables).await,
            Engine::Postgres => self.database(&tables).await,
        };
        let world = World::opened(fresh, key, (clock.clone(), clock), 10_000, change).await;
        let count = |rows: &Value| rows.as_array().map_or(0, Vec::len);
        (world, tables.iter().map(|(table, rows)| (table.clone(), count(rows))).collect())
    }

    async fn file(&self, tables: &[(String, Value)]) -> Fresh {
        let fresh = Fresh::empty_file();
        if let Location::Sqlite(path) = &fresh.location {
            let on = opened(path);
            begin_file(&on, &up_to(self.last(), "sqlite").await);
            fill_file(&on, |on| {
                for (table, rows) in tables {
                    refill_in_file(on, table, rows);
                }
            });
        }
        fresh
    }

    async fn database(&self, tables: &[(String, Value)]) -> Fresh {
        let fresh = Fresh::empty_database().await;
        if let Location::Postgres(url) = &fresh.location {
            let mut on = PgConnection::connect(url).await.expect("a new database");
            begin_database(&mut on, &up_to(self.last(), "postgres").await).await;
            before_filling(&mut on).await;
            for (table, rows) in tables {
                let names = rows[0].as_object().expect("a row").keys();
                let columns: Vec<String> = names.map(|name| format!("\"{name}\"")).collect();
                refill(&mut on, table, &columns, rows.to_string()).await;
            }
            after_filling(&mut on).await;
            on.close().await.expect("an end");
        }
        fresh
    }
}

/// The rows of a table as a list in JSON; bytes as hexadecimal digits.
fn rows_in_file(on: &rusqlite::Connection, table: &str) -> String {
    let columns = texts(on, &format!("SELECT name FROM pragma_table_info('{table}') ORDER BY cid"));
    let values = columns.iter().map(|column| {
        format!("'{column}', CASE typeof(\"{column}\") WHEN 'blob' THEN hex(\"{column}\") ELSE \"{column}\" END")
    });
    let values = values.collect::<Vec<_>>().join(", ");
    let rows = format!(
        "SELECT json_group_array(json_object({values})) FROM (SELECT * FROM \"{table}\" ORDER BY 1)"
    );
    texts(on, &rows).remove(0)
}

/// Replaces the rows of a table by those of such a list.
fn refill_in_file(on: &rusqlite::Connection, table: &str, rows: &Value) {
    let bytes = format!("SELECT name FROM pragma_table_info('{table}') WHERE type = 'BLOB'");
    let bytes = texts(on, &bytes);
    let names: Vec<&String> = rows[0].as_object().expect("a row").keys().collect();
    let values = names.iter().map(|name| {
        let value = format!("value ->> '{name}'");
        if bytes.contains(name) { format!("unhex({value})") } else { value }
    });
    let values = values.collect::<Vec<_>>().join(", ");
    let columns = names.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ");
    on.execute_batch(&format!("DELETE FROM \"{table}\"")).expect("an empty table");
    let written = format!("INSERT INTO \"{table}\" ({columns}) SELECT {values} FROM json_each(?1)");
    let written = on.execute(&written, [rows.to_string()]);
    written.unwrap_or_else(|error| panic!("{table}: {error}"));
}
