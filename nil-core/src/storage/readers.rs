//! SQLite's readers: a pool of connections, and lanes for slow statements.
//!
//! A statement takes a connection from the pool, runs and returns it without awaiting anything, so
//! no caller queues for one, and there are only as many connections as threads that read at once. A
//! statement slower than [`QUICK`] is interrupted and run again in a lane, on a thread that may
//! block. The next time it goes there at once: operations need not mark slow statements.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::aside::{LONG, QUICK, aside, gives_way, held};
use super::embedded::{Answer, Asked, Embedded};
use super::long::{Long, Place};
use crate::error::{Result, codes};

/// The number of slow statements that run at once. Others wait for a lane.
const LANES: usize = 2;
/// The number of idle connections kept.
const KEPT: usize = 16;

/// The pool of connections; cheap to clone.
#[derive(Clone, Debug)]
pub(super) struct Readers(Arc<Shelf>);

#[derive(Debug)]
struct Shelf {
    path: PathBuf,
    /// `None`: closed.
    connections: Mutex<Option<Vec<Embedded>>>,
    lanes: Arc<Semaphore>,
    long: Long,
}

/// A connection from the pool. Dropping it ends its transaction and returns it.
#[derive(Debug)]
pub(super) struct Taken {
    connection: Option<Embedded>,
    readers: Readers,
    /// The lane it runs in, if any.
    lane: Option<OwnedSemaphorePermit>,
}

impl AsRef<Embedded> for Taken {
    #[expect(clippy::expect_used, reason = "it is there until it is dropped")]
    fn as_ref(&self) -> &Embedded {
        self.connection.as_ref().expect("the connection")
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        if let Some(connection) = self.connection.take()
            && (connection.is_idle() || connection.say("ROLLBACK").is_ok())
        {
            self.readers.put(connection);
        }
    }
}

impl Readers {
    pub(super) fn new(path: PathBuf) -> Self {
        Self(Arc::new(Shelf {
            path,
            connections: Mutex::new(Some(Vec::new())),
            lanes: Arc::new(Semaphore::new(LANES)),
            long: Long::default(),
        }))
    }

    fn with<T>(&self, work: impl FnOnce(&mut Option<Vec<Embedded>>) -> T) -> T {
        work(&mut self.0.connections.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn take(&self) -> Result<Taken> {
        let kept = self.with(|shelf| shelf.as_mut().map(Vec::pop)).ok_or(codes::UNAVAILABLE)?;
        let connection = match kept {
            Some(connection) => connection,
            None => Embedded::reader(&self.0.path)?,
        };
        Ok(Taken { connection: Some(connection), readers: self.clone(), lane: None })
    }

    fn put(&self, connection: Embedded) {
        self.with(|shelf| {
            if let Some(kept) = shelf.as_mut().filter(|kept| kept.len() < KEPT) {
                kept.push(connection);
            }
        });
    }

    /// Runs a reading statement.
    pub(super) async fn ask(&self, mut asked: Asked) -> Result<Answer> {
        // Nothing here waits: without this, a caller with a hundred statements would starve other
        // tasks.
        tokio::task::coop::consume_budget().await;
        let (long, place) = (&self.0.long, Place::of(&asked));
        if !long.is_set(place) {
            let quick = self.take()?.as_ref().run(&mut asked, Some(QUICK));
            if !quick.as_ref().is_err_and(gives_way) {
                return Ok(quick?);
            }
        }
        let lane = self.0.lanes.clone().acquire_owned().await;
        let lane = lane.map_err(|_| codes::UNAVAILABLE)?;
        let mut taken = self.take()?;
        taken.lane = Some(lane);
        let answer = aside(taken, asked, Some(LONG)).await?.1?;
        long.set(place, answer.long);
        Ok(answer)
    }

    /// A connection whose statements all see the same state of the database.
    pub(super) fn snapshot(&self) -> Result<Taken> {
        let taken = self.take()?;
        taken.as_ref().say("BEGIN")?;
        Ok(taken)
    }

    /// Closes every connection; those in use are closed when they are returned.
    pub(super) fn close(&self) {
        self.with(Option::take);
        self.0.lanes.close();
    }
}

impl Taken {
    /// Runs a statement in a snapshot. It has no time limit and does not block the caller's thread.
    pub(super) async fn ask(self, asked: Asked) -> Result<(Self, Answer)> {
        let readers = self.readers.clone();
        held(self, &readers.0.long, asked, None).await
    }
}

#[cfg(test)]
mod tests {
    use std::future::Future as _;
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    use super::super::embedded::asking::{ENDLESS, asked, number};
    use super::super::session::{On, Session};
    use super::super::sql;
    use super::super::watch::Watch;
    use super::*;

    /// Takes longer than [`QUICK`], but ends.
    const SLOW: &str = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1000000) \
        SELECT COUNT(*) FROM n";

    fn file() -> (tempfile::TempDir, Embedded, Readers) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("readers.db");
        let writer = Embedded::writer(&path).unwrap();
        (folder, writer, Readers::new(path))
    }

