//! Disputes of which the platform hears late, or after something else that it has not heard of.

use chrono::TimeDelta;
use nil_core::auth::Permission;
use nil_core::payments;
use nil_core::ports::processor::{DisputeKind, DisputeState};
use nil_core::worker;
use nil_tests::{World, both};
use serde_json::json;

use crate::real_processor::with_a_processor;
use crate::refunding::{finance, paid, payment_now};

fn id_of(object: &serde_json::Value) -> String {
    object["id"].as_str().unwrap().to_owned()
}

async fn look(world: &World) {
    world.pass(TimeDelta::hours(7));
    payments::reconcile(&world.platform).await.unwrap();
    world.books_are_right().await;
}

/// A refund of one of two payments fails late, nobody tells of it, and then the whole charge is
/// disputed: each payment is disputed for what it is of, not one for both.
async fn a_dispute_is_divided_by_what_is_left_at_the_processor(mut world: World) {
    let ledgered = with_a_processor(&mut world).await;
    let finance = world.operator(&[Permission::Finance]);
    let brand = world.paying_partner("Cedar Coffee").await;
    let mut lines = Vec::new();
    for (name, cents) in [("Jordan Lake", 6_000), ("Riley Stone", 4_000)] {
        let athlete = world.athlete(name).await;
        let deal = world.approved_deal(&brand, &athlete, &[cents]).await;
        lines.push(json!({ "athlete_id": athlete.id, "contract_id": deal.contract_id }));
    }
    let bulk = json!({ "payments": lines, "expected_total_cents": 11_000 });
    world.call("core.payment.pay_bulk", &brand.principal, bulk).await.data();
    let refund = json!({ "payment_id": 1, "reason": "Late.", "refund_fee": "all" });
    world.call("admin.payment.refund", &finance, refund).await.data();
    assert!(ledgered.fail_refund(&id_of(&ledgered.all("re")[0])));
    ledgered.dispute(&id_of(&ledgered.all("pi")[0]), "needs_response");
    look(&world).await;
    let share = |payment: i64| {
        format!("SELECT amount_cents + fee_cents FROM dispute_share WHERE payment_id = {payment}")
    };
    assert_eq!((world.id(&share(1)).await, world.id(&share(2)).await), (6_600, 4_400));
    let failed = "SELECT COUNT(*) FROM refund WHERE status = 'failed'";
    assert_eq!(world.id(failed).await, 1, "it is known before the dispute is divided");
}
both!(a_dispute_is_divided_by_what_is_left_at_the_processor);

/// The bank took the money and gave it back without our knowing; the processor keeps its fee.
async fn a_dispute_that_came_to_nothing_has_cost_its_fee(mut world: World) {
    let ledgered = with_a_processor(&mut world).await;
    world.earner(5_000).await;
    let dispute = ledgered.dispute(&id_of(&ledgered.all("pi")[0]), "warning_needs_response");
    look(&world).await;
    for (to, fee_back) in [("needs_response", false), ("prevented", false)] {
        assert!(ledgered.turn_dispute(&dispute, to, fee_back));
    }
    look(&world).await;
    let now = "SELECT fee_cents FROM dispute WHERE status = 'withdrawn'";
    assert_eq!(world.id(now).await, 1_500);
    let cost = "SELECT balance_cents FROM ledger_account WHERE name = 'platform:dispute_costs'";
    assert_eq!(world.id(cost).await, -1_500);
}
both!(a_dispute_that_came_to_nothing_has_cost_its_fee);

/// A dispute that cannot be booked does not hold up the others.
async fn a_dispute_that_cannot_be_booked_holds_up_no_other(mut world: World) {
    let ledgered = with_a_processor(&mut world).await;
    for _ in 0..4 {
        world.earner(5_000).await;
    }
    let charges = ledgered.all("pi");
    for (charge, strange) in [(1, json!({ "currency": "eur" })), (2, json!({ "amount": 0 }))] {
        let dispute = ledgered.dispute(&id_of(&charges[charge]), "needs_response");
        ledgered.change(&dispute, &strange);
    }
    for charge in [&charges[0], &charges[3]] {
        ledgered.dispute(&id_of(charge), "needs_response");
    }
    look(&world).await;
    assert_eq!(world.id("SELECT COUNT(*) FROM dispute").await, 2);
    let read = "SELECT COUNT(*) FROM installation WHERE disputes_read_at IS NOT NULL";
    assert_eq!(world.id(read).await, 1, "the next list begins where this one ended");
}
both!(a_dispute_that_cannot_be_booked_holds_up_no_other);

/// The list is read every hour, and what is open is looked up.
async fn lost_events_are_made_up_for(world: World) {
    let paid = paid(&world, 10_000).await;
    let charge = payment_now(&world, &paid).await["processor_charge_id"].clone();
    let charge = charge.as_str().unwrap();
    let box_ = world.platform.processor();
    let box_ = box_.sandbox().unwrap();
    let lose = async || {
        world
            .id("DELETE FROM sandbox_event WHERE object_id LIKE 'du_%' RETURNING CAST(1 AS BIGINT)")
            .await;
    };
    payments::reconcile(&world.platform).await.unwrap();
    let opened = box_.open_dispute(charge, DisputeKind::Chargeback, None).await.unwrap().unwrap();
    lose().await;
    payments::reconcile(&world.platform).await.unwrap();
    let all = json!({ "status": "all" });
    let listed =
        async || world.call("admin.dispute.list", &finance(&world), all.clone()).await.data();
    assert_eq!(listed().await, json!([]), "the list was read a moment ago");
    world.pass(TimeDelta::hours(2));
    worker::round(&world.platform).await.unwrap();
    assert_eq!(listed().await[0]["status"], "needs_response");
    assert!(box_.turn_dispute(&opened, DisputeState::Won).await.unwrap());
    lose().await;
    // Long after the list has forgotten it, it is looked up.
    world.pass(TimeDelta::days(60));
    payments::reconcile(&world.platform).await.unwrap();
    assert_eq!(listed().await[0]["status"], "won");
    world.books_are_right().await;
}
both!(lost_events_are_made_up_for);
