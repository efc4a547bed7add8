//! What a backup says about itself.

use serde::{Deserialize, Serialize};

use crate::backoffice::belonging;
use crate::error::{Result, codes};
use crate::kernel::Time;
use crate::storage::moving::{Counter, Table, Tally};
use crate::storage::{Dialect, Session, last_migration};

/// The form of the file. Another number stands for one that this program cannot read.
const FORMAT: u32 = 1;

/// The name of the manifest in the file.
pub(super) const MANIFEST: &str = "manifest.json";
/// The name of the secret key in the file.
pub(super) const SECRET_KEY: &str = "secret.key";

/// What a backup holds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Manifest {
    format: u32,
    /// The version of the program that made it.
    pub version: String,
    /// The instant whose state it holds.
    pub taken_at: Time,
    /// The engine of the database.
    pub engine: String,
    /// The number of the last migration of the database.
    pub migration: i64,
    /// The mark of the secret key that the database was begun with.
    pub key_mark: Option<String>,
    /// Its tables.
    pub tables: Vec<Held>,
    /// The last numbers that were given to rows.
    pub counters: Vec<Counter>,
    /// How many files; none if they were left out.
    pub objects: Option<u64>,
    /// Whether the secret key is in it.
    pub with_key: bool,
}

/// A table of a backup.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Held {
    /// Its shape.
    #[serde(flatten)]
    pub table: Table,
    /// What its rows come to.
    pub tally: Tally,
}

/// The name of a table's rows in the file.
pub(super) fn path_of(table: &Table) -> String {
    format!("rows/{}.jsonl", table.name)
}

impl Manifest {
    /// The beginning of a manifest for a database in this state.
    pub(super) async fn begin(session: &mut Session, taken_at: Time) -> Result<Self> {
        Ok(Self {
            format: FORMAT,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            taken_at,
            engine: match session.dialect() {
                Dialect::Sqlite => "sqlite".to_owned(),
                Dialect::Postgres => "postgres".to_owned(),
            },
            migration: last_migration(session).await?,
            key_mark: belonging::kept(session).await?,
            tables: Vec::new(),
            counters: Vec::new(),
            objects: None,
            with_key: false,
        })
    }

    /// How many rows it has in all.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.tables.iter().map(|held| held.tally.rows).sum()
    }

    /// Refuses a backup that does not fit a database of this state.
    pub(super) fn check(&self, migration: i64) -> Result<()> {
        let why = if self.format != FORMAT {
            "it has a form that this version cannot read"
        } else if self.migration != migration {
            "its database has other tables"
        } else {
            return Ok(());
        };
        Err(codes::UNAVAILABLE.saying(format!(
            "The backup was made by version {}, and {why}. Restore it with that version, then upgrade.",
            self.version
        )))
    }
}
