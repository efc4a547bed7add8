//! Automatic billing of subscriptions: renewal once a period, retries, the end.

use chrono::TimeDelta;
use nil_core::accounts::suspension;
use nil_core::auth::Permission;
use nil_core::kernel::UserId;
use nil_core::payments::{self, Billed};
use nil_core::storage::sql;
use nil_core::worker;
use nil_tests::{DECLINED_CARD, Fault, GOOD_CARD, Person, World, both};
use serde_json::{Value, json};

const CANCEL: &str = "core.subscription.cancel";
const RESUME: &str = "core.subscription.resume";

pub(crate) async fn bill(world: &World) -> Billed {
    payments::bill(&world.platform).await.expect("a round of billing")
}

pub(crate) fn renewed(count: usize) -> Billed {
    Billed { renewed: count, ..Billed::default() }
}

pub(crate) fn declined() -> Billed {
    Billed { declined: 1, ..Billed::default() }
}

pub(crate) fn ended() -> Billed {
    Billed { ended: 1, ..Billed::default() }
}

/// Makes a card with this token the default.
pub(crate) async fn charge_to(world: &World, partner: &Person, token: &str) {
    let card = world.card(partner, token).await;
    let default = json!({ "payment_method_id": card["id"] });
    world.call("core.partner.set_default_payment_method", &partner.principal, default).await.data();
}

/// The statuses of a brand's invoices, newest first.
pub(crate) async fn states(world: &World, partner: &Person) -> Vec<String> {
    let invoices = world.invoices(partner).await;
    let states = invoices.iter().map(|invoice| invoice["status"].as_str().unwrap().to_owned());
    states.collect()
}

/// The status of a brand's latest subscription, and why it ended.
pub(crate) async fn last(world: &World, partner: &Person) -> Value {
    let id = partner.id;
    let latest = format!("SELECT MAX(id) FROM subscription WHERE partner_id = {id}");
    let latest = world.id(&latest).await;
    let state = sql("SELECT status, end_reason FROM subscription WHERE id = $1").bind(latest);
    let mut session = world.platform.db().read().await.unwrap();
    let (status, reason): (String, Option<String>) = session.one(state).await.unwrap();
    json!([status, reason])
}

async fn each_month_is_charged_once_and_ends_where_the_calendar_lets_it(world: World) {
    world.pass_until("2027-01-31T12:00:00Z");
    let plan = world.plan(json!({})).await;
    let partner = world.paying_partner("Cedar Coffee").await;
    let first = world.subscribe(&partner, &plan).await.data();
    assert_eq!(first["period_ends_at"], "2027-02-28T12:00:00Z");
    world.pass_until("2027-02-28T11:59:59Z");
    assert_eq!(bill(&world).await, Billed::default(), "not yet");
    let ends = ["2027-03-31", "2027-04-30", "2027-05-31", "2027-06-30"];
    let mut now = "2027-02-28".to_owned();
    for (at, end) in (2_i64..).zip(ends) {
        world.pass_until(&format!("{now}T12:00:00Z"));
        assert_eq!(bill(&world).await, renewed(1), "{now}");
        assert_eq!(bill(&world).await, Billed::default(), "once");
        let subscription = world.subscription(&partner).await;
        assert_eq!(subscription["period"], at);
        assert_eq!(subscription["period_starts_at"], format!("{now}T12:00:00Z"));
        assert_eq!(subscription["period_ends_at"], format!("{end}T12:00:00Z"));
        end.clone_into(&mut now);
    }
    assert_eq!(world.charged().await, (5 * 4_900, 5));
    let invoices = world.invoices(&partner).await;
    assert_eq!(invoices.len(), 5);
    assert_eq!(invoices[0]["period"], "2027-05-31/2027-06-30");
    assert!(invoices.iter().all(|invoice| invoice["status"] == "paid"));
    assert_eq!(world.told("subscription.renewed").await, 4);
    world.books_are_right().await;
}
both!(each_month_is_charged_once_and_ends_where_the_calendar_lets_it);

