//! An athlete leaves, over HTTP: takes their data along, closes the account, and is forgotten; the
//! brand keeps its contract.

use nil_tests::{PASSWORD, Server, every_stack, unpacked};
use reqwest::Method;
use serde_json::json;

async fn an_athlete_leaves_and_is_forgotten(server: Server) {
    let world = &server.world;
    let brand = world.partner("Cedar Coffee").await;
    let athlete = world.athlete("Zephyrine Quillfeather").await;
    let edit = json!({ "bio": "I paint lighthouses." });
    world.call("core.athlete.edit", &athlete.principal, edit).await.data();
    let job = world.open_job(&brand, json!({})).await;
    let hire = world.hire(&brand, &athlete, job).await;
    let token = athlete.token.clone().unwrap();
    let of_brand = brand.token.clone().unwrap();

    let ask = server.request(Method::POST, "/api/takeout").bearer_auth(&token);
    assert_eq!(server.send(ask).await.status, 200);
    nil_core::worker::round(&world.platform).await.unwrap();
    let takeout = server.request(Method::GET, "/api/athlete/takeout").bearer_auth(&token);
    let takeout = server.send(takeout).await;
    assert_eq!(takeout.status, 200);
    assert_eq!(takeout.header("content-type"), "application/zip");
    assert!(takeout.header("content-disposition").contains("my-data-2026-11-20.zip"));
    let page = unpacked(&takeout.bytes).into_iter().find(|(name, _)| name == "index.html");
    let page = String::from_utf8(page.unwrap().1).unwrap();
    assert!(page.contains("I paint lighthouses."), "{page}");

    let close = |password: &str| {
        let body = json!({ "password": password });
        let path = "/api/deactivate-account";
        server.request(Method::POST, path).bearer_auth(&token).json(&body)
    };
    let wrong = server.send(close("not my passphrase")).await;
    assert_eq!((wrong.status, wrong.code().as_str()), (422, "validation_failed"));
    let early = server.send(close(PASSWORD)).await;
    assert_eq!((early.status, early.code().as_str()), (409, "account_not_settled"));
    assert_eq!(
        early.json()["data"]["left"][0],
        json!({ "what": "contracts", "count": 1, "amount_cents": null })
    );
    let operator = world.operator(&[nil_core::auth::Permission::Jobs]);
    let cancel = json!({ "contract_id": hire.contract, "reason": "The athlete leaves." });
    world.call("admin.job.cancel_contract", &operator, cancel).await.data();
    let closed = server.send(close(PASSWORD)).await;
    assert_eq!(
        (closed.status, closed.json()["data"]["status"].as_str()),
        (200, Some("deactivated"))
    );

    let me = server.request(Method::POST, "/api/me").bearer_auth(&token);
    assert_eq!(server.send(me).await.status, 401);
    let log_in = json!({ "email": athlete.email, "password": PASSWORD });
    assert_eq!(server.post("/api/login", &log_in).await.status, 401);
    let detail = json!({ "athlete_id": athlete.id });
    let detail =
        server.request(Method::POST, "/api/getAthleteDetail").bearer_auth(&of_brand).json(&detail);
    let detail = server.send(detail).await;
    assert!(!String::from_utf8_lossy(&detail.bytes).to_lowercase().contains("quillfeather"));
    let paper = format!("/api/jobs/{job}/download-contract");
    let paper = server.send(server.request(Method::GET, &paper).bearer_auth(&of_brand)).await;
    assert!(paper.status == 200 && paper.bytes.starts_with(b"%PDF"));
    assert_eq!(world.places_of(&["lighthouses"]).await, []);
}
every_stack!(an_athlete_leaves_and_is_forgotten);
