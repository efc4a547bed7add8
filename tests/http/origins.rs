//! Pages of other origins, and clients that ask again what they have.

use nil_tests::Engine;
use nil_tests::{Frontend, Got, Server, World, both, every_stack};
use reqwest::Method;
use serde_json::json;

const ORIGIN: &str = "https://app.example";

async fn preflight(server: &Server, path: &str, origin: &str) -> Got {
    let asked = server
        .request(Method::OPTIONS, path)
        .header("origin", origin)
        .header("access-control-request-method", "POST")
        .header("access-control-request-headers", "content-type");
    server.send(asked).await
}

async fn a_page_of_another_origin_sees_what_is_wrong(engine: Engine) {
    let origins = |config: &mut nil_core::Config| config.cors_origins = vec![ORIGIN.to_owned()];
    let server = Server::start(World::configured(engine, origins).await, Frontend::Warp).await;
    for (path, methods) in [
        ("/api/listColleges", "POST, OPTIONS"),
        ("/api/listColeges", "POST"),
        ("/api/openapi.json", "POST"),
    ] {
        let asked = preflight(&server, path, ORIGIN).await;
        assert_eq!(asked.status, 204, "{path}");
        assert_eq!(asked.header("access-control-allow-origin"), ORIGIN, "{path}");
        assert_eq!(asked.header("access-control-allow-methods"), methods, "{path}");
        assert!(asked.header("access-control-allow-headers").contains("idempotency-key"), "{path}");
    }
    // The request itself is then refused where the page can read it.
    let post = server.request(Method::POST, "/api/listColeges").header("origin", ORIGIN);
    let missing = server.send(post.json(&json!({}))).await;
    assert_eq!((missing.status, missing.header("access-control-allow-origin")), (404, ORIGIN));
    let get = server.request(Method::GET, "/api/listColleges").header("origin", ORIGIN);
    let wrong = server.send(get).await;
    assert_eq!((wrong.status, wrong.header("allow")), (405, "POST, OPTIONS"));
    let exposed = wrong.header("access-control-expose-headers");
    for name in ["allow", "etag", "retry-after", "x-request-id"] {
        assert!(exposed.split(", ").any(|one| one == name), "{name}: {exposed}");
    }
    // Another origin learns nothing, whatever path it asks for.
    for path in ["/api/listColleges", "/api/listColeges"] {
        let strange = preflight(&server, path, "https://evil.example").await;
        assert!(strange.headers.get("access-control-allow-origin").is_none(), "{path}");
        assert!(strange.headers.get("access-control-allow-methods").is_none(), "{path}");
    }
    assert_eq!(preflight(&server, "/api/listColeges", "https://evil.example").await.status, 404);
}
both!(a_page_of_another_origin_sees_what_is_wrong);

async fn who_has_an_answer_already_gets_no_second_copy(server: Server) {
    for path in [
        "/api/site_config",
        "/api/openapi.json",
        "/admin/openapi-3.0.json",
        "/api/compliance/openapi.json",
    ] {
        let first = server.get(path).await;
        let tag = first.header("etag").to_owned();
        assert!(tag.starts_with("W/\""), "{path}: {tag}");
        assert_eq!(first.header("cache-control"), "no-cache", "{path}");
        let ask = |known: String| {
            server.send(server.request(Method::GET, path).header("if-none-match", known))
        };
        for known in [tag.clone(), format!("\"other\", {tag}"), "*".to_owned()] {
            let again = ask(known).await;
            assert_eq!((again.status, again.bytes.len()), (304, 0), "{path}");
            assert_eq!(again.header("etag"), tag, "{path}");
        }
        let other = ask("W/\"0123456789abcdef\"".to_owned()).await;
        assert_eq!((other.status, other.bytes.len()), (200, first.bytes.len()), "{path}");
    }
    // What has changed is sent.
    let first = server.get("/api/site_config").await.header("etag").to_owned();
    server.world.script("UPDATE site SET name = 'Another site'").await;
    let ask = server.request(Method::GET, "/api/site_config").header("if-none-match", &first);
    let changed = server.send(ask).await;
    assert_eq!(
        (changed.status, changed.json()["data"]["name"].as_str()),
        (200, Some("Another site"))
    );
    assert_ne!(changed.header("etag"), first);
    // A tag is one of an answer, and there is none of a refusal or of a personal record.
    for path in ["/api/me", "/api/nowhere"] {
        assert!(server.get(path).await.headers.get("etag").is_none(), "{path}");
    }
}
every_stack!(who_has_an_answer_already_gets_no_second_copy);

async fn a_mistyped_filter_shows_nothing(server: Server) {
    let college = server.world.college().await;
    let (_, token) = server.world.portal_user(college, "owner").await;
    for path in [
        "transactions",
        "transactions/summary",
        "transactions/export",
        "transactions/top-athletes",
        "athletes/getAthlete",
        "athletes/export",
        "analytics/top-nil-sport",
    ] {
        for filter in ["status=failed", "statuses[]=failed&sport=1"] {
            let path = format!("/api/compliance/{path}?{filter}");
            let got = server.send(server.request(Method::GET, &path).bearer_auth(&token)).await;
            assert_eq!((got.status, got.code().as_str()), (422, "unknown_field"), "{path}");
        }
        let path = format!("/api/compliance/{path}?statuses[]=failed&q=x");
        let got = server.send(server.request(Method::GET, &path).bearer_auth(&token)).await;
        assert_eq!(got.status, 200, "{path}");
    }
}
every_stack!(a_mistyped_filter_shows_nothing);