async fn the_worker_bills_by_itself(world: World) {
    let plan = world.plan(json!({})).await;
    let partner = world.paying_partner("Cedar Coffee").await;
    world.subscribe(&partner, &plan).await.data();
    assert_eq!(worker::round(&world.platform).await.unwrap().subscriptions, Billed::default());
    world.pass_until("2026-12-20T12:00:00Z");
    assert_eq!(worker::round(&world.platform).await.unwrap().subscriptions, renewed(1));
    assert_eq!(worker::round(&world.platform).await.unwrap().subscriptions, Billed::default());
    assert_eq!(world.subscription(&partner).await["period"], 2);
}
both!(the_worker_bills_by_itself);

async fn many_workers_charge_a_period_once(world: World) {
    let plan = world.plan(json!({})).await;
    let mut partners = Vec::new();
    for name in ["Cedar Coffee", "Harbor Books", "Acme Shoes"] {
        let partner = world.paying_partner(name).await;
        world.subscribe(&partner, &plan).await.data();
        partners.push(partner);
    }
    let replica = world.replica().await;
    world.pass_until("2026-12-20T12:00:00Z");
    let workers: Vec<_> = (0..8)
        .map(|at| {
            let platform = if at % 2 == 0 { &world.platform } else { &replica.platform };
            let platform = platform.clone();
            tokio::spawn(async move { payments::bill(&platform).await.unwrap() })
        })
        .collect();
    let mut count = 0;
    for worker in workers {
        count += worker.await.unwrap().renewed;
    }
    assert_eq!(count, 3);
    assert_eq!(world.charged().await, (6 * 4_900, 6));
    for partner in &partners {
        assert_eq!(states(&world, partner).await, ["paid", "paid"]);
    }
    world.books_are_right().await;
}
both!(many_workers_charge_a_period_once);

async fn a_silent_processor_and_a_crash_double_no_renewal(world: World) {
    let plan = world.plan(json!({})).await;
    let partner = world.paying_partner("Cedar Coffee").await;
    world.subscribe(&partner, &plan).await.data();
    let faults =
        [Fault::Lost, Fault::Unanswered, Fault::KeyInUse, Fault::DiesBefore, Fault::DiesAfter];
    let mut at = 1;
    for fault in faults {
        at += 1;
        let end = world.subscription(&partner).await["period_ends_at"].clone();
        world.pass_until(end.as_str().unwrap());
        world.processor.next(&[fault]);
        let platform = world.platform.clone();
        let round = tokio::spawn(async move { payments::bill(&platform).await.unwrap() }).await;
        match fault {
            Fault::DiesBefore | Fault::DiesAfter => assert!(round.is_err(), "it was killed"),
            _ => assert_eq!(round.unwrap().open, 1, "{fault:?}"),
        }
        let open = world.subscription(&partner).await;
        assert_eq!((&open["status"], &open["period"]), (&json!("active"), &json!(at - 1)));
        assert_eq!(bill(&world).await, Billed::default(), "{fault:?}: it is under way");
        world.books_are_right().await;
        world.pass(TimeDelta::seconds(11));
        let replica = world.replica().await;
        let both = tokio::join!(
            payments::reconcile(&world.platform),
            payments::reconcile(&replica.platform)
        );
        both.0.unwrap();
        both.1.unwrap();
        assert_eq!(world.subscription(&partner).await["period"], at, "{fault:?}");
        assert_eq!(world.charged().await.1, usize::try_from(at).unwrap(), "{fault:?}");
        world.books_are_right().await;
    }
}
both!(a_silent_processor_and_a_crash_double_no_renewal);

async fn an_event_settles_a_renewal_that_was_not_heard(world: World) {
    let plan = world.plan(json!({})).await;
    let partner = world.paying_partner("Cedar Coffee").await;
    world.subscribe(&partner, &plan).await.data();
    world.pass_until("2026-12-20T12:00:00Z");
    world.processor.next(&[Fault::Unanswered]);
    assert_eq!(bill(&world).await.open, 1);
    payments::sandbox::deliver_events(&world.platform).await.unwrap();
    assert_eq!(world.subscription(&partner).await["period"], 2);
    world.pass(TimeDelta::seconds(11));
    payments::reconcile(&world.platform).await.unwrap();
    assert_eq!(world.charged().await, (9_800, 2));
    world.books_are_right().await;
}
both!(an_event_settles_a_renewal_that_was_not_heard);

