//! Operators see what a refund would do: who bears it, and what stands in its way.

use nil_core::auth::Permission;
use nil_core::payments::sandbox;
use nil_tests::{Person, World, both};
use serde_json::{Value, json};

use crate::refunding::{Paid, paid, pay_out};

const PREVIEW: &str = "admin.payment.preview_refund";

async fn preview(world: &World, paid: &Paid, more: Value) -> Value {
    let mut input = json!({ "payment_id": paid.payment["id"] });
    input.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let operator = world.operator(&[Permission::Finance]);
    let shown = world.call(PREVIEW, &operator, input).await.data();
    let changes = shown["lines"].as_array().unwrap().iter();
    let sum: i64 = changes.map(|line| line["change_cents"].as_i64().unwrap()).sum();
    assert_eq!(sum, 0, "{shown}");
    shown
}

/// The line of one account, as change and balance.
fn line(shown: &Value, account: &str) -> Option<(i64, Option<i64>)> {
    let mut lines = shown["lines"].as_array().unwrap().iter();
    let line = lines.find(|line| line["account"] == account)?;
    Some((line["change_cents"].as_i64().unwrap(), line["after_cents"].as_i64()))
}

async fn refund(world: &World, paid: &Paid, more: Value) -> nil_tests::Answer {
    let mut input = json!({ "payment_id": paid.payment["id"], "reason": "Event cancelled" });
    input.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let operator = world.operator(&[Permission::Finance]);
    world.call("admin.payment.refund", &operator, input).await
}

fn wallet(person: &Person, kind: &str) -> String {
    format!("{kind}:{}:wallet", person.id)
}

async fn a_preview_shows_what_the_refund_then_does(world: World) {
    let paid = paid(&world, 10_000).await;
    let [athlete, agent] = [wallet(&paid.athlete, "athlete"), wallet(&paid.agent, "agent")];
    let part = json!({ "amount_cents": 4_000, "refund_fee": "proportional" });
    let shown = preview(&world, &paid, part.clone()).await;
    assert_eq!(shown["refundable_cents"], 10_000);
    assert_eq!((&shown["amount_cents"], &shown["fee_cents"]), (&json!(4_000), &json!(400)));
    assert_eq!((&shown["commission_cents"], &shown["owed_cents"]), (&json!(600), &json!(0)));
    assert_eq!(line(&shown, &athlete), Some((-3_400, Some(5_100))));
    assert_eq!(line(&shown, &agent), Some((-600, Some(900))));
    assert_eq!(line(&shown, "platform:fees").map(|line| line.0), Some(-400));
    // Nothing has happened.
    assert_eq!(world.balance(&paid.athlete).await, 8_500);
    world.books_are_right().await;

    let made = refund(&world, &paid, part).await.data();
    for field in ["amount_cents", "fee_cents", "commission_cents"] {
        assert_eq!(made[field], shown[field], "{field}");
    }
    assert_eq!(world.balance(&paid.athlete).await, 5_100);
    assert_eq!(world.balance(&paid.agent).await, 900);
    // What is left is what the next preview begins with.
    let rest = preview(&world, &paid, json!({})).await;
    assert_eq!((&rest["refundable_cents"], &rest["amount_cents"]), (&json!(6_000), &json!(6_000)));
    world.books_are_right().await;
}
both!(a_preview_shows_what_the_refund_then_does);

async fn a_preview_leaves_a_payout_on_hold(world: World) {
    let paid = paid(&world, 10_000).await;
    let operator = world.operator(&[Permission::Finance]);
    let trigger = json!({ "id": paid.athlete.id });
    let held = world.call("admin.payout.trigger", &operator, trigger).await.data();
    let shown = preview(&world, &paid, json!({ "amount_cents": 4_000 })).await;
    assert_eq!(
        (&shown["from_held_payouts_cents"], &shown["owed_cents"]),
        (&json!(8_500), &json!(0))
    );
    let athlete = wallet(&paid.athlete, "athlete");
    assert_eq!(line(&shown, &athlete), Some((-3_400, Some(5_100))));
    let now = world.call("admin.payout.list", &operator, json!({ "status": "on_hold" })).await;
    assert_eq!(now.data()[0]["id"], held["id"]);
    assert_eq!(world.balance(&paid.athlete).await, 0);
    world.books_are_right().await;
    refund(&world, &paid, json!({ "amount_cents": 4_000 })).await.data();
    assert_eq!(world.balance(&paid.athlete).await, 5_100);
}
both!(a_preview_leaves_a_payout_on_hold);

async fn a_preview_tells_what_would_be_owed(world: World) {
    let paid = paid(&world, 10_000).await;
    let payout = pay_out(&world, &paid.athlete).await;
    let operator = world.operator(&[Permission::Finance]);
    let input = json!({ "payment_id": paid.payment["id"] });
    let busy = world.call(PREVIEW, &operator, input.clone()).await;
    assert_eq!((busy.status, busy.code()), (409, "payout_in_progress"));
    sandbox::let_arrive(&world.platform, payout).await.unwrap();
    let shown = preview(&world, &paid, json!({})).await;
    assert_eq!(shown["owed_cents"], 8_500);
    let receivable = format!("athlete:{}:receivable", paid.athlete.id);
    assert_eq!(line(&shown, &receivable), Some((-8_500, Some(-8_500))));
    assert_eq!(refund(&world, &paid, json!({})).await.code(), "already_paid_out");
    refund(&world, &paid, json!({ "allow_negative_balance": true })).await.data();
    let nothing = world.call(PREVIEW, &operator, input).await;
    assert_eq!((nothing.status, nothing.code()), (409, "not_refundable"));
    let most = json!({ "payment_id": 99 });
    assert_eq!(world.call(PREVIEW, &operator, most.clone()).await.status, 404);
    let others = world.operator(&[Permission::Jobs]);
    assert_eq!(world.call(PREVIEW, &others, most).await.status, 403);
}
both!(a_preview_tells_what_would_be_owed);
