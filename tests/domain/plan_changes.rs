//! Subscribers change their plan: upgrades at once and to the cent, everything else with the next
//! period.

use chrono::TimeDelta;
use nil_core::payments;
use nil_tests::{DECLINED_CARD, Fault, GOOD_CARD, Person, World, both};
use serde_json::{Value, json};

const CHANGE: &str = "core.subscription.change";

/// A monthly plan for brands.
async fn monthly(world: &World, name: &str, price: i64, fee: Value) -> Value {
    world.plan(json!({ "name": name, "price_cents": price, "fee_basis_points": fee })).await
}

async fn charge_to(world: &World, partner: &Person, token: &str) {
    let card = world.card(partner, token).await;
    let default = json!({ "payment_method_id": card["id"] });
    world.call("core.partner.set_default_payment_method", &partner.principal, default).await.data();
}

async fn bill(world: &World) -> payments::Billed {
    payments::bill(&world.platform).await.expect("a round of billing")
}

/// The fee rate of a new contract.
async fn fee_rate(world: &World, partner: &Person) -> i64 {
    let athlete = world.athlete("Jordan Lake").await;
    let job = world.open_job(partner, json!({})).await;
    let hire = world.hire(partner, &athlete, job).await;
    world.id(&format!("SELECT fee_basis_points FROM contract WHERE id = {}", hire.contract)).await
}

async fn an_upgrade_is_charged_to_the_cent_for_the_days_that_are_left(world: World) {
    let growth = world.plan(json!({})).await;
    let scale = monthly(&world, "Scale", 9_900, json!(250)).await;
    let top = monthly(&world, "Top", 20_000, json!(100)).await;
    let partner = world.paying_partner("Cedar Coffee").await;
    world.subscribe(&partner, &growth).await.data();
    // On the first day the whole difference is due.
    let first = world.preview_change(&partner, &scale).await.data();
    assert_eq!((&first["total_cents"], &first["days_left"]), (&json!(5_000), &json!(30)));
    world.pass_until("2026-12-01T12:00:00Z");
    let shown = world.preview_change(&partner, &scale).await.data();
    assert_eq!((&shown["days_left"], &shown["days"]), (&json!(19), &json!(30)));
    assert_eq!(shown["effect"], "now");
    // 4,900 * 19 / 30 = 3,103.33 and 9,900 * 19 / 30 = 6,270.
    let lines = json!([
        { "description": "Growth, unused 19 days, 2026-12-01 to 2026-12-20", "amount_cents": -3_103 },
        { "description": "Scale, remaining 19 days, 2026-12-01 to 2026-12-20", "amount_cents": 6_270 },
    ]);
    assert_eq!((&shown["lines"], &shown["total_cents"]), (&lines, &json!(3_167)));
    assert_eq!(shown["next_charge_at"], "2026-12-20T12:00:00Z");
    assert_eq!(
        (&shown["next_charge_cents"], &shown["fee_basis_points"]),
        (&json!(9_900), &json!(250))
    );
    assert_eq!(world.charged().await, (4_900, 1), "a preview charges nothing");
    assert_eq!(fee_rate(&world, &partner).await, 500);

    let done = world.change_plan(&partner, &scale).await.data();
    let (change, subscription) = (&done["change"], &done["subscription"]);
    assert_eq!((&change["status"], &change["total_cents"]), (&json!("done"), &json!(3_167)));
    assert_eq!((&change["unused_cents"], &change["rest_cents"]), (&json!(3_103), &json!(6_270)));
    assert_eq!(subscription["plan_name"], "Scale");
    assert_eq!((&subscription["price_cents"], &subscription["period"]), (&json!(9_900), &json!(1)));
    assert_eq!(subscription["period_ends_at"], "2026-12-20T12:00:00Z");
    assert_eq!(subscription["next_charge_at"], "2026-12-20T12:00:00Z");
    assert_eq!(world.subscription(&partner).await, *subscription);
    assert_eq!(world.charged().await, (8_067, 2));
    assert_eq!(fee_rate(&world, &partner).await, 250, "of the plan in force");
    let invoices = world.invoices(&partner).await;
    assert_eq!((invoices.len(), &invoices[0]["status"]), (2, &json!("paid")));
    assert_eq!(
        (&invoices[0]["id"], &invoices[0]["total_cents"]),
        (&change["invoice_id"], &json!(3_167))
    );
    assert_eq!(invoices[0]["period"], "2026-12-01/2026-12-20");
    assert_eq!(invoices[0]["lines"].as_array().unwrap().len(), 2);
    let which = json!({ "invoice_id": invoices[0]["id"] });
    let pdf = world.call("core.partner.download_invoice", &partner.principal, which).await;
    assert!(pdf.bytes.starts_with(b"%PDF-"));
    assert_eq!(world.told("subscription.changed").await, 1);
    world.books_are_right().await;

    // A second one on the same day continues where the first ended: 20,000 * 19 / 30 = 12,666.67.
    world.pass(TimeDelta::hours(20));
    let again = world.change_plan(&partner, &top).await.data();
    assert_eq!(again["change"]["total_cents"], 12_667 - 6_270);
    assert_eq!(world.charged().await, (4_900 - 3_103 + 12_667, 3));
    // The renewal has the price of the plan in force.
    world.pass_until("2026-12-20T12:00:00Z");
    assert_eq!(bill(&world).await.renewed, 1);
    assert_eq!(world.charged().await, (4_900 - 3_103 + 12_667 + 20_000, 4));
    let renewed = world.subscription(&partner).await;
    assert_eq!((&renewed["period"], &renewed["plan_id"]), (&json!(2), &top["id"]));
    world.books_are_right().await;
}
both!(an_upgrade_is_charged_to_the_cent_for_the_days_that_are_left);

