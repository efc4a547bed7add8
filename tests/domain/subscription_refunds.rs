//! Operators refund what was charged for subscriptions, by rule.

use chrono::TimeDelta;
use nil_core::auth::Permission;
use nil_core::payments;
use nil_tests::{Answer, Fault, Person, World, both};
use serde_json::{Value, json};

const REFUND: &str = "admin.subscription.refund";

async fn refund(world: &World, input: Value) -> Answer {
    world.call(REFUND, &world.operator(&[Permission::Finance]), input).await
}

fn wanted(invoice: &Value, rule: &str) -> Value {
    json!({ "invoice_id": invoice, "rule": rule, "reason": "Ordered by mistake." })
}

/// A brand with a plan of 49 dollars that was changed for one of 99 after 11 of 30 days; its
/// invoices, newest first.
async fn changed(world: &World) -> (Person, Vec<Value>) {
    let growth = world.plan(json!({})).await;
    let scale = world.plan(json!({ "name": "Scale", "price_cents": 9_900 })).await;
    let partner = world.paying_partner("Cedar Coffee").await;
    world.subscribe(&partner, &growth).await.data();
    world.pass(TimeDelta::days(11));
    world.change_plan(&partner, &scale).await.data();
    let ids = world.invoices(&partner).await.iter().map(|invoice| invoice["id"].clone()).collect();
    (partner, ids)
}

/// What went back to cards, by the processor's log.
async fn returned(world: &World) -> Vec<i64> {
    let log = world.processor.sandbox().log().await.unwrap();
    log.iter()
        .filter(|entry| entry.kind == "refund")
        .map(|entry| entry.amount_cents.get())
        .collect()
}

async fn an_invoice_is_refunded_in_full_with_a_credit_note(world: World) {
    let (partner, ids) = changed(&world).await;
    let refunded = refund(&world, wanted(&ids[1], "full")).await.data();
    assert_eq!(
        (&refunded["status"], &refunded["amount_cents"]),
        (&json!("succeeded"), &json!(4_900))
    );
    let note = &world.invoices(&partner).await[0];
    assert_eq!((&note["id"], &note["total_cents"]), (&refunded["credit_note_id"], &json!(-4_900)));
    assert_eq!(note["lines"][0]["description"], "Refund of invoice INV-2026-000001");
    let which = json!({ "invoice_id": note["id"] });
    let pdf = world.call("core.partner.download_invoice", &partner.principal, which).await;
    assert!(pdf.bytes.starts_with(b"%PDF-"));
    assert_eq!(returned(&world).await, [4_900]);
    assert_eq!(refund(&world, wanted(&ids[1], "full")).await.code(), "not_refundable");
    assert_eq!(refund(&world, wanted(&ids[1], "unused")).await.code(), "not_refundable");
    assert_eq!(world.subscription(&partner).await["status"], "active", "it goes on");
    // The revenue of the month is less the refund.
    let all = json!({ "status": "all", "by": "month" });
    let operator = world.operator(&[Permission::Finance]);
    let revenue = world.call("admin.payment.revenue", &operator, all).await;
    assert_eq!(revenue.body["totals"]["subscription_cents"], 3_167);
    assert_eq!(world.told("subscription.refunded").await, 1);
    world.books_are_right().await;
}
both!(an_invoice_is_refunded_in_full_with_a_credit_note);

async fn the_days_left_of_all_invoices_come_to_those_of_the_plan_in_force(world: World) {
    let (partner, ids) = changed(&world).await;
    world.pass(TimeDelta::days(9));
    // Ten of thirty days: a third of 9,900, in two parts.
    let mut sum = 0;
    for (invoice, expected) in [(&ids[0], 1_667), (&ids[1], 1_633)] {
        let refunded = refund(&world, wanted(invoice, "unused")).await.data();
        assert_eq!(refunded["amount_cents"], expected);
        sum += expected;
    }
    assert_eq!(sum, 3_300);
    // What is left can still be refunded in full, once.
    assert_eq!(refund(&world, wanted(&ids[1], "full")).await.data()["amount_cents"], 4_900 - 1_633);
    assert_eq!(refund(&world, wanted(&ids[1], "full")).await.code(), "not_refundable");
    world.books_are_right().await;
    world.pass_until("2026-12-20T12:00:00Z");
    assert_eq!(refund(&world, wanted(&ids[0], "unused")).await.code(), "refund_period_over");
    assert_eq!(world.subscription(&partner).await["status"], "active");
}
both!(the_days_left_of_all_invoices_come_to_those_of_the_plan_in_force);

