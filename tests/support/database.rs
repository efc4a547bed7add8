//! Fresh databases: a file of its own on SQLite, a database of its own on the throw-away cluster.

use std::error::Error;
use std::path::PathBuf;

use nil_core::kernel::{Random as _, SystemRandom};
use nil_core::storage::Location;
use sqlx::{Connection, PgConnection};
use tempfile::TempDir;

/// Which database a test runs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// The embedded one.
    Sqlite,
    /// The server that `tests/run` has started.
    Postgres,
}

/// A database and a folder of its own, both gone when this value is dropped.
#[derive(Debug)]
pub(crate) struct Fresh {
    pub location: Location,
    pub folder: TempDir,
    // Dropped after nothing: a platform that is still open loses its connections.
    _database: Option<Database>,
}

impl Fresh {
    pub(crate) async fn on(engine: Engine) -> Self {
        let folder = scratch();
        let database = match engine {
            Engine::Sqlite => None,
            Engine::Postgres => Some(Database::create().await),
        };
        let location = match &database {
            None => Location::Sqlite(folder.path().join("nil.db")),
            Some(database) => Location::Postgres(database.url.clone()),
        };
        Self {
            location,
            folder,
            _database: database,
        }
    }
}

/// A new folder, removed with the value. In memory, where there is a file system of it: the tests are
/// about our writes, not the disk's.
pub fn scratch() -> TempDir {
    let told = std::env::var_os("NIL_TEST_SCRATCH").map(PathBuf::from);
    let memory = || Some(PathBuf::from("/dev/shm")).filter(|path| path.is_dir());
    let base = told.or_else(memory).unwrap_or_else(std::env::temp_dir);
    let made = tempfile::Builder::new()
        .prefix("nil-test-")
        .tempdir_in(base);
    made.expect("a folder for the test")
}

/// The cluster's address; a missing one is a failure, never a skipped test.
pub fn cluster() -> String {
    std::env::var("NIL_TEST_POSTGRES").expect("NIL_TEST_POSTGRES: run the suites with tests/run")
}

/// A new, empty database on the cluster, dropped with the value. Its name is random: process numbers
/// come around on a busy machine.
#[derive(Debug)]
pub struct Database {
    /// Its address.
    pub url: String,
    name: String,
}

impl Database {
    pub async fn create() -> Self {
        let mut random = [0; 10];
        SystemRandom.fill(&mut random);
        let name = random
            .iter()
            .fold("nil_".to_owned(), |name, byte| format!("{name}{byte:02x}"));
        let mut admin = PgConnection::connect(&cluster())
            .await
            .expect("the test cluster answers");
        // Ask which cluster answered before any DDL: a wrong address must not cost anybody's data.
        let answered: String = sqlx::query_scalar("SHOW cluster_name")
            .fetch_one(&mut admin)
            .await
            .expect("a name");
        let expected =
            std::env::var("NIL_TEST_POSTGRES_CLUSTER").expect("NIL_TEST_POSTGRES_CLUSTER");
        assert_eq!(answered, expected, "this is not the throw-away cluster");
        say(&mut admin, format!("CREATE DATABASE {name}"))
            .await
            .expect("a fresh database");
        let url = cluster().replacen("/postgres?", &format!("/{name}?"), 1);
        Self { url, name }
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        let text = format!("DROP DATABASE {} WITH (FORCE)", self.name);
        // A runtime of its own, because the test's may be ending.
        let dropping = std::thread::spawn(|| -> Result<(), Box<dyn Error + Send + Sync>> {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()?;
            runtime.block_on(async {
                let mut admin = PgConnection::connect(&cluster()).await?;
                Ok(say(&mut admin, text).await?)
            })
        });
        let dropped = dropping.join().expect("a thread that ends");
        // A test that fails already says why; a second panic would hide it.
        if let Err(error) = dropped
            && !std::thread::panicking()
        {
            panic!("the database stays: {error}");
        }
    }
}

async fn say(admin: &mut PgConnection, text: String) -> sqlx::Result<()> {
    sqlx::raw_sql(sqlx::AssertSqlSafe(text))
        .execute(admin)
        .await
        .map(|_| ())
}
