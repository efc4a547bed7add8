//! Connection pools in front of PostgreSQL, such as `PgBouncer`. `nil` keeps prepared statements,
//! time limits, locks and `LISTEN` in its sessions. A pool in front must give each connection a
//! session, or `nil` must be told where PostgreSQL itself is (`Pooling::direct`): then it keeps
//! nothing in the sessions of the pool.

use sqlx::postgres::{PgConnection, PgPool};
use sqlx::{AssertSqlSafe, Error as SqlError, Row as _, SqlSafeStr, raw_sql};

use super::location::Location;
use super::replica::ReplicaAt;
use crate::error::{Result, codes};

/// How PostgreSQL is reached. SQLite needs none of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pooling {
    /// The maximum number of connections of one process at the database's address, at least 2.
    /// Those that listen, migrate or read a snapshot are counted apart where `direct` is set.
    pub connections: u32,
    /// PostgreSQL's own address, if the database's leads to a pool that shares sessions between
    /// connections, as `PgBouncer` does in transaction mode. For what needs a session: listening,
    /// migrations and long reading.
    pub direct: Option<Location>,
    /// Whether the pool in front knows the prepared statements of its clients, as `PgBouncer` 1.21
    /// does with `max_prepared_statements`. If not, each statement is parsed each time.
    pub keeps_statements: bool,
    /// A streaming replica of PostgreSQL, for reads that may be behind.
    pub replica: Option<ReplicaAt>,
}

impl Default for Pooling {
    fn default() -> Self {
        Self { connections: 24, direct: None, keeps_statements: false, replica: None }
    }
}

/// What is wrong with a pool that hands one session to many connections, and what to do.
pub(super) const SHARED: &str = "The database address leads to a connection pool that shares sessions between \
    connections, as PgBouncer does in transaction mode. Set pool_mode = session there, or give PostgreSQL's own address, \
    as the database's or, beside the pool's, as database_direct.";

/// The same of the address that must lead to PostgreSQL itself.
pub(super) const SHARED_DIRECT: &str = "database_direct leads to a connection pool that shares sessions between \
    connections. Give PostgreSQL's own address.";

pub(super) const NOT_POSTGRES: &str = "database_direct is no address of PostgreSQL.";

pub(super) const REPLICA_NOT_POSTGRES: &str = "database_replica is no address of PostgreSQL.";

pub(super) const OPTIONS: &str = "The database address leads to a connection pool and has `options`, which pools refuse. \
    Put them into database_direct: the time limits in them hold for both.";

pub(super) const NO_TRANSACTIONS: &str = "The connection pool at the database address begins no transaction. Set \
    pool_mode = transaction there.";

const ANOTHER: &str = "database_direct leads to another database than the database address.";

/// Refuses an address where two connections that are open at once have the same session.
pub(super) async fn refuse_shared(pool: &PgPool, why: &'static str) -> Result<()> {
    let (mut one, two) = (pool.acquire().await?, pool.acquire().await);
    // A server that gives no second connection shares none.
    let Ok(mut two) = two else { return Ok(()) };
    if session(&mut one).await? == session(&mut two).await? {
        return Err(codes::UNAVAILABLE.saying(why));
    }
    Ok(())
}

/// Refuses two addresses that lead to different databases: what one writes, the other would not
/// hear of.
pub(super) async fn refuse_another(pool: &PgPool, direct: &PgPool) -> Result<()> {
    let asked = "SELECT current_database() || ' since ' || pg_postmaster_start_time()";
    let one: String = plain(&mut *pool.acquire().await?, asked).await?;
    let other: String = plain(&mut *direct.acquire().await?, asked).await?;
    if one == other { Ok(()) } else { Err(codes::UNAVAILABLE.saying(ANOTHER)) }
}

/// Whether the server lets the role change this setting, such as `deadlock_timeout = '50ms'`.
pub(super) async fn may_set(pool: &PgPool, setting: &str) -> bool {
    let Ok(mut tried) = pool.begin().await else { return false };
    let set = raw_sql(AssertSqlSafe(format!("SET LOCAL {setting}"))).execute(&mut *tried).await;
    tried.rollback().await.is_ok() && set.is_ok()
}

/// The process of the server behind a connection.
async fn session(connection: &mut PgConnection) -> Result<i32, SqlError> {
    plain(connection, "SELECT pg_backend_pid()").await
}

/// A single value, asked for without a prepared statement, which a pool may not know.
pub(super) async fn plain<T>(on: &mut PgConnection, asked: impl SqlSafeStr) -> Result<T, SqlError>
where
    T: for<'r> sqlx::Decode<'r, sqlx::Postgres> + sqlx::Type<sqlx::Postgres>,
{
    raw_sql(asked).fetch_one(on).await?.try_get(0)
}
