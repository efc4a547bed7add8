//! Refunds that the processor fails days after it had reported them as succeeded.

use nil_core::kernel::RefundId;
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
