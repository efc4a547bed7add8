//! Fresh databases: a file of its own on SQLite, a database of its own on the throw-away cluster.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

use nil_core::storage::Location;
use sqlx::{Connection, PgConnection};

/// Which database a test runs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// The embedded one.
    Sqlite,
    /// The server that `tests/run` has started.
    Postgres,
}

/// A database that is dropped with this value.
#[derive(Debug)]
pub(crate) struct Fresh {
    pub location: Location,
    pub folder: PathBuf,
}

static NUMBER: AtomicU32 = AtomicU32::new(0);

impl Fresh {
    pub(crate) async fn on(engine: Engine) -> Self {
        let name = format!(
            "nil_{}_{}",
            std::process::id(),
            NUMBER.fetch_add(1, Ordering::SeqCst)
        );
        // Memory, where there is a file system of it: the tests are about our writes, not the disk's.
        let base = ["/dev/shm", "/tmp"]
            .iter()
            .map(PathBuf::from)
            .find(|path| path.is_dir());
        let folder = base.unwrap_or_else(std::env::temp_dir).join(&name);
        std::fs::create_dir_all(&folder).expect("a folder for the test");
        let location = match engine {
            Engine::Sqlite => Location::Sqlite(folder.join("nil.db")),
            Engine::Postgres => Location::Postgres(create_database(&name).await),
        };
        Self { location, folder }
    }
}

impl Drop for Fresh {
    fn drop(&mut self) {
        // The cluster is thrown away as a whole; a folder left behind would stay.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// The cluster's address; a missing one is a failure, never a skipped test.
pub fn cluster() -> String {
    std::env::var("NIL_TEST_POSTGRES").expect("NIL_TEST_POSTGRES: run the suites with tests/run")
}

/// A new, empty database on the cluster; answers its address.
pub async fn create_database(name: &str) -> String {
    let url = cluster();
    let mut admin = PgConnection::connect(&url)
        .await
        .expect("the test cluster answers");
    // Ask which cluster answered before any DDL: a wrong address must not cost anybody's data.
    let answered: String = sqlx::query_scalar("SHOW cluster_name")
        .fetch_one(&mut admin)
        .await
        .expect("a name");
    let expected = std::env::var("NIL_TEST_POSTGRES_CLUSTER").expect("NIL_TEST_POSTGRES_CLUSTER");
    assert_eq!(answered, expected, "this is not the throw-away cluster");
    sqlx::raw_sql(sqlx::AssertSqlSafe(format!("CREATE DATABASE {name}")))
        .execute(&mut admin)
        .await
        .expect("a fresh database");
    url.replacen("/postgres?", &format!("/{name}?"), 1)
}
