//! Keeps other copies away from a database while one fills it. Between two transactions neither
//! engine holds a lock of the database itself.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Error as IoError, ErrorKind};
use std::path::{Path, PathBuf};

use sqlx::postgres::PgConnection;
use sqlx::{AssertSqlSafe, ConnectOptions as _, raw_sql};
use tokio::task::spawn_blocking;

use super::super::{Db, Location};
use crate::error::{Error, Result, codes};
use crate::kernel::private_file;

/// The number of the lock on PostgreSQL, which is one of a database.
const LOCK: i64 = 0x6e69_6c20_636f_7079;
/// How long PostgreSQL may need to notice that the process of an earlier copy is gone.
const PATIENCE: &str = "5s";

/// Holds the lock until it is dropped. It ends with the process, however that ends.
#[derive(Debug)]
pub(super) enum Alone {
    /// A locked file beside SQLite's. SQLite's own file must not be opened: to close it would end
    /// the locks of SQLite.
    File(PathBuf, #[expect(dead_code, reason = "holds the lock")] File),
    /// A session that has the lock.
    Session(#[expect(dead_code, reason = "holds the lock")] PgConnection),
}

impl Drop for Alone {
    fn drop(&mut self) {
        if let Self::File(path, _) = self {
            // If it stays, the next copy takes it as it is.
            let _ = std::fs::remove_file(path);
        }
    }
}

/// Takes the lock; 503 if another copy has it.
pub(super) async fn alone(db: &Db, location: &Location) -> Result<Alone> {
    match (location, db.postgres_options()) {
        (_, Some(options)) => {
            let mut on = options.connect().await?;
            let take = format!("SET lock_timeout = '{PATIENCE}'; SELECT pg_advisory_lock({LOCK})");
            let taken = raw_sql(AssertSqlSafe(take)).execute(&mut on).await;
            taken.map_err(|error| match Error::from(error) {
                error if error.code() == codes::AGAIN.name => busy(),
                error => error,
            })?;
            Ok(Alone::Session(on))
        }
        (Location::Sqlite(path), None) => {
            let path = beside(path);
            let file = path.clone();
            let locked = spawn_blocking(move || locked(&file)).await.map_err(Error::internal)?;
            Ok(Alone::File(path, locked?))
        }
        (Location::Postgres(_), None) => Err(Error::internal("no way to PostgreSQL")),
    }
}

/// The file of the lock.
fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push("-copy");
    name.into()
}

fn locked(path: &Path) -> Result<File> {
    let unusable = |error: IoError| {
        let why = format!("`{}` cannot be locked: {error}.", path.display());
        codes::UNAVAILABLE.saying(why).because(error)
    };
    let file = match private_file(path) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            OpenOptions::new().write(true).open(path)
        }
        made => made,
    };
    let file = file.map_err(unusable)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(busy()),
        Err(TryLockError::Error(error)) => Err(unusable(error)),
    }
}

fn busy() -> Error {
    codes::UNAVAILABLE.saying("Another `nil copy` is writing to this database.")
}