async fn what_is_cancelled_ends_with_its_period_unless_it_is_resumed(world: World) {
    let plan = world.plan(json!({})).await;
    let partner = world.paying_partner("Cedar Coffee").await;
    let who = &partner.principal;
    world.subscribe(&partner, &plan).await.data();
    let kept = world.call(RESUME, who, json!({})).await.data();
    assert_eq!(kept["cancel_at_period_end"], false, "nothing to take back");
    for _ in 0..2 {
        let cancelled = world.call(CANCEL, who, json!({})).await.data();
        assert_eq!(
            (&cancelled["status"], &cancelled["cancel_at_period_end"]),
            (&json!("active"), &json!(true))
        );
    }
    let resumed = world.call(RESUME, who, json!({})).await.data();
    assert_eq!(resumed["cancel_at_period_end"], false);
    world.pass_until("2026-12-20T12:00:00Z");
    assert_eq!(bill(&world).await, renewed(1));
    world.call(CANCEL, who, json!({})).await.data();
    world.pass_until("2027-01-20T12:00:00Z");
    let late = world.call(RESUME, who, json!({})).await;
    assert_eq!((late.status, late.code()), (409, "illegal_transition"), "it is over");
    assert_eq!(bill(&world).await, ended());
    assert_eq!(world.subscription(&partner).await, Value::Null);
    assert_eq!(last(&world, &partner).await, json!(["ended", "cancelled"]));
    assert_eq!(world.call(CANCEL, who, json!({})).await.code(), "not_subscribed");
    assert_eq!(states(&world, &partner).await, ["paid", "paid"]);
    assert_eq!(world.charged().await, (9_800, 2));
    assert_eq!(world.told("subscription.ended").await, 1);
    world.books_are_right().await;
}
both!(what_is_cancelled_ends_with_its_period_unless_it_is_resumed);

async fn what_is_not_paid_is_cancelled_at_once(world: World) {
    let plan = world.plan(json!({})).await;
    let partner = world.paying_partner("Cedar Coffee").await;
    let who = &partner.principal;
    world.subscribe(&partner, &plan).await.data();
    charge_to(&world, &partner, DECLINED_CARD).await;
    world.pass_until("2026-12-20T12:00:00Z");
    assert_eq!(bill(&world).await, declined());
    assert_eq!(world.call(RESUME, who, json!({})).await.code(), "illegal_transition");
    // While another attempt is under way, its result is unknown.
    world.pass_until("2026-12-21T12:00:00Z");
    world.processor.next(&[Fault::Unanswered]);
    assert_eq!(bill(&world).await.open, 1);
    assert_eq!(world.call(CANCEL, who, json!({})).await.code(), "payment_in_progress");
    world.pass(TimeDelta::seconds(11));
    payments::reconcile(&world.platform).await.unwrap();
    let cancelled = world.call(CANCEL, who, json!({})).await.data();
    assert_eq!(
        (&cancelled["status"], &cancelled["end_reason"]),
        (&json!("ended"), &json!("cancelled"))
    );
    assert_eq!(states(&world, &partner).await, ["void", "paid"]);
    world.pass(TimeDelta::days(30));
    assert_eq!(bill(&world).await, Billed::default());
    world.books_are_right().await;
}
both!(what_is_not_paid_is_cancelled_at_once);

async fn a_cancellation_during_a_renewal_counts_for_what_becomes_of_it(world: World) {
    let plan = world.plan(json!({})).await;
    for (token, state, reason) in
        [(GOOD_CARD, "active", Value::Null), (DECLINED_CARD, "ended", json!("cancelled"))]
    {
        let partner = world.paying_partner("Cedar Coffee").await;
        let first = world.subscribe(&partner, &plan).await.data();
        charge_to(&world, &partner, token).await;
        world.pass_until(first["period_ends_at"].as_str().unwrap());
        world.processor.next(&[Fault::Unanswered]);
        bill(&world).await;
        world.call(CANCEL, &partner.principal, json!({})).await.data();
        world.pass(TimeDelta::seconds(11));
        payments::reconcile(&world.platform).await.unwrap();
        assert_eq!(last(&world, &partner).await, json!([state, reason]));
        world.books_are_right().await;
    }
}
both!(a_cancellation_during_a_renewal_counts_for_what_becomes_of_it);

