//! Brands pay athletes, one or many at once, whatever the processor does.

use chrono::TimeDelta;
use nil_core::auth::Principal;
use nil_core::notifications::outbox;
use nil_core::payments;
use nil_tests::{DECLINED_CARD, Deal, Fault, GOOD_CARD, Person, World, both};
use serde_json::{Value, json};

const PAY: &str = "core.payment.pay_with_saved_card";
const BULK: &str = "core.payment.pay_bulk";
const SUMMARY: &str = "core.payment.bulk_summary";

fn all_of(athlete: &Person, deal: &Deal) -> Value {
    json!({ "athlete_id": athlete.id, "contract_id": deal.contract_id })
}

fn part_of(athlete: &Person, deal: &Deal, cents: i64) -> Value {
    json!({
        "athlete_id": athlete.id, "contract_id": deal.contract_id, "amount_cents": cents,
    })
}

async fn charged(world: &World) -> i64 {
    let log = world.processor.sandbox().log().await.unwrap();
    let charges = log.iter().filter(|e| e.kind == "charge" && e.status == "succeeded");
    charges.map(|entry| entry.amount_cents.get()).sum()
}

async fn a_brand_pays_what_is_owed(world: World) {
    let partner = world.paying_partner("Cedar Coffee").await;
    let athlete = world.athlete("Jordan Lake").await;
    let deal = world.approved_deal(&partner, &athlete, &[60_000, 65_000]).await;
    let payment = world.pay(&partner, &athlete, &deal).await;
    assert_eq!(payment["status"], "succeeded");
    assert_eq!(payment["number"], "PAY-2026-000001");
    assert_eq!(payment["amount_cents"], 125_000);
    assert_eq!(payment["fee_cents"], 12_500);
    assert_eq!(payment["total_cents"], 137_500);
    assert_eq!(payment["kind"], "card");
    assert_eq!(payment["bulk_id"], Value::Null);
    assert_eq!(payment["deliverable_ids"], json!(deal.deliverable_ids));
    assert_eq!(world.balance(&athlete).await, 125_000);
    assert_eq!(charged(&world).await, 137_500);
    let told = outbox::list(&world.platform, 100).await.unwrap();
    let told: Vec<_> = told.iter().filter(|row| row.event == "payment.succeeded").collect();
    assert_eq!(told.len(), 2, "the athlete and the brand");
    assert_eq!(told[0].data["amount"], "$1,250.00");
    world.books_are_right().await;
}
both!(a_brand_pays_what_is_owed);

async fn a_part_settles_the_earliest_and_the_rest_stays_owed(world: World) {
    let partner = world.paying_partner("Cedar Coffee").await;
    let athlete = world.athlete("Jordan Lake").await;
    let deal = world.approved_deal(&partner, &athlete, &[100, 200, 300]).await;
    let first = world.call(PAY, &partner.principal, part_of(&athlete, &deal, 150)).await.data();
    assert_eq!(first["deliverable_ids"], json!(deal.deliverable_ids[..2]));
    let more = world.call(PAY, &partner.principal, part_of(&athlete, &deal, 451)).await;
    assert_eq!((more.status, more.code()), (422, "amount_exceeds_owed"));
    assert!(more.body["errors"]["amount_cents"][0].as_str().unwrap().contains("450"));
    let last = json!({
        "athlete_id": athlete.id, "job_id": deal.job_id,
        "deliverable_ids": [deal.deliverable_ids[2]],
    });
    let last = world.call(PAY, &partner.principal, last).await.data();
    assert_eq!(last["amount_cents"], 300);
    let rest = world.pay(&partner, &athlete, &deal).await;
    assert_eq!(rest["amount_cents"], 150);
    let nothing = world.call(PAY, &partner.principal, all_of(&athlete, &deal)).await;
    assert_eq!((nothing.status, nothing.code()), (409, "nothing_owed"));
    world.books_are_right().await;
}
both!(a_part_settles_the_earliest_and_the_rest_stays_owed);

