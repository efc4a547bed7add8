//! All kinds of invalid requests, against a deal with unpaid work: each refusal has its status and
//! its message, and none changes the database.

use nil_tests::{DECLINED_CARD, PASSWORD, Person, Server, every_stack};
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

fn post(server: &Server, who: &Person, path: &str) -> RequestBuilder {
    let token = who.token.as_deref().expect("a token");
    server.request(Method::POST, path).bearer_auth(token)
}

async fn payments(server: &Server, brand: &Person) -> Vec<Value> {
    let list = post(server, brand, "/api/paymentHistoryPartner").json(&json!({}));
    let list = server.send(list).await.json();
    list["data"].as_array().expect("a list").clone()
}

async fn refusals_say_what_is_wrong_and_leave_no_trace(server: Server) {
    let world = &server.world;
    let brand = world.paying_partner("Northfield").await;
    let rival = world.partner("Ironwood").await;
    let athlete = world.athlete("Jordan Rivera").await;
    let deal = world.approved_deal(&brand, &athlete, &[25_000]).await;
    let application = world.id("SELECT id FROM application").await;
    let pay = "/api/submitProcessorPaymentsaved";
    let owed = json!({ "athlete_id": athlete.id, "contract_id": deal.contract_id });

    let broken = post(&server, &brand, pay).body("{\"athlete_id\": 1,");
    let broken = server.send(broken).await;
    assert_eq!((broken.status, broken.code().as_str()), (400, "malformed_json"));

    let mut more = owed.clone();
    more["tip_cents"] = json!(500);
    let unknown = server.send(post(&server, &brand, pay).json(&more)).await;
    assert_eq!((unknown.status, unknown.code().as_str()), (422, "unknown_field"));
    assert!(unknown.json()["errors"]["tip_cents"].is_array());

    let theirs = json!({ "id": application });
    let foreign = server.send(post(&server, &rival, "/api/athleteHire").json(&theirs)).await;
    let missing = json!({ "id": 9 });
    let missing = server.send(post(&server, &rival, "/api/athleteHire").json(&missing)).await;
    assert_eq!((foreign.status, foreign.code()), (404, "not_found".to_owned()));
    assert_eq!((missing.status, missing.code()), (foreign.status, foreign.code()));
    assert_eq!(missing.bytes.len(), foreign.bytes.len());

    let kind = server.send(post(&server, &athlete, pay).json(&owed)).await;
    assert_eq!((kind.status, kind.code().as_str()), (403, "forbidden"));
    let nobody = server.post(pay, &owed).await;
    assert_eq!((nobody.status, nobody.code().as_str()), (401, "unauthenticated"));

    // A character may be four bytes long; the limit counts characters.
    let reject = |reason: String| {
        let input = json!({ "id": application, "reason": reason });
        post(&server, &brand, "/api/rejectAthletefromJob").json(&input)
    };
    let long = server.send(reject("🏈".repeat(1_001))).await;
    assert_eq!((long.status, long.code().as_str()), (422, "validation_failed"));
    assert!(long.json()["errors"]["reason"].is_array());
    let fits = server.send(reject("🏈".repeat(1_000))).await;
    assert_eq!(fits.status, 409, "of the right length, but nobody rejects who is hired");
    assert!(payments(&server, &brand).await.is_empty());

    world.card(&brand, DECLINED_CARD).await;
    let cards = post(&server, &brand, "/api/partner/processor/payment-methods/2/set-as-default");
    assert_eq!(server.send(cards.json(&json!({}))).await.status, 200);
    let declined = server.send(post(&server, &brand, pay).json(&owed)).await;
    assert_eq!((declined.status, declined.code().as_str()), (402, "card_declined"));
    assert_eq!(declined.json()["data"]["status"], "failed");
    let kept = payments(&server, &brand).await;
    assert_eq!((kept.len(), &kept[0]["status"]), (1, &json!("failed")));

    let cards = post(&server, &brand, "/api/partner/processor/payment-methods/1/set-as-default");
    assert_eq!(server.send(cards.json(&json!({}))).await.status, 200);
    let keyed = || {
        let request = post(&server, &brand, pay).header("idempotency-key", "once");
        server.send(request.json(&owed))
    };
    let (first, second) = (keyed().await, keyed().await);
    assert_eq!(first.status, 200, "{:#}", first.json());
    assert_eq!(second.bytes, first.bytes);
    assert_eq!(second.header("idempotent-replayed"), "true");
    let kept = payments(&server, &brand).await;
    assert_eq!(kept.len(), 2);
    assert_eq!(world.balance(&athlete).await, 25_000);

    let log_in = json!({ "email": rival.email, "password": PASSWORD });
    for _ in 0..10 {
        server.post("/api/login", &log_in).await;
    }
    let eleventh = server.post("/api/login", &log_in).await;
    assert_eq!((eleventh.status, eleventh.code().as_str()), (429, "throttled"));
    let seconds: u64 = eleventh.header("retry-after").parse().expect("seconds");
    assert!((1..=60).contains(&seconds));
    world.books_are_right().await;
}
every_stack!(refusals_say_what_is_wrong_and_leave_no_trace);
