//! Requests that other sites' pages make a browser send: every write of the back office, every GET
//! that changes something.

use nil_core::auth::Permission;
use nil_core::catalog::{Interface, Method, catalog};
use nil_tests::door::{Session, cookie_of, log_in_operator, request_for};
use nil_tests::{Engine, Frontend, PASSWORD, Server, World, trust};
use serde_json::json;

/// A server with a job, a deal and money, and the session of an operator who may do everything.
async fn with_a_session(frontend: Frontend, engine: Engine) -> (Server, Session) {
    let server = Server::start(World::unthrottled(engine).await, frontend).await;
    server.world.active(json!({})).await;
    server.world.new_operator("chief@nil.example", Permission::All).await;
    let session = log_in_operator(&server, "chief@nil.example", PASSWORD).await;
    (server, session)
}

async fn a_write_needs_the_token_of_its_own_session(frontend: Frontend, engine: Engine) {
    let (server, own) = with_a_session(frontend, engine).await;
    let other = log_in_operator(&server, "chief@nil.example", PASSWORD).await;
    let visit = server.get("/admin/updateCsrfToken").await;
    let before_log_in = visit.json()["data"]["csrf_token"].as_str().unwrap().to_owned();
    let cookie = own.cookie.split_once('=').unwrap().1;
    let before = server.world.contents().await;
    let (mut writes, mut wrong) = (0, Vec::new());
    for entry in catalog().iter() {
        let is_write = entry.method != Method::Get && !entry.is_signed_address();
        if entry.interface != Interface::Admin || !is_write {
            continue;
        }
        writes += 1;
        for (what, token) in [
            ("none", None),
            ("another session's", Some(other.csrf.as_str())),
            ("one from before the log-in", Some(before_log_in.as_str())),
            ("an empty one", Some("")),
            ("the cookie", Some(cookie)),
        ] {
            // The token may stand in a header or in the body.
            for in_body in [false, true] {
                let mut input = json!({});
                let request = match token {
                    Some(token) if in_body && !entry.takes_bytes() => {
                        input["_token"] = token.into();
                        request_for(&server, entry, input)
                    }
                    Some(token) => request_for(&server, entry, input).header("x-csrf-token", token),
                    None => request_for(&server, entry, input),
                };
                let got = server.send(request.header("cookie", &own.cookie)).await;
                if (got.status, got.code().as_str()) != (403, "csrf_invalid") {
                    wrong.push(format!("{} with {what}: {}", entry.name, got.status));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(writes > 60, "only {writes} writes");
    assert_eq!(server.world.contents().await, before, "nothing has changed");
    // The session itself is still good: the token was what they lacked.
    assert_ne!(cookie_of(&visit), own.cookie);
    let save = request_for(&server, catalog().named("admin.college.save").unwrap(), json!({}));
    let save = save.header("cookie", &own.cookie).header("x-csrf-token", &own.csrf);
    assert_eq!(server.send(save).await.status, 422);
    trust::tried("A5", "calls", writes * 10);
}

async fn a_get_that_changes_something_refuses_other_sites(frontend: Frontend, engine: Engine) {
    let (server, own) = with_a_session(frontend, engine).await;
    let before = server.world.contents().await;
    let (mut gets, mut wrong) = (0, Vec::new());
    for entry in catalog().iter().filter(|entry| entry.writes_by_get()) {
        if entry.interface != Interface::Admin {
            continue;
        }
        gets += 1;
        for (name, value) in [
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-site", "same-site"),
            ("sec-purpose", "prefetch"),
            ("sec-purpose", "prefetch;prerender"),
            ("purpose", "prefetch"),
            ("x-moz", "prefetch"),
            ("origin", "https://evil.example"),
            ("origin", "null"),
            ("referer", "https://evil.example/page"),
        ] {
            let request = request_for(&server, entry, json!({}));
            let request = request.header("cookie", &own.cookie).header(name, value);
            let got = server.send(request).await;
            if (got.status, got.code().as_str()) != (403, "cross_site_request") {
                wrong.push(format!("{} with {name}: {value}: {}", entry.name, got.status));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // The seven that the contract names.
    assert!(gets >= 7, "only {gets}");
    assert_eq!(server.world.contents().await, before, "nothing has changed");
    trust::tried("A6", "calls", gets * 9);
}

macro_rules! on_every_stack {
    ($($test:ident),+) => {$(
        mod $test {
            use nil_tests::{Engine, Frontend};

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn warp_sqlite() {
                super::$test(Frontend::Warp, Engine::Sqlite).await;
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn poem_postgres() {
                super::$test(Frontend::Poem, Engine::Postgres).await;
            }
        }
    )+};
}
on_every_stack!(
    a_write_needs_the_token_of_its_own_session,
    a_get_that_changes_something_refuses_other_sites
);
