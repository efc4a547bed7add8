//! The law about agents, as athletes, agents and officers meet it on the wire: notice in time and
//! late, a contract cancelled in time and too late, and an agent brought along to an institution.

use chrono::TimeDelta;
use nil_tests::{Got, PASSWORD, Person, Server, every_stack};
use reqwest::Method;
use serde_json::{Value, json};

/// A token of today: those of earlier days have ended.
async fn token(server: &Server, who: &Person) -> String {
    let log_in = json!({ "email": who.email, "password": PASSWORD });
    let got = server.post("/api/login", &log_in).await;
    got.json()["access_token"].as_str().expect("a token").to_owned()
}

async fn post(server: &Server, who: &Person, path: &str, body: Value) -> Got {
    let request = server.request(Method::POST, path).bearer_auth(token(server, who).await);
    server.send(request.json(&body)).await
}

async fn get(server: &Server, who: &Person, path: &str) -> Value {
    let request = server.request(Method::GET, path).bearer_auth(token(server, who).await);
    let got = server.send(request).await;
    assert_eq!(got.status, 200, "{path}");
    got.json()["data"].clone()
}

/// The institution's filings, by an officer who has just been invited.
async fn filings(server: &Server, college: i64) -> Value {
    let (_, token) = server.world.portal_user(college, "officer").await;
    let path = "/api/compliance/athlete-agent-disclosures";
    let got = server.send(server.request(Method::GET, path).bearer_auth(token)).await;
    assert_eq!(got.status, 200);
    got.json()["data"].clone()
}

/// An agent invites an athlete of a new institution, who accepts.
async fn begun(server: &Server) -> (i64, Person, Person, i64) {
    let college = server.world.college().await;
    let athlete = server.world.athlete_of("Zoe Okafor", college).await;
    let agent = server.world.agent("North Agency").await;
    let invite = json!({ "athlete_id": athlete.id, "commission_basis_points": 1_000 });
    let invited = post(server, &agent, "/api/agent/invite-athlete", invite).await.json();
    let id = invited["data"]["id"].as_i64().expect("an id");
    let accept = json!({ "representation_id": id, "accept": true });
    let accepted = post(server, &athlete, "/api/athlete/respond-agent-invitation", accept).await;
    assert_eq!(accepted.json()["data"]["cancellable_until"], "2026-12-05T05:59:59Z");
    (college, athlete, agent, id)
}

async fn notice_in_time_and_late(server: Server) {
    let (college, athlete, agent, id) = begun(&server).await;
    let due = get(&server, &athlete, "/api/athlete/agent-filings?missing=true").await;
    assert_eq!(due[0]["notice_due_at"], "2026-11-23T12:00:00Z");
    let which = json!({ "representation_id": id });
    let given = post(&server, &athlete, "/api/athlete/agent-notice", which.clone()).await;
    assert_eq!(given.json()["data"]["late"], false);
    assert_eq!(filings(&server, college).await[0]["late"], false);
    server.world.pass(TimeDelta::hours(73));
    let given = post(&server, &agent, "/api/agent/notice", which).await;
    assert_eq!(given.json()["data"]["late"], true);
    let filing = &filings(&server, college).await[0];
    assert_eq!((&filing["late"], &filing["status"]), (&json!(true), &json!("draft")));
    assert_eq!(filing["notices"]["athlete_at"], "2026-11-20T12:00:00Z");
    assert_eq!(get(&server, &agent, "/api/agent/filings?missing=true").await, json!([]));
}
every_stack!(notice_in_time_and_late);

async fn cancelled_on_the_fourteenth_day_and_not_on_the_fifteenth(server: Server) {
    let (college, athlete, agent, id) = begun(&server).await;
    let (_, other, _, _) = begun(&server).await;
    server.world.pass(TimeDelta::days(14));
    let cancelled = post(&server, &athlete, "/api/athlete/cancel-agent-contract", json!({})).await;
    let cancelled = cancelled.json()["data"].clone();
    assert_eq!(
        (&cancelled["id"], &cancelled["status"], &cancelled["end_reason"]),
        (&json!(id), &json!("ended"), &json!("cancelled_in_time"))
    );
    let contract = &filings(&server, college).await[0]["contract"];
    assert_eq!(contract["cancelled_at"], "2026-12-04T12:00:00Z");
    let seen = get(&server, &agent, "/api/agent/filings").await;
    assert_eq!(seen[0]["cancelled_at"], contract["cancelled_at"]);
    server.world.pass(TimeDelta::hours(18));
    let late = post(&server, &other, "/api/athlete/cancel-agent-contract", json!({})).await;
    assert_eq!((late.status, late.code()), (409, "cancellation_over".to_owned()));
}
every_stack!(cancelled_on_the_fourteenth_day_and_not_on_the_fifteenth);

async fn an_agent_is_brought_along_to_an_institution(server: Server) {
    let (_, athlete, agent, id) = begun(&server).await;
    server.world.pass(TimeDelta::days(30));
    let college = server.world.college().await;
    let moved = json!({ "university_id": college });
    let edited = post(&server, &athlete, "/api/editAthleteWebsite", moved).await;
    assert_eq!(edited.status, 200, "{}", edited.json());
    nil_core::worker::round(&server.world.platform).await.expect("a round");
    let filing = &filings(&server, college).await[0];
    assert_eq!(filing["notices"]["enrolled_on"], "2026-12-20");
    assert_eq!(filing["notice_due_at"], "2026-12-31T05:59:59Z");
    server.world.pass(TimeDelta::days(10));
    let which = json!({ "representation_id": id });
    let given = post(&server, &agent, "/api/agent/notice", which).await.json();
    assert_eq!(
        (&given["data"]["college_id"], &given["data"]["late"]),
        (&json!(college), &json!(false))
    );
}
every_stack!(an_agent_is_brought_along_to_an_institution);
