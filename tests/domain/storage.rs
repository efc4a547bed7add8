//! The guarantees for every operation on both databases: atomic, once, in order, durable.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use futures::future::join_all;
use nil_core::auth::{Anyone, Principal};
use nil_core::error::codes;
use nil_core::kernel::Cents;
use nil_core::operation::Subject;
use nil_core::storage::{insert, sql, update};
use nil_core::{Cx, Done, Error, Result};
use nil_tests::database::{Database, scratch};
use nil_tests::{World, both};
use sqlx::Connection as _;

fn anyone() -> Anyone {
    Anyone(Principal::Anonymous)
}

fn subject(id: i64) -> Subject {
    Subject { kind: "test", id }
}

/// Writes two rows and an audit row; refuses a negative amount between the two.
async fn two_rows(cx: Cx<Anyone>, input: (String, i64)) -> Result<Done<i64>> {
    booked(cx, input, None).await
}

/// Writes two rows and an audit row, with a statement between the two rows that runs longer than a
/// caller's thread may be blocked.
async fn slow_rows(cx: Cx<Anyone>, input: (String, i64)) -> Result<Done<i64>> {
    let slow = "WITH RECURSIVE n(i) AS (SELECT CAST(1 AS BIGINT) UNION ALL \
        SELECT i + 1 FROM n WHERE i < 20000) SELECT COUNT(*) FROM n";
    booked(cx, input, Some(slow)).await
}

async fn booked(
    cx: Cx<Anyone>,
    (name, amount): (String, i64),
    between: Option<&'static str>,
) -> Result<Done<i64>> {
    let mut work = cx.begin().await?;
    let account = |suffix: &str, amount| {
        insert("ledger_account")
            .set("name", format!("{name}:{suffix}"))
            .set("balance_cents", Cents(amount))
    };
    work.run(account("left", amount)).await?;
    if amount < 0 {
        return Err(Error::invalid("amount", "is negative"));
    }
    if let Some(text) = between {
        work.value::<i64>(sql(text)).await?;
    }
    work.run(account("right", -amount)).await?;
    work.note(subject(amount), "booked");
    work.done(amount).await
}

/// The result of a call that is dropped after being polled this many times.
async fn given_up<T>(call: impl Future<Output = T>, times: u32) -> Option<T> {
    let mut call = pin!(call);
    let mut left = times;
    poll_fn(|context| match call.as_mut().poll(context) {
        Poll::Ready(answer) => Poll::Ready(Some(answer)),
        Poll::Pending if left == 0 => Poll::Ready(None),
        Poll::Pending => {
            left -= 1;
            Poll::Pending
        }
    })
    .await
}

/// Moves an amount between two accounts, in the order the caller names them.
async fn move_one(cx: Cx<Anyone>, input: (&'static str, &'static str)) -> Result<Done<()>> {
    let mut work = cx.begin().await?;
    for (name, change) in [(input.0, -1_i64), (input.1, 1)] {
        let statement = sql("UPDATE ledger_account SET balance_cents = balance_cents + $2 \
                             WHERE name = $1");
        work.change(statement.bind(name).bind(change)).await?;
    }
    work.done(()).await
}

async fn count(world: &nil_tests::World, text: &'static str) -> i64 {
    world.platform.db().read().await.unwrap().value(sql(text)).await.unwrap()
}

async fn a_refused_operation_leaves_nothing(world: World) {
    let refused = world.platform.call(anyone(), two_rows, ("a".into(), -1)).await;
    assert!(refused.unwrap_err().is(codes::VALIDATION_FAILED));
    assert_eq!(count(&world, "SELECT COUNT(*) FROM ledger_account").await, 0);
    assert_eq!(count(&world, "SELECT COUNT(*) FROM audit_entry").await, 0);
}
both!(a_refused_operation_leaves_nothing);

