//! Searches that are read from a streaming replica of PostgreSQL.

use std::time::{Duration, Instant};

use nil_core::checkup::{self, State};
use nil_core::storage::{Pooling, ReplicaAt};
use nil_tests::{Frontend, Got, PASSWORD, Person, Server, Streaming, World};
use reqwest::Method;
use serde_json::{Value, json};

const SOON: Duration = Duration::from_mins(1);
const BOUND: Duration = Duration::from_secs(4);
/// Longer than any test.
const FOR_LONG: Duration = Duration::from_mins(10);

fn pooling(replica: &str, lag: Duration) -> Pooling {
    let location = replica.parse().expect("an address");
    Pooling { replica: Some(ReplicaAt { location, lag }), ..Pooling::default() }
}

async fn world(streaming: &Streaming, replica: &str, lag: Duration) -> World {
    World::at(&streaming.primary(), |config| {
        config.pooling = pooling(replica, lag);
        config.throttle.off = true;
    })
    .await
}

/// A server on a primary whose replica may be so far behind.
async fn server(streaming: &Streaming, lag: Duration) -> Server {
    let world = world(streaming, &streaming.replica(), lag).await;
    Server::start(world, Frontend::Warp).await
}

/// The brands that anybody finds.
async fn brands(server: &Server) -> Got {
    let got = server.post("/api/brand-directory", &json!({})).await;
    assert_eq!(got.status, 200, "{:#}", got.json());
    got
}

fn names(got: &Got) -> Vec<String> {
    let found = got.json()["data"].as_array().expect("a list").clone();
    found.iter().filter_map(|brand| brand["company_name"].as_str().map(str::to_owned)).collect()
}

/// Whether it was read from the replica.
fn is_behind(got: &Got) -> bool {
    !got.header("nil-data-age").is_empty()
}

/// Asks until the answer is such.
async fn until(server: &Server, such: impl Fn(&Got) -> bool) -> Got {
    let deadline = Instant::now() + SOON;
    loop {
        let got = brands(server).await;
        if such(&got) {
            return got;
        }
        assert!(Instant::now() < deadline, "{:?} {:#}", got.headers, got.json());
    }
}

async fn token(server: &Server, person: &Person) -> String {
    let input = json!({ "email": person.email, "password": PASSWORD });
    let answer = server.post("/api/login", &input).await;
    answer.json()["access_token"].as_str().expect("a token").to_owned()
}