    /// On one thread: a statement in a lane does not block it.
    #[tokio::test]
    async fn statements_without_end_keep_nobody_out_and_end_when_nobody_waits() {
        let (_folder, _writer, readers) = file();
        let mut context = Context::from_waker(Waker::noop());
        {
            let mut endless = [(); LANES].map(|()| Box::pin(readers.ask(asked(ENDLESS))));
            for endless in &mut endless {
                assert!(endless.as_mut().poll(&mut context).is_pending());
            }
            assert_eq!(readers.0.lanes.available_permits(), 0);
            assert_eq!(number(readers.ask(asked("SELECT 7")).await.unwrap()), 7);
            let mut slow = pin!(readers.ask(asked(SLOW)));
            assert!(slow.as_mut().poll(&mut context).is_pending(), "it waits for a lane");
        }
        // Lanes are free again only if the statements have ended.
        assert_eq!(number(readers.ask(asked(SLOW)).await.unwrap()), 1_000_000);
        let all = u32::try_from(LANES).unwrap();
        let free = readers.0.lanes.acquire_many(all).await;
        assert!(free.is_ok(), "every lane is free again");
    }

    #[tokio::test]
    async fn a_statement_ends_when_its_time_is_over() {
        let (_folder, _writer, readers) = file();
        let taken = readers.take().unwrap();
        let (taken, answer) = aside(taken, asked(ENDLESS), Some(QUICK)).await.unwrap();
        assert!(answer.err().unwrap().is(codes::UNAVAILABLE));
        // The next statement on the connection is not stopped with it.
        drop(taken);
        assert_eq!(number(readers.ask(asked(SLOW)).await.unwrap()), 1_000_000);
    }

    #[tokio::test]
    async fn a_snapshot_sees_one_state_for_as_long_as_it_likes() {
        let (_folder, writer, readers) = file();
        writer.script("CREATE TABLE t (i INTEGER); INSERT INTO t VALUES (1)").unwrap();
        let snapshot = readers.snapshot().unwrap();
        let (snapshot, before) = snapshot.ask(asked("SELECT COUNT(*) FROM t")).await.unwrap();
        writer.script("INSERT INTO t VALUES (2)").unwrap();
        // The first try is interrupted, which ends the statement but not the snapshot.
        let (snapshot, slow) = snapshot.ask(asked(SLOW)).await.unwrap();
        let (snapshot, after) = snapshot.ask(asked("SELECT COUNT(*) FROM t")).await.unwrap();
        assert_eq!((number(before), number(slow), number(after)), (1, 1_000_000, 1));
        drop(snapshot);
        assert_eq!(number(readers.ask(asked("SELECT COUNT(*) FROM t")).await.unwrap()), 2);
    }

    /// The first try is interrupted in the middle.
    #[tokio::test]
    async fn rows_are_added_up_once_when_the_statement_runs_again() {
        let (_folder, _writer, readers) = file();
        let mut session = Session::new(On::Readers(readers.clone()), Watch::default());
        let numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 100000) \
            SELECT i FROM n";
        let add = |sum: &mut (i64, i64), (number,): (i64,)| *sum = (sum.0 + 1, sum.1 + number);
        let sum = session.fold(sql(numbers), add).await.unwrap();
        assert_eq!(sum, (100_000, 5_000_050_000));
        // A row that cannot be read ends the session, as every failed statement does.
        assert!(session.fold(sql("SELECT 1 UNION ALL SELECT 'x'"), add).await.is_err());
        assert!(session.failed());
    }

    #[tokio::test]
    async fn closed_readers_answer_nothing_more() {
        let (_folder, _writer, readers) = file();
        let mut waiting = Vec::new();
        for _ in 0..=LANES {
            let mut endless = Box::pin(readers.ask(asked(ENDLESS)));
            let polled = endless.as_mut().poll(&mut Context::from_waker(Waker::noop()));
            assert!(matches!(polled, Poll::Pending));
            waiting.push(endless);
        }
        readers.close();
        let refused = waiting.pop().unwrap().await.err().unwrap();
        assert!(refused.is(codes::UNAVAILABLE));
        assert!(readers.ask(asked("SELECT 1")).await.err().unwrap().is(codes::UNAVAILABLE));
    }
}
