//! Backup withholding: a part of each payout is kept for the tax office.

use nil_core::auth::Permission;
use nil_core::kernel::PayoutId;
use nil_core::payments::{self, sandbox};
use nil_tests::{Answer, Person, World, both};
use serde_json::{Value, json};

use crate::tax_forms::{hand_in, w9};

const SET: &str = "admin.tax.set_withholding";

async fn set(world: &World, input: Value) -> Answer {
    world.call(SET, &world.operator(&[Permission::Finance]), input).await
}

fn told(athlete: &Person, active: bool) -> Value {
    json!({ "athlete_id": athlete.id, "active": active, "notice": "c_notice", "reason": "CP 2100, line 7" })
}

async fn pay_out(world: &World, athlete: &Person) -> Value {
    let finance = world.operator(&[Permission::Finance]);
    world.call("admin.payout.trigger", &finance, json!({ "id": athlete.id })).await.data()
}

async fn wallet(world: &World, athlete: &Person) -> Value {
    world.call("core.wallet.show", &athlete.principal, json!({})).await.data()
}

async fn a_payout_is_less_what_is_withheld(world: World) {
    let athlete = world.earner(100_001).await;
    world.can_receive(&athlete).await;
    let begun = set(&world, told(&athlete, true)).await.data();
    assert_eq!((&begun["notice"], &begun["ends_at"]), (&json!("c_notice"), &Value::Null));
    assert_eq!(
        set(&world, told(&athlete, true)).await.data(),
        begun,
        "repeating it changes nothing"
    );
    let standing = world.call("core.tax_form.standing", &athlete.principal, json!({})).await.data();
    assert_eq!(standing["backup_withholding"]["id"], begun["id"]);
    let payout = pay_out(&world, &athlete).await;
    // 24 percent of 1,000.01 dollars, rounded half to even.
    assert_eq!(
        (&payout["withheld_cents"], &payout["amount_cents"]),
        (&json!(24_000), &json!(76_001))
    );
    world.books_are_right().await;
    sandbox::let_arrive(&world.platform, id(&payout)).await.unwrap();
    let shown = wallet(&world, &athlete).await;
    assert_eq!((&shown["balance_cents"], &shown["paid_out_cents"]), (&json!(0), &json!(76_001)));
    assert_eq!(shown["withheld_cents"], 24_000);
    assert!(
        shown["entries"].as_array().unwrap().iter().any(|entry| {
            entry["reason"] == "payout_withheld" && entry["amount_cents"] == -24_000
        })
    );
    let summary =
        world.call("core.payment.tax_summary", &athlete.principal, json!({})).await.data();
    assert_eq!(summary["withheld_cents"], 24_000);
    let account = format!("athlete:{}:withheld", athlete.id);
    let kept = format!("SELECT balance_cents FROM ledger_account WHERE name = '{account}'");
    assert_eq!(world.id(&kept).await, 24_000);

    // The bank returns it: what was withheld is back, too, and withheld again from the next payout.
    assert!(sandbox::return_payout(&world.platform, id(&payout)).await.unwrap());
    let back = wallet(&world, &athlete).await;
    assert_eq!((&back["balance_cents"], &back["withheld_cents"]), (&json!(100_001), &json!(0)));
    world.books_are_right().await;
    let finance = world.operator(&[Permission::Finance]);
    let again = json!({ "id": payout["id"] });
    let retried = world.call("admin.payout.retry", &finance, again).await.data();
    assert_eq!(
        (&retried["withheld_cents"], &retried["amount_cents"]),
        (&json!(24_000), &json!(76_001))
    );
    world.books_are_right().await;
}
both!(a_payout_is_less_what_is_withheld);

fn id(payout: &Value) -> PayoutId {
    PayoutId::new(payout["id"].as_i64().unwrap()).unwrap()
}

async fn a_payout_on_hold_that_is_cancelled_gives_back_what_was_withheld(world: World) {
    let athlete = world.earner(50_000).await;
    set(&world, told(&athlete, true)).await.data();
    let held = pay_out(&world, &athlete).await;
    assert_eq!((&held["status"], &held["withheld_cents"]), (&json!("on_hold"), &json!(12_000)));
    let finance = world.operator(&[Permission::Finance]);
    let which = json!({ "id": held["id"] });
    world.call("admin.payout.cancel", &finance, which).await.data();
    assert_eq!(world.balance(&athlete).await, 50_000);
    world.books_are_right().await;
    // A refund takes the money of a payout on hold, too.
    let held = pay_out(&world, &athlete).await;
    assert_eq!(held["status"], "on_hold");
    let refund = json!({ "payment_id": 1, "reason": "Agreed." });
    let refund = world.call("admin.payment.refund", &finance, refund).await.data();
    assert_eq!(refund["status"], "succeeded");
    assert_eq!(world.balance(&athlete).await, 0);
    world.books_are_right().await;
}
both!(a_payout_on_hold_that_is_cancelled_gives_back_what_was_withheld);

async fn withholding_ends_and_only_for_whom_it_was_set(world: World) {
    let athlete = world.earner(50_000).await;
    world.can_receive(&athlete).await;
    assert_eq!(set(&world, told(&athlete, false)).await.code(), "not_found");
    set(&world, told(&athlete, true)).await.data();
    // A tax form alone does not end what the tax office told to do.
    hand_in(&world, &athlete, w9("219-09-9999")).await.data();
    assert_ne!(set(&world, told(&athlete, false)).await.data()["ends_at"], Value::Null);
    let payout = pay_out(&world, &athlete).await;
    assert_eq!((&payout["withheld_cents"], &payout["amount_cents"]), (&json!(0), &json!(50_000)));
    for wrong in [
        json!({ "active": true, "notice": "c_notice", "reason": "x" }),
        json!({ "athlete_id": athlete.id, "agent_id": 1, "active": true, "reason": "x" }),
        json!({ "athlete_id": athlete.id, "active": true, "reason": "x" }),
    ] {
        assert_eq!(set(&world, wrong).await.status, 422);
    }
    let unknown = json!({ "athlete_id": 999, "active": true, "notice": "no_tin", "reason": "x" });
    assert_eq!(set(&world, unknown).await.code(), "not_found");
    let other = world.operator(&[Permission::Accounts]);
    assert_eq!(world.call(SET, &other, told(&athlete, true)).await.status, 403);
    world.books_are_right().await;
}
both!(withholding_ends_and_only_for_whom_it_was_set);

async fn tampering_with_what_was_withheld_is_noticed(world: World) {
    let athlete = world.earner(50_000).await;
    set(&world, told(&athlete, true)).await.data();
    pay_out(&world, &athlete).await;
    world.books_are_right().await;
    world.id("UPDATE payout SET withheld_cents = 1 RETURNING id").await;
    let problems = payments::verify(&world.platform).await.unwrap().problems();
    let check = "every payout's withholding matches its entries and status";
    assert!(problems.iter().any(|problem| problem.starts_with(check)), "{problems:?}");
    world.id("UPDATE payout SET withheld_cents = 12000 RETURNING id").await;
    world.books_are_right().await;
}
both!(tampering_with_what_was_withheld_is_noticed);