async fn asked(server: &Server, token: &str, path: &str, input: &Value) -> Got {
    server.send(server.request(Method::POST, path).bearer_auth(token).json(input)).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_search_is_answered_by_the_replica_and_by_the_primary_while_it_is_down_postgres() {
    let mut streaming = Streaming::start().await;
    let server = server(&streaming, FOR_LONG).await;
    server.world.partner("Northfield").await;
    let got = until(&server, |got| is_behind(got) && names(got) == ["Northfield"]).await;
    let age: u64 = got.header("nil-data-age").parse().expect("seconds");
    assert!(age < SOON.as_secs(), "{age}");
    let me = server.post("/api/listColleges", &json!({})).await;
    assert!(!is_behind(&me), "its row does not declare it");
    streaming.stop_replica();
    server.world.partner("Southfield").await;
    for _ in 0..20 {
        let got = brands(&server).await;
        assert!(!is_behind(&got));
        assert_eq!(names(&got).len(), 2);
    }
    streaming.start_replica().await;
    until(&server, |got| is_behind(got) && names(got).len() == 2).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_has_written_and_who_has_logged_out_waits_for_no_replay_postgres() {
    let streaming = Streaming::start().await;
    let server = server(&streaming, FOR_LONG).await;
    let (own, other) = (server.world.partner("Own").await, server.world.partner("Other").await);
    let (own_token, other_token) = (token(&server, &own).await, token(&server, &other).await);
    server.world.open_job(&own, json!({ "title": "Before" })).await;
    let search = |token: String| {
        let server = &server;
        async move {
            let got = asked(server, &token, "/api/searchJobV2", &json!({})).await;
            assert_eq!(got.status, 200, "{:#}", got.json());
            let behind = is_behind(&got);
            (got.json()["data"].as_array().expect("a list").len(), behind)
        }
    };
    // What both have written so far is there.
    let deadline = Instant::now() + SOON;
    for token in [&own_token, &other_token] {
        while search(token.clone()).await != (1, true) {
            assert!(Instant::now() < deadline);
        }
    }
    streaming.pause().await;
    server.world.open_job(&own, json!({ "title": "After" })).await;
    assert_eq!(search(own_token.clone()).await, (2, false), "who has written finds it");
    assert_eq!(search(other_token.clone()).await, (1, true), "others find it within the bound");
    // A log-out holds although the replica does not know of it.
    let out = asked(&server, &other_token, "/api/logout", &json!({})).await;
    assert_eq!(out.status, 200);
    let refused = asked(&server, &other_token, "/api/searchJobV2", &json!({})).await;
    assert_eq!(refused.status, 401);
    streaming.resume().await;
    while search(own_token.clone()).await != (2, true) {
        assert!(Instant::now() < deadline);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn data_older_than_the_bound_are_not_read_postgres() {
    let streaming = Streaming::start().await;
    let server = server(&streaming, BOUND).await;
    until(&server, is_behind).await;
    streaming.pause().await;
    server.world.partner("Northfield").await;
    let begun = Instant::now();
    // Old rows for as long as the bound, then the primary's.
    let got = until(&server, |got| {
        assert!(is_behind(got) == names(got).is_empty(), "{:?}", got.headers);
        !is_behind(got)
    })
    .await;
    assert!(begun.elapsed() <= BOUND + Duration::from_secs(1));
    assert_eq!(names(&got), ["Northfield"]);
    streaming.resume().await;
    until(&server, |got| is_behind(got) && names(got) == ["Northfield"]).await;
}

/// The number of an institution's transactions and their sum, and whether the replica had them.
async fn summed(server: &Server, token: &str) -> (Value, Value, bool) {
    let path = "/api/compliance/transactions/summary";
    let got = server.send(server.request(Method::GET, path).bearer_auth(token)).await;
    assert_eq!(got.status, 200, "{:#}", got.json());
    let totals = &got.json()["data"]["totals"];
    (totals["count"].clone(), totals["gross_cents"].clone(), is_behind(&got))
}

/// The replica knows of a payment that is noted for the totals, and does not know that it has been
/// added to them since.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn totals_that_the_replica_has_not_are_the_primarys_postgres() {
    let streaming = Streaming::start().await;
    let server = server(&streaming, FOR_LONG).await;
    let world = &server.world;
    let college = world.college().await;
    let athlete = world.athlete_of("Jordan Lake", college).await;
    let (_, first) = world.new_portal_user(college, "owner").await;
    let (_, second) = world.new_portal_user(college, "viewer").await;
    let brand = world.paying_partner("Cedar Coffee").await;
    let deal = world.approved_deal(&brand, &athlete, &[30_000]).await;
    assert_eq!(world.pay(&brand, &athlete, &deal).await["status"], "succeeded");
    // A brand that was written after the payment: the replica has replayed both.
    world.partner("Northfield").await;
    until(&server, |got| is_behind(got) && names(got).contains(&"Northfield".to_owned())).await;
    streaming.pause().await;
    let sum = (json!(1), json!(30_000), false);
    assert_eq!(summed(&server, &first).await, sum, "the primary adds it, and answers");
    assert_eq!(summed(&server, &second).await, sum, "the primary has it, and adds nothing");
    let report = nil_core::payments::verify(&world.platform).await.expect("a report");
    assert!(report.sound(), "{:#?}", report.problems());
    streaming.resume().await;
    let deadline = Instant::now() + SOON;
    loop {
        let (count, cents, behind) = summed(&server, &second).await;
        assert_eq!((&count, &cents), (&sum.0, &sum.1), "{behind}");
        if behind {
            break;
        }
        assert!(Instant::now() < deadline, "the replica never answers");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_no_replica_of_the_database_is_not_used_postgres() {
    let streaming = Streaming::start().await;
    let nowhere = streaming.replica().replace("5433", "5434");
    let cases = [
        (nil_tests::database::cluster(), Some("It is a replica of another database.")),
        (streaming.primary(), Some("It is no replica: it is not in recovery.")),
        (nowhere, Some("The replica does not answer (")),
        (streaming.replica(), None),
    ];
    let mut world = world(&streaming, &streaming.replica(), FOR_LONG).await;
    for (replica, why) in cases {
        world.reopen(|config| config.pooling = pooling(&replica, FOR_LONG)).await;
        let found = checkup::check(&world.platform).await;
        let found = found.iter().find(|finding| finding.subject == "replica").expect("a finding");
        match why {
            Some(why) => {
                assert_eq!(found.state, State::Warning);
                assert!(found.says.starts_with(why), "{}", found.says);
            }
            None => assert_eq!(found.state, State::Good, "{}", found.says),
        }
    }
}
