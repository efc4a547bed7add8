//! Live streams over real sockets: nothing is lost or repeated, and streams end with the session.

use std::time::{Duration, Instant};

use chrono::TimeDelta;
use nil_core::Config;
use nil_core::accounts::suspension;
use nil_core::kernel::UserId;
use nil_tests::{Engine, Frontend, Happened, Listening, Person, Server, World, every_stack, trust};
use reqwest::Method;
use serde_json::json;

/// A brand with no pending notifications.
async fn brand_of(server: &Server, name: &str) -> Person {
    let brand = server.world.partner(name).await;
    nil_core::worker::round(&server.world.platform).await.expect("a round");
    brand
}

fn titles(all: &[Happened]) -> Vec<&str> {
    all.iter().map(|one| one.data["title"].as_str().unwrap()).collect()
}

async fn take(stream: &mut Listening, count: usize) -> Vec<Happened> {
    let mut all = Vec::new();
    for _ in 0..count {
        all.push(stream.next().await);
    }
    all
}

async fn news_arrive_and_a_client_goes_on_where_it_was(server: Server) {
    let brand = brand_of(&server, "Cedar Coffee").await;
    let other = brand_of(&server, "Harbor Books").await;
    server.tell(&brand, "before").await;
    let (mut stream, begins) = Listening::to(&server, &brand, None).await;
    server.tell(&other, "not for us").await;
    server.tell(&brand, "one").await;
    server.tell(&brand, "two").await;
    let seen = take(&mut stream, 2).await;
    assert_eq!(titles(&seen), ["one", "two"]);
    assert!(seen.iter().all(|one| one.event == "notification"));
    drop(stream);

    server.tell(&brand, "three").await;
    server.tell(&brand, "four").await;
    let (mut stream, _) = Listening::to(&server, &brand, Some(&seen[0].id)).await;
    server.tell(&brand, "five").await;
    let rest = take(&mut stream, 4).await;
    assert_eq!(titles(&rest), ["two", "three", "four", "five"]);
    // From the start of the first stream, every event since then exactly once.
    let (mut stream, at) = Listening::to(&server, &brand, Some(&begins)).await;
    assert_eq!(at, begins);
    let all = take(&mut stream, 5).await;
    assert_eq!(titles(&all), ["one", "two", "three", "four", "five"]);

    // The stream shows the same events as the feed.
    let token = brand.token.as_deref().unwrap();
    let feed = server.request(Method::POST, "/api/fetchNotifications").bearer_auth(token);
    let feed = server.send(feed.json(&json!({ "limit": 5 }))).await.json();
    let streamed: Vec<_> = all.into_iter().rev().map(|one| one.data).collect();
    assert_eq!(feed["data"], json!(streamed));
    assert!(feed["pagination"]["next_before_id"].is_i64());
}
every_stack!(news_arrive_and_a_client_goes_on_where_it_was);