async fn a_full_refund_is_possible_for_as_long_as_the_site_says(world: World) {
    let (_, ids) = changed(&world).await;
    let operator = world.operator(&[Permission::Site, Permission::Finance]);
    let set = async |days: i64| {
        let days = json!({ "subscription_refund_days": days });
        world.call("admin.site.save_basic", &operator, days).await
    };
    assert_eq!(set(10).await.data()["subscription_refund_days"], 10);
    let late = refund(&world, wanted(&ids[1], "full")).await;
    assert_eq!((late.status, late.code()), (409, "refund_period_over"));
    assert_eq!(set(11).await.status, 200);
    assert_eq!(refund(&world, wanted(&ids[1], "full")).await.status, 200);
    for days in [-1, 367] {
        assert_eq!(set(days).await.status, 422);
    }
    let other = world.operator(&[Permission::Site]);
    let days = json!({ "subscription_refund_days": 5 });
    assert_eq!(world.call("admin.site.save_basic", &other, days).await.status, 403);
}
both!(a_full_refund_is_possible_for_as_long_as_the_site_says);

async fn what_was_not_paid_is_not_refunded(world: World) {
    let (partner, ids) = changed(&world).await;
    assert_eq!(refund(&world, wanted(&json!(999), "full")).await.code(), "not_found");
    world.script("UPDATE invoice SET status = 'void'").await;
    assert_eq!(refund(&world, wanted(&ids[0], "full")).await.code(), "not_refundable");
    world.script("UPDATE invoice SET status = 'paid', kind = 'platform_fees'").await;
    assert_eq!(refund(&world, wanted(&ids[0], "full")).await.code(), "not_found");
    world.script("UPDATE invoice SET kind = 'subscription'").await;
    let other = world.operator(&[Permission::Accounts]);
    assert_eq!(world.call(REFUND, &other, wanted(&ids[0], "full")).await.status, 403);
    assert_eq!(world.call(REFUND, &partner.principal, wanted(&ids[0], "full")).await.status, 403);
    assert!(returned(&world).await.is_empty());
}
both!(what_was_not_paid_is_not_refunded);

async fn a_refund_can_end_the_subscription(world: World) {
    let (partner, ids) = changed(&world).await;
    let mut input = wanted(&ids[1], "full");
    input["end_subscription"] = json!(true);
    assert_eq!(refund(&world, input.clone()).await.data()["status"], "succeeded");
    assert_eq!(world.subscription(&partner).await, Value::Null);
    input["invoice_id"] = ids[0].clone();
    assert_eq!(refund(&world, input).await.data()["amount_cents"], 3_167);
    assert_eq!(returned(&world).await, [4_900, 3_167]);
    world.pass_until("2026-12-20T12:00:00Z");
    assert_eq!(payments::bill(&world.platform).await.unwrap(), payments::Billed::default());
    world.books_are_right().await;
}
both!(a_refund_can_end_the_subscription);

async fn a_crash_or_silence_refunds_once(world: World) {
    let operator = world.operator(&[Permission::Finance]);
    let mut count = 0;
    for fault in [Fault::DiesBefore, Fault::DiesAfter, Fault::Lost, Fault::Unanswered] {
        let (_, ids) = changed(&world).await;
        let input = wanted(&ids[1], "full");
        world.processor.next(&[fault]);
        let open =
            world.call_with_key(REFUND, &operator, input.clone(), Some(&ids[1].to_string())).await;
        match fault {
            Fault::DiesBefore | Fault::DiesAfter => assert_eq!(open.status, 500),
            _ => assert_eq!(open.data()["status"], "pending", "{fault:?}"),
        }
        assert_eq!(refund(&world, input.clone()).await.code(), "not_refundable", "it is set aside");
        world.books_are_right().await;
        world.pass(TimeDelta::seconds(11));
        assert_eq!(payments::reconcile(&world.platform).await.unwrap().subscriptions, 1);
        count += 1;
        assert_eq!(returned(&world).await.len(), count, "{fault:?}");
        if matches!(fault, Fault::DiesBefore | Fault::DiesAfter) {
            let key = ids[1].to_string();
            let answer = world.call_with_key(REFUND, &operator, input, Some(&key)).await.data();
            assert_eq!(answer["status"], "succeeded");
        }
        world.books_are_right().await;
    }
}
both!(a_crash_or_silence_refunds_once);