async fn a_downgrade_waits_for_the_next_period_and_can_be_withdrawn(world: World) {
    let growth = world.plan(json!({})).await;
    let small = monthly(&world, "Small", 1_900, json!(800)).await;
    let tiny = monthly(&world, "Tiny", 900, Value::Null).await;
    let partner = world.paying_partner("Cedar Coffee").await;
    world.subscribe(&partner, &growth).await.data();
    world.pass(TimeDelta::days(10));
    let shown = world.preview_change(&partner, &small).await.data();
    assert_eq!((&shown["effect"], &shown["total_cents"]), (&json!("next_period"), &json!(0)));
    assert_eq!((&shown["lines"], &shown["next_charge_cents"]), (&json!([]), &json!(1_900)));
    assert_eq!(shown["takes_effect_at"], "2026-12-20T12:00:00Z");
    let waits = world.change_plan(&partner, &small).await.data();
    assert_eq!(waits["change"]["status"], "scheduled");
    let subscription = world.subscription(&partner).await;
    assert_eq!(subscription["plan_name"], "Growth");
    assert_eq!(subscription["next_plan_name"], "Small");
    assert_eq!(subscription["next_price_cents"], 1_900);
    assert_eq!(fee_rate(&world, &partner).await, 500, "the paid plan is in force");
    world.books_are_right().await;
    // Another choice takes its place; the present plan withdraws it.
    let tinier = world.change_plan(&partner, &tiny).await.data();
    assert_eq!(tinier["subscription"]["next_plan_name"], "Tiny");
    let keep = json!({ "plan_id": growth["id"], "expected_total_cents": 0 });
    let kept = world.call(CHANGE, &partner.principal, keep.clone()).await.data();
    assert_eq!(
        (&kept["change"], &kept["subscription"]["next_plan_id"]),
        (&Value::Null, &Value::Null)
    );
    assert_eq!(world.call(CHANGE, &partner.principal, keep).await.code(), "same_plan");
    world.change_plan(&partner, &small).await.data();
    assert_eq!(world.charged().await, (4_900, 1));

    world.pass_until("2026-12-20T12:00:00Z");
    assert_eq!(bill(&world).await.renewed, 1);
    let renewed = world.subscription(&partner).await;
    assert_eq!((&renewed["plan_name"], &renewed["price_cents"]), (&json!("Small"), &json!(1_900)));
    assert_eq!((&renewed["next_plan_id"], &renewed["period"]), (&Value::Null, &json!(2)));
    assert_eq!(renewed["period_ends_at"], "2027-01-20T12:00:00Z");
    assert_eq!(world.charged().await, (6_800, 2));
    assert_eq!(renewed["fee_basis_points"], 800);
    assert_eq!(world.told("subscription.changed").await, 1);
    world.books_are_right().await;
}
both!(a_downgrade_waits_for_the_next_period_and_can_be_withdrawn);

