//! A connection that a pool of PostgreSQL has lent, and what becomes of it when its caller goes
//! away or the server falls silent.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use futures::TryStreamExt as _;
use sea_query_sqlx::SqlxValues;
use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgConnection, Postgres};
use sqlx::{Connection as _, Error as SqlError, SqlSafeStr, raw_sql};
use tokio::time::timeout;

use super::embedded::Wanted;
use super::pulse::Pulse;
use super::record::{Answered, Record, Rows};
use super::statement::Rendered;
use crate::error::{Error, Result, codes};

/// How long what a caller has left may take to end. Others wait for the connection meanwhile.
const ENDS_WITHIN: Duration = Duration::from_secs(1);

/// Goes back to its pool when it is dropped, if it is fit for others.
pub(super) struct Lent {
    /// None if it was given up.
    on: Option<PoolConnection<Postgres>>,
    pulse: Arc<Pulse>,
    /// How long a statement may take. The server's own limit is shorter, but it ends nothing where
    /// the line between the two is dead.
    limit: Option<Duration>,
    /// Whether a statement is under way.
    is_asked: bool,
    /// Whether a transaction may be under way.
    is_open: bool,
}

impl fmt::Debug for Lent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lent").field("is_open", &self.is_open).finish_non_exhaustive()
    }
}

impl Lent {
    pub(super) fn new(
        on: PoolConnection<Postgres>,
        pulse: Arc<Pulse>,
        limit: Option<Duration>,
    ) -> Self {
        Self { on: Some(on), pulse, limit, is_asked: false, is_open: false }
    }

    /// Lets statements take as long as the server allows.
    pub(super) fn take_all_the_time(&mut self) {
        self.limit = None;
    }

    /// Begins a transaction with this statement, or these.
    pub(super) async fn begin(&mut self, with: impl SqlSafeStr) -> Result<()> {
        self.is_open = true;
        self.run(with).await
    }

    /// Commits the transaction durably.
    pub(super) async fn commit(&mut self) -> Result<()> {
        let committed = self.run("COMMIT").await;
        // Whatever it says, the transaction is over.
        self.is_open = false;
        committed
    }

    /// Runs statements without values.
    pub(super) async fn run(&mut self, text: impl SqlSafeStr) -> Result<()> {
        let on = self.on.as_mut().ok_or_else(spent)?;
        self.is_asked = true;
        let run = async { raw_sql(text).execute(&mut **on).await.map(|_| ()) };
        let answer = self.pulse.wait(self.limit, run).await;
        self.answered(answer)
    }

    /// Runs a statement.
    pub(super) async fn ask(
        &mut self,
        rendered: Rendered,
        wanted: Wanted,
        named: bool,
    ) -> Result<Answered> {
        let on = self.on.as_mut().ok_or_else(spent)?;
        self.is_asked = true;
        let answer = self.pulse.wait(self.limit, ask(on, rendered, wanted, named)).await;
        self.answered(answer)
    }

    fn answered<T>(&mut self, answer: Option<Result<T, SqlError>>) -> Result<T> {
        self.is_asked = false;
        if let Some(answer) = answer {
            return Ok(answer?);
        }
        tracing::warn!("PostgreSQL does not answer: a statement was given up");
        if let Some(mut on) = self.on.take() {
            on.close_on_drop();
        }
        Err(codes::UNAVAILABLE.into())
    }
}

impl Drop for Lent {
    /// Ends the transaction that nobody ends any more, and the statement that nobody waits for. A
    /// connection where this takes long is closed: others could not use it.
    fn drop(&mut self) {
        let Some(mut on) = self.on.take() else { return };
        let is_open = self.is_open;
        if !is_open && !self.is_asked {
            return;
        }
        // A program that ends drops what is left outside its runtime.
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        runtime.spawn(async move {
            let ended = timeout(ENDS_WITHIN, async {
                if is_open {
                    raw_sql("ROLLBACK").execute(&mut *on).await.map(|_| ())
                } else {
                    on.ping().await
                }
            });
            if !matches!(ended.await, Ok(Ok(()))) {
                on.close_on_drop();
            }
        });
    }
}

async fn ask(
    on: &mut PgConnection,
    Rendered { text, values }: Rendered,
    wanted: Wanted,
    named: bool,
) -> Result<Answered, SqlError> {
    let query = sqlx::query_with(text, SqlxValues(values)).persistent(named);
    let (rows, changed) = match wanted {
        Wanted::All => (query.fetch_all(on).await?, 0),
        Wanted::First => (query.fetch_optional(on).await?.into_iter().collect(), 0),
        Wanted::Count => (Vec::new(), query.execute(on).await?.rows_affected()),
        Wanted::Each(mut taker) => {
            taker.begin();
            let mut rows = query.fetch(on);
            let mut ended = Ok(());
            // The rest is read even after an error: the connection is needed again.
            while let Some(row) = rows.try_next().await? {
                if ended.is_ok() {
                    ended = taker.take(&Record::from(row));
                }
            }
            taker.end(ended);
            (Vec::new(), 0)
        }
    };
    Ok(Answered { rows: Rows::Postgres(rows), changed })
}

/// A statement already failed in this session.
pub(super) fn spent() -> Error {
    codes::INTERNAL.saying("The transaction has already failed.")
}