/// A brand that has paid a month of 31 days for this much, and its invoice.
async fn of_december(world: &World, cents: i64) -> (Person, Value) {
    world.pass_until("2026-12-01T12:00:00Z");
    let plan = world.plan(json!({ "price_cents": cents })).await;
    let partner = world.paying_partner("Cedar Coffee").await;
    world.subscribe(&partner, &plan).await.data();
    let invoice = world.invoices(&partner).await[0]["id"].clone();
    (partner, invoice)
}

async fn days_that_were_given_back_are_not_given_back_again(world: World) {
    let (_, invoice) = of_december(&world, 30_000).await;
    world.pass(TimeDelta::days(20));
    let first = refund(&world, wanted(&invoice, "unused")).await.data();
    assert_eq!(first["amount_cents"], 10_645);
    for days in [0, 1, 4] {
        world.pass(TimeDelta::days(days));
        let again = refund(&world, wanted(&invoice, "unused")).await;
        assert_eq!((again.status, again.code()), (409, "not_refundable"));
    }
    world.books_are_right().await;
    // The days that were used can still be given back, in full.
    assert_eq!(refund(&world, wanted(&invoice, "full")).await.data()["amount_cents"], 19_355);
    assert_eq!(returned(&world).await, [10_645, 19_355]);
    world.books_are_right().await;
}
both!(days_that_were_given_back_are_not_given_back_again);

async fn days_of_a_refund_that_failed_can_be_given_back(world: World) {
    let (_, invoice) = of_december(&world, 30_000).await;
    world.pass(TimeDelta::days(20));
    world.processor.next(&[Fault::Lost, Fault::Refused]);
    let open = refund(&world, wanted(&invoice, "unused")).await.data();
    assert_eq!(open["status"], "pending");
    assert_eq!(refund(&world, wanted(&invoice, "unused")).await.code(), "not_refundable");
    world.pass(TimeDelta::seconds(11));
    payments::reconcile(&world.platform).await.unwrap();
    world.books_are_right().await;
    assert_eq!(refund(&world, wanted(&invoice, "unused")).await.data()["amount_cents"], 10_645);
    world.books_are_right().await;
}
both!(days_of_a_refund_that_failed_can_be_given_back);

async fn a_plan_that_was_given_back_is_not_credited(world: World) {
    let (partner, invoice) = of_december(&world, 20_000).await;
    let scale = world.plan(json!({ "name": "Scale", "price_cents": 30_000 })).await;
    let top = world.plan(json!({ "name": "Top", "price_cents": 41_000 })).await;
    let twin = world.plan(json!({ "name": "Twin", "price_cents": 20_000 })).await;
    let total = async |plan: &Value| {
        world.preview_change(&partner, plan).await.data()["total_cents"].clone()
    };
    assert_eq!((total(&scale).await, total(&twin).await), (json!(10_000), json!(0)));
    refund(&world, wanted(&invoice, "full")).await.data();
    let shown = world.preview_change(&partner, &scale).await.data();
    assert_eq!(
        (&shown["total_cents"], shown["lines"].as_array().unwrap().len()),
        (&json!(30_000), 1)
    );
    assert_eq!(total(&twin).await, 20_000);
    let done = world.change_plan(&partner, &scale).await.data();
    assert_eq!(
        (&done["change"]["unused_cents"], &done["change"]["total_cents"]),
        (&json!(0), &json!(30_000))
    );
    world.books_are_right().await;
    // What is paid anew is credited, and given back, in full: 11 of 31 days.
    world.pass(TimeDelta::days(20));
    assert_eq!(total(&top).await, 14_548 - 10_645);
    let paid = world.invoices(&partner).await[0]["id"].clone();
    assert_eq!(refund(&world, wanted(&paid, "unused")).await.data()["amount_cents"], 10_645);
    assert_eq!(total(&top).await, 14_548);
    assert_eq!(refund(&world, wanted(&paid, "unused")).await.code(), "not_refundable");
    world.books_are_right().await;
}
both!(a_plan_that_was_given_back_is_not_credited);