async fn another_interval_begins_with_the_next_period_and_counts_from_there(world: World) {
    world.pass_until("2027-01-31T12:00:00Z");
    let growth = world.plan(json!({})).await;
    let yearly = json!({ "name": "Yearly", "interval": "year", "price_cents": 49_000, "fee_basis_points": 400 });
    let yearly = world.plan(yearly).await;
    let partner = world.paying_partner("Cedar Coffee").await;
    world.subscribe(&partner, &growth).await.data();
    let waits = world.change_plan(&partner, &yearly).await.data();
    assert_eq!(waits["change"]["status"], "scheduled", "whatever it costs");
    world.pass_until("2027-02-28T12:00:00Z");
    assert_eq!(bill(&world).await.renewed, 1);
    let year = world.subscription(&partner).await;
    assert_eq!((&year["interval"], &year["period"]), (&json!("year"), &json!(2)));
    assert_eq!(year["period_starts_at"], "2027-02-28T12:00:00Z");
    assert_eq!(year["period_ends_at"], "2028-02-28T12:00:00Z");
    assert_eq!(world.charged().await, (53_900, 2));
    // Back again, for the months after the year.
    world.change_plan(&partner, &growth).await.data();
    world.books_are_right().await;
    world.pass_until("2028-02-28T12:00:00Z");
    assert_eq!(bill(&world).await.renewed, 1);
    world.pass_until("2028-03-28T12:00:00Z");
    assert_eq!(bill(&world).await.renewed, 1);
    let month = world.subscription(&partner).await;
    assert_eq!((&month["interval"], &month["period"]), (&json!("month"), &json!(4)));
    assert_eq!(month["period_ends_at"], "2028-04-28T12:00:00Z");
    assert_eq!(month["started_at"], "2027-01-31T12:00:00Z");
    world.books_are_right().await;
}
both!(another_interval_begins_with_the_next_period_and_counts_from_there);

async fn a_plan_of_the_same_price_takes_effect_at_once_and_costs_nothing(world: World) {
    let growth = world.plan(json!({})).await;
    let other = monthly(&world, "Other", 4_900, json!(400)).await;
    let partner = world.paying_partner("Cedar Coffee").await;
    world.subscribe(&partner, &growth).await.data();
    for plan in [&other, &growth] {
        let done = world.change_plan(&partner, plan).await.data();
        assert_eq!(
            (&done["change"]["status"], &done["change"]["total_cents"]),
            (&json!("done"), &json!(0))
        );
        assert_eq!(
            (&done["change"]["invoice_id"], &done["subscription"]["plan_id"]),
            (&Value::Null, &plan["id"])
        );
    }
    assert_eq!((world.charged().await, world.invoices(&partner).await.len()), ((4_900, 1), 1));
    world.books_are_right().await;
}
both!(a_plan_of_the_same_price_takes_effect_at_once_and_costs_nothing);

async fn what_cannot_be_changed_is_refused(world: World) {
    let growth = world.plan(json!({})).await;
    let scale = monthly(&world, "Scale", 9_900, json!(250)).await;
    let closed = world.plan(json!({ "name": "Closed", "active": false })).await;
    let agents = world.plan(json!({ "audience": "agent", "fee_basis_points": null })).await;
    let partner = world.paying_partner("Cedar Coffee").await;
    let who = &partner.principal;
    let change = async |plan: &Value, total: i64| {
        let input = json!({ "plan_id": plan["id"], "expected_total_cents": total });
        world.call(CHANGE, who, input).await
    };
    assert_eq!(world.preview_change(&partner, &scale).await.code(), "not_subscribed");
    assert_eq!(change(&scale, 0).await.code(), "not_subscribed");
    world.subscribe(&partner, &growth).await.data();
    for plan in [&closed, &agents, &json!({ "id": 999 })] {
        assert_eq!(world.preview_change(&partner, plan).await.code(), "not_found");
        assert_eq!(change(plan, 0).await.code(), "not_found");
    }
    assert_eq!(world.preview_change(&partner, &growth).await.code(), "same_plan");
    assert_eq!(change(&growth, 0).await.code(), "same_plan");
    // The preview no longer holds: a day has passed, or the plan has another price.
    let shown =
        world.preview_change(&partner, &scale).await.data()["total_cents"].as_i64().unwrap();
    world.pass(TimeDelta::days(1));
    let refused = change(&scale, shown).await;
    assert_eq!((refused.status, refused.code()), (409, "total_changed"));
    assert_eq!(refused.body["data"]["total_cents"], 4_833);
    assert_eq!(change(&scale, -1).await.code(), "total_changed");
    let athlete = world.athlete("Jordan Lake").await;
    assert_eq!(world.preview_change(&athlete, &scale).await.status, 403);
    // A cancelled subscription is resumed first.
    world.call("core.subscription.cancel", who, json!({})).await.data();
    assert_eq!(change(&scale, 4_833).await.code(), "illegal_transition");
    world.call("core.subscription.resume", who, json!({})).await.data();
    // Once the period is over, the next one is charged first.
    world.pass_until("2026-12-20T12:00:00Z");
    assert_eq!(change(&scale, 0).await.code(), "illegal_transition");
    charge_to(&world, &partner, DECLINED_CARD).await;
    assert_eq!(bill(&world).await.declined, 1);
    assert_eq!(world.preview_change(&partner, &scale).await.code(), "illegal_transition");
    assert_eq!(world.charged().await, (4_900, 1));
    world.books_are_right().await;
}
both!(what_cannot_be_changed_is_refused);