async fn only_the_brand_of_the_contract_pays_it(world: World) {
    let partner = world.paying_partner("Cedar Coffee").await;
    let stranger = world.paying_partner("Acme Shoes").await;
    let athlete = world.athlete("Jordan Lake").await;
    let other = world.athlete("Sam Hill").await;
    let deal = world.approved_deal(&partner, &athlete, &[100]).await;
    let refused = world.call(PAY, &stranger.principal, all_of(&athlete, &deal)).await;
    let missing = json!({ "athlete_id": athlete.id, "contract_id": 999 });
    let missing = world.call(PAY, &stranger.principal, missing).await;
    let masked = refused.masked("contract_id", deal.contract_id);
    assert_eq!((refused.status, masked), (404, missing.masked("contract_id", 999)));
    let mismatched = world.call(PAY, &partner.principal, all_of(&other, &deal)).await;
    assert_eq!(mismatched.status, 404);
    assert_eq!(world.call(PAY, &athlete.principal, all_of(&athlete, &deal)).await.status, 403);
    assert_eq!(world.call(PAY, &Principal::Anonymous, all_of(&athlete, &deal)).await.status, 401);
    let mut unknown = all_of(&athlete, &deal);
    unknown["amuont_cents"] = json!(5);
    let unknown = world.call(PAY, &partner.principal, unknown).await;
    assert_eq!((unknown.status, unknown.code()), (422, "unknown_field"));
    let neither = world.call(PAY, &partner.principal, json!({ "athlete_id": athlete.id })).await;
    assert_eq!((neither.status, neither.code()), (422, "validation_failed"));
    assert_eq!(charged(&world).await, 0);
}
both!(only_the_brand_of_the_contract_pays_it);

async fn without_a_card_nothing_is_paid(world: World) {
    let partner = world.partner("Cedar Coffee").await;
    let athlete = world.athlete("Jordan Lake").await;
    let deal = world.approved_deal(&partner, &athlete, &[100]).await;
    let refused = world.call(PAY, &partner.principal, all_of(&athlete, &deal)).await;
    assert_eq!((refused.status, refused.code()), (409, "no_payment_method"));
    world.card(&partner, GOOD_CARD).await;
    world.pay(&partner, &athlete, &deal).await;
}
both!(without_a_card_nothing_is_paid);

async fn a_declined_card_leaves_a_failed_payment_and_the_debt(world: World) {
    let partner = world.partner("Cedar Coffee").await;
    world.card(&partner, DECLINED_CARD).await;
    let athlete = world.athlete("Jordan Lake").await;
    let deal = world.approved_deal(&partner, &athlete, &[100]).await;
    let input = all_of(&athlete, &deal);
    let who = &partner.principal;
    let declined = world.call_with_key(PAY, who, input.clone(), Some("k")).await;
    assert_eq!((declined.status, declined.code()), (402, "card_declined"));
    assert_eq!(declined.body["data"]["status"], "failed");
    assert_eq!(declined.body["data"]["failure_code"], "card_declined");
    let again = world.call_with_key(PAY, who, input.clone(), Some("k")).await;
    assert_eq!(again.status, 402);
    assert_eq!(again.body["data"], declined.body["data"], "the same key tries nothing anew");
    let good = world.card(&partner, GOOD_CARD).await;
    let default = json!({ "payment_method_id": good["id"] });
    world.call("core.partner.set_default_payment_method", who, default).await.data();
    let paid = world.pay(&partner, &athlete, &deal).await;
    assert_ne!(paid["id"], declined.body["data"]["id"], "a new attempt is a new payment");
    assert_eq!(world.balance(&athlete).await, 100);
    world.books_are_right().await;
}
both!(a_declined_card_leaves_a_failed_payment_and_the_debt);

async fn an_agent_gets_the_commission_out_of_the_athletes_share(world: World) {
    let partner = world.paying_partner("Cedar Coffee").await;
    let athlete = world.athlete("Jordan Lake").await;
    let agent = world.agent("North Agency").await;
    let deal =
        world.approved_deal_through(&partner, &athlete, Some((&agent, 1_500)), &[10_010]).await;
    let payment = world.pay(&partner, &athlete, &deal).await;
    // 1,501.5 cents: half to even.
    assert_eq!(payment["agent_commission_cents"], 1_502);
    assert_eq!(payment["fee_cents"], 1_001);
    assert_eq!(world.balance(&athlete).await, 8_508);
    assert_eq!(world.balance(&agent).await, 1_502);
    world.books_are_right().await;
}
both!(an_agent_gets_the_commission_out_of_the_athletes_share);

