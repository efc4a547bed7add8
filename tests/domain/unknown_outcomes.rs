//! The processor did not answer: what happens hours, days and weeks later.

use std::time::Duration;

use chrono::TimeDelta;
use nil_core::auth::{Permission, Principal};
use nil_core::kernel::PayoutId;
use nil_core::payments::{self, sandbox};
use nil_tests::{Fault, Person, World, both};
use serde_json::{Value, json};

const TRIGGER: &str = "admin.payout.trigger";
const REFUND: &str = "admin.payment.refund";

fn finance(world: &World) -> Principal {
    world.operator(&[Permission::Finance])
}

async fn earner(world: &World, cents: i64) -> (Person, Value) {
    let partner = world.paying_partner("Cedar Coffee").await;
    let athlete = world.athlete("Jordan Lake").await;
    let deal = world.approved_deal(&partner, &athlete, &[cents]).await;
    let payment = world.pay(&partner, &athlete, &deal).await;
    (athlete, payment)
}

async fn trigger(world: &World, athlete: &Person) -> Value {
    world.call(TRIGGER, &finance(world), json!({ "id": athlete.id })).await.data()
}

async fn moved(world: &World, kind: &str) -> usize {
    let log = world.processor.sandbox().log().await.unwrap();
    log.iter().filter(|entry| entry.kind == kind).count()
}

async fn status(world: &World, payout: &Value) -> String {
    let list =
        world.call("admin.payout.list", &finance(world), json!({ "status": "all" })).await.data();
    let rows = list.as_array().unwrap();
    let row = rows.iter().find(|row| row["id"] == payout["id"]).unwrap();
    row["status"].as_str().unwrap().to_owned()
}

async fn a_charge_that_never_arrived_is_not_sent_once_its_key_may_be_forgotten(world: World) {
    let partner = world.paying_partner("Cedar Coffee").await;
    let athlete = world.athlete("Jordan Lake").await;
    let deal = world.approved_deal(&partner, &athlete, &[1_000]).await;
    world.processor.next(&[Fault::Lost]);
    let payment = world.pay(&partner, &athlete, &deal).await;
    assert_eq!(payment["status"], "processing");
    world.pass(TimeDelta::hours(25));
    assert_eq!(payments::reconcile(&world.platform).await.unwrap().charges, 1);
    assert_eq!(moved(&world, "charge").await, 0);
    world.books_are_right().await;
    let anew = world.pay(&partner, &athlete, &deal).await;
    assert_eq!(anew["status"], "succeeded", "it is owed as before");
    assert_eq!((moved(&world, "charge").await, world.balance(&athlete).await), (1, 1_000));
    world.books_are_right().await;
}
both!(a_charge_that_never_arrived_is_not_sent_once_its_key_may_be_forgotten);

async fn a_charge_that_arrived_is_found_by_its_key_and_not_sent_again(world: World) {
    let partner = world.paying_partner("Cedar Coffee").await;
    let athlete = world.athlete("Jordan Lake").await;
    for wait in [TimeDelta::seconds(11), TimeDelta::hours(25)] {
        let deal = world.approved_deal(&partner, &athlete, &[1_000]).await;
        let before = world.balance(&athlete).await;
        world.processor.next(&[Fault::Unanswered]);
        assert_eq!(world.pay(&partner, &athlete, &deal).await["status"], "processing");
        world.pass(wait);
        // Sending it again is refused.
        world.processor.next(&[Fault::Refused]);
        assert_eq!(payments::reconcile(&world.platform).await.unwrap().charges, 1);
        world.processor.next(&[]);
        assert_eq!(world.balance(&athlete).await, before + 1_000);
        world.books_are_right().await;
    }
}
both!(a_charge_that_arrived_is_found_by_its_key_and_not_sent_again);

async fn a_payout_that_never_arrived_goes_back_after_a_day(world: World) {
    let (athlete, _) = earner(&world, 5_000).await;
    world.can_receive(&athlete).await;
    world.processor.next(&[Fault::Lost]);
    let payout = trigger(&world, &athlete).await;
    world.pass(TimeDelta::hours(25));
    assert_eq!(payments::reconcile(&world.platform).await.unwrap().payouts, 1);
    assert_eq!(
        (status(&world, &payout).await.as_str(), moved(&world, "transfer").await),
        ("failed", 0)
    );
    assert_eq!(world.balance(&athlete).await, 5_000);
    world.books_are_right().await;
}
both!(a_payout_that_never_arrived_goes_back_after_a_day);

async fn a_payout_that_is_triggered_again_after_days_is_looked_up_first(world: World) {
    let (athlete, _) = earner(&world, 5_000).await;
    world.can_receive(&athlete).await;
    world.processor.next(&[Fault::Unanswered]);
    let payout = trigger(&world, &athlete).await;
    assert_eq!(payout["status"], "pending");
    world.pass(TimeDelta::hours(25));
    // Sent again, it would be taken for another one: the processor has forgotten the key.
    world.processor.next(&[Fault::Refused]);
    let again = trigger(&world, &athlete).await;
    assert_eq!((&again["id"], &again["status"]), (&payout["id"], &json!("in_transit")));
    assert_eq!(moved(&world, "transfer").await, 1);
    world.processor.next(&[]);
    world.books_are_right().await;
}
both!(a_payout_that_is_triggered_again_after_days_is_looked_up_first);

