//! What is not paid of a subscription is tried again on certain days, and given up at last.

use chrono::TimeDelta;
use nil_core::payments::Billed;
use nil_tests::{DECLINED_CARD, GOOD_CARD, World, both};
use serde_json::{Value, json};

use crate::subscription_billing::{bill, charge_to, declined, last, renewed, states};

async fn what_is_not_paid_is_tried_on_days_one_three_and_seven_and_given_up(world: World) {
    let plan = world.plan(json!({})).await;
    let partner = world.paying_partner("Cedar Coffee").await;
    let athlete = world.athlete("Jordan Lake").await;
    world.subscribe(&partner, &plan).await.data();
    charge_to(&world, &partner, DECLINED_CARD).await;
    world.pass_until("2026-12-20T12:00:00Z");
    assert_eq!(bill(&world).await, declined());
    let late = world.subscription(&partner).await;
    assert_eq!((&late["status"], &late["failed_attempts"]), (&json!("past_due"), &json!(1)));
    assert_eq!(late["next_charge_at"], "2026-12-21T12:00:00Z");
    assert_eq!(late["failure_code"], "card_declined");
    let me = world.call("core.partner.me", &partner.principal, json!({})).await.data();
    assert_eq!(me["subscription_plan_id"], Value::Null);
    assert_eq!(states(&world, &partner).await, ["open", "paid"]);
    // The plan's benefits are suspended: a hire has the usual fee.
    let job = world
        .open_job(
            &partner,
            json!({ "milestones": [{
            "title": "Reel", "platform": "instagram", "media_kind": "reel", "due_on": "2027-01-20",
        }] }),
        )
        .await;
    let hire = world.hire(&partner, &athlete, job).await;
    let rate = format!("SELECT fee_basis_points FROM contract WHERE id = {}", hire.contract);
    assert_eq!(world.id(&rate).await, 1_000);
    for (day, next) in [("2026-12-21", "2026-12-23"), ("2026-12-23", "2026-12-27")] {
        world.pass_until(&format!("{day}T11:59:59Z"));
        assert_eq!(bill(&world).await, Billed::default());
        world.pass_until(&format!("{day}T12:00:00Z"));
        assert_eq!(bill(&world).await, declined());
        let late = world.subscription(&partner).await;
        assert_eq!(late["next_charge_at"], format!("{next}T12:00:00Z"));
        world.books_are_right().await;
    }
    world.pass_until("2026-12-27T12:00:00Z");
    assert_eq!(bill(&world).await, declined());
    assert_eq!(world.subscription(&partner).await, Value::Null);
    assert_eq!(last(&world, &partner).await, json!(["ended", "unpaid"]));
    assert_eq!(states(&world, &partner).await, ["uncollectible", "paid"]);
    assert_eq!(world.told("subscription.payment_failed").await, 3);
    assert_eq!(world.told("subscription.ended").await, 1);
    assert_eq!(world.charged().await, (4_900, 1));
    world.pass(TimeDelta::days(60));
    assert_eq!(bill(&world).await, Billed::default());
    world.books_are_right().await;
    // A new subscription starts from the beginning.
    charge_to(&world, &partner, GOOD_CARD).await;
    assert_eq!(world.subscribe(&partner, &plan).await.data()["period"], 1);
    world.books_are_right().await;
}
both!(what_is_not_paid_is_tried_on_days_one_three_and_seven_and_given_up);

async fn the_days_count_from_the_first_refusal_however_late_the_worker_is(world: World) {
    let plan = world.plan(json!({})).await;
    let partner = world.paying_partner("Cedar Coffee").await;
    world.subscribe(&partner, &plan).await.data();
    charge_to(&world, &partner, DECLINED_CARD).await;
    for (at, next) in [
        // The first try itself is five hours late.
        ("2026-12-20T17:00:00Z", "2026-12-21T17:00:00Z"),
        ("2026-12-22T08:30:00Z", "2026-12-23T17:00:00Z"),
        ("2026-12-26T23:00:00Z", "2026-12-27T17:00:00Z"),
    ] {
        world.pass_until(at);
        assert_eq!(bill(&world).await, declined());
        assert_eq!(world.subscription(&partner).await["next_charge_at"], next, "{at}");
    }
    // What was paid at last begins anew.
    charge_to(&world, &partner, GOOD_CARD).await;
    world.pass_until("2026-12-27T17:00:00Z");
    assert_eq!(bill(&world).await, renewed(1));
    charge_to(&world, &partner, DECLINED_CARD).await;
    world.pass_until("2027-01-20T13:00:00Z");
    assert_eq!(bill(&world).await, declined());
    // A whole day of the plan has passed without the worker: no try is made up for.
    world.pass_until("2027-01-24T13:00:01Z");
    assert_eq!(bill(&world).await, declined());
    let late = world.subscription(&partner).await;
    assert_eq!(late["next_charge_at"], "2027-01-27T13:00:00Z");
    world.pass_until("2027-02-03T13:00:00Z");
    assert_eq!(bill(&world).await, declined());
    assert_eq!(last(&world, &partner).await, json!(["ended", "unpaid"]));
    world.books_are_right().await;
}
both!(the_days_count_from_the_first_refusal_however_late_the_worker_is);

async fn a_better_card_makes_up_for_it_and_the_period_keeps_its_days(world: World) {
    let plan = world.plan(json!({})).await;
    let partner = world.paying_partner("Cedar Coffee").await;
    world.subscribe(&partner, &plan).await.data();
    charge_to(&world, &partner, DECLINED_CARD).await;
    world.pass_until("2026-12-20T12:00:00Z");
    assert_eq!(bill(&world).await, declined());
    charge_to(&world, &partner, GOOD_CARD).await;
    world.pass_until("2026-12-21T12:00:00Z");
    assert_eq!(bill(&world).await, renewed(1));
    let good = world.subscription(&partner).await;
    assert_eq!((&good["status"], &good["failed_attempts"]), (&json!("active"), &json!(0)));
    assert_eq!(good["period_starts_at"], "2026-12-20T12:00:00Z");
    assert_eq!(good["period_ends_at"], "2027-01-20T12:00:00Z");
    assert_eq!(good["failure_code"], Value::Null);
    assert_eq!(states(&world, &partner).await, ["paid", "paid"], "one invoice for both tries");
    world.books_are_right().await;
}
both!(a_better_card_makes_up_for_it_and_the_period_keeps_its_days);

async fn without_a_card_nothing_is_asked_and_it_is_tried_again(world: World) {
    let plan = world.plan(json!({})).await;
    let partner = world.partner("Cedar Coffee").await;
    let card = world.card(&partner, GOOD_CARD).await;
    world.subscribe(&partner, &plan).await.data();
    let which = json!({ "payment_method_id": card["id"] });
    world.call("core.partner.remove_payment_method", &partner.principal, which).await.data();
    world.pass_until("2026-12-20T12:00:00Z");
    assert_eq!(bill(&world).await, declined());
    let late = world.subscription(&partner).await;
    assert_eq!(
        (&late["status"], &late["failure_code"]),
        (&json!("past_due"), &json!("no_payment_method"))
    );
    world.books_are_right().await;
    world.card(&partner, GOOD_CARD).await;
    world.pass_until("2026-12-21T12:00:00Z");
    assert_eq!(bill(&world).await, renewed(1));
    world.books_are_right().await;
}
both!(without_a_card_nothing_is_asked_and_it_is_tried_again);
