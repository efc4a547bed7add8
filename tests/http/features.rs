//! Features that are off, over real sockets: the refusal stands in its place among the checks, and
//! forms switch.

use nil_core::auth::Permission;
use nil_tests::door::{Session, log_in_operator};
use nil_tests::{Got, PASSWORD, Person, Server, every_stack};
use reqwest::Method;
use serde_json::json;

const ORDER: &str = "/api/services/order";
const SAVE: &str = "/api/services/save";

/// Saves the site's basic settings by a form.
async fn form(server: &Server, session: &Session, body: &'static str) -> Got {
    let request = server
        .request(Method::POST, "/admin/site-config/basic-setting")
        .header("cookie", &session.cookie)
        .header("x-csrf-token", &session.csrf)
        .header("content-type", "application/x-www-form-urlencoded")
        .body(body);
    server.send(request).await
}

async fn the_refusal_of_a_feature_has_its_place(server: Server) {
    let (brand, zoe) =
        (server.world.partner("Cedar Coffee").await, server.world.athlete("Zoe Okafor").await);
    server.world.new_operator("site@nil.example", Permission::Site).await;
    let session = log_in_operator(&server, "site@nil.example", PASSWORD).await;
    let wrong = form(&server, &session, "feature_flags%5Bservices%5D=perhaps").await;
    assert_eq!((wrong.status, wrong.code().as_str()), (422, "validation_failed"));
    let pairs = "feature_flags%5Bservices%5D=false&feature_flags[rosters]=false";
    let saved = form(&server, &session, pairs).await;
    assert_eq!(saved.status, 200, "{:#}", saved.json());
    assert_eq!(saved.json()["data"]["feature_flags"]["services"], false);
    let site = server.get("/api/site_config").await.json();
    assert_eq!(site["data"]["feature_flags"]["services"], false);
    assert_eq!(site["data"]["feature_flags"]["assistant"], true);

    let send =
        async |path: &str, who: Option<&Person>, body: &'static str, kind: &str, key: bool| {
            let mut request =
                server.request(Method::POST, path).header("content-type", kind).body(body);
            if let Some(token) = who.and_then(|who| who.token.as_deref()) {
                request = request.bearer_auth(token);
            }
            if key {
                request = request.header("idempotency-key", "one");
            }
            let got = server.send(request).await;
            (got.status, got.code())
        };
    let json = "application/json";
    for (path, who, body, kind, key, expected) in [
        // Who may not call at all is told so.
        (ORDER, None, "{}", json, false, (401, "unauthenticated")),
        (ORDER, Some(&zoe), "{}", json, false, (403, "forbidden")),
        // Before the body is looked at.
        (ORDER, Some(&brand), "{", json, false, (403, "feature_off")),
        (ORDER, Some(&brand), "{}", "image/png", false, (403, "feature_off")),
        (ORDER, Some(&brand), "{}", json, false, (403, "feature_off")),
        // A call with a key may have its answer already: only who has the whole request can tell.
        (ORDER, Some(&brand), "{", json, true, (400, "malformed_json")),
        (ORDER, Some(&brand), "{\"offer_id\":1}", json, true, (403, "feature_off")),
        // Whether an offer is new is in the body.
        (SAVE, Some(&zoe), "{", json, false, (400, "malformed_json")),
        (SAVE, Some(&zoe), "{\"price_cents\":-1}", json, false, (403, "feature_off")),
        (SAVE, Some(&zoe), "{\"id\":null}", json, false, (403, "feature_off")),
        (SAVE, Some(&zoe), "{\"id\":999}", json, false, (404, "not_found")),
    ] {
        let (status, code) = send(path, who, body, kind, key).await;
        assert_eq!((status, code.as_str()), expected, "{path} {body} {kind} {key}");
    }
    let roster = server.get("/api/roster/nowhere").await;
    assert_eq!((roster.status, roster.code().as_str()), (403, "feature_off"));
    let message = roster.json()["message"].clone();
    assert_eq!(message, json!("The feature `rosters` is switched off on this site."));
    let on = form(&server, &session, "feature_flags[rosters]=true").await;
    assert_eq!(on.json()["data"]["feature_flags"]["services"], false, "what is left out stays");
    assert_eq!(server.get("/api/roster/nowhere").await.code(), "not_found");
}
every_stack!(the_refusal_of_a_feature_has_its_place);