async fn a_bulk_payment_is_one_charge_and_a_payment_a_line(world: World) {
    let partner = world.paying_partner("Cedar Coffee").await;
    let athletes = [world.athlete("Jordan Lake").await, world.athlete("Sam Hill").await];
    let deals = [
        world.approved_deal(&partner, &athletes[0], &[105]).await,
        world.approved_deal(&partner, &athletes[1], &[200, 300]).await,
    ];
    let lines = json!([
        all_of(&athletes[0], &deals[0]),
        { "athlete_id": athletes[1].id, "job_id": deals[1].job_id, "amount_cents": 450 },
    ]);
    let who = &partner.principal;
    let summary = world.call(SUMMARY, who, json!({ "payments": lines })).await.data();
    assert_eq!(summary["payable"], true);
    // Half to even on each line: 10 and 45.
    assert_eq!(summary["fee_cents"], 55);
    assert_eq!(summary["total_cents"], 610);
    let input = |total| json!({ "payments": lines, "expected_total_cents": total });
    let changed = world.call(BULK, who, input(611)).await;
    assert_eq!((changed.status, changed.code()), (409, "total_changed"));
    assert_eq!(charged(&world).await, 0);
    let bulk = world.call(BULK, who, input(610)).await.data();
    assert_eq!(bulk["total_cents"], 610);
    let payments = bulk["payments"].as_array().unwrap();
    assert_eq!(payments.len(), 2);
    for payment in payments {
        assert_eq!(payment["status"], "succeeded");
        assert_eq!(payment["kind"], "bulk");
        assert_eq!(payment["bulk_id"], bulk["bulk_id"]);
    }
    assert_eq!(charged(&world).await, 610);
    assert_eq!(world.balance(&athletes[1]).await, 450);
    let stale = world.call(BULK, who, input(610)).await;
    assert_eq!((stale.status, stale.code()), (422, "line_not_payable"));
    world.books_are_right().await;
}
both!(a_bulk_payment_is_one_charge_and_a_payment_a_line);

async fn one_bad_line_stops_a_bulk_payment_and_is_named(world: World) {
    let partner = world.paying_partner("Cedar Coffee").await;
    let athlete = world.athlete("Jordan Lake").await;
    let deal = world.approved_deal(&partner, &athlete, &[100]).await;
    let missing = json!({ "athlete_id": athlete.id, "contract_id": 999 });
    let paid = world.approved_deal(&partner, &athlete, &[100]).await;
    world.pay(&partner, &athlete, &paid).await;
    let before = charged(&world).await;
    let lines = json!([all_of(&athlete, &deal), missing, all_of(&athlete, &paid)]);
    let who = &partner.principal;
    let input = json!({ "payments": lines, "expected_total_cents": 110 });
    let refused = world.call(BULK, who, input).await;
    assert_eq!((refused.status, refused.code()), (422, "line_not_payable"));
    let errors = &refused.body["errors"];
    assert!(errors["payments.0"].is_null());
    assert!(errors["payments.1"][0].as_str().unwrap().starts_with("not_found"));
    assert!(errors["payments.2"][0].as_str().unwrap().starts_with("nothing_owed"));
    let summary = world.call(SUMMARY, who, json!({ "payments": lines })).await.data();
    assert_eq!(summary["payable"], false);
    assert_eq!(summary["total_cents"], 110);
    assert_eq!(summary["lines"][1]["reason"], "not_found");
    assert_eq!(summary["lines"][2]["payable"], false);
    assert_eq!(charged(&world).await, before);
}
both!(one_bad_line_stops_a_bulk_payment_and_is_named);

async fn a_declined_bulk_payment_fails_every_line(world: World) {
    let partner = world.partner("Cedar Coffee").await;
    world.card(&partner, DECLINED_CARD).await;
    let athlete = world.athlete("Jordan Lake").await;
    let deals = [
        world.approved_deal(&partner, &athlete, &[100]).await,
        world.approved_deal(&partner, &athlete, &[200]).await,
    ];
    let lines = json!([all_of(&athlete, &deals[0]), all_of(&athlete, &deals[1])]);
    let input = json!({ "payments": lines, "expected_total_cents": 330 });
    let declined = world.call(BULK, &partner.principal, input).await;
    assert_eq!((declined.status, declined.code()), (402, "card_declined"));
    let failed = declined.body["data"]["payments"].as_array().unwrap();
    assert!(failed.len() == 2 && failed.iter().all(|payment| payment["status"] == "failed"));
    assert_eq!(world.balance(&athlete).await, 0);
    world.books_are_right().await;
}
both!(a_declined_bulk_payment_fails_every_line);

