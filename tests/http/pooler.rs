//! Servers behind `PgBouncer` in transaction mode, with PostgreSQL's own address beside it.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use nil_core::payments;
use nil_core::storage::{Db, Location, Pooling, sql};
use nil_tests::database::Database;
use nil_tests::door::HttpDoor;
use nil_tests::story::{Caller, Door};
use nil_tests::{Bouncer, Engine, Frontend, Listening, Server, World, story};
use serde_json::Value;
use tokio::time::timeout;

/// Fewer sessions than one server has connections.
const SESSIONS: u32 = 6;

fn address(world: &World) -> String {
    let [(_, address), ..] = world.environment();
    address
}

fn location(url: &str) -> Location {
    url.parse().expect("an address")
}

/// How a database with its own address is reached.
fn beside(direct: &str) -> Pooling {
    Pooling { direct: Some(location(direct)), ..Pooling::default() }
}

/// A world whose platform reaches its database through the pool.
async fn behind(bouncer: impl Fn(&str) -> Bouncer, real_time: bool) -> (World, Bouncer) {
    let mut world = match real_time {
        true => World::in_real_time(Engine::Postgres).await,
        false => World::on(Engine::Postgres).await,
    };
    let direct = address(&world);
    let bouncer = bouncer(&direct);
    world
        .reopen(|config| {
            config.database = location(&bouncer.url);
            config.pooling = beside(&direct);
            // The sandbox of the suites has the database open without the pool.
            config.processor = None;
            // Nothing but a message wakes a stream.
            config.heartbeat = Duration::from_mins(10);
        })
        .await;
    (world, bouncer)
}

fn in_transaction_mode(direct: &str) -> Bouncer {
    Bouncer::start(direct, "transaction", SESSIONS)
}

/// Two servers, called in turn.
struct Both([HttpDoor; 2], AtomicUsize);

impl Door for Both {
    async fn call(&self, operation: &str, caller: &Caller, input: Value) -> Value {
        let turn = self.1.fetch_add(1, Ordering::Relaxed) % 2;
        self.0[turn].call(operation, caller, input).await
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_servers_play_the_story_postgres() {
    let (world, _bouncer) = behind(in_transaction_mode, true).await;
    world.chief_operator().await;
    let platform = world.platform.clone();
    let today = platform.now().date_naive();
    let other = HttpDoor::new(Server::start(world.replica().await, Frontend::Poem).await);
    let door = HttpDoor::new(Server::start(world, Frontend::Warp).await);
    let both = Both([door, other], AtomicUsize::new(0));
    let transcript = story::play(&both, &platform, today).await;
    insta::with_settings!({ snapshot_path => "../story", prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!("deal", transcript);
    });
    let report = payments::verify(&platform).await.expect("a report");
    assert!(report.sound(), "{:#?}", report.problems());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_one_server_says_is_heard_at_the_other_postgres() {
    let (world, _bouncer) = behind(in_transaction_mode, false).await;
    let brand = world.partner("Northfield").await;
    // What greets the brand is not news.
    nil_core::worker::round(&world.platform).await.expect("a round");
    let other = Server::start(world.replica().await, Frontend::Warp).await;
    let server = Server::start(world, Frontend::Warp).await;
    let (mut stream, _) = Listening::to(&other, &brand, None).await;
    for number in 0..5 {
        server.tell(&brand, &format!("News {number}")).await;
        let heard = timeout(Duration::from_mins(1), stream.next()).await.expect("it is heard");
        assert!(heard.data.to_string().contains(&format!("News {number}")), "{heard:?}");
    }
}

async fn lock_timeout(db: &Db) -> String {
    let asked = sql("SELECT current_setting('lock_timeout')");
    db.read().await.expect("a connection").value(asked).await.expect("a setting")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn limits_hold_for_a_transaction_and_no_longer_postgres() {
    // One session, which everybody has in turn.
    let one = |direct: &str| Bouncer::start(direct, "transaction", 1);
    let (world, bouncer) = behind(one, false).await;
    let db = world.platform.db();
    let other = sqlx::PgPool::connect_lazy_with(
        bouncer
            .url
            .parse::<sqlx::postgres::PgConnectOptions>()
            .expect("options")
            .extra_float_digits(None),
    );
    for _ in 0..3 {
        assert_eq!(lock_timeout(db).await, "10s");
        let mut transaction = db.begin().await.expect("a transaction");
        let asked = sql("SELECT current_setting('lock_timeout')");
        assert_eq!(transaction.value::<String>(asked).await.expect("a setting"), "10s");
        transaction.commit().await.expect("a commit");
        use sqlx::Row as _;
        let row = sqlx::raw_sql("SHOW lock_timeout").fetch_one(&other).await.expect("a row");
        assert_eq!(row.get::<String, _>(0), "0", "another client of the pool");
    }
    other.close().await;
    // What the address of PostgreSQL itself says holds for both.
    let mut said = beside(&format!("{}&options=-c%20lock_timeout%3D2s", address_of(db, &world)));
    for named in [false, true] {
        // PostgreSQL itself knows the statements of its clients, as newer pools do.
        said.keeps_statements = named;
        let through = if named { address_of(db, &world) } else { bouncer.url.clone() };
        let limited = Db::open_with(&location(&through), &said).await.expect("it opens");
        for _ in 0..3 {
            assert_eq!(lock_timeout(&limited).await, "2s");
        }
        limited.close().await;
    }
}

/// PostgreSQL's own address.
fn address_of(_: &Db, world: &World) -> String {
    match &world.platform.config().pooling.direct {
        Some(Location::Postgres(url)) => url.clone(),
        other => panic!("no address: {other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reader_who_goes_away_leaves_the_connection_usable_postgres() {
    let one = |direct: &str| Bouncer::start(direct, "transaction", 1);
    let (world, _bouncer) = behind(one, false).await;
    let db = world.platform.db();
    for pause in 0..40 {
        let reading = async {
            let mut session = db.read().await.expect("a connection");
            session.value::<String>(sql("SELECT pg_sleep(0.02)::text")).await
        };
        // At every stage of the statement.
        let _ = timeout(Duration::from_millis(pause), reading).await;
        assert_eq!(lock_timeout(db).await, "10s", "after {pause} ms");
    }
}

async fn refused(pool: &str, pooling: Pooling) -> String {
    let error = Db::open_with(&location(pool), &pooling).await.expect_err("it is refused");
    assert_eq!(error.code(), "unavailable");
    error.message().to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn wrong_addresses_are_refused_with_what_is_wrong_postgres() {
    let (database, other) = (Database::create().await, Database::create().await);
    let bouncer = in_transaction_mode(&database.url);
    let why = refused(&bouncer.url, beside(&bouncer.url)).await;
    assert!(why.contains("database_direct") || why.contains("cannot be opened"), "{why}");
    let why = refused(&bouncer.url, beside(&other.url)).await;
    assert!(why.contains("leads to another database"), "{why}");
    let with_options = format!("{}?options=-c%20lock_timeout%3D2s", bouncer.url);
    let why = refused(&with_options, beside(&database.url)).await;
    assert!(why.contains("`options`"), "{why}");
    let by_statement = Bouncer::start(&database.url, "statement", SESSIONS);
    let why = refused(&by_statement.url, beside(&database.url)).await;
    assert!(why.contains("pool_mode = transaction"), "{why}");
    let why = refused(&bouncer.url, beside("sqlite:nil.db")).await;
    assert!(why.contains("no address of PostgreSQL"), "{why}");
}