async fn a_declined_card_leaves_the_old_plan(world: World) {
    let growth = world.plan(json!({})).await;
    let scale = monthly(&world, "Scale", 9_900, json!(250)).await;
    let tiny = monthly(&world, "Tiny", 900, Value::Null).await;
    let partner = world.paying_partner("Cedar Coffee").await;
    let before = world.subscribe(&partner, &growth).await.data();
    world.change_plan(&partner, &tiny).await.data();
    charge_to(&world, &partner, DECLINED_CARD).await;
    let input = json!({ "plan_id": scale["id"], "expected_total_cents": 5_000 });
    let who = &partner.principal;
    let declined = world.call_with_key(CHANGE, who, input.clone(), Some("k")).await;
    assert_eq!((declined.status, declined.code()), (402, "card_declined"));
    let data = &declined.body["data"];
    assert_eq!(data["change"]["status"], "declined");
    assert_eq!(data["change"]["failure_code"], "card_declined");
    let again = world.call_with_key(CHANGE, who, input.clone(), Some("k")).await;
    assert_eq!((again.status, &again.body["data"]), (402, data), "tries nothing anew");
    let after = world.subscription(&partner).await;
    for field in ["plan_id", "price_cents", "fee_basis_points", "status", "next_charge_at"] {
        assert_eq!(after[field], before[field], "{field}");
    }
    assert_eq!(after["next_plan_id"], tiny["id"], "what waited still waits");
    assert_eq!(world.invoices(&partner).await[0]["status"], "void");
    assert_eq!(fee_rate(&world, &partner).await, 500);
    world.books_are_right().await;
    // With another card it succeeds, and what waited is withdrawn.
    charge_to(&world, &partner, GOOD_CARD).await;
    let done = world.call_with_key(CHANGE, who, input, Some("l")).await.data();
    assert_eq!(
        (&done["change"]["status"], &done["subscription"]["next_plan_id"]),
        (&json!("done"), &Value::Null)
    );
    assert_eq!(world.charged().await, (9_900, 2));
    world.books_are_right().await;
}
both!(a_declined_card_leaves_the_old_plan);

async fn a_crash_or_silence_between_charge_and_word_doubles_nothing(world: World) {
    let growth = world.plan(json!({})).await;
    let scale = monthly(&world, "Scale", 9_900, json!(250)).await;
    let input = json!({ "plan_id": scale["id"], "expected_total_cents": 5_000 });
    let mut count = 0;
    for fault in
        [Fault::DiesBefore, Fault::DiesAfter, Fault::Lost, Fault::Unanswered, Fault::KeyInUse]
    {
        let partner = world.paying_partner("Cedar Coffee").await;
        world.subscribe(&partner, &growth).await.data();
        let who = &partner.principal;
        world.processor.next(&[fault]);
        let open = world.call_with_key(CHANGE, who, input.clone(), Some("k")).await;
        match fault {
            Fault::DiesBefore | Fault::DiesAfter => {
                assert_eq!(open.status, 500);
                let running = world.call_with_key(CHANGE, who, input.clone(), Some("k")).await;
                assert_eq!(running.code(), "idempotency_in_progress");
            }
            _ => assert_eq!(open.data()["change"]["status"], "pending", "{fault:?}"),
        }
        let waiting = world.subscription(&partner).await;
        assert_eq!(
            (&waiting["plan_name"], &waiting["next_charge_at"]),
            (&json!("Growth"), &Value::Null)
        );
        assert_eq!(world.call(CHANGE, who, input.clone()).await.code(), "payment_in_progress");
        world.books_are_right().await;
        world.pass(TimeDelta::seconds(11));
        let replica = world.replica().await;
        let both = tokio::join!(
            payments::reconcile(&world.platform),
            payments::reconcile(&replica.platform)
        );
        both.0.unwrap();
        both.1.unwrap();
        count += 2;
        assert_eq!(world.subscription(&partner).await["plan_name"], "Scale", "{fault:?}");
        assert_eq!(world.charged().await, (count / 2 * 9_900, usize::try_from(count).unwrap()));
        if matches!(fault, Fault::DiesBefore | Fault::DiesAfter) {
            let answer = world.call_with_key(CHANGE, who, input.clone(), Some("k")).await.data();
            assert_eq!(answer["change"]["status"], "done");
        }
        world.books_are_right().await;
    }
}
both!(a_crash_or_silence_between_charge_and_word_doubles_nothing);

