//! Sending a clarification over HTTP: 422 for all errors of request or draft, the ordinary statuses
//! for everything before that.

use std::sync::Arc;

use nil_tests::{Got, Hire, Server, every_stack};
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

const DRAFTS: &str = "/api/athlete/ai-athlete-assistant/clarification-drafts";

fn path(id: &Value) -> String {
    let id = id.as_str().map_or_else(|| id.to_string(), str::to_owned);
    format!("{DRAFTS}/{id}/send")
}

fn token(hire: &Hire) -> &str {
    hire.athlete.token.as_deref().unwrap()
}

/// Builds a call of the hired athlete.
fn by(server: &Server, hire: &Hire, path: &str) -> RequestBuilder {
    server.request(Method::POST, path).bearer_auth(token(hire))
}

async fn draft(server: &Server, hire: &Hire) -> Value {
    let save = json!({ "job_id": hire.job, "draft_text": "May I wear my jersey?" });
    let got = server.send(by(server, hire, DRAFTS).json(&save)).await;
    assert_eq!((got.status, got.header("x-interface-extension")), (200, "1"));
    got.json()["data"]["id"].clone()
}

async fn bodies_that_send_the_stored_text(server: Server) {
    let hire = server.world.hired(json!({})).await;
    for body in ["", "null", "{}", "{\"final_text\":null}", " \n "] {
        let id = draft(&server, &hire).await;
        let request = by(&server, &hire, &path(&id)).header("content-type", "application/json");
        let got = server.send(request.body(body)).await;
        let answer = got.json();
        assert_eq!(got.status, 200, "{body}: {answer}");
        assert_eq!(
            (&answer["status"], &answer["data"]["status"]),
            (&json!("success"), &json!("sent"))
        );
        assert_eq!(answer["data"]["draft_text"], "May I wear my jersey?");
        assert_eq!(answer["data"]["brand_id"], hire.partner.id);
        assert!(answer["message"].is_string() && answer["data"]["sent_at"].is_string());
        assert_eq!(got.header("x-interface-extension"), "");
    }
    // An empty body needs no media type, and any type is accepted.
    let id = draft(&server, &hire).await;
    let got =
        server.send(by(&server, &hire, &path(&id)).header("content-type", "text/plain")).await;
    assert_eq!(got.status, 200);
}
every_stack!(bodies_that_send_the_stored_text);

async fn what_is_wrong_is_422(server: Server) {
    let hire = server.world.hired(json!({})).await;
    let stranger = server.world.hired(json!({})).await;
    let id = draft(&server, &hire).await;
    let theirs = draft(&server, &stranger).await;
    let wrong = [
        (json!("0"), "application/json", "{}", "validation_failed"),
        (json!("abc"), "application/json", "{}", "validation_failed"),
        (json!("-1"), "application/json", "{}", "validation_failed"),
        (json!("99999999999999999999"), "application/json", "{}", "validation_failed"),
        (json!("%FF"), "application/json", "{}", "not_found"),
        (json!(999_999), "application/json", "{}", "not_found"),
        (theirs, "application/json", "{}", "not_found"),
        (id.clone(), "application/json", "{", "malformed_json"),
        (id.clone(), "application/json", "[]", "validation_failed"),
        (id.clone(), "application/json", "\"text\"", "validation_failed"),
        (id.clone(), "application/json", "{\"final_text\":\" \"}", "validation_failed"),
        (id.clone(), "application/json", "{\"final_text\":5}", "validation_failed"),
        (id.clone(), "text/plain", "final_text=x", "unsupported_media_type"),
        (id.clone(), "application/x-www-form-urlencoded", "final_text=x", "unsupported_media_type"),
    ];
    for (id, kind, body, code) in wrong {
        let request = by(&server, &hire, &path(&id)).header("content-type", kind).body(body);
        let got = server.send(request).await;
        assert_eq!((got.status, got.code()), (422, code.to_owned()), "{id} {kind} {body}");
        assert!(got.json()["message"].is_string());
    }
    // The other operations keep their statuses.
    let got = server.send(by(&server, &hire, "/api/sendMessage").body("{")).await;
    assert_eq!(got.status, 400);
    let edit = server.request(Method::PUT, &format!("{DRAFTS}/abc")).bearer_auth(token(&hire));
    let got = server.send(edit.json(&json!({ "draft_text": "x" }))).await;
    assert_eq!(got.status, 404);

    assert_eq!(server.send(by(&server, &hire, &path(&id))).await.status, 200);
    let twice = server.send(by(&server, &hire, &path(&id))).await;
    assert_eq!((twice.status, twice.code()), (422, "illegal_transition".to_owned()));
}
every_stack!(what_is_wrong_is_422);

async fn what_comes_before_keeps_its_status(server: Server) {
    let hire = server.world.hired(json!({})).await;
    let id = draft(&server, &hire).await;
    let send = path(&id);
    let status = async |request: RequestBuilder| server.send(request).await.status;
    let nobody = server.send(server.request(Method::POST, &send)).await;
    assert_eq!(nobody.status, 401);
    assert!(nobody.json()["message"].is_string());
    assert_eq!(status(server.request(Method::POST, &send).bearer_auth("nonsense")).await, 401);
    let brand = hire.partner.token.as_deref().unwrap();
    assert_eq!(status(server.request(Method::POST, &send).bearer_auth(brand)).await, 403);
    // 403 takes precedence over errors in the body.
    let bad = server.request(Method::POST, &send).bearer_auth(brand).body("{");
    assert_eq!(status(bad).await, 403);
    let get = server.send(server.request(Method::GET, &send).bearer_auth(token(&hire))).await;
    assert_eq!((get.status, get.header("allow")), (405, "POST, OPTIONS"));
    // Refused before the body was read: the connection is not reused.
    let large =
        by(&server, &hire, &send).header("connection", "close").body(vec![b' '; 1024 * 1024 + 1]);
    assert_eq!(status(large).await, 413);
    let gone = by(&server, &hire, &format!("{DRAFTS}/{id}/post"));
    assert_eq!(status(gone).await, 404);
    assert_eq!(status(by(&server, &hire, &send)).await, 200);
}
every_stack!(what_comes_before_keeps_its_status);

async fn a_hundred_parallel_sends_deliver_one(server: Server) {
    let hire = server.world.hired(json!({})).await;
    let id = draft(&server, &hire).await;
    let server = Arc::new(server);
    let sends: Vec<_> = (0..100)
        .map(|_| {
            let request = by(&server, &hire, &path(&id));
            tokio::spawn(async move { Got::of(request.send().await.unwrap()).await })
        })
        .collect();
    let mut good = 0;
    for got in sends {
        let got = got.await.unwrap();
        match got.status {
            200 => good += 1,
            422 => assert_eq!(got.code(), "illegal_transition"),
            other => panic!("{other}: {}", got.json()),
        }
    }
    assert_eq!(good, 1);
    assert_eq!(server.world.id("SELECT COUNT(*) FROM message").await, 1);
}
every_stack!(a_hundred_parallel_sends_deliver_one);
