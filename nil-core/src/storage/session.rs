//! One connection or one transaction, and the handful of ways to run a statement on it.

use sea_query_sqlx::SqlxValues;
use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgRow, Postgres};
use sqlx::sqlite::{Sqlite, SqliteRow};
use sqlx::{FromRow, Transaction};

use super::Dialect;
use super::db::spent;
use super::desk::Turn;
use super::statement::{Rendered, Statement};
use super::watching::Watch;
use crate::error::{Error, Result, codes};

/// A struct that a row of either engine can be read into.
pub trait Row: for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow> + Send + Unpin {}

impl<T> Row for T where T: for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow> + Send + Unpin
{}

/// What finders take. The first statement that fails ends it, on both engines: PostgreSQL refuses
/// anything further by itself, SQLite would go on with half a transaction.
#[derive(Debug)]
pub struct Session {
    on: On,
    failed: bool,
    watch: Watch,
}

#[derive(Debug)]
enum On {
    Reader(PoolConnection<Sqlite>),
    Snapshot(Transaction<'static, Sqlite>),
    Turn(Turn),
    Connection(PoolConnection<Postgres>),
    Transaction(Transaction<'static, Postgres>),
}

/// Runs one of sqlx's fetches on whatever the session stands on.
macro_rules! fetch {
    ($session:expr, $statement:expr, $query:ident $(::<$row:ident>)?, $fetch:ident) => {{
        let session: &mut Session = $session;
        if session.failed {
            return Err(spent());
        }
        let Rendered { text, values } = $statement.render(session.dialect());
        session.watch.asked(&text, &values);
        let values = SqlxValues(values);
        // A future dropped in the middle of a statement leaves the session failed.
        session.failed = true;
        let outcome = match &mut session.on {
            On::Reader(on) => {
                sqlx::$query::<Sqlite $(, $row)?, _>(text, values).$fetch(&mut **on).await.map(Into::into)
            }
            On::Snapshot(on) => {
                sqlx::$query::<Sqlite $(, $row)?, _>(text, values).$fetch(&mut **on).await.map(Into::into)
            }
            On::Turn(on) => {
                sqlx::$query::<Sqlite $(, $row)?, _>(text, values).$fetch(on.connection()).await.map(Into::into)
            }
            On::Connection(on) => {
                sqlx::$query::<Postgres $(, $row)?, _>(text, values).$fetch(&mut **on).await.map(Into::into)
            }
            On::Transaction(on) => {
                sqlx::$query::<Postgres $(, $row)?, _>(text, values).$fetch(&mut **on).await.map(Into::into)
            }
        };
        session.failed = outcome.is_err();
        outcome.map_err(Error::from)
    }};
}

/// How many rows a statement changed, whichever engine says so.
struct Changed(u64);

impl From<sqlx::sqlite::SqliteQueryResult> for Changed {
    fn from(result: sqlx::sqlite::SqliteQueryResult) -> Self {
        Self(result.rows_affected())
    }
}

impl From<sqlx::postgres::PgQueryResult> for Changed {
    fn from(result: sqlx::postgres::PgQueryResult) -> Self {
        Self(result.rows_affected())
    }
}

impl Session {
    pub(super) fn reader(on: PoolConnection<Sqlite>, watch: Watch) -> Self {
        Self {
            on: On::Reader(on),
            failed: false,
            watch,
        }
    }

    pub(super) fn snapshot(on: Transaction<'static, Sqlite>, watch: Watch) -> Self {
        Self {
            on: On::Snapshot(on),
            failed: false,
            watch,
        }
    }

    pub(super) fn turn(on: Turn, watch: Watch) -> Self {
        Self {
            on: On::Turn(on),
            failed: false,
            watch,
        }
    }

    pub(super) fn connection(on: PoolConnection<Postgres>, watch: Watch) -> Self {
        Self {
            on: On::Connection(on),
            failed: false,
            watch,
        }
    }

    pub(super) fn transaction(on: Transaction<'static, Postgres>, watch: Watch) -> Self {
        Self {
            on: On::Transaction(on),
            failed: false,
            watch,
        }
    }

    /// Which engine it speaks to.
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        match self.on {
            On::Reader(_) | On::Snapshot(_) | On::Turn(_) => Dialect::Sqlite,
            On::Connection(_) | On::Transaction(_) => Dialect::Postgres,
        }
    }

    /// Whether a statement has failed here, so that nothing more can be asked.
    #[must_use]
    pub(crate) fn failed(&self) -> bool {
        self.failed
    }

    /// Every row.
    pub async fn all<T: Row>(&mut self, statement: impl Statement) -> Result<Vec<T>> {
        fetch!(self, statement, query_as_with::<T>, fetch_all)
    }

    /// The first row, if there is one.
    pub async fn first<T: Row>(&mut self, statement: impl Statement) -> Result<Option<T>> {
        fetch!(self, statement, query_as_with::<T>, fetch_optional)
    }

    /// The row that must be there.
    pub async fn one<T: Row>(&mut self, statement: impl Statement) -> Result<T> {
        self.first(statement)
            .await?
            .ok_or_else(|| codes::NOT_FOUND.into())
    }

    /// The one value of the one row.
    pub async fn value<T>(&mut self, statement: impl Statement) -> Result<T>
    where
        (T,): Row,
    {
        Ok(self.one::<(T,)>(statement).await?.0)
    }

    /// Runs it; answers how many rows it changed.
    pub async fn run(&mut self, statement: impl Statement) -> Result<u64> {
        let changed: Result<Changed> = fetch!(self, statement, query_with, execute);
        Ok(changed?.0)
    }

    /// Runs a guarded change of exactly one row: no row is 409 `state_changed`.
    pub async fn change(&mut self, statement: impl Statement) -> Result<()> {
        match self.run(statement).await? {
            0 => Err(codes::STATE_CHANGED.into()),
            _ => Ok(()),
        }
    }

    /// Runs a guarded change of this many rows: fewer are 409 `state_changed`.
    pub async fn change_all(&mut self, rows: usize, statement: impl Statement) -> Result<()> {
        let changed = usize::try_from(self.run(statement).await?);
        if changed.is_ok_and(|changed| changed >= rows) {
            Ok(())
        } else {
            Err(codes::STATE_CHANGED.into())
        }
    }

    /// Makes it durable. A session that failed, or that is no transaction, cannot be committed.
    pub(crate) async fn commit(self) -> Result<()> {
        if self.failed {
            return Err(spent());
        }
        match self.on {
            On::Turn(turn) => turn.commit().await,
            On::Transaction(transaction) => Ok(transaction.commit().await?),
            On::Reader(_) | On::Snapshot(_) | On::Connection(_) => Err(spent()),
        }
    }
}
