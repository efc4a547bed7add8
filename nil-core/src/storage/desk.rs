//! SQLite's one writer: fair turns at one connection, many turns in one durable commit.
//!
//! Writers queue. Each works in a savepoint of its own inside the batch that is open, and is told
//! "committed" only when the whole batch is on disk. What one writer breaks rolls back to its own
//! savepoint and leaves its neighbours alone. The batch is closed by a task of its own, so that no
//! cancelled caller leaves one open.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{Connection, SqliteConnection};
use tokio::sync::{Mutex, OwnedMutexGuard, oneshot};

use crate::error::{Error, Result, codes};

const OPEN: &str = "BEGIN IMMEDIATE; SAVEPOINT batch; SAVEPOINT turn";
/// Ends this turn and readies the next in one hop.
const NEXT: &str = "RELEASE turn; SAVEPOINT turn";
/// `RELEASE batch` fails if the engine has rolled everything back by itself (disk full, I/O error):
/// then nothing is told to be committed.
const CLOSE: &str = "RELEASE batch; COMMIT";

/// A batch that is older than this is closed even while others wait.
const OLD: Duration = Duration::from_millis(2);
/// So is one with this many turns.
const LARGE: usize = 512;

/// What the connection is in the middle of. Written down before each await, so that whoever comes
/// next knows what a dropped future may have left behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// No transaction.
    Idle,
    /// `OPEN` was sent.
    Opening,
    /// The batch is open with a fresh savepoint.
    Ready,
    /// Somebody works in the savepoint.
    Taken,
    /// `NEXT` was sent.
    Releasing,
    /// The connection is gone; it is opened anew.
    Broken,
}

/// Where writers queue.
#[derive(Clone, Debug)]
pub(super) struct Desk {
    seat: Arc<Mutex<Writer>>,
    queue: Arc<AtomicUsize>,
}

#[derive(Debug)]
struct Writer {
    connection: Option<SqliteConnection>,
    options: SqliteConnectOptions,
    phase: Phase,
    opened: Instant,
    /// Who is told when the batch is durable.
    waiting: Vec<oneshot::Sender<Result<()>>>,
    stopped: bool,
}

/// The seat, taken. Dropping it gives the seat on; the next one cleans up.
#[derive(Debug)]
pub(super) struct Turn(OwnedMutexGuard<Writer>);

/// Counts one who waits, and counts right when the waiting is given up.
struct Waiting<'a>(&'a AtomicUsize);

