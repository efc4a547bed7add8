//! Cardholders confirm charges with their banks (3-D Secure), or do not.

use chrono::TimeDelta;
use nil_core::kernel::PaymentId;
use nil_core::payments::{self, sandbox};
use nil_tests::{ASKING_CARD, Answer, Deal, Fault, GOOD_CARD, Person, World, both};
use serde_json::{Value, json};

use crate::real_processor::with_a_processor;
use crate::subscription_billing::{bill, charge_to, last, states};

const CONFIRM: &str = "core.payment.confirm";
const GIVE_UP: &str = "core.payment.give_up";
const BACK: &str = "https://brand.example/paid";

/// A brand whose card wants confirmations, and a deal of it.
async fn asked(world: &World, cents: i64) -> (Person, Person, Deal) {
    let partner = world.partner("Cedar Coffee").await;
    world.card(&partner, ASKING_CARD).await;
    let athlete = world.athlete("Jordan Lake").await;
    let deal = world.approved_deal(&partner, &athlete, &[cents]).await;
    (partner, athlete, deal)
}

async fn confirm(world: &World, partner: &Person, payment: &Value) -> Answer {
    let input = json!({ "payment_id": payment["id"], "return_url": BACK });
    world.call(CONFIRM, &partner.principal, input).await
}

fn id(payment: &Value) -> PaymentId {
    PaymentId::new(payment["id"].as_i64().unwrap()).unwrap()
}

async fn charge_status(world: &World) -> String {
    world
        .text("(SELECT status FROM charge ORDER BY id DESC LIMIT 1)", "installation")
        .await
        .unwrap()
}

async fn a_confirmed_payment_arrives(world: World) {
    let (partner, athlete, deal) = asked(&world, 10_000).await;
    let payment = world.pay(&partner, &athlete, &deal).await;
    assert_eq!(payment["status"], "processing");
    assert_eq!(payment["confirm_until"], "2026-11-21T11:00:00Z");
    assert_eq!(charge_status(&world).await, "requires_action");
    assert_eq!(
        (world.told("payment.needs_confirmation").await, world.balance(&athlete).await),
        (1, 0)
    );
    world.books_are_right().await;

    // Only its brand is led to the bank.
    let other = world.partner("Maple Tea").await;
    assert_eq!(confirm(&world, &other, &payment).await.code(), "not_found");
    let nowhere = json!({ "payment_id": payment["id"], "return_url": "javascript:alert(1)" });
    assert_eq!(world.call(CONFIRM, &partner.principal, nowhere).await.status, 422);
    let begun = confirm(&world, &partner, &payment).await.data();
    let url = begun["confirm_url"].as_str().unwrap();
    assert!(url.contains("/api/sandbox/confirmation/ch_"), "{url}");
    assert_eq!(begun["status"], "processing");

    // It is owed no more while it waits.
    let again = json!({ "athlete_id": athlete.id, "contract_id": deal.contract_id });
    let again = world.call("core.payment.pay_with_saved_card", &partner.principal, again).await;
    assert_eq!(again.code(), "nothing_owed");
    world.pass(TimeDelta::hours(2));
    assert_eq!(payments::reconcile(&world.platform).await.unwrap().charges, 0, "it waits");
    assert!(sandbox::confirm(&world.platform, id(&payment), true).await.unwrap());
    assert!(!sandbox::confirm(&world.platform, id(&payment), true).await.unwrap(), "once");
    assert_eq!(world.balance(&athlete).await, 10_000);
    let paid = confirm(&world, &partner, &payment).await.data();
    assert_eq!((&paid["status"], &paid["confirm_url"]), (&json!("succeeded"), &Value::Null));
    assert_eq!(paid["confirm_until"], Value::Null);
    let gone = json!({ "payment_id": payment["id"] });
    assert_eq!(world.call(GIVE_UP, &partner.principal, gone).await.code(), "illegal_transition");
    assert_eq!(world.told("payment.succeeded").await, 2);
    world.books_are_right().await;
}
both!(a_confirmed_payment_arrives);

