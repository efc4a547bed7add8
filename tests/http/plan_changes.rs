//! The story of a change of plan over HTTP: mid-period to the cent, a declined card, a repeated
//! key, a crash between the charge and its settlement, and the renewal after it.

use chrono::TimeDelta;
use nil_core::payments;
use nil_tests::{DECLINED_CARD, Fault, GOOD_CARD, Got, Person, Server, every_stack};
use reqwest::Method;
use serde_json::{Value, json};

async fn post(server: &Server, who: &Person, path: &str, key: Option<&str>, body: Value) -> Got {
    let token = who.token.as_deref().expect("a token");
    let mut request = server.request(Method::POST, path).bearer_auth(token).json(&body);
    if let Some(key) = key {
        request = request.header("Idempotency-Key", key);
    }
    server.send(request).await
}

async fn current(server: &Server, who: &Person) -> Value {
    let token = who.token.as_deref().expect("a token");
    let request = server.request(Method::GET, "/api/subscriptions/current").bearer_auth(token);
    server.send(request).await.json()["data"].clone()
}

/// Logs the brand in; returns it with the new session.
async fn log_in(server: &Server, who: &Person) -> Person {
    let log_in = json!({ "email": who.email, "password": nil_tests::PASSWORD });
    let answer = server.post("/api/login", &log_in).await.json();
    let token = answer["access_token"].as_str().expect("a token").to_owned();
    Person { token: Some(token), ..who.clone() }
}

async fn charge_to(server: &Server, who: &Person, token: &str) {
    let card = server.world.card(who, token).await;
    let default = json!({ "payment_method_id": card["id"] });
    let set = "core.partner.set_default_payment_method";
    server.world.call(set, &who.principal, default).await.data();
}

async fn a_plan_is_changed_mid_period_to_the_cent(server: Server) {
    const PREVIEW: &str = "/api/subscriptions/preview-change";
    const CHANGE: &str = "/api/subscriptions/change";
    let world = &server.world;
    let growth = world.plan(json!({})).await;
    let scale = world.plan(json!({ "name": "Scale", "price_cents": 9_900 })).await;
    let top = world.plan(json!({ "name": "Top", "price_cents": 30_000 })).await;
    let brand = world.paying_partner("Cedar Coffee").await;
    let plan = json!({ "plan_id": growth["id"] });
    let subscribed = post(&server, &brand, "/api/subscriptions/subscribe", None, plan).await;
    assert_eq!(subscribed.status, 200);
    let ends = subscribed.json()["data"]["period_ends_at"].clone();
    world.pass(TimeDelta::days(11));
    let brand = log_in(&server, &brand).await;

    // The preview, to the cent, and a change that expects another total.
    let plan = json!({ "plan_id": scale["id"] });
    let preview = post(&server, &brand, PREVIEW, None, plan).await.json()["data"].clone();
    let amounts: Vec<_> =
        preview["lines"].as_array().unwrap().iter().map(|line| &line["amount_cents"]).collect();
    assert_eq!(
        (amounts, &preview["total_cents"]),
        (vec![&json!(-3_103), &json!(6_270)], &json!(3_167))
    );
    let input =
        |plan: &Value, total: i64| json!({ "plan_id": plan["id"], "expected_total_cents": total });
    let other = post(&server, &brand, CHANGE, None, input(&scale, 3_000)).await;
    assert_eq!((other.status, other.code().as_str()), (409, "total_changed"));
    assert_eq!(other.json()["data"], preview);

    // A declined card leaves the old plan, also when the call is repeated.
    charge_to(&server, &brand, DECLINED_CARD).await;
    for _ in 0..2 {
        let declined = post(&server, &brand, CHANGE, Some("one"), input(&scale, 3_167)).await;
        assert_eq!((declined.status, declined.code().as_str()), (402, "card_declined"));
    }
    assert_eq!(current(&server, &brand).await["plan_name"], "Growth");
    assert_eq!(world.charged().await, (4_900, 1));

    // With a good card it is charged once, however often the call is repeated.
    charge_to(&server, &brand, GOOD_CARD).await;
    let first = post(&server, &brand, CHANGE, Some("two"), input(&scale, 3_167)).await;
    let second = post(&server, &brand, CHANGE, Some("two"), input(&scale, 3_167)).await;
    assert_eq!((first.status, &first.bytes), (200, &second.bytes));
    assert_eq!(first.json()["data"]["change"]["status"], "done");
    assert_eq!(world.charged().await, (8_067, 2));
    world.books_are_right().await;

    // The server dies between the charge and its settlement; the worker settles it.
    let total = post(&server, &brand, PREVIEW, None, json!({ "plan_id": top["id"] })).await;
    let total = total.json()["data"]["total_cents"].as_i64().unwrap();
    assert_eq!(total, 19_000 - 6_270);
    world.processor.next(&[Fault::DiesAfter]);
    let died = post(&server, &brand, CHANGE, Some("three"), input(&top, total)).await;
    assert_eq!(died.status, 500);
    assert_eq!(current(&server, &brand).await["plan_name"], "Scale");
    world.pass(TimeDelta::seconds(11));
    assert_eq!(payments::reconcile(&world.platform).await.unwrap().subscriptions, 1);
    let answer = post(&server, &brand, CHANGE, Some("three"), input(&top, total)).await;
    assert_eq!((answer.status, &answer.json()["data"]["change"]["status"]), (200, &json!("done")));
    assert_eq!(world.charged().await, (8_067 + total, 3));

    // The renewal has the price of the new plan, on the day of the old one.
    world.pass_until(ends.as_str().unwrap());
    assert_eq!(payments::bill(&world.platform).await.unwrap().renewed, 1);
    let brand = log_in(&server, &brand).await;
    let renewed = current(&server, &brand).await;
    assert_eq!((&renewed["plan_name"], &renewed["period"]), (&json!("Top"), &json!(2)));
    assert_eq!(renewed["period_starts_at"], ends);
    assert_eq!(world.charged().await, (8_067 + total + 30_000, 4));
    world.books_are_right().await;
}
every_stack!(a_plan_is_changed_mid_period_to_the_cent);
