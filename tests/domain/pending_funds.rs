//! Money that a card was charged, and that the processor cannot pay out yet.

use chrono::TimeDelta;
use nil_core::auth::Permission;
use nil_core::payments::{self, sandbox};
use nil_tests::ledgered::Ways;
use nil_tests::{Person, World, both};
use serde_json::{Value, json};

use crate::agency_money::sweep;
use crate::real_processor::{receives, with_a_processor};

/// A test card whose charges can be paid out after two days.
const LATER_CARD: &str = "tok_6011111111111117";

async fn wallet(world: &World, payee: &Person) -> (i64, i64, i64) {
    let wallet = crate::disputes::wallet(world, payee).await;
    let cents = |name: &str| wallet[name].as_i64().unwrap();
    (cents("balance_cents"), cents("available_cents"), cents("funds_pending_cents"))
}

async fn prefers(world: &World, payee: &Person, preference: &str) {
    let set = "core.payout_account.set_preference";
    world.call(set, &payee.principal, json!({ "preference": preference })).await.data();
}

async fn call(world: &World, name: &str, input: Value) -> Value {
    let finance = world.operator(&[Permission::Finance]);
    world.call(name, &finance, input).await.data()
}

async fn money_waits_until_the_processor_can_pay_it_out(world: World) {
    let athlete = world.earner(3_000).await;
    let agent = world.agent("North Agency").await;
    world.represent(&agent, &athlete, 1_000).await;
    // The athlete cannot cancel the contract with the agent any more.
    world.pass(TimeDelta::days(16));
    for payee in [&athlete, &agent] {
        world.can_receive(payee).await;
        prefers(&world, payee, "instant").await;
    }
    let partner = world.partner("Late Lamps").await;
    world.card(&partner, LATER_CARD).await;
    let deal = world.approved_deal(&partner, &athlete, &[10_000]).await;
    let payment = world.pay(&partner, &athlete, &deal).await;
    assert_eq!(payment["status"], "succeeded");
    assert_eq!(wallet(&world, &athlete).await, (12_000, 3_000, 9_000));
    assert_eq!(wallet(&world, &agent).await, (1_000, 0, 1_000));
    // What is there goes out; the rest waits.
    assert_eq!(sweep(&world).await, 1);
    assert_eq!(wallet(&world, &athlete).await, (9_000, 0, 9_000));
    let finance = world.operator(&[Permission::Finance]);
    let payout = json!({ "id": athlete.id });
    let under_way = world.call("admin.payout.trigger", &finance, payout.clone()).await.data();
    assert_eq!(under_way["amount_cents"], 3_000);
    let payout_id = under_way["id"].as_i64().unwrap();
    let id = nil_core::kernel::PayoutId::new(payout_id).unwrap();
    assert!(sandbox::let_arrive(&world.platform, id).await.unwrap());
    let refused = world.call("admin.payout.trigger", &finance, payout).await;
    assert_eq!((refused.status, refused.code()), (409, "nothing_to_pay_out"));
    // A refund takes its part of what waits.
    let refund = json!({ "payment_id": payment["id"], "amount_cents": 2_000, "reason": "Late." });
    call(&world, "admin.payment.refund", refund).await;
    assert_eq!(wallet(&world, &athlete).await, (7_200, 0, 7_200));
    assert_eq!(wallet(&world, &agent).await, (800, 0, 800));
    world.pass(TimeDelta::hours(47));
    assert_eq!(sweep(&world).await, 0);
    world.pass(TimeDelta::minutes(61));
    assert_eq!(wallet(&world, &athlete).await, (7_200, 7_200, 0));
    assert_eq!(sweep(&world).await, 2, "at once, not at the next full hour");
    world.books_are_right().await;
}
both!(money_waits_until_the_processor_can_pay_it_out);

/// A payout that came back is tried again only with money that the processor can pay out.
async fn a_new_attempt_waits_for_its_money(world: World) {
    let athlete = world.earner(5_000).await;
    world.can_receive(&athlete).await;
    let sent = call(&world, "admin.payout.trigger", json!({ "id": athlete.id })).await;
    let id = nil_core::kernel::PayoutId::new(sent["id"].as_i64().unwrap()).unwrap();
    let partner = world.partner("Late Lamps").await;
    world.card(&partner, LATER_CARD).await;
    let deal = world.approved_deal(&partner, &athlete, &[4_000]).await;
    let payment = world.pay(&partner, &athlete, &deal).await;
    assert!(sandbox::return_payout(&world.platform, id).await.unwrap());
    // Of the 9,000 in the wallet a refund of older money leaves 1,000 that can go.
    let first = json!({ "payment_id": 1, "amount_cents": 4_000, "reason": "Late." });
    call(&world, "admin.payment.refund", first).await;
    assert_eq!(wallet(&world, &athlete).await, (5_000, 1_000, 4_000));
    let again = call(&world, "admin.payout.retry", json!({ "id": sent["id"] })).await;
    assert_eq!(
        (&again["status"], &again["hold_reasons"]),
        (&json!("on_hold"), &json!(["funds_pending"]))
    );
    world.pass(TimeDelta::hours(49));
    assert_eq!(payments::sweep_payouts(&world.platform).await.unwrap().released, 1);
    assert_eq!(payment["status"], "succeeded");
    world.books_are_right().await;
}
both!(a_new_attempt_waits_for_its_money);

/// The processor behind HTTP says when: nothing is asked of it that it would refuse.
async fn the_processor_is_not_asked_too_early(mut world: World) {
    let ledgered = with_a_processor(&mut world).await;
    ledgered.behaves(Ways { available_after: 2 * 86_400, ..Ways::default() });
    let athlete = world.earner(5_000).await;
    receives(&world, &ledgered, &athlete).await;
    prefers(&world, &athlete, "instant").await;
    assert_eq!(wallet(&world, &athlete).await, (5_000, 0, 5_000));
    assert_eq!((sweep(&world).await, ledgered.all("tr").len()), (0, 0));
    world.pass(TimeDelta::hours(48));
    assert_eq!((sweep(&world).await, ledgered.all("tr").len()), (1, 1));
    world.books_are_right().await;
}
both!(the_processor_is_not_asked_too_early);
