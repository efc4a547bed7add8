//! A streaming replica of PostgreSQL, from which searches and figures may be read. Once a second a
//! task asks the primary for the position of its log and the replica for what it has replayed, so
//! that the age of the replica's data is known without a table and without a write.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use sqlx::postgres::{PgConnectOptions, PgConnection, PgPool};
use sqlx::{ConnectOptions as _, Error as SqlError};
use tokio::task::JoinHandle;
use tokio::time::{MissedTickBehavior, interval, timeout};

use super::lent::Lent;
use super::location::Location;
use super::pooling::plain;
use super::pulse::Pulse;
use super::staleness::Staleness;
use crate::metering::{REPLICA_AGE, REPLICA_READS};

/// Where a replica is, and how old its data may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplicaAt {
    /// Its address.
    pub location: Location,
    /// The greatest age of data that are read from it, at least two seconds.
    pub lag: Duration,
}

impl ReplicaAt {
    /// The greatest age unless the settings name another.
    pub const LAG: Duration = Duration::from_secs(10);
}

/// How often the servers are asked.
const PACE: Duration = Duration::from_secs(1);
/// How long a connection or an answer is waited for.
pub(super) const SOON: Duration = Duration::from_secs(1);

/// How long a statement is waited for at most.
const LONGEST: Duration = Duration::from_secs(75);

/// The connections to a replica. The task that watches it ends with the value.
#[derive(Debug)]
pub(super) struct Replica {
    pool: PgPool,
    pulse: Arc<Pulse>,
    known: Arc<Mutex<Staleness>>,
    task: JoinHandle<()>,
}

/// Why a replica is not used.
#[derive(Debug)]
pub(super) enum Unfit {
    Primary(Option<SqlError>),
    Replica(Option<SqlError>),
    NotInRecovery,
    Another,
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (who, why) = match self {
            Self::NotInRecovery => {
                return f.write_str("It is no replica: it is not in recovery.");
            }
            Self::Another => return f.write_str("It is a replica of another database."),
            Self::Primary(why) => ("The primary", why),
            Self::Replica(why) => ("The replica", why),
        };
        match why {
            Some(why) => write!(f, "{who} does not answer ({why})."),
            None => write!(f, "{who} does not answer."),
        }
    }
}

impl Replica {
    pub(super) fn watched(primary: PgConnectOptions, pool: PgPool, lag: Duration) -> Self {
        let known = Arc::new(Mutex::new(Staleness::new(lag)));
        let own = (*pool.connect_options()).clone();
        let pulse = Arc::new(Pulse::new(vec![own.clone()], SOON));
        let task = tokio::spawn(watch(Pair::new(primary, own), known.clone()));
        Self { pool, pulse, known, task }
    }

    fn known(&self) -> MutexGuard<'_, Staleness> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A connection to data that a call of these accounts may read, and their age.
    pub(super) async fn acquire(&self, accounts: &[&str]) -> Option<(Lent, Duration)> {
        let readable = self.known().readable(accounts, Instant::now());
        let given = match readable {
            None => None,
            Some(_) => match self.pool.acquire().await {
                // The wait for the connection counts too.
                Ok(connection) => {
                    let readable = self.known().readable(accounts, Instant::now());
                    // Where the line to it is dead, the primary answers.
                    let lent = Lent::new(connection, self.pulse.clone(), Some(LONGEST));
                    readable.map(|age| (lent, age))
                }
                Err(error) => {
                    self.failed(&error);
                    None
                }
            },
        };
        let answer = if given.is_some() { "replica" } else { "primary" };
        metrics::counter!(REPLICA_READS, "answer" => answer).increment(1);
        given
    }

    /// Leaves the replica alone until it has answered the task again.
    pub(super) fn failed(&self, why: &dyn fmt::Display) {
        tracing::warn!(%why, "a read went to the primary: the replica failed");
        self.known().failed();
    }

    pub(super) fn wrote(&self, account: &str) {
        self.known().wrote(account, Instant::now());
    }