async fn single_and_bulk_payment_at_once_charge_once(world: World) {
    let partner = world.paying_partner("Cedar Coffee").await;
    let athlete = world.athlete("Jordan Lake").await;
    for _ in 0..5 {
        let deal = world.approved_deal(&partner, &athlete, &[1_000]).await;
        let before = charged(&world).await;
        let one = all_of(&athlete, &deal);
        let bulk = json!({ "payments": [one], "expected_total_cents": 1_100 });
        let who = &partner.principal;
        let calls = (0..6).map(|at| match at % 2 {
            0 => world.call(PAY, who, one.clone()),
            _ => world.call(BULK, who, bulk.clone()),
        });
        let answers = futures::future::join_all(calls).await;
        let paid = answers.iter().filter(|answer| answer.status == 200).count();
        assert_eq!(paid, 1, "{answers:?}");
        for answer in answers.iter().filter(|answer| answer.status != 200) {
            assert!(["nothing_owed", "line_not_payable"].contains(&answer.code()));
        }
        assert_eq!(charged(&world).await - before, 1_100);
    }
    world.books_are_right().await;
}
both!(single_and_bulk_payment_at_once_charge_once);

async fn a_silent_processor_leaves_the_payment_processing_until_it_is_asked_again(world: World) {
    let partner = world.paying_partner("Cedar Coffee").await;
    let athlete = world.athlete("Jordan Lake").await;
    for fault in [Fault::Lost, Fault::Unanswered, Fault::KeyInUse] {
        let deal = world.approved_deal(&partner, &athlete, &[1_000]).await;
        let before = world.balance(&athlete).await;
        world.processor.next(&[fault]);
        let payment = world.pay(&partner, &athlete, &deal).await;
        assert_eq!(payment["status"], "processing", "{fault:?}");
        assert_eq!(world.balance(&athlete).await, before);
        let again = world.call(PAY, &partner.principal, all_of(&athlete, &deal)).await;
        assert_eq!(again.code(), "nothing_owed", "what is being paid is not owed");
        world.books_are_right().await;
        assert_eq!(payments::reconcile(&world.platform).await.unwrap().charges, 0, "too soon");
        world.pass(TimeDelta::seconds(11));
        assert_eq!(payments::reconcile(&world.platform).await.unwrap().charges, 1);
        assert_eq!(world.balance(&athlete).await, before + 1_000);
        world.books_are_right().await;
    }
    assert_eq!(charged(&world).await, 3_300);
}
both!(a_silent_processor_leaves_the_payment_processing_until_it_is_asked_again);

async fn a_crash_between_intent_and_word_loses_and_doubles_nothing(world: World) {
    let partner = world.paying_partner("Cedar Coffee").await;
    let athlete = world.athlete("Jordan Lake").await;
    for fault in [Fault::DiesBefore, Fault::DiesAfter] {
        let deal = world.approved_deal(&partner, &athlete, &[1_000]).await;
        let input = all_of(&athlete, &deal);
        let who = &partner.principal;
        let key = format!("{fault:?}");
        world.processor.next(&[fault]);
        let died = world.call_with_key(PAY, who, input.clone(), Some(&key)).await;
        assert_eq!(died.status, 500);
        let running = world.call_with_key(PAY, who, input.clone(), Some(&key)).await;
        assert_eq!(running.code(), "idempotency_in_progress");
        world.pass(TimeDelta::seconds(11));
        assert_eq!(payments::reconcile(&world.platform).await.unwrap().charges, 1);
        let answer = world.call_with_key(PAY, who, input.clone(), Some(&key)).await;
        assert_eq!(answer.body["message"], "Payment submitted");
        assert_eq!(answer.data()["status"], "succeeded");
        world.books_are_right().await;
    }
    assert_eq!(charged(&world).await, 2_200);
    assert_eq!(world.balance(&athlete).await, 2_000);
}
both!(a_crash_between_intent_and_word_loses_and_doubles_nothing);

async fn a_crash_before_a_decline_is_answered_with_the_decline(world: World) {
    let partner = world.partner("Cedar Coffee").await;
    world.card(&partner, DECLINED_CARD).await;
    let athlete = world.athlete("Jordan Lake").await;
    let deal = world.approved_deal(&partner, &athlete, &[1_000]).await;
    let input = json!({
        "payments": [all_of(&athlete, &deal)], "expected_total_cents": 1_100,
    });
    let who = &partner.principal;
    world.processor.next(&[Fault::DiesAfter]);
    let died = world.call_with_key(BULK, who, input.clone(), Some("k")).await;
    assert_eq!(died.status, 500);
    world.pass(TimeDelta::seconds(11));
    assert_eq!(payments::reconcile(&world.platform).await.unwrap().charges, 1);
    let answer = world.call_with_key(BULK, who, input, Some("k")).await;
    assert_eq!((answer.status, answer.code()), (402, "card_declined"));
    assert_eq!(answer.body["data"]["payments"][0]["status"], "failed");
    world.books_are_right().await;
}
both!(a_crash_before_a_decline_is_answered_with_the_decline);

