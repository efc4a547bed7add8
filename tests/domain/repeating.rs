//! A repeated `Idempotency-Key` gets the first response, whatever has changed since.

use chrono::TimeDelta;
use nil_core::auth::{Permission, Principal};
use nil_core::payments;
use nil_tests::{Answer, Deal, Fault, GOOD_CARD, Person, World, both};
use serde_json::{Value, json};

const PAY: &str = "core.payment.pay_with_saved_card";
const TRIGGER: &str = "admin.payout.trigger";

fn all_of(athlete: &Person, deal: &Deal) -> Value {
    json!({ "athlete_id": athlete.id, "contract_id": deal.contract_id })
}

fn finance(world: &World) -> Principal {
    world.operator(&[Permission::Finance])
}

async fn charges(world: &World) -> usize {
    world.processor.sandbox().log().await.unwrap().len()
}

async fn a_refusal_under_a_key_is_the_answer_for_a_day(world: World) {
    let partner = world.partner("Cedar Coffee").await;
    let athlete = world.athlete("Jordan Lake").await;
    let deal = world.approved_deal(&partner, &athlete, &[1_000]).await;
    let (who, input) = (&partner.principal, all_of(&athlete, &deal));
    let refused = world.call_with_key(PAY, who, input.clone(), Some("k")).await;
    assert_eq!((refused.status, refused.code()), (409, "no_payment_method"));
    world.card(&partner, GOOD_CARD).await;
    for _ in 0..2 {
        let again = world.call_with_key(PAY, who, input.clone(), Some("k")).await;
        assert_eq!((again.status, &again.bytes), (409, &refused.bytes));
    }
    assert_eq!(charges(&world).await, 0, "what was refused is not charged by a repeat");
    let other = json!({ "athlete_id": athlete.id, "contract_id": 1, "amount_cents": 5 });
    let other = world.call_with_key(PAY, who, other, Some("k")).await;
    assert_eq!((other.status, other.code()), (409, "idempotency_key_reused"));
    let again = world.call_with_key(PAY, who, input.clone(), Some("k")).await;
    assert_eq!(again.bytes, refused.bytes, "a refused reuse changes nothing");
    world.pass(TimeDelta::hours(25));
    let anew = world.call_with_key(PAY, who, input, Some("k")).await;
    assert_eq!(anew.data()["status"], "succeeded");
    assert_eq!(charges(&world).await, 1);
}
both!(a_refusal_under_a_key_is_the_answer_for_a_day);

async fn what_was_wrong_in_form_may_be_mended_under_its_key(world: World) {
    let partner = world.paying_partner("Cedar Coffee").await;
    let athlete = world.athlete("Jordan Lake").await;
    let deal = world.approved_deal(&partner, &athlete, &[1_000]).await;
    let who = &partner.principal;
    let much = json!({
        "athlete_id": athlete.id, "contract_id": deal.contract_id, "amount_cents": 2_000,
    });
    let refused = world.call_with_key(PAY, who, much, Some("k")).await;
    assert_eq!(refused.status, 422);
    let paid = world.call_with_key(PAY, who, all_of(&athlete, &deal), Some("k")).await;
    assert_eq!(paid.data()["status"], "succeeded");
}
both!(what_was_wrong_in_form_may_be_mended_under_its_key);

async fn one_key_has_one_answer_while_the_state_changes(world: World) {
    let replica = world.replica().await;
    let athlete = world.athlete("Jordan Lake").await;
    let rounds = if world.is_sqlite() { 5 } else { 50 };
    for round in 0..rounds {
        let partner = world.partner("Cedar Coffee").await;
        let deal = world.approved_deal(&partner, &athlete, &[1_000]).await;
        let (who, input) = (&partner.principal, all_of(&athlete, &deal));
        let before = charges(&world).await;
        let key = format!("k{round}");
        let (first, second, _) = tokio::join!(
            world.call_with_key(PAY, who, input.clone(), Some(&key)),
            replica.call_with_key(PAY, who, input.clone(), Some(&key)),
            world.card(&partner, GOOD_CARD),
        );
        payments::reconcile(&world.platform).await.unwrap();
        let last = world.call_with_key(PAY, who, input.clone(), Some(&key)).await;
        let settled =
            |answer: &Answer| answer.status == 200 || answer.code() != "idempotency_in_progress";
        for answer in [&first, &second].into_iter().filter(|answer| settled(answer)) {
            assert_eq!(answer.bytes, last.bytes, "round {round}");
        }
        assert!(last.status == 200 || last.code() == "no_payment_method", "{}", last.body);
        assert_eq!(charges(&world).await - before, usize::from(last.status == 200));
    }
}
both!(one_key_has_one_answer_while_the_state_changes);

