//! SQLite's single writer: fair turns on one connection, many turns in one durable commit.
//!
//! Writers queue. Each works in its own savepoint inside the open batch, and its commit is
//! confirmed only when the whole batch is on disk. A failing writer rolls back to its own savepoint
//! and does not affect the others in the batch. A turn's statements run in place; the commit waits
//! for the disk and runs on a thread that may block. A separate task closes the batch, so a
//! cancelled caller cannot leave it open.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use rusqlite::ErrorCode;
use tokio::sync::{Mutex, OwnedMutexGuard, oneshot};
use tokio::task::spawn_blocking;

use super::aside::{LONG, held};
use super::embedded::{Answer, Asked, Embedded, is_busy};
use super::long::Long;
use crate::error::{Code, Error, Result, codes};

const OPEN: &str = "BEGIN IMMEDIATE; SAVEPOINT turn";
/// Ends this turn and prepares the next.
const NEXT: &str = "RELEASE turn; SAVEPOINT turn";
/// Fails if SQLite has rolled everything back by itself (disk full, I/O error): then no commit is
/// confirmed.
const CLOSE: &str = "COMMIT";

/// A batch is closed even if writers are waiting when it is [`SHARE`] times as old as the last
/// commit took, but not younger than this. On a slow disk more turns share a commit, and the disk
/// takes at most a fifth of the time.
const OLD: Duration = Duration::from_millis(2);
/// The greatest age of a batch.
const OLDEST: Duration = Duration::from_millis(10);
const SHARE: u32 = 4;
/// A batch with this many turns is closed as well.
const LARGE: usize = 512;

/// The queue of writers.
#[derive(Clone, Debug)]
pub(super) struct WriteQueue {
    seat: Arc<Mutex<Writer>>,
    queue: Arc<AtomicUsize>,
}

#[derive(Debug)]
pub(super) struct Writer {
    /// `None`: stopped, or lost and to be opened again.
    connection: Option<Embedded>,
    path: PathBuf,
    /// Whether the savepoint contains a turn's work. If it is still set when the next turn starts,
    /// that work was abandoned.
    taken: bool,
    /// When the batch was opened.
    opened: Instant,
    /// The age at which a batch is closed.
    old: Duration,
    /// The writers to notify when the batch is durable.
    waiting: Vec<oneshot::Sender<Result<()>>>,
    /// Statements that wrote for a long time at their last run now run aside, so that readers need
    /// not wait.
    long: Arc<Long>,
    stopped: bool,
}

/// A turn at the connection. Dropping it lets the next writer in, which cleans up.
#[derive(Debug)]
pub(super) struct Turn(OwnedMutexGuard<Writer>);

impl AsRef<Embedded> for Turn {
    #[expect(clippy::expect_used, reason = "a turn is only made while the connection is there")]
    fn as_ref(&self) -> &Embedded {
        self.0.connection.as_ref().expect("the seat has a connection")
    }
}

/// Counts a waiting writer, also correctly if the wait is cancelled.
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

impl WriteQueue {
    pub(super) fn new(connection: Embedded, path: PathBuf) -> Self {
        let writer = Writer {
            connection: Some(connection),
            path,
            taken: false,
            opened: Instant::now(),
            old: OLD,
            waiting: Vec::new(),
            long: Arc::default(),
            stopped: false,
        };
        Self { seat: Arc::new(Mutex::new(writer)), queue: Arc::default() }
    }

    /// Waits for a turn, in order of arrival.
    pub(super) async fn turn(&self) -> Result<Turn> {
        let waiting = Waiting::new(&self.queue);
        let mut turn = Turn(self.seat.clone().lock_owned().await);
        drop(waiting);
        turn.0.recover()?;
        if turn.0.is_idle() {
            // Spawned before anything is awaited: a caller that is cancelled while the batch is
            // being opened would leave the batch open, and lock out other processes, until the next
            // writer here.
            tokio::spawn(self.clone().close_batch());
            turn = turn.open().await?;
        }
        turn.0.taken = true;
        Ok(turn)
    }

    /// Queues like a writer; commits if no writer waits or the batch is old or large.
    async fn close_batch(self) {
        loop {
            let mut writer = self.seat.clone().lock_owned().await;
            if writer.recover().is_err() || writer.is_idle() {
                return;
            }
            let crowded = self.queue.load(Ordering::SeqCst) > 0;
            if crowded && writer.opened.elapsed() < writer.old && writer.waiting.len() < LARGE {
                drop(writer);
                tokio::task::yield_now().await;
                continue;
            }
            // Other writers queue meanwhile.
            if let Err(error) = spawn_blocking(move || writer.close()).await {
                tracing::error!(%error, "a batch could not be closed");
            }
            return;
        }
    }

    /// Waits until everything that a turn so far may have read is durable; `Err` if it was rolled
    /// back instead.
    pub(super) async fn settled(&self) -> Result<()> {
        let durable = {
            let mut writer = self.seat.lock().await;
            writer.recover()?;
            if writer.waiting.is_empty() {
                return Ok(());
            }
            writer.told()
        };
        durable.await.unwrap_or_else(|_| Err(codes::UNAVAILABLE.into()))
    }