    /// How many bytes of the log the replica has not replayed.
    pub(super) async fn behind(&self, primary: PgConnectOptions) -> Result<i64, Unfit> {
        let mut pair = Pair::new(primary, (*self.pool.connect_options()).clone());
        let (_, written, replayed) = pair.look().await?;
        Ok(written.saturating_sub(replayed).max(0))
    }

    pub(super) async fn close(&self) {
        self.task.abort();
        self.pool.close().await;
    }
}

impl Drop for Replica {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Connections of the task's own to both servers: those of the pools may all be busy, and then the
/// replica must not seem old.
struct Pair {
    primary: PgConnectOptions,
    replica: PgConnectOptions,
    open: Option<(PgConnection, PgConnection)>,
}

impl Pair {
    fn new(primary: PgConnectOptions, replica: PgConnectOptions) -> Self {
        Self { primary, replica, open: None }
    }

    /// An instant, where the primary's log was after it, and how much of it the replica has
    /// replayed.
    async fn look(&mut self) -> Result<(Instant, i64, i64), Unfit> {
        let (mut primary, mut replica) = match self.open.take() {
            Some(open) => open,
            None => self.connect().await?,
        };
        let now = Instant::now();
        let asked = "SELECT (pg_current_wal_lsn() - '0/0'::pg_lsn)::bigint";
        let written: i64 = soon(plain(&mut primary, asked)).await.map_err(Unfit::Primary)?;
        let asked = "SELECT CASE WHEN pg_is_in_recovery() \
            THEN (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::bigint END";
        let replayed: Option<i64> =
            soon(plain(&mut replica, asked)).await.map_err(Unfit::Replica)?;
        let replayed = replayed.ok_or(Unfit::NotInRecovery)?;
        self.open = Some((primary, replica));
        Ok((now, written, replayed))
    }

    async fn connect(&self) -> Result<(PgConnection, PgConnection), Unfit> {
        let mut primary = soon(self.primary.connect()).await.map_err(Unfit::Primary)?;
        let mut replica = soon(self.replica.connect()).await.map_err(Unfit::Replica)?;
        let asked =
            "SELECT current_database() || ' of ' || system_identifier FROM pg_control_system()";
        let one: String = soon(plain(&mut primary, asked)).await.map_err(Unfit::Primary)?;
        let other: String = soon(plain(&mut replica, asked)).await.map_err(Unfit::Replica)?;
        if one == other { Ok((primary, replica)) } else { Err(Unfit::Another) }
    }
}

/// What a server answers within a second; no error is given for silence.
async fn soon<T>(answer: impl Future<Output = Result<T, SqlError>>) -> Result<T, Option<SqlError>> {
    timeout(SOON, answer).await.map_err(|_| None)?.map_err(Some)
}

/// Notes once a second how old the replica's data are. What is wrong is logged once, and looked at
/// again each time: a replica may be rebuilt or come back.
async fn watch(mut pair: Pair, known: Arc<Mutex<Staleness>>) {
    let begun = Instant::now();
    let mut last = begun;
    let mut wrong = None;
    let mut beat = interval(PACE);
    beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        beat.tick().await;
        let looked = pair.look().await;
        let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
        match looked {
            Ok((instant, written, replayed)) => {
                known.primary_was_at(instant, written);
                known.replayed(replayed);
                if wrong.take().is_some() {
                    tracing::info!("the replica answers again");
                }
            }
            Err(unfit) => {
                known.failed();
                let why = unfit.to_string();
                if wrong.as_ref() != Some(&why) {
                    tracing::warn!(why, "the replica is not used");
                    wrong = Some(why);
                }
            }
        }
        let now = Instant::now();
        if let Some(age) = known.age(now) {
            last = now.checked_sub(age).unwrap_or(begun);
        }
        metrics::gauge!(REPLICA_AGE).set(now.duration_since(last).as_secs_f64());
    }
}