async fn many_calls_at_once_change_once(world: World) {
    let growth = world.plan(json!({})).await;
    let scale = monthly(&world, "Scale", 9_900, json!(250)).await;
    let partner = world.paying_partner("Cedar Coffee").await;
    world.subscribe(&partner, &growth).await.data();
    let input = json!({ "plan_id": scale["id"], "expected_total_cents": 5_000 });
    let calls = (0..40).map(|_| world.call(CHANGE, &partner.principal, input.clone()));
    let answers = futures::future::join_all(calls).await;
    assert_eq!(answers.iter().filter(|answer| answer.status == 200).count(), 1);
    for answer in answers.iter().filter(|answer| answer.status != 200) {
        assert!(["payment_in_progress", "same_plan"].contains(&answer.code()), "{}", answer.body);
    }
    assert_eq!(world.charged().await, (9_900, 2));
    world.books_are_right().await;
}
both!(many_calls_at_once_change_once);

async fn a_cancelled_subscription_forgets_the_change_that_waited(world: World) {
    let growth = world.plan(json!({})).await;
    let tiny = monthly(&world, "Tiny", 900, Value::Null).await;
    let partner = world.paying_partner("Cedar Coffee").await;
    world.subscribe(&partner, &growth).await.data();
    world.change_plan(&partner, &tiny).await.data();
    world.call("core.subscription.cancel", &partner.principal, json!({})).await.data();
    world.pass_until("2026-12-20T12:00:00Z");
    assert_eq!(bill(&world).await.ended, 1);
    let withdrawn = "SELECT COUNT(*) FROM subscription_change WHERE status = 'withdrawn'";
    assert_eq!(world.id(withdrawn).await, 1);
    assert_eq!(world.subscription(&partner).await, Value::Null);
    world.books_are_right().await;
}
both!(a_cancelled_subscription_forgets_the_change_that_waited);

async fn tampering_with_a_change_is_noticed(world: World) {
    let growth = world.plan(json!({})).await;
    let scale = monthly(&world, "Scale", 9_900, json!(250)).await;
    let partner = world.paying_partner("Cedar Coffee").await;
    world.subscribe(&partner, &growth).await.data();
    world.change_plan(&partner, &scale).await.data();
    world.books_are_right().await;
    let once = "every change of plan is charged at most once";
    for (tamper, repair, check) in [
        (
            "UPDATE subscription_change SET rest_cents = 9901 RETURNING id",
            "UPDATE subscription_change SET rest_cents = 9900 RETURNING id",
            once,
        ),
        (
            "UPDATE invoice SET status = 'void' WHERE id = 2 RETURNING id",
            "UPDATE invoice SET status = 'paid' WHERE id = 2 RETURNING id",
            once,
        ),
        (
            "UPDATE subscription SET price_cents = 4900 RETURNING id",
            "UPDATE subscription SET price_cents = 9900 RETURNING id",
            "every subscription has the terms of its last change of plan",
        ),
    ] {
        world.id(tamper).await;
        let problems = payments::verify(&world.platform).await.unwrap().problems();
        assert!(
            problems.iter().any(|problem| problem.starts_with(check)),
            "{tamper}: {problems:?}"
        );
        world.id(repair).await;
        world.books_are_right().await;
    }
}
both!(tampering_with_a_change_is_noticed);
