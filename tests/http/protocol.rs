//! The contract on the wire: status codes, headers, inputs, throttles. The same on every stack.

use std::time::Duration;

use nil_tests::{Server, every_stack, trust};
use reqwest::Method;
use serde_json::json;
use tokio::time::timeout;

const COLLEGES: &str = "/api/listColleges";

async fn addresses_and_methods_are_told_apart(server: Server) {
    let nowhere = server.get("/api/nowhere").await;
    assert_eq!((nowhere.status, nowhere.code().as_str()), (404, "route_not_found"));
    let wrong = server.get(COLLEGES).await;
    assert_eq!((wrong.status, wrong.code().as_str()), (405, "method_not_allowed"));
    assert_eq!(wrong.header("allow"), "POST, OPTIONS");
    assert_eq!(wrong.json()["message"], "This address takes POST, not GET.");
    let asked = server.send(server.request(Method::OPTIONS, COLLEGES)).await;
    assert_eq!((asked.status, asked.header("allow")), (204, "POST, OPTIONS"));
    assert_eq!(server.post("/api/listColleges/", &json!({})).await.status, 200);
    let health = server.send(server.request(Method::HEAD, "/healthz")).await;
    assert_eq!((health.status, health.bytes.len()), (200, 0));
    assert_eq!(server.get("/readyz").await.status, 200);
}
every_stack!(addresses_and_methods_are_told_apart);

async fn a_missing_token_and_a_missing_scheme_are_told_apart(server: Server) {
    let told = async |header: Option<&str>| {
        let request =
            server.request(Method::POST, "/api/getSelectedJob").json(&json!({ "job_id": 1 }));
        let request = match header {
            Some(value) => request.header("authorization", value),
            None => request,
        };
        let answer = server.send(request).await;
        assert_eq!((answer.status, answer.code().as_str()), (401, "unauthenticated"));
        answer.json()["message"].as_str().unwrap().to_owned()
    };
    let nothing = told(None).await;
    assert_eq!(
        nothing,
        "There is no token. Log in for one, and send `Authorization: Bearer TOKEN`."
    );
    let bare = told(Some("0123456789abcdef")).await;
    assert!(bare.starts_with("The Authorization header does not begin with `Bearer`."), "{bare}");
    let wrong = told(Some("Bearer 0123456789abcdef")).await;
    assert_eq!(wrong, "This token, key or session is unknown or has ended. Please log in again.");
}
every_stack!(a_missing_token_and_a_missing_scheme_are_told_apart);

async fn every_answer_carries_its_headers(server: Server) {
    let answer = server.post(COLLEGES, &json!({})).await;
    assert_eq!(answer.header("content-type"), "application/json");
    assert_eq!(answer.header("x-content-type-options"), "nosniff");
    assert_eq!(answer.header("cache-control"), "no-store");
    assert_eq!(answer.header("ratelimit-limit"), "200");
    assert_eq!(answer.header("ratelimit-remaining"), "199");
    assert_eq!(answer.header("content-length"), answer.bytes.len().to_string());
    assert!(!answer.header("x-request-id").is_empty());
    assert!(answer.headers.get("access-control-allow-origin").is_none());
    let named = server.request(Method::POST, COLLEGES).header("x-request-id", "abc-1");
    assert_eq!(server.send(named).await.header("x-request-id"), "abc-1");
    let refused = server.get("/api/nowhere").await;
    assert_eq!(refused.json()["request_id"], refused.header("x-request-id"));
    let others = [
        "/healthz",
        "/readyz",
        "/metrics",
        "/api/openapi.json",
        "/api/compliance/openapi.json",
        "/admin/openapi.json",
        "/portal/sign-in",
        "/console/sign-in",
        "/portal/nowhere",
    ];
    for path in others {
        let answer = server.get(path).await;
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
        assert!(!answer.header("x-request-id").is_empty(), "{path}");
        assert!(answer.headers.get("access-control-allow-origin").is_none(), "{path}");
    }
    trust::tried("A17", "answers", 3 + others.len());
}
every_stack!(every_answer_carries_its_headers);

