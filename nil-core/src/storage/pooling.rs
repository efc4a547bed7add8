//! Connection pools in front of PostgreSQL, such as `PgBouncer`. `nil` has a pool of its own and
//! keeps prepared statements, time limits, locks and `LISTEN` in its sessions, so a pool in front
//! must give each connection a session.

use sqlx::postgres::{PgConnection, PgPool};
use sqlx::{Error as SqlError, Row as _};

use crate::error::{Result, codes};

/// What is wrong with a pool that hands one session to many connections, and what to do.
pub(super) const SHARED: &str = "The database address leads to a connection pool that shares sessions between \
    connections, as PgBouncer does in transaction mode. Set pool_mode = session there, or give PostgreSQL's own address.";

/// Refuses an address where two connections that are open at once have the same session.
pub(super) async fn refuse_shared(pool: &PgPool) -> Result<()> {
    let (mut one, two) = (pool.acquire().await?, pool.acquire().await);
    // A server that gives no second connection shares none.
    let Ok(mut two) = two else { return Ok(()) };
    if session(&mut one).await? == session(&mut two).await? {
        return Err(codes::UNAVAILABLE.saying(SHARED));
    }
    Ok(())
}

/// The process of the server behind a connection. Asked without a prepared statement, which a pool
/// may not know.
async fn session(connection: &mut PgConnection) -> Result<i32, SqlError> {
    sqlx::raw_sql("SELECT pg_backend_pid()").fetch_one(connection).await?.try_get(0)
}