async fn every_key_that_waits_for_a_payout_is_answered_by_its_end(world: World) {
    let athlete = world.earner(5_000).await;
    world.can_receive(&athlete).await;
    let trigger = async |key: &'static str, fault| {
        world.processor.next(&[fault]);
        world.call_with_key(TRIGGER, &finance(&world), json!({ "id": athlete.id }), Some(key)).await
    };
    let first = trigger("first", Fault::Lost).await.data();
    assert_eq!(first["status"], "pending");
    let died = trigger("second", Fault::DiesBefore).await;
    assert_eq!(died.status, 500);
    let waiting = trigger("second", Fault::None).await;
    assert_eq!(waiting.code(), "idempotency_in_progress");
    world.pass(TimeDelta::seconds(11));
    assert_eq!(payments::reconcile(&world.platform).await.unwrap().payouts, 1);
    let second = trigger("second", Fault::None).await.data();
    assert_eq!((&second["id"], &second["status"]), (&first["id"], &json!("in_transit")));
    let again = trigger("first", Fault::None).await.data();
    assert_eq!(again, first, "an answer that was given stays");
    world.books_are_right().await;
}
both!(every_key_that_waits_for_a_payout_is_answered_by_its_end);

async fn a_key_that_released_a_payout_is_answered_by_its_end(world: World) {
    let athlete = world.earner(5_000).await;
    let trigger = async |key: &'static str| {
        world.call_with_key(TRIGGER, &finance(&world), json!({ "id": athlete.id }), Some(key)).await
    };
    assert_eq!(trigger("maker").await.data()["status"], "on_hold");
    let opened = world.call("core.payout_account.create", &athlete.principal, json!({})).await;
    let account = opened.data()["processor_account_id"].as_str().unwrap().to_owned();
    world.processor.sandbox().finish_onboarding(&account).await.unwrap();
    world.processor.next(&[Fault::DiesAfter]);
    assert_eq!(trigger("releaser").await.status, 500);
    assert_eq!(trigger("releaser").await.code(), "idempotency_in_progress");
    world.pass(TimeDelta::seconds(11));
    assert_eq!(payments::reconcile(&world.platform).await.unwrap().payouts, 1);
    assert_eq!(trigger("releaser").await.data()["status"], "in_transit");
    assert_eq!(trigger("maker").await.data()["status"], "on_hold");
    world.books_are_right().await;
}
both!(a_key_that_released_a_payout_is_answered_by_its_end);

async fn a_key_used_anew_gets_no_answer_of_its_earlier_request(world: World) {
    let partner = world.paying_partner("Cedar Coffee").await;
    let athlete = world.athlete("Jordan Lake").await;
    let deals = [
        world.approved_deal(&partner, &athlete, &[1_000]).await,
        world.approved_deal(&partner, &athlete, &[2_000]).await,
    ];
    for deal in &deals {
        world.processor.next(&[Fault::DiesAfter]);
        let died =
            world.call_with_key(PAY, &partner.principal, all_of(&athlete, deal), Some("k")).await;
        assert_eq!(died.status, 500);
        world.pass(TimeDelta::hours(25));
    }
    // The second request is as recent as a running one.
    world.pass(TimeDelta::hours(-24));
    assert_eq!(payments::reconcile(&world.platform).await.unwrap().charges, 2);
    let answer =
        world.call_with_key(PAY, &partner.principal, all_of(&athlete, &deals[1]), Some("k")).await;
    assert_eq!(answer.data()["amount_cents"], 2_000);
    world.books_are_right().await;
}
both!(a_key_used_anew_gets_no_answer_of_its_earlier_request);
