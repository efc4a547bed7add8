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

use tokio::sync::{Mutex, OwnedMutexGuard, oneshot};
use tokio::task::spawn_blocking;

use super::embedded::{Answer, Asked, Embedded, is_busy};
use super::long::{Long, Place};
use super::readers::{LONG, QUICK, aside, gives_way};
use crate::error::{Error, Result, codes};

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
    long: Long,
    stopped: bool,
}

/// The seat, taken. Dropping it gives the seat on; the next one cleans up.
#[derive(Debug)]
pub(super) struct Turn(OwnedMutexGuard<Writer>);

impl AsRef<Embedded> for Turn {
    #[expect(
        clippy::expect_used,
        reason = "a turn is only made while the connection is there"
    )]
    fn as_ref(&self) -> &Embedded {
        self.0
            .connection
            .as_ref()
            .expect("the seat has a connection")
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
            long: Long::default(),
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
        durable
            .await
            .unwrap_or_else(|_| Err(codes::UNAVAILABLE.into()))
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
            return done.map_err(|error| Error::from(codes::INTERNAL).because(error))?;
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
            self.lose();
        }
        if self.connection.is_none() {
            self.connection = Some(Embedded::writer(&self.path)?);
        }
        Ok(())
    }

    /// Undoes the batch; everybody in it runs again.
    fn lose(&mut self) {
        if !self.is_idle() && self.say("ROLLBACK").is_err() {
            self.connection = None;
        }
        for answer in self.waiting.drain(..) {
            let _ = answer.send(Err(codes::AGAIN.into()));
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
                self.lose();
            }
        }
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
                (self, opened) = waited
                    .await
                    .map_err(|error| Error::from(codes::INTERNAL).because(error))?;
                self.0.opened = Instant::now();
                opened
            }
            opened => opened,
        };
        if let Err(error) = opened {
            self.0.lose();
            return Err(error.into());
        }
        Ok(self)
    }

    /// Runs a statement. A failed one gives the seat on: nothing of this turn will be committed.
    pub(super) async fn ask(self, asked: Asked) -> Result<(Self, Answer)> {
        tokio::task::coop::consume_budget().await;
        let place = Place::of(&asked);
        if !self.0.long.is_set(place) {
            let quick = self.as_ref().run(&asked, Some(QUICK));
            if !quick.as_ref().is_err_and(gives_way) {
                let answer = quick?;
                self.still_open()?;
                self.0.long.set(place, answer.long);
                return Ok((self, answer));
            }
            self.still_open()?;
        }
        let (turn, answer) = aside(self, asked, Some(LONG)).await?;
        let answer = answer?;
        turn.still_open()?;
        turn.0.long.set(place, answer.long);
        Ok((turn, answer))
    }

    /// Where the engine cannot undo a statement alone it undoes the whole batch (a full disk, an
    /// interrupted search that had to write its index first), and every further statement would be a
    /// transaction of its own.
    fn still_open(&self) -> Result<()> {
        if self.0.is_idle() {
            Err(codes::AGAIN.into())
        } else {
            Ok(())
        }
    }

    /// Gives the seat on, and answers when the batch is durable.
    pub(super) async fn commit(mut self) -> Result<()> {
        if let Err(error) = self.0.say(NEXT) {
            self.0.lose();
            return Err(Error::from(codes::AGAIN).because(error));
        }
        self.0.taken = false;
        let durable = self.0.told();
        drop(self);
        durable
            .await
            .unwrap_or_else(|_| Err(codes::UNAVAILABLE.into()))
    }
}

#[cfg(test)]
mod tests {
    use std::task::{Context, Waker};

    use sea_query::Values;
    use sqlx::SqlSafeStr as _;

    use super::super::embedded::Wanted;
    use super::super::record::Rows;
    use super::*;

