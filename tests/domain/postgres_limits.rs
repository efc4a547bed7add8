//! Effects of the databases' locks, limits and outages on callers, and the exemptions.

use nil_core::error::Kind;
use nil_core::payments;
use nil_core::storage::{self, Db, Location, sql};
use nil_tests::{Engine, World};
use sqlx::migrate::Migrate as _;
use sqlx::{AssertSqlSafe, Connection as _, PgConnection};

fn address(world: &World) -> String {
    let [(_, address), ..] = world.environment();
    address
}

/// Opens the world's database, with these settings for every session.
async fn limited(world: &World, options: &str) -> Db {
    let mut address = address(world);
    address.push(if address.contains('?') { '&' } else { '?' });
    address.push_str("options=");
    address.push_str(&options.replace(' ', "%20").replace('=', "%3D"));
    let location: Location = address.parse().unwrap();
    Db::open(&location).await.unwrap()
}

async fn beside(world: &World) -> PgConnection {
    PgConnection::connect(&address(world)).await.unwrap()
}

async fn run(on: &mut PgConnection, text: String) {
    sqlx::raw_sql(AssertSqlSafe(text)).execute(on).await.unwrap();
}

/// The error of a statement on a separate connection.
async fn refused(db: &Db, statement: &'static str) -> Kind {
    let mut session = db.read().await.unwrap();
    session.run(sql(statement)).await.unwrap_err().kind()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_row_that_stays_locked_is_tried_again() {
    let world = World::on(Engine::Postgres).await;
    let db = limited(&world, "-c lock_timeout=50ms").await;
    let mut holder = beside(&world).await;
    run(&mut holder, "BEGIN; LOCK TABLE college IN ACCESS EXCLUSIVE MODE".into()).await;
    assert_eq!(refused(&db, "SELECT id FROM college").await, Kind::Again);
    db.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_takes_too_long_is_not_our_fault() {
    let world = World::on(Engine::Postgres).await;
    let db = limited(&world, "-c statement_timeout=50ms").await;
    assert_eq!(refused(&db, "SELECT pg_sleep(30)").await, Kind::Unavailable);
    db.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_standby_is_unavailable() {
    let world = World::on(Engine::Postgres).await;
    let db = limited(&world, "-c default_transaction_read_only=on").await;
    assert_eq!(refused(&db, "DELETE FROM idempotency").await, Kind::Unavailable);
    db.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_the_server_has_ended_is_unavailable() {
    let world = World::on(Engine::Postgres).await;
    let mut other = beside(&world).await;
    let idle = "-c idle_in_transaction_session_timeout=50ms";
    for (options, end) in [(idle, None), ("-c lock_timeout=1s", Some("pg_terminate_backend"))] {
        let db = limited(&world, options).await;
        let mut session = db.read().await.unwrap();
        session.run(sql("BEGIN")).await.unwrap();
        let process: i32 = session.value(sql("SELECT pg_backend_pid()")).await.unwrap();
        if let Some(end) = end {
            run(&mut other, format!("SELECT {end}({process})")).await;
        }
        let there = "SELECT COUNT(*) FROM pg_stat_activity WHERE pid = $1";
        while sqlx::query_scalar::<_, i64>(there).bind(process).fetch_one(&mut other).await.unwrap()
            > 0
        {
            tokio::task::yield_now().await;
        }
        let error = session.run(sql("SELECT 1")).await.unwrap_err();
        assert_eq!(error.kind(), Kind::Unavailable, "{options}: {error:?}");
        drop(session);
        db.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_only_the_server_can_cause_is_unavailable() {
    let world = World::on(Engine::Postgres).await;
    let db = world.platform.db();
    for raised in [
        "DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '53200'; END $$",
        "DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '53300'; END $$",
        "DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '57P02'; END $$",
        "DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '57P03'; END $$",
        "DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '08006'; END $$",
        "DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '08003'; END $$",
    ] {
        assert_eq!(refused(db, raised).await, Kind::Unavailable, "{raised}");
    }
    let broken = "DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '22012'; END $$";
    assert_eq!(refused(db, broken).await, Kind::Internal, "everything else is our fault");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_waits_for_the_migration_of_another_one() {
    let world = World::on(Engine::Postgres).await;
    let limits = "-c lock_timeout=50ms -c statement_timeout=100ms";
    let db = limited(&world, limits).await;
    let mut first = beside(&world).await;
    first.lock().await.unwrap();
    let held = async {
        let waits = "SELECT COUNT(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted \
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
        while sqlx::query_scalar::<_, i64>(waits).fetch_one(&mut first).await.unwrap() == 0 {
            tokio::task::yield_now().await;
        }
        // Longer than both limits.
        run(&mut first, "SELECT pg_sleep(0.3)".into()).await;
        first.unlock().await.unwrap();
        Ok(())
    };
    tokio::try_join!(storage::migrate(&db), held).unwrap();
    db.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_books_of_sqlite_are_looked_at_while_somebody_writes() {
    let world = World::on(Engine::Sqlite).await;
    let writer = rusqlite::Connection::open(address(&world).trim_start_matches("sqlite:")).unwrap();
    writer.execute_batch("BEGIN IMMEDIATE; DELETE FROM idempotency").unwrap();
    let report = payments::verify(&world.platform).await.unwrap();
    assert!(report.sound(), "{:#?}", report.problems());
}
