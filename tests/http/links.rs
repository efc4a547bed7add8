//! Affiliate links over HTTP: a redirect for visitors, an API key for the shop's service.

use nil_core::auth::{Scope, api_key};
use nil_tests::{Server, every_stack};
use reqwest::Method;
use serde_json::json;

async fn a_link_that_is_followed_is_a_redirect(server: Server) {
    let world = &server.world;
    let hire = world
        .active(json!({
            "compensation": "commission", "amount_cents": 0, "commission_basis_points": 1_000,
            "product_value_cents": 50_000,
        }))
        .await;
    let website = json!({ "website": "https://ridge.example/" });
    world.call("core.partner.edit", &hire.partner.principal, website).await.data();
    // A brand with another website is verified by its next approved job.
    world.script("UPDATE partner SET verified_at = created_at").await;
    let link = json!({ "job_id": hire.job, "target_url": "https://ridge.example/vests" });
    let link = world.call("core.affiliate.save_link", &hire.athlete.principal, link).await.data();
    let code = link["code"].as_str().unwrap();
    let path = format!("/api/l/{code}");
    for method in [Method::GET, Method::HEAD] {
        let followed = server.send(server.request(method, &path)).await;
        assert_eq!((followed.status, followed.bytes.len()), (302, 0));
        let to = format!("https://ridge.example/vests?nil_code={code}");
        assert_eq!(followed.header("location"), to);
        assert_eq!(followed.header("cache-control"), "no-store");
        assert_eq!(followed.header("referrer-policy"), "no-referrer");
        assert_eq!(followed.header("x-interface-extension"), "1");
    }
    // An `Idempotency-Key` has no effect: there is no stored response.
    for _ in 0..2 {
        let keyed = server.request(Method::GET, &path).header("Idempotency-Key", "k");
        assert_eq!(server.send(keyed).await.status, 302);
    }
    let listed = world.call("core.affiliate.links", &hire.athlete.principal, json!({})).await;
    assert_eq!(listed.data()[0]["clicks"], 4);
    // Links of unverified brands show the destination first, on an inert page.
    world.script("UPDATE partner SET verified_at = NULL").await;
    let shown = server.get(&path).await;
    assert_eq!(shown.status, 200);
    assert_eq!(shown.header("content-type"), "text/html; charset=utf-8");
    assert_eq!(shown.header("cache-control"), "no-store");
    assert_eq!(shown.header("referrer-policy"), "no-referrer");
    assert_eq!(shown.header("x-robots-tag"), "noindex, nofollow");
    let policy = shown.header("content-security-policy");
    assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
    let page = String::from_utf8(shown.bytes).unwrap();
    assert!(page.contains("rel=\"nofollow noopener noreferrer\"") && !page.contains("<script"));
    let head = server.send(server.request(Method::HEAD, &path)).await;
    assert_eq!((head.status, head.bytes.len()), (200, 0));
    // A shop's service reports sales with its key, if the key has that scope.
    let sale = json!({ "code": code, "order_reference": "A-1", "amount_cents": 12_000 });
    let address = "/api/affiliate-links/conversions";
    assert_eq!(server.post(address, &sale).await.status, 401);
    for (scope, expected) in [(Scope::Affiliate, 200), (Scope::Internal, 403)] {
        let (_, key) = api_key::create(&world.platform, "Shop", &[scope]).await.unwrap();
        for _ in 0..2 {
            let report = server.request(Method::POST, address).json(&sale);
            let got = server.send(report.header("X-API-KEY", key.expose())).await;
            assert_eq!(got.status, expected, "{scope}");
            if expected == 200 {
                assert_eq!(got.json()["data"]["commission_cents"], 1_200);
            }
        }
    }
    let sales = world.call("core.affiliate.sales", &hire.partner.principal, json!({})).await;
    assert_eq!(sales.body["pagination"]["total"], 1);
    for unknown in ["/api/l/zzzzzzzzzz", "/api/l/%00", "/api/l/..%2f..%2fevil.example"] {
        assert_eq!(server.get(unknown).await.status / 100, 4, "{unknown}");
    }
    assert_eq!(server.get("/api/l/zzzzzzzzzz").await.code(), "not_found");
}
every_stack!(a_link_that_is_followed_is_a_redirect);
