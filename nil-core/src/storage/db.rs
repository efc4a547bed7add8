//! The open database. Only this file knows which engines there are and how each is opened.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use sqlx::postgres::PgConnectOptions;
use tokio::task::spawn_blocking;

use super::dialect::Dialect;
use super::embedded::Embedded;
use super::location::Location;
use super::migration::apply;
use super::moving::{half_filled, is_half_filled};
use super::pooling::Pooling;
use super::postgres::{Server, waited};
use super::pulse::greeting;
use super::readers::Readers;
use super::replica::Replica;
use super::session::{On, Session};
use super::watch::Watch;
use super::write_queue::WriteQueue;
use crate::error::{Error, Result, codes};
use crate::kernel::{private_file, private_folder};

/// How long a database may take to accept a connection and still counts as reachable.
const REACHED_WITHIN: Duration = Duration::from_secs(1);

/// An open database; cheap to clone.
#[derive(Clone, Debug)]
pub struct Db {
    engine: Engine,
    watch: Watch,
}

#[derive(Clone, Debug)]
enum Engine {
    Sqlite { write_queue: WriteQueue, readers: Readers },
    Postgres(Server),
}

impl Db {
    /// Opens (and on SQLite creates) the database. Does not migrate.
    pub async fn open(location: &Location) -> Result<Self> {
        Self::open_with(location, &Pooling::default()).await
    }

    /// The same, where PostgreSQL is reached in another way than usual. Refuses a database to which
    /// a copy is not finished.
    pub async fn open_with(location: &Location, pooling: &Pooling) -> Result<Self> {
        let db = Self::open_even_half_filled(location, pooling).await?;
        let looked = async { is_half_filled(&mut db.read().await?).await }.await;
        let refused = match looked {
            Ok(false) => return Ok(db),
            Ok(true) => half_filled(),
            Err(error) => error,
        };
        db.close().await;
        Err(refused)
    }

    /// The same, for the copy itself.
    pub(super) async fn open_even_half_filled(
        location: &Location,
        pooling: &Pooling,
    ) -> Result<Self> {
        match location {
            Location::Sqlite(path) => Self::open_sqlite(path.clone()).await,
            Location::Postgres(url) => {
                Ok(Self::of(Engine::Postgres(Server::open(location, url, pooling).await?)))
            }
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

    /// The engine's dialect.
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        match self.engine {
            Engine::Sqlite { .. } => Dialect::Sqlite,
            Engine::Postgres(_) => Dialect::Postgres,
        }
    }

    /// How to connect to the server with a session of one's own; none on SQLite.
    pub(super) fn postgres_options(&self) -> Option<PgConnectOptions> {
        self.server().map(Server::own_options)
    }

    /// A connection for reading. Each statement sees the data committed when it starts.
    pub async fn read(&self) -> Result<Session> {
        Ok(self.session(match &self.engine {
            Engine::Sqlite { readers, .. } => On::Readers(readers.clone()),
            Engine::Postgres(server) => server.reading().await?,
        }))
    }

    fn server(&self) -> Option<&Server> {
        match &self.engine {
            Engine::Sqlite { .. } => None,
            Engine::Postgres(server) => Some(server),
        }
    }

    fn replica(&self) -> Option<&Replica> {
        self.server().and_then(Server::replica)
    }

    /// Whether there is a replica for reads that may be behind.
    #[must_use]
    pub fn has_replica(&self) -> bool {
        self.replica().is_some()
    }

    /// A connection to the replica and the age of its data, if they are within the bound and hold
    /// all that these accounts have written at this process.
    pub async fn read_behind(&self, accounts: &[&str]) -> Option<(Session, Duration)> {
        let (connection, age) = self.replica()?.acquire(accounts).await?;
        Some((self.session(On::Connection(connection)), age))
    }

    /// The replica has failed a reader: it is left alone until it has answered again.
    pub fn replica_failed(&self, why: &Error) {
        if let Some(replica) = self.replica() {
            replica.failed(why);
        }
    }

    /// The account has committed a change: it reads from the replica only what holds it.
    pub fn wrote(&self, account: &str) {
        if let Some(replica) = self.replica() {
            replica.wrote(account);
        }
    }

    /// How many bytes of the primary's log the replica has not replayed, or why it is not used;
    /// none without a replica.
    pub async fn replica_behind(&self) -> Option<std::result::Result<i64, String>> {
        let (server, replica) = (self.server()?, self.replica()?);
        let looked = replica.behind(server.own_options()).await;
        Some(looked.map_err(|unfit| unfit.to_string()))
    }

    fn session(&self, on: On) -> Session {
        Session::new(on, self.watch.clone())
    }

    /// Begins a transaction. Dropping it rolls it back. PostgreSQL hears of it with the first
    /// statement.
    pub async fn begin(&self) -> Result<Session> {
        Ok(self.session(match &self.engine {
            Engine::Sqlite { write_queue, .. } => {
                self.watch.begun();
                let begun = Instant::now();
                let turn = write_queue.turn().await?;
                waited("write", begun);
                On::Turn(turn)
            }
            Engine::Postgres(server) => On::Unbegun(server.clone()),
        }))
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
        match greeting(&options, REACHED_WITHIN).await {
            Some(Ok(())) => true,
            // It has too many connections, but it answers.
            Some(Err(error)) => error.code().is_some_and(|code| code == "53300"),
            None => false,
        }
    }

    /// A read-only snapshot of the whole database: it does not see later commits, and blocks no
    /// other transaction.
    pub async fn snapshot(&self) -> Result<Session> {
        Ok(self.session(match &self.engine {
            Engine::Sqlite { readers, .. } => On::Snapshot(readers.snapshot()?),
            Engine::Postgres(server) => server.snapshot().await?,
        }))
    }

    /// The connection for migrations: the writer's own, or one without time limits. Servers that
    /// start together wait for the one that migrates, however long it takes.
    pub async fn migrate_with(&self, migrator: &'static sqlx::migrate::Migrator) -> Result<()> {
        match &self.engine {
            Engine::Sqlite { write_queue, .. } => {
                write_queue.alone(move |writer| apply(writer, migrator.iter())).await
            }
            Engine::Postgres(server) => server.migrate(migrator).await,
        }
    }

    /// Lets the writer of SQLite leave references unchecked, which would otherwise have to hold at
    /// the end of each transaction. On PostgreSQL they are put aside.
    pub(super) async fn leave_references_unchecked(&self) -> Result<()> {
        match &self.engine {
            Engine::Sqlite { write_queue, .. } => {
                write_queue.alone(|writer| Ok(writer.say("PRAGMA foreign_keys = OFF")?)).await
            }
            Engine::Postgres(_) => Ok(()),
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
            Engine::Postgres(server) => server.close().await,
        }
    }
}

fn unreadable(path: &std::path::Path) -> String {
    format!("`{}` cannot be opened.", path.display())
}
