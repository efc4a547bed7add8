//! A PostgreSQL that says nothing and closes nothing: a statement under way gets its answer in
//! time, and its connection goes to nobody else.

use std::time::{Duration, Instant};

use nil_core::error::Kind;
use nil_core::storage::{Db, Location, Pooling, sql};
use nil_tests::{Bouncer, Engine, Gate, World, trust};
use sqlx::{Connection as _, PgConnection};

/// Five seconds until somebody looks, five until nobody has answered, on a busy machine.
const WITHIN: Duration = Duration::from_secs(20);

const ASLEEP: &str = "SELECT pid FROM pg_stat_activity \
    WHERE datname = current_database() AND query LIKE '%pg_sleep(3600)%' AND pid <> pg_backend_pid()";

async fn beside(world: &World) -> PgConnection {
    let [(_, address), ..] = world.environment();
    PgConnection::connect(&address).await.unwrap()
}

async fn through(address: &str, pooling: Pooling) -> Db {
    let location: Location = address.parse().unwrap();
    Db::open_with(&location, &Pooling { connections: 2, ..pooling }).await.unwrap()
}

/// Waits until this many statements sleep, and returns the processes.
async fn asleep(beside: &mut PgConnection, count: usize) -> Vec<i32> {
    let deadline = Instant::now() + Duration::from_mins(1);
    loop {
        let pids: Vec<i32> = sqlx::query_scalar(ASLEEP).fetch_all(&mut *beside).await.unwrap();
        if pids.len() == count {
            return pids;
        }
        assert!(Instant::now() < deadline, "{pids:?} instead of {count}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// A statement that does not end by itself; how it ended, and when.
async fn sleeps(db: &Db, in_transaction: bool) -> (Kind, Duration) {
    let begun = Instant::now();
    let mut session = if in_transaction { db.begin().await } else { db.read().await }.unwrap();
    let error = session.run(sql("SELECT pg_sleep(3600)")).await.unwrap_err();
    assert!(session.commit().await.is_err(), "nothing to commit");
    (error.kind(), begun.elapsed())
}

async fn answers(db: &Db) -> bool {
    let Ok(mut session) = db.begin().await else { return false };
    session.value::<i64>(sql("SELECT CAST(1 AS BIGINT)")).await.is_ok()
        && session.commit().await.is_ok()
}

/// Both connections of the pool are in a statement when the line falls silent.
async fn given_up(world: &World, db: &Db, gate: &Gate) {
    let mut beside = beside(world).await;
    let silent = async {
        asleep(&mut beside, 2).await;
        gate.silent().await;
        Instant::now()
    };
    let (read, written, since) = tokio::join!(sleeps(db, false), sleeps(db, true), silent);
    assert!(since.elapsed() < WITHIN, "{:?}", since.elapsed());
    assert_eq!((read.0, written.0), (Kind::Unavailable, Kind::Unavailable));
    gate.open().await;
    // The connections went to nobody else: both places of the pool are free at once.
    assert!(tokio::join!(answers(db), answers(db)) == (true, true));
    // And the server stops what nobody waits for.
    asleep(&mut beside, 0).await;
    trust::tried("R8", "outages", 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_statement_under_way_is_given_up_postgres() {
    let world = World::on(Engine::Postgres).await;
    let [(_, address), ..] = world.environment();
    let (gate, address) = Gate::before_postgres(&address);
    let db = through(&address, Pooling::default()).await;
    given_up(&world, &db, &gate).await;
    db.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_statement_under_way_through_a_pool_is_given_up_postgres() {
    let world = World::on(Engine::Postgres).await;
    let [(_, address), ..] = world.environment();
    let bouncer = Bouncer::start(&address, "transaction", 6);
    let gate = Gate::before(&bouncer.url);
    let direct = Some(address.parse().unwrap());
    let db = through(&gate.at(&bouncer.url), Pooling { direct, ..Pooling::default() }).await;
    given_up(&world, &db, &gate).await;
    db.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_goes_away_leaves_no_transaction_and_no_statement_postgres() {
    let world = World::on(Engine::Postgres).await;
    let [(_, address), ..] = world.environment();
    let db = through(&address, Pooling::default()).await;
    let mut beside = beside(&world).await;
    for in_transaction in [false, true] {
        let leaving = [sleeps(&db, in_transaction), sleeps(&db, in_transaction)];
        tokio::select! {
            ended = futures::future::join_all(leaving) => panic!("{ended:?}"),
            processes = asleep(&mut beside, 2) => assert_eq!(processes.len(), 2),
        }
        // Both places are free before the server has noticed.
        assert!(tokio::join!(answers(&db), answers(&db)) == (true, true), "{in_transaction}");
        asleep(&mut beside, 0).await;
    }
    // A transaction that somebody left between two statements.
    let mut left = db.begin().await.unwrap();
    left.run(sql("LOCK TABLE college IN ACCESS EXCLUSIVE MODE")).await.unwrap();
    drop(left);
    let mut next = db.read().await.unwrap();
    let colleges: i64 = next.value(sql("SELECT COUNT(*) FROM college")).await.unwrap();
    assert!(colleges >= 0);
    drop(next);
    db.close().await;
}