async fn messages_arrive_on_the_devices_of_both_sides(server: Server) {
    let world = &server.world;
    let hire = world.hired(json!({})).await;
    nil_core::worker::round(&world.platform).await.unwrap();
    let (mut theirs, begins) = Listening::to(&server, &hire.athlete, None).await;
    let (mut own, _) = Listening::to(&server, &hire.partner, None).await;
    let write = async |text: &str| {
        let message = json!({ "user_id": hire.athlete.user_id, "text": text });
        world.call("core.chat.send", &hire.partner.principal, message).await.data()
    };
    write("one").await;
    write("two").await;
    let texts = |all: &[Happened]| -> Vec<String> {
        let messages = all.iter().filter(|one| one.event == "message");
        messages.map(|one| one.data["text"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(texts(&take(&mut own, 2).await), ["one", "two"]);
    assert_eq!(texts(&take(&mut theirs, 2).await), ["one", "two"]);
    drop(theirs);
    write("three").await;
    let (mut theirs, _) = Listening::to(&server, &hire.athlete, Some(&begins)).await;
    assert_eq!(texts(&take(&mut theirs, 3).await), ["one", "two", "three"]);
}
every_stack!(messages_arrive_on_the_devices_of_both_sides);

async fn more_than_is_read_at_once_arrives_in_order(server: Server) {
    let brand = brand_of(&server, "Cedar Coffee").await;
    let (stream, begins) = Listening::to(&server, &brand, None).await;
    drop(stream);
    for number in 0..130 {
        server.world.tell(&brand, &number.to_string()).await;
    }
    nil_core::worker::round(&server.world.platform).await.unwrap();
    let (mut stream, _) = Listening::to(&server, &brand, Some(&begins)).await;
    let all = take(&mut stream, 130).await;
    let expected: Vec<String> = (0..130).map(|number| number.to_string()).collect();
    assert_eq!(titles(&all), expected);
}
every_stack!(more_than_is_read_at_once_arrives_in_order);

async fn a_log_out_ends_its_own_stream(server: Server) {
    let brand = brand_of(&server, "Cedar Coffee").await;
    let log_in = json!({ "email": brand.email, "password": nil_tests::PASSWORD });
    let second = server.post("/api/login", &log_in).await.json();
    let second = second["access_token"].as_str().unwrap().to_owned();
    let elsewhere = Person { token: Some(second), ..brand.clone() };
    let (mut stream, _) = Listening::to(&server, &brand, None).await;
    let (mut other, _) = Listening::to(&server, &elsewhere, None).await;
    let token = brand.token.as_deref().unwrap();
    let out = server.request(Method::POST, "/api/logout").bearer_auth(token);
    assert_eq!(server.send(out).await.status, 200);
    assert_eq!(stream.rest().await, []);
    server.tell(&brand, "still here").await;
    assert_eq!(other.next().await.data["title"], "still here");
}
every_stack!(a_log_out_ends_its_own_stream);

async fn a_browser_opens_the_stream_with_a_ticket(server: Server) {
    let brand = brand_of(&server, "Cedar Coffee").await;
    let token = brand.token.as_deref().unwrap();
    let ask = || server.request(Method::POST, "/api/events/ticket").bearer_auth(token);
    let answer = server.send(ask()).await.json();
    let ticket = answer["data"]["ticket"].as_str().unwrap().to_owned();
    assert_eq!(answer["data"]["expires_at"], "2026-11-20T12:01:00Z");
    let (mut stream, begins) = Listening::with_ticket(&server, &ticket, None).await.unwrap();
    server.tell(&brand, "one").await;
    assert_eq!(stream.next().await.data["title"], "one");
    let (mut again, _) = Listening::with_ticket(&server, &ticket, Some(&begins)).await.unwrap();
    assert_eq!(again.next().await.data["title"], "one");

    // It opens the stream and nothing else, and only as it was issued.
    let other = format!("/api/device-tokens?ticket={ticket}");
    assert_eq!(server.get(&other).await.status, 401);
    let other = server.request(Method::GET, "/api/device-tokens").bearer_auth(&ticket);
    assert_eq!(server.send(other).await.status, 401);
    let (session, rest) = ticket.split_once('.').unwrap();
    let (_, mark) = rest.split_once('.').unwrap();
    for wrong in ["", "x", &format!("{session}.9999999999.{mark}"), &ticket[1..]] {
        let refused = Listening::with_ticket(&server, wrong, None).await.err().unwrap();
        assert_eq!(refused.status, 401, "{wrong}");
    }

    // After a minute it opens no stream, and the open one goes on.
    server.world.pass(TimeDelta::seconds(60));
    assert_eq!(Listening::with_ticket(&server, &ticket, None).await.err().unwrap().status, 401);
    server.tell(&brand, "two").await;
    assert_eq!(stream.next().await.data["title"], "two");

    // It ends with its session, and so does the stream.
    let answer = server.send(ask()).await.json();
    let ticket = answer["data"]["ticket"].as_str().unwrap();
    let out = server.request(Method::POST, "/api/logout").bearer_auth(token);
    assert_eq!(server.send(out).await.status, 200);
    assert_eq!(stream.rest().await, []);
    assert_eq!(Listening::with_ticket(&server, ticket, None).await.err().unwrap().status, 401);
}
every_stack!(a_browser_opens_the_stream_with_a_ticket);

async fn a_suspension_ends_the_streams_of_the_account(server: Server) {
    let brand = brand_of(&server, "Cedar Coffee").await;
    let other = brand_of(&server, "Harbor Books").await;
    let (mut stream, _) = Listening::to(&server, &brand, None).await;
    let (mut still, _) = Listening::to(&server, &other, None).await;
    let user = UserId::new(brand.user_id).unwrap();
    suspension::suspend(&server.world.platform, user).await.unwrap();
    assert_eq!(stream.rest().await, []);
    server.tell(&other, "still here").await;
    assert_eq!(still.next().await.data["title"], "still here");
}
every_stack!(a_suspension_ends_the_streams_of_the_account);

async fn a_stopping_server_lets_its_streams_go(mut server: Server) {
    let brand = brand_of(&server, "Cedar Coffee").await;
    let (mut stream, _) = Listening::to(&server, &brand, None).await;
    server.stop().await;
    assert_eq!(stream.rest().await, []);
    trust::tried("R15", "stops", 1);
}
every_stack!(a_stopping_server_lets_its_streams_go);

async fn a_user_holds_so_many_streams_and_no_more(server: Server) {
    let brand = brand_of(&server, "Cedar Coffee").await;
    let other = brand_of(&server, "Harbor Books").await;
    let mut open = Vec::new();
    for _ in 0..8 {
        open.push(Listening::to(&server, &brand, None).await);
    }
    let refused = Listening::try_to(&server, &brand, None).await.err().unwrap();
    assert_eq!((refused.status, refused.code().as_str()), (429, "too_many_streams"));
    assert_eq!(refused.header("retry-after"), "30");
    Listening::to(&server, &other, None).await;
    open.pop();
    // The server notices that a client left by its connection.
    let deadline = Instant::now() + Duration::from_secs(20);
    while Listening::try_to(&server, &brand, None).await.is_err() {
        assert!(Instant::now() < deadline, "the place is not given back");
        tokio::task::yield_now().await;
    }
}
every_stack!(a_user_holds_so_many_streams_and_no_more);

async fn an_id_that_is_none_is_refused_and_one_from_the_future_is_now(server: Server) {
    let brand = brand_of(&server, "Cedar Coffee").await;
    for wrong in ["x", "n", "12", "n1;n2"] {
        let refused = Listening::try_to(&server, &brand, Some(wrong)).await.err().unwrap();
        assert_eq!(refused.status, 422, "{wrong}");
        assert!(refused.json()["errors"]["last_event_id"].is_array());
    }
    let (mut stream, _) = Listening::to(&server, &brand, Some("n999999")).await;
    server.tell(&brand, "now").await;
    assert_eq!(stream.next().await.data["title"], "now");
    let nobody = server.get("/api/events").await;
    assert_eq!(nobody.status, 401);
}
every_stack!(an_id_that_is_none_is_refused_and_one_from_the_future_is_now);

/// A heartbeat that never fires within a test, so that every event comes from a wake-up, not from
/// polling.
fn woken_only(config: &mut Config) {
    config.heartbeat = Duration::from_hours(1);
}

/// Two servers on one PostgreSQL, one per framework.
async fn two_servers() -> (Server, Server) {
    let world = World::configured(Engine::Postgres, woken_only).await;
    let replica = world.replica().await;
    let one = Server::start(world, Frontend::Warp).await;
    (one, Server::start(replica, Frontend::Poem).await)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_happens_on_one_server_arrives_through_the_other_postgres() {
    let (here, there) = two_servers().await;
    let brand = brand_of(&here, "Cedar Coffee").await;
    let (mut stream, begins) = Listening::to(&there, &brand, None).await;
    heard(&here, &mut stream, &brand, "one").await;
    drop(stream);
    here.tell(&brand, "two").await;
    let (mut stream, _) = Listening::to(&here, &brand, Some(&begins)).await;
    let all = take(&mut stream, 2).await;
    assert_eq!(titles(&all), ["one", "two"], "begun there, gone on here");

    let (mut stream, _) = Listening::to(&there, &brand, None).await;
    let token = brand.token.as_deref().unwrap();
    let out = here.request(Method::POST, "/api/logout").bearer_auth(token);
    assert_eq!(here.send(out).await.status, 200);
    assert_eq!(stream.rest().await, [], "logged out on every server");
}

/// Sends notifications until the stream has one: a listener that has just subscribed reads
/// everything again then, so one is enough.
async fn heard(from: &Server, stream: &mut Listening, who: &Person, title: &str) {
    from.tell(who, title).await;
    assert_eq!(stream.next().await.data["title"], title);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lost_line_between_servers_loses_no_news_postgres() {
    let (here, there) = two_servers().await;
    let brand = brand_of(&here, "Cedar Coffee").await;
    let (mut stream, _) = Listening::to(&there, &brand, None).await;
    heard(&here, &mut stream, &brand, "one").await;
    let cut = "SELECT CAST(COUNT(pg_terminate_backend(pid)) AS BIGINT) FROM pg_stat_activity \
               WHERE datname = current_database() AND query LIKE 'LISTEN%'";
    assert_eq!(here.world.id(cut).await, 1, "one line, of the server that has a listener");
    heard(&here, &mut stream, &brand, "two").await;
    heard(&here, &mut stream, &brand, "three").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn workers_in_a_crowd_tell_everything_once_and_in_order_postgres() {
    let (here, there) = two_servers().await;
    let brand = brand_of(&here, "Cedar Coffee").await;
    let (mut stream, _) = Listening::to(&there, &brand, None).await;
    const NEWS: usize = 400;
    let working = [here.world.platform.clone(), there.world.platform.clone()].map(|platform| {
        [platform.clone(), platform].map(|platform| {
            tokio::spawn(async move {
                for _ in 0..40 {
                    nil_core::worker::round(&platform).await.expect("a round");
                    tokio::task::yield_now().await;
                }
            })
        })
    });
    for number in 0..NEWS {
        here.world.tell(&brand, &number.to_string()).await;
    }
    for worker in working.into_iter().flatten() {
        worker.await.unwrap();
    }
    nil_core::worker::round(&here.world.platform).await.unwrap();
    let all = take(&mut stream, NEWS).await;
    let ids: Vec<i64> = all.iter().map(|one| one.data["id"].as_i64().unwrap()).collect();
    assert!(ids.is_sorted_by(|one, next| one < next), "{ids:?}");
    let mut told = titles(&all);
    told.sort_unstable();
    told.dedup();
    assert_eq!(told.len(), NEWS, "each once");
}

async fn hearts_beat(frontend: Frontend) {
    let soon = |config: &mut Config| config.heartbeat = Duration::from_millis(20);
    let server = Server::start(World::configured(Engine::Sqlite, soon).await, frontend).await;
    let brand = brand_of(&server, "Cedar Coffee").await;
    let (mut stream, _) = Listening::to(&server, &brand, None).await;
    for _ in 0..3 {
        assert_eq!(stream.block().await.unwrap(), ":");
    }
    // Written by a process that wakes no listener here: the next heartbeat finds it.
    let other = server.world.replica().await;
    other.tell(&brand, "found").await;
    nil_core::worker::round(&other.platform).await.unwrap();
    assert_eq!(stream.next().await.data["title"], "found");
    server.world.pass(chrono::TimeDelta::hours(13));
    assert_eq!(stream.rest().await, [], "a session that has run out");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hearts_beat_on_warp() {
    hearts_beat(Frontend::Warp).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hearts_beat_on_poem() {
    hearts_beat(Frontend::Poem).await;
}