impl<'a> Waiting<'a> {
    fn new(queue: &'a AtomicUsize) -> Self {
        queue.fetch_add(1, Ordering::SeqCst);
        Self(queue)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Desk {
    pub(super) fn new(connection: SqliteConnection, options: SqliteConnectOptions) -> Self {
        let writer = Writer {
            connection: Some(connection),
            options,
            phase: Phase::Idle,
            opened: Instant::now(),
            waiting: Vec::new(),
            stopped: false,
        };
        Self {
            seat: Arc::new(Mutex::new(writer)),
            queue: Arc::default(),
        }
    }

    /// Waits for the seat, in order of arrival.
    pub(super) async fn turn(&self) -> Result<Turn> {
        let waiting = Waiting::new(&self.queue);
        let mut writer = self.seat.clone().lock_owned().await;
        drop(waiting);
        writer.recover().await?;
        if writer.phase == Phase::Idle {
            writer.phase = Phase::Opening;
            writer.opened = Instant::now();
            // Before anything is awaited: whoever goes away while the batch is being opened would leave
            // it to the next writer here, and other processes out until then.
            tokio::spawn(self.clone().close_batch());
            if let Err(error) = writer.say(OPEN).await {
                writer.lose().await;
                return Err(error);
            }
        }
        writer.phase = Phase::Taken;
        Ok(Turn(writer))
    }

    /// Queues like everybody; commits when nobody waits or the batch is old or large.
    async fn close_batch(self) {
        loop {
            let mut writer = self.seat.clone().lock_owned().await;
            if writer.recover().await.is_err() || writer.phase == Phase::Idle {
                return;
            }
            let crowded = self.queue.load(Ordering::SeqCst) > 0;
            if crowded && writer.opened.elapsed() < OLD && writer.waiting.len() < LARGE {
                drop(writer);
                tokio::task::yield_now().await;
                continue;
            }
            match writer.say(CLOSE).await {
                Ok(()) => {
                    writer.phase = Phase::Idle;
                    for answer in writer.waiting.drain(..) {
                        // Whoever no longer listens has hung up; the work is done all the same.
                        let _ = answer.send(Ok(()));
                    }
                }
                Err(error) => {
                    tracing::warn!(%error, "a batch could not be committed");
                    writer.lose().await;
                }
            }
            return;
        }
    }

    /// Everything a turn so far may have seen is durable; `Err` if it was undone instead.
    pub(super) async fn settled(&self) -> Result<()> {
        let durable = {
            let mut writer = self.seat.lock().await;
            writer.recover().await?;
            if writer.phase == Phase::Idle || writer.waiting.is_empty() {
                return Ok(());
            }
            let (answer, durable) = oneshot::channel();
            writer.waiting.push(answer);
            durable
        };
        durable
            .await
            .unwrap_or_else(|_| Err(codes::UNAVAILABLE.into()))
    }

    pub(super) async fn migrate(&self, migrator: &sqlx::migrate::Migrator) -> Result<()> {
        let mut writer = self.seat.lock().await;
        writer.recover().await?;
        let connection = writer.connection.as_mut().ok_or(codes::UNAVAILABLE)?;
        migrator.run(connection).await.map_err(|error| {
            codes::UNAVAILABLE.saying(format!("The migrations cannot be applied: {error}."))
        })
    }

    /// Commits what is open and closes the connection.
    pub(super) async fn stop(&self) {
        // The closing task may hold the batch; settle first, then take the seat for good.
        let _ = self.settled().await;
        let mut writer = self.seat.lock().await;
        writer.stopped = true;
        if let Some(connection) = writer.connection.take() {
            let _ = connection.close().await;
        }
        writer.phase = Phase::Idle;
    }
}

impl Writer {
    async fn say(&mut self, text: &'static str) -> Result<()> {
        let connection = self.connection.as_mut().ok_or(codes::UNAVAILABLE)?;
        sqlx::raw_sql(text)
            .execute(connection)
            .await
            .map_err(Error::from)
            .map(|_| ())
    }

    /// Brings the connection to `Idle` or `Ready`, whatever was left behind.
    async fn recover(&mut self) -> Result<()> {
        if self.stopped {
            return Err(codes::UNAVAILABLE.into());
        }
        match self.phase {
            Phase::Idle | Phase::Ready => {}
            Phase::Broken => self.reopen().await?,
            Phase::Opening => self.lose().await,
            Phase::Taken => match self.say("ROLLBACK TO turn").await {
                Ok(()) => self.phase = Phase::Ready,
                // The savepoint is gone, and with it the batch.
                Err(_) => self.lose().await,
            },
            // Released or not: the stack has to end with a fresh `turn`. `RELEASE batch` is the proof.
            Phase::Releasing => {
                if self.say("ROLLBACK TO turn").await.is_ok()
                    || self.say("SAVEPOINT turn").await.is_ok()
                {
                    self.phase = Phase::Ready;
                } else {
                    self.lose().await;
                }
            }
        }
        if self.phase == Phase::Broken {
            self.reopen().await
        } else {
            Ok(())
        }
    }

    /// Undoes the batch; everybody in it runs again.
    async fn lose(&mut self) {
        let rolled_back = self.say("ROLLBACK").await;
        for answer in self.waiting.drain(..) {
            let _ = answer.send(Err(codes::AGAIN.into()));
        }
        self.phase = match rolled_back {
            Ok(()) => Phase::Idle,
            Err(_) => self.after_failed_rollback().await,
        };
    }

    /// A ROLLBACK fails where no transaction is left (fine) and where the connection is gone (not).
    async fn after_failed_rollback(&mut self) -> Phase {
        match self.say("BEGIN IMMEDIATE; ROLLBACK").await {
            Ok(()) => Phase::Idle,
            Err(_) => Phase::Broken,
        }
    }

    async fn reopen(&mut self) -> Result<()> {
        self.connection = None;
        let connection = SqliteConnection::connect_with(&self.options).await?;
        self.connection = Some(connection);
        self.phase = Phase::Idle;
        Ok(())
    }
}

impl Turn {
    #[expect(
        clippy::expect_used,
        reason = "a turn is only made while the connection is there"
    )]
    pub(super) fn connection(&mut self) -> &mut SqliteConnection {
        self.0
            .connection
            .as_mut()
            .expect("the seat has a connection")
    }

    /// Gives the seat on, and answers when the batch is durable.
    pub(super) async fn commit(mut self) -> Result<()> {
        self.0.phase = Phase::Releasing;
        if let Err(error) = self.0.say(NEXT).await {
            self.0.lose().await;
            return Err(Error::from(codes::AGAIN).because(error));
        }
        self.0.phase = Phase::Ready;
        let (answer, durable) = oneshot::channel();
        self.0.waiting.push(answer);
        drop(self);
        durable
            .await
            .unwrap_or_else(|_| Err(codes::UNAVAILABLE.into()))
    }
}

#[cfg(test)]
mod tests {
    use std::future::Future as _;
    use std::pin::pin;
    use std::task::{Context, Waker};

    use super::*;

    #[tokio::test]
    async fn a_turn_given_up_while_it_is_opened_keeps_nobody_out() {
        let folder = tempfile::tempdir().unwrap();
        let options = SqliteConnectOptions::new()
            .filename(folder.path().join("desk.db"))
            .create_if_missing(true)
            .busy_timeout(Duration::from_secs(5));
        let writer = SqliteConnection::connect_with(&options).await.unwrap();
        let desk = Desk::new(writer, options.clone());
        // The connection's own thread may be done before the future is looked at again.
        let opening = || {
            let seat = desk.seat.try_lock();
            seat.is_ok_and(|writer| writer.phase == Phase::Opening)
        };
        while !opening() {
            desk.settled().await.unwrap();
            let mut turn = pin!(desk.turn());
            let _ = turn.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        }
        // Another process has only the file to go by.
        let mut other = SqliteConnection::connect_with(&options).await.unwrap();
        sqlx::raw_sql("BEGIN IMMEDIATE; COMMIT")
            .execute(&mut other)
            .await
            .unwrap();
        desk.stop().await;
    }
}
