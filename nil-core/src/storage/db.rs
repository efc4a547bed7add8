//! The open database. Only this file knows which engines there are and how each is opened.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::{Duration, Instant};

use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection};
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use super::dialect::Dialect;
use super::embedded::Embedded;
use super::migration::{apply, inapplicable};
use super::readers::Readers;
use super::session::{On, Session};
use super::watch::Watch;
use super::write_queue::WriteQueue;
use super::{PATIENCE, pooling};
use crate::error::{Error, Result, codes};
use crate::kernel::{private_file, private_folder};
use crate::metering::DATABASE_WAIT;

/// Time limits for locks, statements and idle transactions: set at the start of each PostgreSQL
/// session, unless the address says otherwise (`?options=-c lock_timeout=…`).
const LIMITS: [(&str, &str); 3] = [
    ("lock_timeout", "10s"),
    ("statement_timeout", "60s"),
    ("idle_in_transaction_session_timeout", "60s"),
];

/// How long a database may take to accept a connection and still counts as reachable.
const REACHED_WITHIN: Duration = Duration::from_secs(1);

/// The address of a database: `sqlite:PATH` or `postgres://…`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Location {
    /// A SQLite file.
    Sqlite(PathBuf),
    /// A PostgreSQL connection string.
    Postgres(String),
}

impl FromStr for Location {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.starts_with("postgres://") || text.starts_with("postgresql://") {
            Ok(Self::Postgres(text.to_owned()))
        } else if let Some(path) = text.strip_prefix("sqlite:") {
            let path = path.strip_prefix("//").unwrap_or(path);
            if path.is_empty() {
                return Err("sqlite: needs a path, such as sqlite:nil.db".into());
            }
            Ok(Self::Sqlite(path.into()))
        } else {
            Err(format!("`{text}` is neither sqlite:PATH nor postgres://…"))
        }
    }
}

impl Location {
    /// What it is, for people: without the password that an address may contain.
    #[must_use]
    pub fn described(&self) -> String {
        match self {
            Self::Sqlite(path) => format!("SQLite, {}", path.display()),
            Self::Postgres(url) => match PgConnectOptions::from_str(url) {
                Ok(options) => {
                    let name = options.get_database().unwrap_or_else(|| options.get_username());
                    let socket = options.get_socket().map(|socket| socket.display().to_string());
                    let host = socket.unwrap_or_else(|| match options.get_port() {
                        5432 => options.get_host().to_owned(),
                        port => format!("{}:{port}", options.get_host()),
                    });
                    format!("PostgreSQL, {name} at {host}")
                }
                Err(_) => "PostgreSQL".to_owned(),
            },
        }
    }
}

/// An open database; cheap to clone.
#[derive(Clone, Debug)]
pub struct Db {
    engine: Engine,
    watch: Watch,
}

#[derive(Clone, Debug)]
enum Engine {
    Sqlite { write_queue: WriteQueue, readers: Readers },
    Postgres(PgPool),
}

/// Notes how long a caller has waited for the database. Not around the wait: a future in a future
/// is larger, and each operation holds it.
fn waited(purpose: &'static str, begun: Instant) {
    metrics::histogram!(DATABASE_WAIT, "for" => purpose).record(begun.elapsed());
}

impl Db {
    /// The maximum number of connections to PostgreSQL that one server opens.
    pub const CONNECTIONS: u32 = 24;

    /// Opens (and on SQLite creates) the database. Does not migrate.
    pub async fn open(location: &Location) -> Result<Self> {
        match location {
            Location::Sqlite(path) => Self::open_sqlite(path.clone()).await,
            Location::Postgres(url) => Self::open_postgres(url, &location.described()).await,
        }
    }

    fn of(engine: Engine) -> Self {
        let watch = Watch::default();
        Self { engine, watch }
    }

    pub(super) fn watch(&self) -> &Watch {
        &self.watch
    }