    const COUNT: &str = "SELECT COUNT(*) FROM t";
    const ADD: &str = "INSERT INTO t VALUES (x'00')";
    const FILL: &str = "INSERT INTO t VALUES (zeroblob(1000000))";
    const HEAVY: &str = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 20000) \
        INSERT INTO t SELECT x'01' FROM n";
    const ENDLESS: &str = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) \
        SELECT COUNT(*) FROM n";

    fn asked(text: &'static str) -> Asked {
        Asked {
            text: text.into_sql_str(),
            values: Values(Vec::new()),
            wanted: Wanted::All,
        }
    }

    fn number(answer: Answer) -> i64 {
        Rows::Cells(answer.cells).decode::<(i64,)>().unwrap()[0].0
    }

    async fn counted(desk: &Desk) -> i64 {
        number(
            desk.turn()
                .await
                .unwrap()
                .ask(asked(COUNT))
                .await
                .unwrap()
                .1,
        )
    }

    fn file(before: &str) -> (tempfile::TempDir, PathBuf, Desk) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("desk.db");
        let writer = Embedded::writer(&path).unwrap();
        writer.script(before).unwrap();
        (folder, path.clone(), Desk::new(writer, path))
    }

    #[tokio::test]
    async fn a_turn_that_is_given_up_keeps_no_other_process_out() {
        let (_folder, path, desk) = file("CREATE TABLE t (b BLOB)");
        drop(desk.turn().await.unwrap());
        // Another process has only the file to go by.
        let other = Embedded::writer(&path).unwrap();
        let begun =
            spawn_blocking(move || other.waiting(|other| other.say("BEGIN IMMEDIATE; COMMIT")));
        begun.await.unwrap().unwrap();
        desk.stop().await;
    }

    #[tokio::test]
    async fn another_process_that_writes_is_waited_for_and_keeps_no_reader_out() {
        let (_folder, path, desk) = file("CREATE TABLE t (b BLOB)");
        let other = Embedded::writer(&path).unwrap();
        other.say("BEGIN IMMEDIATE").unwrap();
        other.script(ADD).unwrap();
        let mut turn = Box::pin(desk.turn());
        assert!(
            turn.as_mut()
                .poll(&mut Context::from_waker(Waker::noop()))
                .is_pending()
        );
        let readers = super::super::readers::Readers::new(path);
        assert_eq!(number(readers.ask(asked(COUNT)).await.unwrap()), 0);
        other.say("COMMIT").unwrap();
        let (turn, answer) = turn.await.unwrap().ask(asked(COUNT)).await.unwrap();
        assert_eq!(number(answer), 1);
        turn.commit().await.unwrap();
    }

    #[tokio::test]
    async fn a_full_disk_undoes_the_batch_and_tells_everybody_in_it() {
        let (_folder, _, desk) = file("CREATE TABLE t (b BLOB); PRAGMA max_page_count = 100");
        let (neighbour, _) = desk.turn().await.unwrap().ask(asked(ADD)).await.unwrap();
        let mut neighbour = Box::pin(neighbour.commit());
        assert!(
            neighbour
                .as_mut()
                .poll(&mut Context::from_waker(Waker::noop()))
                .is_pending()
        );
        let full = desk
            .turn()
            .await
            .unwrap()
            .ask(asked(FILL))
            .await
            .err()
            .unwrap();
        assert!(full.is(codes::STORAGE_FULL), "{full:?}");
        // Whether the engine has undone only the statement or everything, what is told is so.
        let told = i64::from(neighbour.await.is_ok());
        assert_eq!(counted(&desk).await, told);
        let (turn, _) = desk.turn().await.unwrap().ask(asked(ADD)).await.unwrap();
        turn.commit().await.unwrap();
        assert_eq!(counted(&desk).await, told + 1);
    }

    /// On one thread: a reader answers while the writer writes for long.
    #[tokio::test]
    async fn what_writes_for_long_keeps_no_reader_out() {
        let (_folder, path, desk) = file("CREATE TABLE t (b BLOB)");
        let readers = super::super::readers::Readers::new(path);
        let (turn, _) = desk.turn().await.unwrap().ask(asked(HEAVY)).await.unwrap();
        turn.commit().await.unwrap();
        let turn = desk.turn().await.unwrap();
        let mut heavy = Box::pin(turn.ask(asked(HEAVY)));
        assert!(
            heavy
                .as_mut()
                .poll(&mut Context::from_waker(Waker::noop()))
                .is_pending()
        );
        assert_eq!(number(readers.ask(asked(COUNT)).await.unwrap()), 20_000);
        let (turn, _) = heavy.await.unwrap();
        turn.commit().await.unwrap();
        assert_eq!(counted(&desk).await, 40_000);
    }

    /// A search writes what its turn has added to the index before it reads: that cannot be interrupted
    /// without losing the batch.
    #[tokio::test]
    async fn an_interrupted_search_leaves_no_half_of_its_turn() {
        const WORDS: &str = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 9000) \
            INSERT INTO words SELECT 'word' || i || ' word' || (i * 7) || ' all' FROM n";
        const FOUND: &str = "SELECT COUNT(*) FROM words WHERE words MATCH 'all'";
        let (_folder, _, desk) =
            file("CREATE TABLE t (b BLOB); CREATE VIRTUAL TABLE words USING fts5 (w)");
        let mut told = 0;
        for _ in 0..3 {
            let (turn, _) = desk.turn().await.unwrap().ask(asked(ADD)).await.unwrap();
            let (turn, _) = turn.ask(asked(WORDS)).await.unwrap();
            match turn.ask(asked(FOUND)).await {
                Ok((turn, answer)) => {
                    assert_eq!(number(answer), 9_000 * (told / 2 + 1));
                    let (turn, _) = turn.ask(asked(ADD)).await.unwrap();
                    turn.commit().await.unwrap();
                    told += 2;
                }
                Err(error) => assert!(error.is(codes::AGAIN), "{error:?}"),
            }
            assert_eq!(counted(&desk).await, told);
        }
    }

    #[tokio::test]
    async fn a_statement_without_end_goes_with_its_caller_and_leaves_the_neighbours() {
        let (_folder, _, desk) = file("CREATE TABLE t (b BLOB)");
        let (neighbour, _) = desk.turn().await.unwrap().ask(asked(ADD)).await.unwrap();
        let mut neighbour = Box::pin(neighbour.commit());
        let mut context = Context::from_waker(Waker::noop());
        assert!(neighbour.as_mut().poll(&mut context).is_pending());
        let (turn, _) = desk.turn().await.unwrap().ask(asked(ADD)).await.unwrap();
        let mut endless = Box::pin(turn.ask(asked(ENDLESS)));
        assert!(endless.as_mut().poll(&mut context).is_pending());
        drop(endless);
        neighbour.await.unwrap();
        assert_eq!(counted(&desk).await, 1);
    }
}