async fn bodies_are_read_as_the_contract_says(server: Server) {
    let post = |body: &'static str, kind: &'static str| {
        let mut request = server.request(Method::POST, COLLEGES).body(body);
        if !kind.is_empty() {
            request = request.header("content-type", kind);
        }
        server.send(request)
    };
    assert_eq!(post("", "text/plain").await.status, 200);
    assert_eq!(post("{}", "").await.status, 200);
    assert_eq!(post("null", "application/json").await.status, 200);
    let broken = post("{\"q\":", "application/json").await;
    assert_eq!((broken.status, broken.code().as_str()), (400, "malformed_json"));
    assert_eq!(post("[]", "application/json").await.status, 422);
    assert_eq!(post("\"x\"", "application/json").await.status, 422);
    let typed = post("q=1", "application/x-www-form-urlencoded").await;
    assert_eq!((typed.status, typed.code().as_str()), (415, "unsupported_media_type"));
    let nested = "[".repeat(10_000);
    let deep = server.request(Method::POST, COLLEGES).body(nested);
    assert_eq!(server.send(deep).await.status, 400);
    let large = server.request(Method::POST, COLLEGES).body(vec![b' '; 2 * 1024 * 1024]);
    if let Ok(answer) = large.send().await {
        assert_eq!(answer.status().as_u16(), 413);
    } // or the connection was closed while we were still sending
}
every_stack!(bodies_are_read_as_the_contract_says);

async fn wrong_fields_are_named(server: Server) {
    let answer = server.post(COLLEGES, &json!({ "per_page": 101 })).await;
    assert_eq!((answer.status, answer.code().as_str()), (422, "validation_failed"));
    assert!(answer.json()["errors"]["per_page"].is_array());
    let answer = server.post(COLLEGES, &json!({ "page": "1" })).await;
    assert!(answer.json()["errors"]["page"].is_array(), "text is no integer in JSON");
    let answer = server.post(COLLEGES, &json!({ "q": "a\0b" })).await;
    assert!(answer.json()["errors"]["q"].is_array());
}
every_stack!(wrong_fields_are_named);

async fn unknown_fields_are_named_and_refused_on_request(server: Server) {
    let body = json!({ "q": "x", "colour": "red" });
    let answer = server.post(COLLEGES, &body).await;
    assert_eq!((answer.status, answer.header("x-ignored-fields")), (200, "colour"));
    let strict = server
        .request(Method::POST, COLLEGES)
        .header("prefer", "respond-async, handling=strict")
        .json(&body);
    let answer = server.send(strict).await;
    assert_eq!((answer.status, answer.code().as_str()), (422, "unknown_field"));
    assert!(answer.json()["errors"]["colour"].is_array());
}
every_stack!(unknown_fields_are_named_and_refused_on_request);

async fn the_back_office_wants_a_session_and_a_csrf_token(server: Server) {
    let answer = server.post("/admin/college/save", &json!({})).await;
    assert_eq!((answer.status, answer.code().as_str()), (401, "unauthenticated"));
}
every_stack!(the_back_office_wants_a_session_and_a_csrf_token);

async fn a_throttled_caller_is_told_when_to_come_back(server: Server) {
    for _ in 0..200 {
        assert_eq!(server.post(COLLEGES, &json!({})).await.status, 200);
    }
    let answer = server.post(COLLEGES, &json!({})).await;
    assert_eq!((answer.status, answer.code().as_str()), (429, "throttled"));
    assert_eq!(answer.header("retry-after"), "60");
    assert_eq!(answer.header("ratelimit-remaining"), "0");
    server.world.pass(chrono::TimeDelta::seconds(60));
    assert_eq!(server.post(COLLEGES, &json!({})).await.status, 200);
}
every_stack!(a_throttled_caller_is_told_when_to_come_back);

async fn a_server_whose_database_is_silent_says_so_at_once(server: Server) {
    let db = server.world.platform.db();
    // A file always answers; of the connections to a server there may be none left.
    if server.world.is_sqlite() {
        return;
    }
    let mut sessions = Vec::new();
    for _ in 0..server.world.platform.config().pooling.connections {
        sessions.push(db.read().await.expect("a connection"));
    }
    // A session itself would be waited for longer than this.
    let asked = timeout(Duration::from_secs(4), server.get("/readyz")).await.expect("in time");
    assert_eq!((asked.status, asked.code().as_str()), (503, "unavailable"));
    assert_eq!(server.get("/healthz").await.status, 200);
    drop(sessions);
    assert_eq!(server.get("/readyz").await.status, 200);
}
every_stack!(a_server_whose_database_is_silent_says_so_at_once);

async fn each_interface_describes_itself(server: Server) {
    for base in ["/api", "/api/compliance", "/admin"] {
        let document = server.get(&format!("{base}/openapi.json")).await;
        assert_eq!(document.json()["openapi"], "3.1.0");
    }
}
every_stack!(each_interface_describes_itself);

async fn a_stopping_server_says_so_and_finishes(mut server: Server) {
    server.site.drain();
    assert_eq!(server.get("/readyz").await.status, 503);
    assert_eq!(server.post(COLLEGES, &json!({})).await.status, 200);
    server.stop().await;
    assert!(server.request(Method::GET, "/healthz").send().await.is_err());
    trust::tried("R15", "stops", 1);
}
every_stack!(a_stopping_server_says_so_and_finishes);
