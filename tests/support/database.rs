//! Fresh databases: a separate file on SQLite, a separate database on the throw-away cluster.

use std::error::Error;
use std::path::PathBuf;

use nil_core::kernel::{Random as _, SystemRandom};
use nil_core::storage::Location;
use sqlx::{Connection, PgConnection};
use tempfile::TempDir;

use crate::migrated;

/// Which database a test runs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// The embedded one.
    Sqlite,
    /// The server that `tests/run` has started.
    Postgres,
}

/// A database and a folder, both removed when this value is dropped.
#[derive(Debug)]
pub(crate) struct Fresh {
    pub location: Location,
    pub folder: TempDir,
    // Dropped last: a platform that is still open loses its connections.
    _database: Option<Database>,
}

impl Fresh {
    pub(crate) async fn on(engine: Engine, folder: TempDir) -> Self {
        let (location, database) = match engine {
            Engine::Sqlite => {
                let file = folder.path().join("nil.db");
                migrated::file(&file).await;
                (Location::Sqlite(file), None)
            }
            Engine::Postgres => {
                let database = Database::migrated().await;
                (Location::Postgres(database.url.clone()), Some(database))
            }
        };
        Self { location, folder, _database: database }
    }

    /// A database that somebody else ends.
    pub(crate) fn at(location: Location) -> Self {
        Self { location, folder: scratch(), _database: None }
    }

    /// A place for a file that is not there yet.
    pub(crate) fn empty_file() -> Self {
        let folder = scratch();
        let location = Location::Sqlite(folder.path().join("nil.db"));
        Self { location, folder, _database: None }
    }

    /// A database without tables.
    pub(crate) async fn empty_database() -> Self {
        let database = Database::create().await;
        let location = Location::Postgres(database.url.clone());
        Self { location, folder: scratch(), _database: Some(database) }
    }
}

/// A new folder, removed with the value. In memory if there is such a file system: the tests are
/// about our writes, not the disk's.
pub fn scratch() -> TempDir {
    let made = tempfile::Builder::new().prefix("nil-test-").tempdir_in(scratch_base());
    made.expect("a folder for the test")
}

/// Where those folders are. What begins with `nil-template-` may stay there.
pub fn scratch_base() -> PathBuf {
    let told = std::env::var_os("NIL_TEST_SCRATCH").map(PathBuf::from);
    let memory = || Some(PathBuf::from("/dev/shm")).filter(|path| path.is_dir());
    told.or_else(memory).unwrap_or_else(std::env::temp_dir)
}

/// The cluster's address; a missing one is a failure, never a skipped test.
pub fn cluster() -> String {
    std::env::var("NIL_TEST_POSTGRES").expect("NIL_TEST_POSTGRES: run the suites with tests/run")
}

/// A new, empty database on the cluster, dropped with the value. Its name is random, because
/// process numbers repeat on a busy machine.
#[derive(Debug)]
pub struct Database {
    /// Its address.
    pub url: String,
    name: String,
}

impl Database {
    /// An empty one.
    pub async fn create() -> Self {
        Self::made("").await
    }

    /// One in which the migrations have run.
    async fn migrated() -> Self {
        let template = migrated::database().await;
        // Files in memory are copied faster than the log of their pages is written.
        Self::made(&format!("TEMPLATE {template} STRATEGY FILE_COPY")).await
    }

    async fn made(how: &str) -> Self {
        let mut random = [0; 10];
        SystemRandom.fill(&mut random);
        let name = random.iter().fold("nil_".to_owned(), |name, byte| format!("{name}{byte:02x}"));
        let mut admin = admin().await;
        say(&mut admin, format!("CREATE DATABASE {name} {how}")).await.expect("a fresh database");
        let url = address_of(&name);
        Self { url, name }
    }
}

pub(crate) fn address_of(database: &str) -> String {
    cluster().replacen("/postgres?", &format!("/{database}?"), 1)
}

/// The cluster's superuser.
pub(crate) async fn admin() -> PgConnection {
    let mut admin = PgConnection::connect(&cluster()).await.expect("the test cluster answers");
    // Checks which cluster answered before any DDL: a wrong address must not destroy other data.
    let answered: String =
        sqlx::query_scalar("SHOW cluster_name").fetch_one(&mut admin).await.expect("a name");
    let expected = std::env::var("NIL_TEST_POSTGRES_CLUSTER").expect("NIL_TEST_POSTGRES_CLUSTER");
    assert_eq!(answered, expected, "this is not the throw-away cluster");
    admin
}

impl Drop for Database {
    fn drop(&mut self) {
        let text = format!("DROP DATABASE {} WITH (FORCE)", self.name);
        // A separate runtime, because the test's may be ending.
        let dropping = std::thread::spawn(|| -> Result<(), Box<dyn Error + Send + Sync>> {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
            runtime.block_on(async {
                let mut admin = PgConnection::connect(&cluster()).await?;
                Ok(say(&mut admin, text).await?)
            })
        });
        let dropped = dropping.join().expect("a thread that ends");
        // The test fails already; a second panic would hide the reason.
        if let Err(error) = dropped
            && !std::thread::panicking()
        {
            panic!("the database stays: {error}");
        }
    }
}

pub(crate) async fn say(admin: &mut PgConnection, text: String) -> sqlx::Result<()> {
    sqlx::raw_sql(sqlx::AssertSqlSafe(text)).execute(admin).await.map(|_| ())
}
