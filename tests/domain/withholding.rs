//! Backup withholding: a part of each payment is kept for the tax office.

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

async fn a_payment_is_less_what_is_withheld(world: World) {
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
    // What was paid before the notice is paid out whole.
    assert_eq!(pay_out(&world, &athlete).await["amount_cents"], 100_001);
    let late = world.paying_partner("Harbor Books").await;
    let deal = world.approved_deal(&late, &athlete, &[300_002]).await;
    world.pay(&late, &athlete, &deal).await;
    world.books_are_right().await;
    // 24 percent of 3,000.02 dollars, rounded half to even.
    let shown = wallet(&world, &athlete).await;
    assert_eq!(
        (&shown["balance_cents"], &shown["withheld_cents"]),
        (&json!(228_002), &json!(72_000))
    );
    assert!(shown["entries"].as_array().unwrap().iter().any(|entry| {
        entry["reason"] == "payment_withheld" && entry["amount_cents"] == -72_000
    }));
    sandbox::let_arrive(&world.platform, PayoutId::new(1).unwrap()).await.unwrap();
    let payout = pay_out(&world, &athlete).await;
    assert_eq!(payout["amount_cents"], 228_002);
    sandbox::let_arrive(&world.platform, id(&payout)).await.unwrap();
    // The bank returns it: the tax was taken from the payment, and stays.
    assert!(sandbox::return_payout(&world.platform, id(&payout)).await.unwrap());
    let back = wallet(&world, &athlete).await;
    assert_eq!(
        (&back["balance_cents"], &back["withheld_cents"]),
        (&json!(228_002), &json!(72_000))
    );
    world.books_are_right().await;
    let finance = world.operator(&[Permission::Finance]);
    let again = json!({ "id": payout["id"] });
    let retried = world.call("admin.payout.retry", &finance, again).await.data();
    assert_eq!(retried["amount_cents"], 228_002);
    let summary =
        world.call("core.payment.tax_summary", &athlete.principal, json!({})).await.data();
    assert_eq!(summary["withheld_cents"], 72_000);
    world.books_are_right().await;
}
both!(a_payment_is_less_what_is_withheld);

fn id(payout: &Value) -> PayoutId {
    PayoutId::new(payout["id"].as_i64().unwrap()).unwrap()
}

async fn a_refund_takes_what_was_withheld_and_the_money_of_a_payout_on_hold(world: World) {
    let athlete = world.earner(50_000).await;
    set(&world, told(&athlete, true)).await.data();
    let late = world.paying_partner("Harbor Books").await;
    let deal = world.approved_deal(&late, &athlete, &[250_000]).await;
    world.pay(&late, &athlete, &deal).await;
    let held = pay_out(&world, &athlete).await;
    assert_eq!((&held["status"], &held["amount_cents"]), (&json!("on_hold"), &json!(240_000)));
    let finance = world.operator(&[Permission::Finance]);
    let refund = json!({ "payment_id": 2, "reason": "Agreed." });
    let refund = world.call("admin.payment.refund", &finance, refund).await.data();
    assert_eq!(refund["status"], "succeeded");
    let shown = wallet(&world, &athlete).await;
    assert_eq!((&shown["balance_cents"], &shown["withheld_cents"]), (&json!(50_000), &json!(0)));
    world.books_are_right().await;
}
both!(a_refund_takes_what_was_withheld_and_the_money_of_a_payout_on_hold);

async fn a_debt_is_settled_before_tax_is_taken(world: World) {
    let brand = world.paying_partner("Cedar Coffee").await;
    let athlete = world.athlete("Jordan Lake").await;
    world.can_receive(&athlete).await;
    let deal = world.approved_deal(&brand, &athlete, &[500_000]).await;
    world.pay(&brand, &athlete, &deal).await;
    let payout = pay_out(&world, &athlete).await;
    sandbox::let_arrive(&world.platform, id(&payout)).await.unwrap();
    let finance = world.operator(&[Permission::Finance]);
    let refund = json!({ "payment_id": 1, "amount_cents": 280_000, "reason": "Agreed.",
        "allow_negative_balance": true });
    world.call("admin.payment.refund", &finance, refund).await.data();
    set(&world, told(&athlete, true)).await.data();
    let deal = world.approved_deal(&brand, &athlete, &[300_000]).await;
    world.pay(&brand, &athlete, &deal).await;
    let shown = wallet(&world, &athlete).await;
    assert_eq!(
        (&shown["balance_cents"], &shown["withheld_cents"], &shown["owed_back_cents"]),
        (&json!(0), &json!(72_000), &json!(52_000))
    );
    world.books_are_right().await;
}
both!(a_debt_is_settled_before_tax_is_taken);

async fn withholding_ends_and_only_for_whom_it_was_set(world: World) {
    let athlete = world.earner(50_000).await;
    world.can_receive(&athlete).await;
    assert_eq!(set(&world, told(&athlete, false)).await.code(), "not_found");
    set(&world, told(&athlete, true)).await.data();
    // A tax form alone does not end what the tax office told to do.
    hand_in(&world, &athlete, w9("219-09-9999")).await.data();
    assert_ne!(set(&world, told(&athlete, false)).await.data()["ends_at"], Value::Null);
    let late = world.paying_partner("Harbor Books").await;
    let deal = world.approved_deal(&late, &athlete, &[250_000]).await;
    world.pay(&late, &athlete, &deal).await;
    assert_eq!(pay_out(&world, &athlete).await["amount_cents"], 300_000);
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
    let brand = world.paying_partner("Cedar Coffee").await;
    let athlete = world.athlete("Jordan Lake").await;
    set(&world, told(&athlete, true)).await.data();
    let deal = world.approved_deal(&brand, &athlete, &[250_000]).await;
    world.pay(&brand, &athlete, &deal).await;
    let owner = format!("athlete:{}", athlete.id);
    world.books_are_right().await;
    for (wrong, right, rule) in [
        ("withheld_cents = 1", "withheld_cents = 60000", "every payment's withheld tax"),
        ("withheld_cents = 1", "withheld_cents = 60000", "what is withheld from a payee"),
        ("gross_cents = 1", "gross_cents = 250000", "every payment counts for its payees"),
    ] {
        let write = |what| {
            format!("UPDATE payment_payee SET {what} WHERE owner = '{owner}' RETURNING payment_id")
        };
        world.id(&write(wrong)).await;
        let problems = payments::verify(&world.platform).await.unwrap().problems();
        assert!(problems.iter().any(|problem| problem.starts_with(rule)), "{rule}: {problems:?}");
        world.id(&write(right)).await;
        world.books_are_right().await;
    }
}
both!(tampering_with_what_was_withheld_is_noticed);
