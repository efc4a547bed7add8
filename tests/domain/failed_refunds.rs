//! Refunds that the processor fails days after it had reported them as succeeded.

use chrono::TimeDelta;
use nil_core::kernel::{RefundId, SubscriptionRefundId};
use nil_core::payments::{self, sandbox};
use nil_tests::{World, both};
use serde_json::{Value, json};

use crate::disputes::refund;
use crate::refunding::{finance, paid, payment_now};

const REFUND: &str = "admin.payment.refund";

async fn a_refund_fails_days_after_it_succeeded(world: World) {
    let paid = paid(&world, 10_000).await;
    let operator = finance(&world);
    let part = |cents: i64| {
        let mut input = refund(&paid);
        let more = json!({ "amount_cents": cents, "refund_fee": "proportional" });
        input.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        input
    };
    let first = world.call(REFUND, &operator, part(4_000)).await.data();
    let second = world.call(REFUND, &operator, part(6_000)).await.data();
    assert_eq!(payment_now(&world, &paid).await["status"], "refunded");
    let fail = async |refund: &Value| {
        let id = RefundId::new(refund["id"].as_i64().unwrap()).unwrap();
        assert!(sandbox::fail_refund(&world.platform, id).await.unwrap());
        world.books_are_right().await;
        payment_now(&world, &paid).await
    };
    let now = fail(&first).await;
    assert_eq!(world.told("refund.failed").await, 2, "the brand and the athlete");
    assert_eq!(
        (&now["status"], &now["refunded_cents"], &now["refunded_fee_cents"]),
        (&json!("partially_refunded"), &json!(6_000), &json!(600))
    );
    assert_eq!(world.balance(&paid.athlete).await, 3_400);
    let now = fail(&second).await;
    assert_eq!((&now["status"], &now["refunded_cents"]), (&json!("succeeded"), &json!(0)));
    assert_eq!(world.balance(&paid.athlete).await, 8_500);
    assert_eq!(world.balance(&paid.agent).await, 1_500);
    // It can be made again.
    world.call(REFUND, &operator, part(10_000)).await.data();
    assert_eq!(payment_now(&world, &paid).await["status"], "refunded");
    world.books_are_right().await;
}
both!(a_refund_fails_days_after_it_succeeded);

async fn the_fee_of_a_refund_that_failed_is_billed_again(world: World) {
    let paid = paid(&world, 10_000).await;
    let mut input = refund(&paid);
    input.as_object_mut().unwrap().insert("refund_fee".into(), json!("all"));
    let refund = world.call(REFUND, &finance(&world), input).await.data();
    world.pass_until("2026-12-02T12:00:00Z");
    payments::issue_invoices(&world.platform).await.unwrap();
    let sums = "COALESCE(SUM(amount_cents), 0)";
    let billed = async || world.text(sums, "invoice_line").await.unwrap();
    assert_eq!(billed().await, "0", "the fee, and the fee given back");
    let id = RefundId::new(refund["id"].as_i64().unwrap()).unwrap();
    assert!(sandbox::fail_refund(&world.platform, id).await.unwrap());
    world.pass_until("2027-01-02T12:00:00Z");
    for _ in 0..2 {
        payments::issue_invoices(&world.platform).await.unwrap();
        assert_eq!(billed().await, "1000");
    }
    world.books_are_right().await;
}
both!(the_fee_of_a_refund_that_failed_is_billed_again);

const OF_SUBSCRIPTION: &str = "admin.subscription.refund";

async fn fail_of_subscription(world: &World, refund: &Value) {
    let id = SubscriptionRefundId::new(refund["id"].as_i64().unwrap()).unwrap();
    assert!(sandbox::fail_subscription_refund(&world.platform, id).await.unwrap());
    world.books_are_right().await;
}

async fn subscription_revenue(world: &World) -> Value {
    let all = json!({ "status": "all", "by": "month" });
    let revenue = world.call("admin.payment.revenue", &finance(world), all).await;
    revenue.body["totals"]["subscription_cents"].clone()
}

async fn a_refund_of_a_subscription_fails_days_after_it_succeeded(world: World) {
    let plan = world.plan(json!({})).await;
    let partner = world.paying_partner("Cedar Coffee").await;
    world.subscribe(&partner, &plan).await.data();
    let invoice = world.invoices(&partner).await[0].clone();
    let input = json!({ "invoice_id": invoice["id"], "rule": "full", "reason": "By mistake." });
    let refund = async || world.call(OF_SUBSCRIPTION, &finance(&world), input.clone()).await;
    let first = refund().await.data();
    assert_eq!(first["status"], "succeeded");
    assert_eq!(subscription_revenue(&world).await, 0);
    let note = world.invoices(&partner).await[0].clone();
    world.pass(TimeDelta::days(3));
    // The money has gone to the card, so it comes back even if the site has lost its name.
    let named = world.text("name", "site").await.unwrap();
    world.script("UPDATE site SET name = ''").await;
    fail_of_subscription(&world, &first).await;
    world.script(&format!("UPDATE site SET name = '{named}'")).await;
    let row = "failure_code || ' ' || status || COALESCE(CAST(credit_note_id AS TEXT), '')";
    let failed = world.text(row, "subscription_refund").await.unwrap();
    assert!(failed.ends_with(" failed"), "{failed}");
    assert_eq!(subscription_revenue(&world).await, 4_900);
    let back = world.invoices(&partner).await[0].clone();
    assert_eq!((&back["total_cents"], &back["status"]), (&json!(4_900), &json!("paid")));
    let words = format!("Credit note {}: its refund failed", note["number"].as_str().unwrap());
    assert_eq!(back["lines"][0]["description"], words);
    let kept = "SELECT taken_back_by_id FROM subscription_refund";
    assert_eq!(world.id(kept).await, back["id"].as_i64().unwrap());
    assert_eq!(world.invoices(&partner).await.len(), 3, "the credit note stays as it was");
    assert_eq!(world.told("subscription.refund_failed").await, 1);
    // Said again, it changes nothing.
    let key = "key FROM movement WHERE kind = 'subscription_refund'";
    let (what, from) = key.split_once(" FROM ").unwrap();
    let key = world.text(what, from).await.unwrap();
    let processor = world.platform.processor();
    assert!(!processor.sandbox().unwrap().fail_refund(&key).await.unwrap());
    sandbox::deliver_events(&world.platform).await.unwrap();
    assert_eq!(world.invoices(&partner).await.len(), 3);
    assert_eq!(world.subscription(&partner).await["status"], "active");
    // It can be made again, and can fail again.
    for revenue in [0, 4_900] {
        let again = refund().await;
        if revenue == 0 {
            assert_eq!(again.data()["amount_cents"], 4_900);
        } else {
            assert_eq!(again.code(), "not_refundable");
            let second = json!({ "id": first["id"].as_i64().unwrap() + 1 });
            fail_of_subscription(&world, &second).await;
        }
        assert_eq!(subscription_revenue(&world).await, revenue);
    }
    assert_eq!(world.invoices(&partner).await.len(), 5);
}
both!(a_refund_of_a_subscription_fails_days_after_it_succeeded);