    /// Runs a closure with the connection while no batch is open, on a thread that may block.
    pub(super) async fn alone<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Embedded) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        loop {
            self.settled().await?;
            let mut writer = self.seat.clone().lock_owned().await;
            writer.recover()?;
            if !writer.is_idle() {
                // A writer has opened a batch in between: it is closed as soon as no writer waits.
                drop(writer);
                tokio::task::yield_now().await;
                continue;
            }
            let done = spawn_blocking(move || work(Turn(writer).as_ref())).await;
            return done.map_err(Error::internal)?;
        }
    }

    /// Commits the open batch and closes the connection.
    pub(super) async fn stop(&self) {
        // The closing task may hold the batch; settle first, then take the connection for good.
        let _ = self.settled().await;
        let mut writer = self.seat.lock().await;
        writer.stopped = true;
        // Another process may have the file open, so that closing it does not empty the log.
        match writer.connection.take().map(|last| last.empty_log()) {
            Some(Err(error)) => tracing::warn!(%error, "the write-ahead log could not be emptied"),
            Some(Ok(false)) => tracing::debug!("another process needs the write-ahead log"),
            _ => {}
        }
    }
}

impl Writer {
    fn say(&self, texts: &str) -> rusqlite::Result<()> {
        match &self.connection {
            Some(connection) => connection.say(texts),
            None => Err(rusqlite::Error::InvalidQuery),
        }
    }

    /// Whether no batch is open.
    fn is_idle(&self) -> bool {
        self.connection.as_ref().is_none_or(Embedded::is_idle)
    }

    /// Registers a writer that is notified when the batch is durable.
    fn told(&mut self) -> oneshot::Receiver<Result<()>> {
        let (answer, durable) = oneshot::channel();
        self.waiting.push(answer);
        durable
    }

    /// Rolls back work left in the savepoint; opens the connection again if it was lost.
    fn recover(&mut self) -> Result<()> {
        if self.stopped {
            return Err(codes::UNAVAILABLE.into());
        }
        if std::mem::take(&mut self.taken) && self.say("ROLLBACK TO turn").is_err() {
            // SQLite has rolled the batch back by itself.
            self.lose(codes::AGAIN);
        }
        if self.connection.is_none() {
            self.connection = Some(Embedded::writer(&self.path)?);
        }
        Ok(())
    }

    /// Rolls the batch back and sends the reason to all its writers.
    fn lose(&mut self, why: Code) {
        if !self.is_idle() && self.say("ROLLBACK").is_err() {
            self.connection = None;
        }
        for answer in self.waiting.drain(..) {
            let _ = answer.send(Err(why.into()));
        }
    }

    /// Commits the batch and notifies all its writers.
    fn close(&mut self) {
        let begun = Instant::now();
        match self.say(CLOSE) {
            Ok(()) => {
                self.old = begun.elapsed().saturating_mul(SHARE).clamp(OLD, OLDEST);
                for answer in self.waiting.drain(..) {
                    // A receiver that is gone has hung up; the work is committed all the same.
                    let _ = answer.send(Ok(()));
                }
            }
            Err(error) => {
                tracing::warn!(%error, "a batch could not be committed");
                self.lose(undone_by(&error));
            }
        }
    }
}

/// The error for the writers of a failed batch: try again, unless that would fail the same way.
fn undone_by(error: &rusqlite::Error) -> Code {
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => codes::STORAGE_FULL,
        Some(ErrorCode::SystemIoFailure) => codes::UNAVAILABLE,
        _ => codes::AGAIN,
    }
}

impl Turn {
    /// Opens a batch: in place, or, while another process writes, on a thread that may block.
    async fn open(mut self) -> Result<Self> {
        self.0.opened = Instant::now();
        let opened = match self.0.say(OPEN) {
            Err(error) if is_busy(&error) => {
                let waited = spawn_blocking(move || {
                    let opened = self.as_ref().waiting(|writer| writer.say(OPEN));
                    (self, opened)
                });
                let opened;
                (self, opened) = waited.await.map_err(Error::internal)?;
                self.0.opened = Instant::now();
                opened
            }
            opened => opened,
        };
        if let Err(error) = opened {
            self.0.lose(codes::AGAIN);
            return Err(error.into());
        }
        Ok(self)
    }

    /// Runs a statement. If it fails, the turn ends and nothing of it is committed.
    pub(super) async fn ask(self, asked: Asked) -> Result<(Self, Answer)> {
        let long = self.0.long.clone();
        held(self, &long, asked, Some(LONG)).await
    }

    /// Ends the turn, and returns when the batch is durable.
    pub(super) async fn commit(mut self) -> Result<()> {
        if let Err(error) = self.0.say(NEXT) {
            let why = undone_by(&error);
            self.0.lose(why);
            return Err(Error::from(why).because(error));
        }
        self.0.taken = false;
        let durable = self.0.told();
        drop(self);
        durable.await.unwrap_or_else(|_| Err(codes::UNAVAILABLE.into()))
    }
}

#[cfg(test)]
mod tests;