async fn a_payout_that_was_held_for_days_is_young_when_it_goes(world: World) {
    let (athlete, _) = earner(&world, 5_000).await;
    let payout = trigger(&world, &athlete).await;
    assert_eq!(payout["status"], "on_hold");
    world.pass(TimeDelta::days(3));
    world.processor.next(&[Fault::Lost]);
    world.can_receive(&athlete).await;
    assert_eq!(status(&world, &payout).await, "pending");
    world.pass(TimeDelta::seconds(11));
    assert_eq!(payments::reconcile(&world.platform).await.unwrap().payouts, 1);
    assert_eq!(status(&world, &payout).await, "in_transit");
    world.books_are_right().await;
}
both!(a_payout_that_was_held_for_days_is_young_when_it_goes);

async fn a_refund_that_never_arrived_fails_after_a_day(world: World) {
    let (athlete, payment) = earner(&world, 5_000).await;
    let input = json!({ "payment_id": payment["id"], "reason": "Event cancelled" });
    world.processor.next(&[Fault::Lost]);
    let refund = world.call(REFUND, &finance(&world), input).await.data();
    assert_eq!((&refund["status"], world.balance(&athlete).await), (&json!("pending"), 0));
    world.pass(TimeDelta::hours(25));
    assert_eq!(payments::reconcile(&world.platform).await.unwrap().refunds, 1);
    assert_eq!((moved(&world, "refund").await, world.balance(&athlete).await), (0, 5_000));
    world.books_are_right().await;
}
both!(a_refund_that_never_arrived_fails_after_a_day);

async fn a_processor_that_never_answers_is_not_waited_for(world: World) {
    let partner = world.paying_partner("Cedar Coffee").await;
    let athlete = world.athlete("Jordan Lake").await;
    let deal = world.approved_deal(&partner, &athlete, &[1_000]).await;
    let mut hasty = world.replica().await;
    hasty.reopen(|config| config.processor_deadline = Duration::from_millis(100)).await;
    world.processor.next(&[Fault::Hangs]);
    let payment = hasty.pay(&partner, &athlete, &deal).await;
    assert_eq!(payment["status"], "processing");
    world.pass(TimeDelta::seconds(11));
    assert_eq!(payments::reconcile(&world.platform).await.unwrap().charges, 1);
    assert_eq!((moved(&world, "charge").await, world.balance(&athlete).await), (1, 1_000));
    world.books_are_right().await;
}
both!(a_processor_that_never_answers_is_not_waited_for);

async fn a_bank_return_is_found_out_without_any_event(world: World) {
    let (athlete, _) = earner(&world, 5_000).await;
    world.can_receive(&athlete).await;
    let payout = trigger(&world, &athlete).await;
    let id = PayoutId::new(payout["id"].as_i64().unwrap()).unwrap();
    assert!(sandbox::let_arrive(&world.platform, id).await.unwrap());
    world.pass(TimeDelta::days(9));
    assert_eq!(payments::reconcile(&world.platform).await.unwrap().payouts, 0);
    assert_eq!(status(&world, &payout).await, "paid");
    let transfer = payout["processor_transfer_id"].as_str().unwrap();
    assert!(world.processor.sandbox().return_transfer(transfer).await.unwrap());
    assert_eq!(payments::reconcile(&world.platform).await.unwrap().payouts, 0, "not its turn");
    world.pass(TimeDelta::days(3));
    assert_eq!(payments::reconcile(&world.platform).await.unwrap().payouts, 1);
    assert_eq!(status(&world, &payout).await, "failed");
    assert_eq!(world.balance(&athlete).await, 5_000);
    world.books_are_right().await;
}
both!(a_bank_return_is_found_out_without_any_event);

async fn the_books_are_right_whenever_they_are_looked_at(world: World) {
    let partner = world.paying_partner("Cedar Coffee").await;
    let athlete = world.athlete("Jordan Lake").await;
    world.can_receive(&athlete).await;
    let deal = world.approved_deal(&partner, &athlete, &[1_000_000]).await;
    let part = json!({
        "athlete_id": athlete.id, "contract_id": deal.contract_id, "amount_cents": 100,
    });
    let paying = async {
        loop {
            let paid =
                world.call("core.payment.pay_with_saved_card", &partner.principal, part.clone());
            assert_eq!(paid.await.data()["status"], "succeeded");
            let payout = trigger(&world, &athlete).await;
            let id = PayoutId::new(payout["id"].as_i64().unwrap()).unwrap();
            sandbox::let_arrive(&world.platform, id).await.unwrap();
        }
    };
    let checking = async {
        let mut round = 0;
        while round < 50 || moved(&world, "charge").await < 5 {
            let report = payments::verify(&world.platform).await.unwrap();
            assert!(report.sound(), "round {round}: {:#?}", report.problems());
            round += 1;
        }
    };
    tokio::select! {
        () = paying => {}
        () = checking => {}
    }
}
both!(the_books_are_right_whenever_they_are_looked_at);