async fn one_that_is_not_confirmed_fails(world: World) {
    let (partner, athlete, deal) = asked(&world, 10_000).await;
    // Refused on the page, given up, and left alone for a day.
    let refused = world.pay(&partner, &athlete, &deal).await;
    assert!(sandbox::confirm(&world.platform, id(&refused), false).await.unwrap());
    let refused = confirm(&world, &partner, &refused).await.data();
    assert_eq!(
        (&refused["status"], &refused["failure_code"]),
        (&json!("failed"), &json!("authentication_failed"))
    );

    let given_up = world.pay(&partner, &athlete, &deal).await;
    let input = json!({ "payment_id": given_up["id"] });
    let other = world.partner("Maple Tea").await;
    let theirs = world.call(GIVE_UP, &other.principal, input.clone()).await;
    assert_eq!(theirs.code(), "not_found");
    let given_up = world.call(GIVE_UP, &partner.principal, input.clone()).await.data();
    assert_eq!(
        (&given_up["status"], &given_up["failure_code"]),
        (&json!("failed"), &json!("canceled"))
    );
    let again = world.call(GIVE_UP, &partner.principal, input).await;
    assert_eq!(again.code(), "illegal_transition");

    let left = world.pay(&partner, &athlete, &deal).await;
    world.pass(TimeDelta::hours(23) - TimeDelta::seconds(1));
    assert_eq!(payments::reconcile(&world.platform).await.unwrap().charges, 0);
    assert_eq!(charge_status(&world).await, "requires_action");
    world.pass(TimeDelta::minutes(10));
    assert_eq!(payments::reconcile(&world.platform).await.unwrap().charges, 1);
    let late = confirm(&world, &partner, &left).await.data();
    assert_eq!(
        (&late["status"], &late["failure_code"], &late["confirm_url"]),
        (&json!("failed"), &json!("authentication_required"), &Value::Null)
    );
    assert_eq!(world.told("payment.failed").await, 3);

    // Another card pays what is still owed.
    charge_to(&world, &partner, GOOD_CARD).await;
    assert_eq!(world.pay(&partner, &athlete, &deal).await["status"], "succeeded");
    assert_eq!(world.balance(&athlete).await, 10_000);
    world.books_are_right().await;
}
both!(one_that_is_not_confirmed_fails);

async fn a_bulk_payment_is_confirmed_once(world: World) {
    let (partner, athlete, deal) = asked(&world, 10_000).await;
    let other = world.athlete("Riley Park").await;
    let second = world.approved_deal(&partner, &other, &[5_000]).await;
    let lines = json!([{ "athlete_id": athlete.id, "contract_id": deal.contract_id },
        { "athlete_id": other.id, "contract_id": second.contract_id }]);
    let summary = json!({ "payments": lines });
    let total = world.call("core.payment.bulk_summary", &partner.principal, summary).await.data();
    let input = json!({ "payments": lines, "expected_total_cents": total["total_cents"] });
    let bulk = world.call("core.payment.pay_bulk", &partner.principal, input).await.data();
    for payment in bulk["payments"].as_array().unwrap() {
        assert_eq!(payment["confirm_until"], "2026-11-21T11:00:00Z");
        let begun = confirm(&world, &partner, payment).await.data();
        assert!(begun["confirm_url"].is_string() && begun["id"] == payment["id"], "{begun}");
    }
    assert!(sandbox::confirm(&world.platform, id(&bulk["payments"][1]), true).await.unwrap());
    assert_eq!((world.balance(&athlete).await, world.balance(&other).await), (10_000, 5_000));
    world.books_are_right().await;
}
both!(a_bulk_payment_is_confirmed_once);

async fn a_call_whose_answer_was_lost_is_answered_with_the_wait(world: World) {
    let (partner, athlete, deal) = asked(&world, 10_000).await;
    world.processor.next(&[Fault::Unanswered]);
    let payment = world.pay(&partner, &athlete, &deal).await;
    assert_eq!(
        (&payment["status"], &payment["confirm_until"]),
        (&json!("processing"), &Value::Null)
    );
    world.pass(TimeDelta::minutes(1));
    payments::reconcile(&world.platform).await.unwrap();
    assert_eq!(charge_status(&world).await, "requires_action");
    let begun = confirm(&world, &partner, &payment).await.data();
    assert!(begun["confirm_url"].is_string());
    world.books_are_right().await;
    assert!(sandbox::confirm(&world.platform, id(&payment), true).await.unwrap());
    assert_eq!(world.balance(&athlete).await, 10_000);
    assert_eq!(world.processor.sandbox().log().await.unwrap().len(), 1, "one charge");
    world.books_are_right().await;
}
both!(a_call_whose_answer_was_lost_is_answered_with_the_wait);