async fn events_settle_what_was_not_heard_and_repeat_without_effect(world: World) {
    let partner = world.paying_partner("Cedar Coffee").await;
    let athlete = world.athlete("Jordan Lake").await;
    let deal = world.approved_deal(&partner, &athlete, &[1_000]).await;
    world.processor.next(&[Fault::Unanswered]);
    world.pay(&partner, &athlete, &deal).await;
    let events = world.processor.sandbox().undelivered().await.unwrap();
    assert_eq!(events.len(), 1);
    let (_, signature, body) = &events[0];
    let body = String::from_utf8(body.clone()).unwrap();
    let hook = "core.processor.webhook";
    let input = json!({ "signature": signature, "body": body });
    let forged = json!({ "signature": signature, "body": body.replace("succeeded", "failed") });
    let forged = world.call(hook, &Principal::Anonymous, forged).await;
    assert_eq!((forged.status, forged.code()), (401, "signature_invalid"));
    let unsigned = world.call(hook, &Principal::Anonymous, json!({ "body": body })).await;
    assert_eq!(unsigned.status, 401);
    let calls = (0..10).map(|_| world.call(hook, &Principal::Anonymous, input.clone()));
    for answer in futures::future::join_all(calls).await {
        assert_eq!(answer.status, 200, "{}", answer.body);
    }
    assert_eq!(world.balance(&athlete).await, 1_000);
    world.pass(TimeDelta::seconds(301));
    let stale = world.call(hook, &Principal::Anonymous, input).await;
    assert_eq!((stale.status, stale.code()), (401, "signature_invalid"));
    world.books_are_right().await;
}
both!(events_settle_what_was_not_heard_and_repeat_without_effect);

async fn the_first_card_is_the_default_until_another_is_made_it(world: World) {
    let partner = world.partner("Cedar Coffee").await;
    let who = &partner.principal;
    let first = world.card(&partner, GOOD_CARD).await;
    assert_eq!((&first["is_default"], &first["last4"]), (&json!(true), &json!("4242")));
    let second = world.card(&partner, DECLINED_CARD).await;
    assert_eq!(second["is_default"], false);
    let again = world.card(&partner, GOOD_CARD).await;
    assert_eq!(again["id"], first["id"], "the same card is kept once");
    let unknown = json!({ "processor_token": "4242424242424242" });
    let unknown = world.call("core.partner.add_payment_method", who, unknown).await;
    assert_eq!((unknown.status, unknown.code()), (422, "validation_failed"));
    let chosen = json!({ "payment_method_id": second["id"] });
    let chosen = world.call("core.partner.set_default_payment_method", who, chosen).await;
    assert_eq!(chosen.data()["is_default"], true);
    let listed = world.call("core.partner.payment_methods", who, json!({})).await.data();
    let defaults: Vec<_> = listed.as_array().unwrap().iter().map(|m| &m["is_default"]).collect();
    assert_eq!(defaults, [false, true]);
    let gone = json!({ "payment_method_id": second["id"] });
    world.call("core.partner.remove_payment_method", who, gone.clone()).await.data();
    assert_eq!(world.call("core.partner.remove_payment_method", who, gone).await.status, 404);
    let left = world.call("core.partner.payment_methods", who, json!({})).await.data();
    assert_eq!(left[0]["is_default"], true);
    assert_eq!(left.as_array().unwrap().len(), 1);
}
both!(the_first_card_is_the_default_until_another_is_made_it);

async fn cards_are_their_owners_own(world: World) {
    let partner = world.paying_partner("Cedar Coffee").await;
    let agent = world.agent("North Agency").await;
    let mine = world.call("core.partner.payment_methods", &partner.principal, json!({})).await;
    let id = mine.data()[0]["id"].clone();
    let theirs = json!({ "payment_method_id": id });
    let default = "core.agent.set_default_payment_method";
    assert_eq!(world.call(default, &agent.principal, theirs.clone()).await.status, 404);
    let remove = "core.agent.remove_payment_method";
    assert_eq!(world.call(remove, &agent.principal, theirs).await.status, 404);
    let card = json!({ "processor_token": GOOD_CARD });
    let added = world.call("core.agent.add_payment_method", &agent.principal, card).await.data();
    assert_eq!(added["owner"], format!("agent:{}", agent.id));
    let listed = world.call("core.agent.payment_methods", &agent.principal, json!({})).await;
    assert_eq!(listed.body["pagination"]["total"], 1);
}
both!(cards_are_their_owners_own);
