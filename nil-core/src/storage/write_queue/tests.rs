//! The guarantees for a writer, whatever other writers do.

use std::pin::Pin;
use std::task::{Context, Waker};

use super::super::embedded::asking::{ENDLESS, asked, number};
use super::*;

const COUNT: &str = "SELECT COUNT(*) FROM t";
const ADD: &str = "INSERT INTO t VALUES (x'00')";
const FILL: &str = "INSERT INTO t VALUES (zeroblob(1000000))";
const HEAVY: &str = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 20000) \
    INSERT INTO t SELECT x'01' FROM n";

async fn counted(write_queue: &WriteQueue) -> i64 {
    number(write_queue.turn().await.unwrap().ask(asked(COUNT)).await.unwrap().1)
}

/// A turn that has added a row.
async fn added(write_queue: &WriteQueue) -> Turn {
    write_queue.turn().await.unwrap().ask(asked(ADD)).await.unwrap().0
}

fn is_waiting<T>(future: &mut Pin<Box<impl Future<Output = T>>>) -> bool {
    future.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending()
}

/// A writer in the open batch that has added a row and waits for the disk.
async fn neighbour(write_queue: &WriteQueue) -> Pin<Box<impl Future<Output = Result<()>>>> {
    let mut commit = Box::pin(added(write_queue).await.commit());
    assert!(is_waiting(&mut commit));
    commit
}

fn file(before: &str) -> (tempfile::TempDir, PathBuf, WriteQueue) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("queue.db");
    let writer = Embedded::writer(&path).unwrap();
    writer.script(before).unwrap();
    (folder, path.clone(), WriteQueue::new(writer, path))
}

#[tokio::test]
async fn a_turn_that_is_given_up_keeps_no_other_process_out() {
    let (_folder, path, write_queue) = file("CREATE TABLE t (b BLOB)");
    drop(write_queue.turn().await.unwrap());
    // Another process knows only the file.
    let other = Embedded::writer(&path).unwrap();
    let begun = spawn_blocking(move || other.waiting(|other| other.say("BEGIN IMMEDIATE; COMMIT")));
    begun.await.unwrap().unwrap();
    write_queue.stop().await;
}

#[tokio::test]
async fn another_process_that_writes_is_waited_for_and_keeps_no_reader_out() {
    let (_folder, path, write_queue) = file("CREATE TABLE t (b BLOB)");
    let other = Embedded::writer(&path).unwrap();
    other.say("BEGIN IMMEDIATE").unwrap();
    other.script(ADD).unwrap();
    let mut turn = Box::pin(write_queue.turn());
    assert!(is_waiting(&mut turn));
    let readers = super::super::readers::Readers::new(path);
    assert_eq!(number(readers.ask(asked(COUNT)).await.unwrap()), 0);
    other.say("COMMIT").unwrap();
    let (turn, answer) = turn.await.unwrap().ask(asked(COUNT)).await.unwrap();
    assert_eq!(number(answer), 1);
    turn.commit().await.unwrap();
}

#[tokio::test]
async fn a_full_disk_undoes_the_batch_and_tells_everybody_in_it() {
    let (_folder, _, write_queue) = file("CREATE TABLE t (b BLOB); PRAGMA max_page_count = 100");
    let neighbour = neighbour(&write_queue).await;
    let full = write_queue.turn().await.unwrap().ask(asked(FILL)).await.err().unwrap();
    assert!(full.is(codes::STORAGE_FULL), "{full:?}");
    // Whether SQLite has undone only the statement or everything, the answer must match.
    let told = i64::from(neighbour.await.is_ok());
    assert_eq!(counted(&write_queue).await, told);
    added(&write_queue).await.commit().await.unwrap();
    assert_eq!(counted(&write_queue).await, told + 1);
}

/// On one thread: a reader answers while the writer writes for long. The writer's thread may be
/// done before this one looks, so several tries are allowed; a statement that runs in place is
/// always done.
#[tokio::test]
async fn what_writes_for_long_keeps_no_reader_out() {
    let (_folder, path, write_queue) = file("CREATE TABLE t (b BLOB)");
    let readers = super::super::readers::Readers::new(path);
    let (turn, _) = write_queue.turn().await.unwrap().ask(asked(HEAVY)).await.unwrap();
    turn.commit().await.unwrap();
    for _ in 0..50 {
        let mut heavy = Box::pin(write_queue.turn().await.unwrap().ask(asked(HEAVY)));
        if !is_waiting(&mut heavy) {
            // It is undone together with its turn.
            continue;
        }
        assert_eq!(number(readers.ask(asked(COUNT)).await.unwrap()), 20_000);
        heavy.await.unwrap().0.commit().await.unwrap();
        assert_eq!(counted(&write_queue).await, 40_000);
        return;
    }
    panic!("a long statement of the writer blocks its caller's thread");
}

#[tokio::test]
async fn a_turn_whose_batch_is_gone_goes_no_further() {
    let (_folder, _, write_queue) = file("CREATE TABLE t (b BLOB)");
    let neighbour = neighbour(&write_queue).await;
    let turn = added(&write_queue).await;
    // SQLite does this by itself if it cannot undo a single statement.
    let gone = turn.ask(asked("ROLLBACK")).await.err().unwrap();
    assert!(gone.is(codes::AGAIN), "{gone:?}");
    let told = neighbour.await.unwrap_err();
    assert!(told.is(codes::AGAIN), "{told:?}");
    assert_eq!(counted(&write_queue).await, 0);
}

#[tokio::test]
async fn a_statement_without_end_goes_with_its_caller_and_leaves_the_neighbours() {
    let (_folder, _, write_queue) = file("CREATE TABLE t (b BLOB)");
    let neighbour = neighbour(&write_queue).await;
    let turn = added(&write_queue).await;
    let mut endless = Box::pin(turn.ask(asked(ENDLESS)));
    assert!(is_waiting(&mut endless));
    drop(endless);
    neighbour.await.unwrap();
    assert_eq!(counted(&write_queue).await, 1);
}