async fn a_subscription_is_confirmed_or_left(world: World) {
    const SUBSCRIPTION: &str = "core.subscription.confirm";
    let plan = world.plan(json!({})).await;
    let partner = world.partner("Cedar Coffee").await;
    world.card(&partner, ASKING_CARD).await;
    let input = json!({ "return_url": BACK });
    let nothing = world.call(SUBSCRIPTION, &partner.principal, input.clone()).await;
    assert_eq!(nothing.code(), "not_subscribed");
    // It is left again before it is confirmed.
    let pending = world.subscribe(&partner, &plan).await.data();
    assert_eq!(
        (&pending["status"], &pending["confirm_until"]),
        (&json!("pending"), &json!("2026-11-21T11:00:00Z"))
    );
    let left = world.call("core.subscription.cancel", &partner.principal, json!({})).await.data();
    assert_eq!((&left["status"], &left["failure_code"]), (&json!("ended"), &json!("canceled")));
    assert_eq!(states(&world, &partner).await, ["void"]);
    world.books_are_right().await;

    world.subscribe(&partner, &plan).await.data();
    assert_eq!(world.told("subscription.needs_confirmation").await, 2);
    let begun = world.call(SUBSCRIPTION, &partner.principal, input.clone()).await.data();
    assert!(begun["confirm_url"].is_string(), "{begun}");
    confirmed(&world, true).await;
    let active = world.call(SUBSCRIPTION, &partner.principal, input.clone()).await.data();
    assert_eq!((&active["status"], &active["confirm_url"]), (&json!("active"), &Value::Null));
    world.books_are_right().await;

    // A renewal waits for the cardholder, and is tried again if they do not confirm it.
    world.pass_until("2026-12-20T12:00:00Z");
    let billed = bill(&world).await;
    assert_eq!((billed.open, billed.renewed), (1, 0));
    assert_eq!(world.told("subscription.needs_confirmation").await, 3);
    assert_eq!(bill(&world).await.open, 0, "it is under way");
    world.pass(TimeDelta::hours(24));
    assert_eq!(payments::reconcile(&world.platform).await.unwrap().subscriptions, 1);
    assert_eq!(last(&world, &partner).await, json!(["past_due", null]));
    world.books_are_right().await;
    world.pass(TimeDelta::hours(24));
    assert_eq!(bill(&world).await.open, 1);
    confirmed(&world, true).await;
    assert_eq!(last(&world, &partner).await, json!(["active", null]));
    assert_eq!(states(&world, &partner).await, ["paid", "paid", "void"]);
    world.books_are_right().await;
}
both!(a_subscription_is_confirmed_or_left);

/// The cardholder decides about the latest charge.
async fn confirmed(world: &World, so: bool) {
    let log = world.processor.sandbox().log().await.unwrap();
    let waits = log.iter().find(|entry| entry.status == "requires_action").expect("a charge");
    assert!(world.processor.sandbox().confirm(&waits.id, so).await.unwrap());
    sandbox::deliver_events(&world.platform).await.unwrap();
}

async fn the_processor_behind_http_leads_to_the_bank(mut world: World) {
    let ledgered = with_a_processor(&mut world).await;
    let partner = world.partner("Cedar Coffee").await;
    // The card is entered on a page of the processor.
    let begin = json!({ "return_url": "https://brand.example/cards" });
    let begun = world.call("core.partner.begin_payment_method", &partner.principal, begin).await;
    let begun = begun.data();
    let token = begun["processor_token"].as_str().unwrap();
    let add = json!({ "processor_token": token });
    let add = async || {
        world.call("core.partner.add_payment_method", &partner.principal, add.clone()).await
    };
    assert_eq!(add().await.status, 422, "nothing was entered");
    ledgered.enter_card(token, ASKING_CARD);
    let card = add().await.data();
    assert_eq!(card["last4"], "3155");

    let athlete = world.athlete("Jordan Lake").await;
    let charges = || ledgered.all("pi");
    for (at, end) in [Some(true), Some(false), None].into_iter().enumerate() {
        let deal = world.approved_deal(&partner, &athlete, &[1_000]).await;
        let payment = world.pay(&partner, &athlete, &deal).await;
        assert_eq!(payment["status"], "processing");
        assert!(payment["confirm_until"].is_string());
        let charge = charges()[at]["id"].as_str().unwrap().to_owned();
        let begun = confirm(&world, &partner, &payment).await.data();
        assert_eq!(begun["confirm_url"], format!("http://bank.example/{charge}"));
        assert_eq!(charges()[at]["next_action"]["redirect_to_url"]["return_url"], BACK);
        let status = match end {
            Some(so) => {
                ledgered.confirm(&charge, so);
                let ended = confirm(&world, &partner, &payment).await.data();
                assert_eq!(ended["confirm_url"], Value::Null);
                ended["status"].clone()
            }
            None => {
                world.pass(TimeDelta::hours(24));
                assert_eq!(payments::reconcile(&world.platform).await.unwrap().charges, 1);
                assert_eq!(charges()[at]["status"], "canceled", "it can succeed no more");
                confirm(&world, &partner, &payment).await.data()["status"].clone()
            }
        };
        let expected = if end == Some(true) { "succeeded" } else { "failed" };
        assert_eq!(status, expected);
        world.books_are_right().await;
    }
    assert_eq!(world.balance(&athlete).await, 1_000);
    assert_eq!(ledgered.moved("pi").len(), 1);
}
both!(the_processor_behind_http_leads_to_the_bank);