    async fn open_sqlite(path: PathBuf) -> Result<Self> {
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            private_folder(folder)
                .map_err(|error| codes::UNAVAILABLE.saying(unreadable(folder)).because(error))?;
        }
        let file = path.clone();
        let opened = spawn_blocking(move || {
            // SQLite gives the mode of the file to those that it puts beside it. If the file is
            // there, it keeps its own; if it cannot be made, SQLite says why.
            drop(private_file(&file));
            Embedded::writer(&file)
        })
        .await;
        let writer = opened
            .map_err(Error::internal)?
            .map_err(|error| codes::UNAVAILABLE.saying(unreadable(&path)).because(error))?;
        let readers = Readers::new(path.clone());
        Ok(Self::of(Engine::Sqlite { write_queue: WriteQueue::new(writer, path), readers }))
    }

    async fn open_postgres(url: &str, described: &str) -> Result<Self> {
        let unopened = |error: sqlx::Error| {
            let said = format!("The database ({described}) cannot be opened.");
            codes::UNAVAILABLE.saying(said).because(error)
        };
        let options = PgConnectOptions::from_str(url)
            .map_err(unopened)?
            .application_name("nil")
            .statement_cache_capacity(400)
            .disable_statement_logging();
        let said = options.get_options().unwrap_or_default();
        let mut limits = String::new();
        for (name, value) in LIMITS.iter().filter(|(name, _)| !said.contains(name)) {
            limits.extend(["SET ", *name, " = '", *value, "'; "]);
        }
        let opening = PgPoolOptions::new()
            .max_connections(Db::CONNECTIONS)
            .acquire_timeout(PATIENCE)
            .after_connect(move |connection, _| {
                let limits = AssertSqlSafe(limits.clone());
                Box::pin(async move {
                    sqlx::raw_sql(limits).execute(&mut *connection).await?;
                    // Faster deadlock detection requires a privilege on many servers. Without it,
                    // each deadlock costs the server's own deadlock_timeout (1 s), and the
                    // transaction is retried all the same.
                    let sooner = sqlx::raw_sql("SET deadlock_timeout = '50ms'");
                    if let Err(error) = sooner.execute(&mut *connection).await {
                        tracing::debug!(%error, "deadlock_timeout cannot be set; the server's value applies");
                    }
                    Ok(())
                })
            })
            .connect_with(options.clone())
            .await;
        let pool = match opening {
            // The pool has tried for as long as it waits for a connection; one more try says why.
            Err(sqlx::Error::PoolTimedOut) => match timeout(PATIENCE, options.connect()).await {
                Ok(Err(error)) => Err(error),
                Ok(Ok(_)) | Err(_) => Err(sqlx::Error::PoolTimedOut),
            },
            opened => opened,
        }
        .map_err(unopened)?;
        pooling::refuse_shared(&pool).await?;
        Ok(Self::of(Engine::Postgres(pool)))
    }

    /// The engine's dialect.
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        match self.engine {
            Engine::Sqlite { .. } => Dialect::Sqlite,
            Engine::Postgres(_) => Dialect::Postgres,
        }
    }

    /// The connection options of the server; none on SQLite.
    pub(super) fn postgres_options(&self) -> Option<PgConnectOptions> {
        match &self.engine {
            Engine::Sqlite { .. } => None,
            Engine::Postgres(pool) => Some((*pool.connect_options()).clone()),
        }
    }

    /// A connection for reading. Each statement sees the data committed when it starts.
    pub async fn read(&self) -> Result<Session> {
        Ok(self.session(match &self.engine {
            Engine::Sqlite { readers, .. } => On::Readers(readers.clone()),
            Engine::Postgres(pool) => {
                let begun = Instant::now();
                let connection = pool.acquire().await?;
                waited("read", begun);
                On::Connection(connection)
            }
        }))
    }

    fn session(&self, on: On) -> Session {
        Session::new(on, self.watch.clone())
    }

    /// Begins a transaction. Dropping it rolls it back.
    pub async fn begin(&self) -> Result<Session> {
        self.watch.begun();
        let begun = Instant::now();
        let on = match &self.engine {
            Engine::Sqlite { write_queue, .. } => On::Turn(write_queue.turn().await?),
            Engine::Postgres(pool) => On::Transaction(pool.begin().await?),
        };
        waited("write", begun);
        Ok(self.session(on))
    }

    /// Waits until everything that a transaction so far may have read is durable; `Err` if it was
    /// rolled back.
    pub async fn settled(&self) -> Result<()> {
        match &self.engine {
            Engine::Sqlite { write_queue, .. } => write_queue.settled().await,
            Engine::Postgres(_) => Ok(()),
        }
    }

    /// Checks that the database answers.
    pub async fn ping(&self) -> Result<()> {
        let mut session = self.read().await?;
        session.one::<(i64,)>(super::sql("SELECT CAST(1 AS BIGINT)")).await.map(|_| ())
    }

    /// Whether the database can be reached at all, by a connection of its own: one of the pool may
    /// be busy for long. SQLite is part of this process.
    pub async fn is_reachable(&self) -> bool {
        let Some(options) = self.postgres_options() else {
            return true;
        };
        match tokio::time::timeout(REACHED_WITHIN, options.connect()).await {
            Ok(Ok(connection)) => connection.close().await.is_ok(),
            // It has too many connections, but it answers.
            Ok(Err(sqlx::Error::Database(error))) => {
                error.code().is_some_and(|code| code == "53300")
            }
            Ok(Err(_)) | Err(_) => false,
        }
    }

    /// A read-only snapshot of the whole database: it does not see later commits, and blocks no
    /// other transaction.
    pub async fn snapshot(&self) -> Result<Session> {
        Ok(self.session(match &self.engine {
            Engine::Sqlite { readers, .. } => On::Snapshot(readers.snapshot()?),
            Engine::Postgres(pool) => {
                let mut on =
                    pool.begin_with("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY").await?;
                for (name, _) in LIMITS {
                    let off = AssertSqlSafe(format!("SET LOCAL {name} = 0"));
                    sqlx::raw_sql(off).execute(&mut *on).await?;
                }
                On::Transaction(on)
            }
        }))
    }

    /// The connection for migrations: the writer's own, or one without time limits. Servers that
    /// start together wait for the one that migrates, however long it takes.
    pub async fn migrate_with(&self, migrator: &'static sqlx::migrate::Migrator) -> Result<()> {
        match &self.engine {
            Engine::Sqlite { write_queue, .. } => {
                write_queue.alone(move |writer| apply(writer, migrator.iter())).await
            }
            Engine::Postgres(pool) => {
                let mut on = pool.connect_options().connect().await?;
                for (name, _) in LIMITS {
                    let off = AssertSqlSafe(format!("SET {name} = 0"));
                    sqlx::raw_sql(off).execute(&mut on).await?;
                }
                // `run` takes what `Acquire` is for, and its future is not known to be `Send`.
                let migrated = migrator.run_direct(None, &mut on, false).await;
                let migrated = migrated.map_err(inapplicable);
                on.close().await?;
                migrated
            }
        }
    }

    /// Empties the write-ahead log of SQLite, in which erased rows stand as they were; returns
    /// whether that was possible. A long reader keeps it: the worker tries again.
    pub async fn empty_log(&self) -> Result<bool> {
        match &self.engine {
            Engine::Sqlite { write_queue, .. } => {
                write_queue.alone(|writer| Ok(writer.empty_log()?)).await
            }
            Engine::Postgres(_) => Ok(true),
        }
    }

    /// Waits for work under way and closes every connection.
    pub async fn close(&self) {
        match &self.engine {
            Engine::Sqlite { write_queue, readers } => {
                readers.close();
                write_queue.stop().await;
            }
            Engine::Postgres(pool) => pool.close().await,
        }
    }
}

fn unreadable(path: &std::path::Path) -> String {
    format!("`{}` cannot be opened.", path.display())
}

impl From<Location> for String {
    fn from(location: Location) -> Self {
        match location {
            Location::Sqlite(path) => format!("sqlite:{}", path.display()),
            Location::Postgres(url) => url,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_described_address_has_no_password() {
        let described = |text: &str| text.parse::<Location>().map(|location| location.described());
        let told = described("postgres://ada:secret@db.example:5433/nil");
        assert_eq!(told.unwrap(), "PostgreSQL, nil at db.example:5433");
        let told = described("postgres://ada:secret@db.example:5432/nil");
        assert_eq!(told.unwrap(), "PostgreSQL, nil at db.example");
        let told = described("postgres://ada:secret@localhost/nil?host=/run/postgresql");
        assert_eq!(told.unwrap(), "PostgreSQL, nil at /run/postgresql");
        assert_eq!(described("sqlite:a/b.db").unwrap(), "SQLite, a/b.db");
    }
}