async fn one_that_fails_does_not_take_its_neighbours_along(world: World) {
    let calls = (0..64).map(|n| {
        // Every fourth breaks a primary key, every fifth is refused half-way.
        let name = if n % 4 == 0 { "same".into() } else { format!("account-{n}") };
        let amount = if n % 5 == 4 { -1 } else { n };
        world.platform.call(anyone(), two_rows, (name, amount))
    });
    let done = join_all(calls).await.iter().filter(|outcome| outcome.is_ok()).count();
    let done = i64::try_from(done).unwrap();
    assert!(done > 30, "{done}");
    assert_eq!(count(&world, "SELECT COUNT(*) FROM ledger_account").await, 2 * done);
    assert_eq!(count(&world, "SELECT COUNT(*) FROM audit_entry").await, done);
}
both!(one_that_fails_does_not_take_its_neighbours_along);

async fn dropped_calls_are_whole_or_never_happened(world: World) {
    let calls = (0..1_000_u32).map(|n| {
        let platform = world.platform.clone();
        tokio::spawn(async move {
            let name = format!("account-{n}");
            let call = async {
                match n % 10 {
                    0 => platform.call(anyone(), slow_rows, (name, 1)).await,
                    _ => platform.call(anyone(), two_rows, (name, 1)).await,
                }
            };
            given_up(call, n % 23).await.is_some_and(|outcome| outcome.is_ok())
        })
    });
    let told = join_all(calls).await.into_iter().filter(|done| *done.as_ref().unwrap()).count();
    assert!((1..1_000).contains(&told), "{told}: some are given up, some are not");
    // The writer still works, and started transactions have been rolled back or committed.
    world.platform.call(anyone(), two_rows, ("last".into(), 1)).await.unwrap();
    let accounts = count(&world, "SELECT COUNT(*) FROM ledger_account").await;
    let audited = count(&world, "SELECT COUNT(*) FROM audit_entry").await;
    assert_eq!(accounts, 2 * audited);
    assert!(audited > i64::try_from(told).unwrap());
}
both!(dropped_calls_are_whole_or_never_happened);

async fn opposite_updates_at_once_all_finish(world: World) {
    for name in ["a", "b"] {
        world.platform.call(anyone(), two_rows, (name.into(), 0)).await.unwrap();
    }
    let calls = (0..64).map(|n| {
        let platform = world.platform.clone();
        let pair = if n % 2 == 0 { ("a:left", "b:left") } else { ("b:left", "a:left") };
        tokio::spawn(async move { platform.call(anyone(), move_one, pair).await.map(|_| ()) })
    });
    let all = tokio::time::timeout(Duration::from_secs(50), join_all(calls)).await;
    let outcomes = all.expect("all finish");
    for outcome in outcomes {
        outcome.expect("no panic").expect("each succeeds in the end");
    }
    let sum = "SELECT CAST(SUM(balance_cents) AS BIGINT) FROM ledger_account";
    assert_eq!(count(&world, sum).await, 0);
}
both!(opposite_updates_at_once_all_finish);

async fn a_statement_that_fails_ends_the_transaction(world: World) {
    async fn goes_on(cx: Cx<Anyone>, _: ()) -> Result<Done<()>> {
        let mut work = cx.begin().await?;
        let row = || insert("ledger_account").set("name", "x").set("balance_cents", 0_i64);
        work.run(row()).await?;
        assert!(work.run(row()).await.is_err());
        assert!(work.run(sql("SELECT 1")).await.is_err(), "nothing more can be asked");
        work.done(()).await
    }
    assert!(world.platform.call(anyone(), goes_on, ()).await.is_err());
    assert_eq!(count(&world, "SELECT COUNT(*) FROM ledger_account").await, 0);
}
both!(a_statement_that_fails_ends_the_transaction);

