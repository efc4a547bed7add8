//! SQLite's one writer: fair turns at one connection, many turns in one durable commit.
//!
//! Writers queue. Each works in a savepoint of its own inside the batch that is open, and is told
//! "committed" only when the whole batch is on disk. What one writer breaks rolls back to its own
//! savepoint and leaves its neighbours alone. A turn's statements run in place; the commit, which waits
//! for the disk, runs on a thread that may wait. The batch is closed by a task of its own, so that no
//! cancelled caller leaves one open.

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

const OPEN: &str = "BEGIN IMMEDIATE; SAVEPOINT batch; SAVEPOINT turn";
/// Ends this turn and readies the next.
const NEXT: &str = "RELEASE turn; SAVEPOINT turn";
/// `RELEASE batch` fails if the engine has rolled everything back by itself (disk full, I/O error):
/// then nothing is told to be committed.
const CLOSE: &str = "RELEASE batch; COMMIT";

/// A batch that is older than this is closed even while others wait.
const OLD: Duration = Duration::from_millis(2);
/// So is one with this many turns.
const LARGE: usize = 512;

/// Where writers queue.
#[derive(Clone, Debug)]
pub(super) struct Desk {
    seat: Arc<Mutex<Writer>>,
    queue: Arc<AtomicUsize>,
}

#[derive(Debug)]
pub(super) struct Writer {
    /// `None`: stopped, or lost and to be opened anew.
    connection: Option<Embedded>,
    path: PathBuf,
    /// Whether the savepoint has somebody's work in it. Still set when the next one comes: that work was
    /// given up.
    taken: bool,
    /// When the batch was opened.
    opened: Instant,
    /// Who is told when the batch is durable.
    waiting: Vec<oneshot::Sender<Result<()>>>,
    /// Statements that wrote for long when they ran last run aside, so that readers need not wait.
    long: Arc<Long>,
    stopped: bool,
}

/// The seat, taken. Dropping it gives the seat on; the next one cleans up.
#[derive(Debug)]
pub(super) struct Turn(OwnedMutexGuard<Writer>);

impl AsRef<Embedded> for Turn {
    #[expect(clippy::expect_used, reason = "a turn is only made while the connection is there")]
    fn as_ref(&self) -> &Embedded {
        self.0.connection.as_ref().expect("the seat has a connection")
    }
}

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
    pub(super) fn new(connection: Embedded, path: PathBuf) -> Self {
        let writer = Writer {
            connection: Some(connection),
            path,
            taken: false,
            opened: Instant::now(),
            waiting: Vec::new(),
            long: Arc::default(),
            stopped: false,
        };
        Self { seat: Arc::new(Mutex::new(writer)), queue: Arc::default() }
    }

    /// Waits for the seat, in order of arrival.
    pub(super) async fn turn(&self) -> Result<Turn> {
        let waiting = Waiting::new(&self.queue);
        let mut turn = Turn(self.seat.clone().lock_owned().await);
        drop(waiting);
        turn.0.recover()?;
        if turn.0.is_idle() {
            // Before anything is awaited: whoever goes away while the batch is being opened would leave
            // it to the next writer here, and other processes out until then.
            tokio::spawn(self.clone().close_batch());
            turn = turn.open().await?;
        }
        turn.0.taken = true;
        Ok(turn)
    }

    /// Queues like everybody; commits when nobody waits or the batch is old or large.
    async fn close_batch(self) {
        loop {
            let mut writer = self.seat.clone().lock_owned().await;
            if writer.recover().is_err() || writer.is_idle() {
                return;
            }
            let crowded = self.queue.load(Ordering::SeqCst) > 0;
            if crowded && writer.opened.elapsed() < OLD && writer.waiting.len() < LARGE {
                drop(writer);
                tokio::task::yield_now().await;
                continue;
            }
            // The queue fills meanwhile.
            if let Err(error) = spawn_blocking(move || writer.close()).await {
                tracing::error!(%error, "closing a batch was given up");
            }
            return;
        }
    }

    /// Everything a turn so far may have seen is durable; `Err` if it was undone instead.
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

    /// Does something with the connection while no batch is open, where threads may be kept.
    pub(super) async fn alone<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Embedded) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        loop {
            self.settled().await?;
            let mut writer = self.seat.clone().lock_owned().await;
            writer.recover()?;
            if !writer.is_idle() {
                // Somebody has begun a batch in between: it is closed as soon as nobody waits.
                drop(writer);
                tokio::task::yield_now().await;
                continue;
            }
            let done = spawn_blocking(move || work(Turn(writer).as_ref())).await;
            return done.map_err(Error::internal)?;
        }
    }

    /// Commits what is open and closes the connection.
    pub(super) async fn stop(&self) {
        // The closing task may hold the batch; settle first, then take the seat for good.
        let _ = self.settled().await;
        let mut writer = self.seat.lock().await;
        writer.stopped = true;
        writer.connection = None;
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

    /// Somebody who is told when the batch is durable.
    fn told(&mut self) -> oneshot::Receiver<Result<()>> {
        let (answer, durable) = oneshot::channel();
        self.waiting.push(answer);
        durable
    }

    /// Undoes what was left in the savepoint; opens the connection anew if it was lost.
    fn recover(&mut self) -> Result<()> {
        if self.stopped {
            return Err(codes::UNAVAILABLE.into());
        }
        if std::mem::take(&mut self.taken) && self.say("ROLLBACK TO turn").is_err() {
            // The engine has undone the batch by itself.
            self.lose(codes::AGAIN);
        }
        if self.connection.is_none() {
            self.connection = Some(Embedded::writer(&self.path)?);
        }
        Ok(())
    }

    /// Undoes the batch, and tells everybody in it why.
    fn lose(&mut self, why: Code) {
        if !self.is_idle() && self.say("ROLLBACK").is_err() {
            self.connection = None;
        }
        for answer in self.waiting.drain(..) {
            let _ = answer.send(Err(why.into()));
        }
    }

    /// Commits the batch and tells everybody in it.
    fn close(&mut self) {
        match self.say(CLOSE) {
            Ok(()) => {
                for answer in self.waiting.drain(..) {
                    // Whoever no longer listens has hung up; the work is done all the same.
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

/// What those are told whose batch came to nothing: to try again, unless that would end the same way.
fn undone_by(error: &rusqlite::Error) -> Code {
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => codes::STORAGE_FULL,
        Some(ErrorCode::SystemIoFailure) => codes::UNAVAILABLE,
        _ => codes::AGAIN,
    }
}

impl Turn {
    /// Opens a batch: in place, or, while another process writes, where threads may be kept.
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

    /// Runs a statement. A failed one gives the seat on: nothing of this turn will be committed.
    pub(super) async fn ask(self, asked: Asked) -> Result<(Self, Answer)> {
        let long = self.0.long.clone();
        held(self, &long, asked, Some(LONG)).await
    }

    /// Gives the seat on, and answers when the batch is durable.
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
