//! PostgreSQL, its own address beside a pool, and a replica.

use std::time::{Duration, Instant};

use nil_core::storage::sql;
use nil_tests::{Bouncer, Engine, Gate, Listening, Streaming, World, trust};
use serde_json::{Value, json};

use super::{BOTH, Silence, falls, until};
use crate::nil::Nil;
use crate::served::{SOON, Served};

/// How long an answer may take while the database says nothing: five seconds, on a busy machine.
const WITHIN: Duration = Duration::from_secs(9);
const WAITED: &str = "nil_database_wait_seconds_sum";

/// The same for a statement that was under way: five more, in which nobody greets.
const UNDER_WAY_WITHIN: Duration = Duration::from_secs(20);

/// The status, the code and the time of an answer.
async fn answer(request: reqwest::RequestBuilder) -> (u16, Value, Duration) {
    let begun = Instant::now();
    let answer = request.send().await.unwrap();
    let status = answer.status().as_u16();
    let body: Value = answer.json().await.unwrap();
    (status, body["code"].clone(), begun.elapsed())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_the_database_requests_are_refused_in_time_postgres() {
    let world = World::in_real_time(Engine::Postgres).await;
    let brand = world.partner("Cedar Coffee").await;
    let [(_, address), ..] = world.environment();
    let (gate, through) = Gate::before_postgres(&address);
    let nil = Nil::beside(&world).with("NIL_DATABASE", &through);
    let served = Served::start(&nil, &[]);
    let token = brand.token.as_deref().expect("a token");
    let start = json!({ "email": "dana@nowhere.example", "return_to": "pages" });
    for silence in BOTH {
        assert_eq!(nil.doctor("database").0, "good");
        let read = served.figure(WAITED, &["for=\"read\""]).await;
        falls(&gate, silence).await;
        let office = format!("{}/api/compliance/sign-on/start", served.back_office);
        let asked = [served.post("/api/me", token), served.client.post(office).json(&start)];
        for request in asked {
            let (status, code, took) = answer(request).await;
            assert_eq!((status, code), (503, json!("unavailable")), "{silence:?}");
            assert!(took < WITHIN, "{silence:?}: {took:?}");
        }
        for base in [&served.core, &served.back_office] {
            let ready = served.client.get(format!("{base}/readyz")).send().await.unwrap();
            assert_eq!(ready.status(), 503);
        }
        // Who waited in vain counts too.
        served.above(WAITED, &["for=\"read\""], read + 4.0).await;
        let (state, says) = nil.doctor("database");
        assert_eq!(state, "bad", "{says}");
        gate.open().await;
        until(&served, "/api/me", token, 200).await;
        for base in [&served.core, &served.back_office] {
            let ready = served.client.get(format!("{base}/readyz")).send().await.unwrap();
            assert_eq!(ready.status(), 200);
        }
    }
    trust::tried("R8", "outages", BOTH.len());
}

/// Whether somebody waits for a lock in this database.
async fn is_locked_out(world: &World) -> bool {
    const WAITS: &str = "SELECT COUNT(*) FROM pg_stat_activity \
        WHERE datname = current_database() AND wait_event_type = 'Lock'";
    let mut session = world.platform.db().read().await.unwrap();
    session.value::<i64>(sql(WAITS)).await.unwrap() > 0
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_under_way_when_the_database_falls_silent_is_refused_in_time_postgres() {
    let world = World::in_real_time(Engine::Postgres).await;
    let brand = world.partner("Cedar Coffee").await;
    let [(_, address), ..] = world.environment();
    let (gate, through) = Gate::before_postgres(&address);
    // Two connections, so that one that stays taken would be missed.
    let nil =
        Nil::beside(&world).with("NIL_DATABASE", &through).with("NIL_DATABASE_CONNECTIONS", "2");
    let served = Served::start(&nil, &[]);
    let token = brand.token.as_deref().expect("a token");
    let mut held = world.platform.db().begin().await.unwrap();
    held.run(sql("LOCK TABLE app_user IN ACCESS EXCLUSIVE MODE")).await.unwrap();
    let silent = async {
        served.until("somebody waits", async || is_locked_out(&world).await).await;
        gate.silent().await;
        Instant::now()
    };
    let asked = answer(served.post("/api/me", token));
    let ((status, code, _), since) = tokio::join!(asked, silent);
    assert_eq!((status, code), (503, json!("unavailable")));
    assert!(since.elapsed() < UNDER_WAY_WITHIN, "{:?}", since.elapsed());
    drop(held);
    gate.open().await;
    until(&served, "/api/me", token, 200).await;
    let both = tokio::join!(served.status("/api/me", token), served.status("/api/me", token));
    assert_eq!(both, (200, 200));
    trust::tried("R8", "outages", 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_the_databases_own_address_requests_go_on_postgres() {
    let world = World::in_real_time(Engine::Postgres).await;
    let brand = world.partner("Cedar Coffee").await;
    nil_core::worker::round(&world.platform).await.unwrap();
    let [(_, address), ..] = world.environment();
    let bouncer = Bouncer::start(&address, "transaction", 6);
    let (gate, own) = Gate::before_postgres(&address);
    let nil =
        Nil::beside(&world).with("NIL_DATABASE", &bouncer.url).with("NIL_DATABASE_DIRECT", &own);
    let served = Served::start(&nil, &[]);
    let token = brand.token.as_deref().expect("a token");
    let events = served.client.get(format!("{}/api/events", served.core)).bearer_auth(token);
    let mut stream = Listening::by(events).await;
    for silence in BOTH {
        falls(&gate, silence).await;
        world.tell(&brand, &format!("{silence:?}")).await;
        nil_core::worker::round(&world.platform).await.unwrap();
        for _ in 0..20 {
            assert_eq!(served.status("/api/me", token).await, 200);
        }
        // The next heartbeat brings it.
        let heard = stream.next().await;
        assert!(heard.data.to_string().contains(&format!("{silence:?}")), "{heard:?}");
        for command in [&["verify"][..], &["migrate"], &["serve", "--core", "127.0.0.1:0"]] {
            let refused = nil.run(command);
            let told = refused.stderr.contains("error: unavailable: ");
            assert!(refused.code == 1 && told, "{command:?}: {refused:?}");
        }
        assert_eq!(nil.doctor("database").0, "bad");
        gate.open().await;
        nil.run(&["verify"]).good();
        // Sooner than with a heartbeat: it listens again.
        let deadline = Instant::now() + SOON;
        loop {
            assert!(Instant::now() < deadline, "it does not listen again");
            world.tell(&brand, "Again").await;
            nil_core::worker::round(&world.platform).await.unwrap();
            let begun = Instant::now();
            stream.next().await;
            if begun.elapsed() < Duration::from_secs(3) {
                break;
            }
        }
    }
}

/// Whether the search was answered by the replica, and how long it took.
async fn searched(served: &Served) -> (bool, Duration) {
    let begun = Instant::now();
    let got = served.post("/api/brand-directory", "").json(&json!({})).send().await.unwrap();
    assert_eq!(got.status(), 200);
    (got.headers().contains_key("nil-data-age"), begun.elapsed())
}

/// Searches until the replica answers, or does not.
async fn until_behind(served: &Served, is_behind: bool) {
    let what = format!("an answer of the replica: {is_behind}");
    served.until(&what, async || searched(served).await.0 == is_behind).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_the_replica_all_is_read_from_the_primary_postgres() {
    const AGE: &str = "nil_replica_age_seconds";
    const READS: &str = "nil_replica_reads_total";
    let streaming = Streaming::start().await;
    let (gate, replica) = Gate::before_postgres(&streaming.replica());
    let nil = Nil::alone()
        .with("NIL_DATABASE", &streaming.primary())
        .with("NIL_DATABASE_REPLICA", &replica)
        .with("NIL_THROTTLE_PUBLIC", "1000000");
    let served = Served::start(&nil, &[]);
    for silence in BOTH {
        until_behind(&served, true).await;
        assert!(served.figure(READS, &["answer=\"replica\""]).await > 0.0);
        assert_eq!(nil.doctor("replica").0, "good");
        let read = served.figure(READS, &["answer=\"primary\""]).await;
        falls(&gate, silence).await;
        for _ in 0..20 {
            let (_, took) = searched(&served).await;
            assert!(took < Duration::from_secs(5), "{silence:?}: {took:?}");
        }
        until_behind(&served, false).await;
        served.above(READS, &["answer=\"primary\""], read).await;
        served.above(AGE, &[], 3.0).await;
        let (state, says) = nil.doctor("replica");
        assert_eq!(state, "warning", "{says}");
        if silence == Silence::Refuses {
            assert!(served.log().contains("the replica is not used"), "{}", served.log());
        }
        gate.open().await;
    }
    until_behind(&served, true).await;
}