async fn cancelling_and_billing_at_once_leave_one_outcome(world: World) {
    let plan = world.plan(json!({})).await;
    for _ in 0..5 {
        let partner = world.paying_partner("Cedar Coffee").await;
        let first = world.subscribe(&partner, &plan).await.data();
        world.pass_until(first["period_ends_at"].as_str().unwrap());
        let before = world.charged().await.1;
        let (cancelled, billed) =
            tokio::join!(world.call(CANCEL, &partner.principal, json!({})), bill(&world));
        assert_eq!(cancelled.status, 200, "{}", cancelled.body);
        let charged = world.charged().await.1 - before;
        let status = last(&world, &partner).await[0].clone();
        match charged {
            0 => assert_eq!((billed, status), (ended(), json!("ended"))),
            _ => assert_eq!((billed, charged, status), (renewed(1), 1, json!("active"))),
        }
        world.books_are_right().await;
        // Renewed and then cancelled, it ends a month later, and no longer affects the next run.
        world.pass(TimeDelta::days(31));
        bill(&world).await;
        assert_eq!(last(&world, &partner).await[0], "ended");
    }
}
both!(cancelling_and_billing_at_once_leave_one_outcome);

async fn a_changed_plan_changes_nobodys_terms(world: World) {
    let plan = world.plan(json!({})).await;
    let partner = world.paying_partner("Cedar Coffee").await;
    let athlete = world.athlete("Jordan Lake").await;
    world.subscribe(&partner, &plan).await.data();
    let dearer = json!({ "id": plan["id"], "price_cents": 9_900, "interval": "year",
            "fee_basis_points": 900 });
    world.plan(dearer).await;
    let operator = world.operator(&[Permission::Finance]);
    let off = json!({ "id": plan["id"], "active": false });
    world.call("admin.subscription_plan.set_status", &operator, off).await.data();
    world.pass_until("2026-12-20T12:00:00Z");
    assert_eq!(bill(&world).await, renewed(1), "a plan that is not offered any more goes on");
    let kept = world.subscription(&partner).await;
    assert_eq!((&kept["price_cents"], &kept["fee_basis_points"]), (&json!(4_900), &json!(500)));
    assert_eq!(kept["period_ends_at"], "2027-01-20T12:00:00Z");
    let deal = world.approved_deal(&partner, &athlete, &[10_000]).await;
    assert_eq!(world.pay(&partner, &athlete, &deal).await["fee_cents"], 500);
    let on = json!({ "id": plan["id"], "active": true });
    world.call("admin.subscription_plan.set_status", &operator, on).await.data();
    let other = world.paying_partner("Acme Shoes").await;
    assert_eq!(world.subscribe(&other, &plan).await.data()["price_cents"], 9_900);
    world.books_are_right().await;
}
both!(a_changed_plan_changes_nobodys_terms);

async fn an_account_that_is_not_in_use_is_not_charged(world: World) {
    let plan = world.plan(json!({})).await;
    let partner = world.paying_partner("Cedar Coffee").await;
    world.subscribe(&partner, &plan).await.data();
    suspension::suspend(&world.platform, UserId::new(partner.user_id).unwrap()).await.unwrap();
    world.pass_until("2026-12-20T12:00:00Z");
    assert_eq!(bill(&world).await, ended());
    assert_eq!(last(&world, &partner).await, json!(["ended", "account_closed"]));
    assert_eq!(world.charged().await, (4_900, 1));
    world.books_are_right().await;
}
both!(an_account_that_is_not_in_use_is_not_charged);

async fn periods_that_the_worker_missed_are_billed_one_by_one(world: World) {
    let plan = world.plan(json!({})).await;
    let partner = world.paying_partner("Cedar Coffee").await;
    world.subscribe(&partner, &plan).await.data();
    world.pass_until("2027-01-25T12:00:00Z");
    assert_eq!(bill(&world).await, renewed(1));
    assert_eq!(bill(&world).await, renewed(1));
    assert_eq!(bill(&world).await, Billed::default());
    let invoices = world.invoices(&partner).await;
    assert_eq!(invoices[0]["period"], "2027-01-20/2027-02-20");
    assert_eq!(invoices[1]["period"], "2026-12-20/2027-01-20");
    world.books_are_right().await;
}
both!(periods_that_the_worker_missed_are_billed_one_by_one);