async fn the_audit_trail_is_chained_and_shows_tampering(world: World) {
    for n in 0..5 {
        world.platform.call(anyone(), two_rows, (format!("n{n}"), n)).await.unwrap();
    }
    nil_core::worker::round(&world.platform).await.unwrap();
    let mut session = world.platform.db().read().await.unwrap();
    assert_eq!(
        nil_core::operation::chain::verify_chain(&mut session).await.unwrap().broken_at,
        None
    );
    drop(session);
    async fn tamper(cx: Cx<Anyone>, _: ()) -> Result<Done<()>> {
        let mut work = cx.begin().await?;
        work.run(sql("UPDATE audit_entry SET action = 'forged' WHERE subject_id = 2")).await?;
        work.done(()).await
    }
    world.platform.call(anyone(), tamper, ()).await.unwrap();
    let mut session = world.platform.db().read().await.unwrap();
    assert_eq!(
        nil_core::operation::chain::verify_chain(&mut session).await.unwrap().broken_at,
        Some(3)
    );
}
both!(the_audit_trail_is_chained_and_shows_tampering);

/// What a suite creates is removed with it, so that repeated runs leave nothing behind.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_test_leaves_no_database_and_no_folder_postgres() {
    let folder = scratch();
    let path = folder.path().to_path_buf();
    assert!(path.is_dir());
    drop(folder);
    assert!(!path.exists());
    let database = Database::create().await;
    let url = database.url.clone();
    // An open connection does not keep it.
    let mut open = sqlx::PgConnection::connect(&url).await.unwrap();
    sqlx::raw_sql("CREATE TABLE t (id BIGINT)").execute(&mut open).await.unwrap();
    drop(database);
    let gone = sqlx::PgConnection::connect(&url).await.unwrap_err();
    assert!(gone.to_string().contains("does not exist"), "{gone}");
}

async fn many_notes(cx: Cx<Anyone>, count: i64) -> Result<Done<i64>> {
    let mut work = cx.begin().await?;
    for id in 0..count {
        work.note(subject(id), "noted");
    }
    work.done(count).await
}

/// A bulk payment of 1,000 lines that completes their contracts leaves three rows for each line.
async fn one_operation_leaves_any_number_of_audit_rows(world: World) {
    world.platform.call(anyone(), many_notes, 7_000).await.unwrap();
    assert_eq!(world.id("SELECT COUNT(*) FROM audit_entry WHERE action = 'noted'").await, 7_000);
}
both!(one_operation_leaves_any_number_of_audit_rows);

/// Adds an account of the ledger to what waits, changes another one later, and asks how many there
/// are.
async fn written_later(cx: Cx<Anyone>, (name, other): (String, String)) -> Result<Done<i64>> {
    let mut work = cx.begin().await?;
    let account =
        |name: &str| insert("ledger_account").set("name", name).set("balance_cents", 1_i64);
    work.add_later(account(&name)).await?;
    work.add_later(account(&format!("{name}, too"))).await?;
    let change = update("ledger_account").add("balance_cents", 5_i64).when("name", other);
    work.change_later(change).await?;
    let seen = sql("SELECT CAST(COALESCE(SUM(balance_cents), 0) AS BIGINT) FROM ledger_account \
         WHERE name LIKE $1");
    let seen: i64 = work.value(seen.bind("later%")).await?;
    work.note(subject(1), "counted");
    work.done(seen).await
}

async fn writes_that_wait_are_there_for_whatever_is_asked_next(world: World) {
    let input = |name: &str, other: &str| (name.to_owned(), other.to_owned());
    // The second write to the table waits for the first one, so it finds its row.
    let seen = world.platform.call(anyone(), written_later, input("later", "later")).await;
    assert_eq!(*seen.unwrap(), 7);
    let rows = "SELECT COUNT(*) FROM ledger_account WHERE name LIKE 'later%'";
    assert_eq!(world.id(rows).await, 2);
    // A change of nothing takes everything else with it.
    let refused = world.platform.call(anyone(), written_later, input("later 2", "nobody")).await;
    assert!(refused.unwrap_err().is(codes::STATE_CHANGED));
    assert_eq!(world.id(rows).await, 2);
    assert_eq!(world.id("SELECT COUNT(*) FROM audit_entry WHERE action = 'counted'").await, 1);
}
both!(writes_that_wait_are_there_for_whatever_is_asked_next);
