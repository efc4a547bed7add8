//! Operators refund payments, wherever the money is.

use chrono::TimeDelta;
use nil_core::auth::{Permission, Principal};
use nil_core::kernel::PayoutId;
use nil_core::notifications::outbox;
use nil_core::payments::{self, sandbox};
use nil_tests::{DECLINED_CARD, Fault, Person, World, both};
use serde_json::{Value, json};

const REFUND: &str = "admin.payment.refund";

pub(crate) fn finance(world: &World) -> Principal {
    world.operator(&[Permission::Finance])
}

pub(crate) struct Paid {
    pub(crate) partner: Person,
    pub(crate) athlete: Person,
    pub(crate) agent: Person,
    pub(crate) payment: Value,
}

/// A payment of `cents` with a platform fee of 10 % on top and an agent's commission of 15 %
/// within.
pub(crate) async fn paid(world: &World, cents: i64) -> Paid {
    let partner = world.paying_partner("Cedar Coffee").await;
    let athlete = world.athlete("Jordan Lake").await;
    let agent = world.agent("North Agency").await;
    let through = Some((&agent, 1_500));
    let deal = world.approved_deal_through(&partner, &athlete, through, &[cents]).await;
    let payment = world.pay(&partner, &athlete, &deal).await;
    Paid { partner, athlete, agent, payment }
}

fn input(paid: &Paid, more: Value) -> Value {
    let mut input = json!({ "payment_id": paid.payment["id"], "reason": "Event cancelled" });
    input.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    input
}

pub(crate) async fn payment_now(world: &World, paid: &Paid) -> Value {
    let input = json!({ "status": "all", "id": paid.payment["id"] });
    world.call("admin.payment.list", &finance(world), input).await.data()[0].clone()
}

pub(crate) async fn pay_out(world: &World, athlete: &Person) -> PayoutId {
    world.can_receive(athlete).await;
    let input = json!({ "id": athlete.id });
    let payout = world.call("admin.payout.trigger", &finance(world), input).await.data();
    PayoutId::new(payout["id"].as_i64().unwrap()).unwrap()
}

async fn a_refund_is_taken_from_the_wallets(world: World) {
    let paid = paid(&world, 10_000).await;
    let refund = world.call(REFUND, &finance(&world), input(&paid, json!({}))).await.data();
    assert_eq!(refund["status"], "succeeded");
    assert_eq!(refund["requested_by"], "operator:1");
    assert_eq!((&refund["amount_cents"], &refund["fee_cents"]), (&json!(10_000), &json!(0)));
    assert_eq!(refund["commission_cents"], 1_500);
    assert_eq!(world.balance(&paid.athlete).await, 0);
    assert_eq!(world.balance(&paid.agent).await, 0);
    let now = payment_now(&world, &paid).await;
    assert_eq!((&now["status"], &now["refunded_cents"]), (&json!("refunded"), &json!(10_000)));
    let again = world.call(REFUND, &finance(&world), input(&paid, json!({}))).await;
    assert_eq!((again.status, again.code()), (409, "not_refundable"));
    let told = outbox::list(&world.platform, 100).await.unwrap();
    assert_eq!(told.iter().filter(|row| row.event == "refund.issued").count(), 2);
    // A refund does not make the work owed again.
    let owed = json!({
        "athlete_id": paid.athlete.id, "contract_id": paid.payment["contract_id"],
    });
    let pay = "core.payment.pay_with_saved_card";
    assert_eq!(world.call(pay, &paid.partner.principal, owed).await.code(), "nothing_owed");
    world.books_are_right().await;
}
both!(a_refund_is_taken_from_the_wallets);

async fn refunds_in_parts_come_to_the_whole(world: World) {
    let paid = paid(&world, 1_001).await;
    let operator = finance(&world);
    let part =
        |cents: i64| input(&paid, json!({ "amount_cents": cents, "refund_fee": "proportional" }));
    let more = world.call(REFUND, &operator, part(1_002)).await;
    assert_eq!((more.status, more.code()), (422, "refund_exceeds_payment"));
    for (cents, status) in
        [(333, "partially_refunded"), (333, "partially_refunded"), (335, "refunded")]
    {
        world.call(REFUND, &operator, part(cents)).await.data();
        assert_eq!(payment_now(&world, &paid).await["status"], status);
        world.books_are_right().await;
    }
    let now = payment_now(&world, &paid).await;
    assert_eq!(now["refunded_fee_cents"], now["fee_cents"]);
    assert_eq!(world.balance(&paid.athlete).await, 0);
    assert_eq!(world.balance(&paid.agent).await, 0);
}
both!(refunds_in_parts_come_to_the_whole);

async fn a_fee_that_was_kept_on_purpose_stays_kept(world: World) {
    let paid = paid(&world, 30_001).await;
    assert_eq!(paid.payment["fee_cents"], 3_000);
    let operator = finance(&world);
    let refund = async |cents: i64, fee: &str| {
        let part = input(&paid, json!({ "amount_cents": cents, "refund_fee": fee }));
        world.call(REFUND, &operator, part).await.data()["fee_cents"].clone()
    };
    assert_eq!(refund(10_000, "none").await, 0);
    assert_eq!(refund(5_001, "proportional").await, 500);
    assert_eq!(refund(5_000, "proportional").await, 500);
    assert_eq!(refund(5_000, "none").await, 0);
    assert_eq!(refund(2_500, "proportional").await, 250);
    let now = payment_now(&world, &paid).await;
    assert_eq!(now["refunded_fee_cents"], 1_250);
    assert_eq!(refund(2_500, "all").await, 1_750);
    assert_eq!(world.balance(&paid.athlete).await, 0);
    assert_eq!(world.balance(&paid.agent).await, 0);
    world.books_are_right().await;
}
both!(a_fee_that_was_kept_on_purpose_stays_kept);

async fn what_cannot_be_refunded_is_refused(world: World) {
    let operator = finance(&world);
    let missing = json!({ "payment_id": 99, "reason": "x" });
    assert_eq!(world.call(REFUND, &operator, missing.clone()).await.status, 404);
    let others = world.operator(&[Permission::Jobs]);
    assert_eq!(world.call(REFUND, &others, missing).await.status, 403);
    let no_reason = world.call(REFUND, &operator, json!({ "payment_id": 99 })).await;
    assert_eq!(no_reason.status, 422);

    let partner = world.partner("Cedar Coffee").await;
    world.card(&partner, DECLINED_CARD).await;
    let athlete = world.athlete("Jordan Lake").await;
    let deal = world.approved_deal(&partner, &athlete, &[100]).await;
    let wanted = json!({ "athlete_id": athlete.id, "contract_id": deal.contract_id });
    let pay = "core.payment.pay_with_saved_card";
    let declined = world.call(pay, &partner.principal, wanted.clone()).await;
    let failed = json!({ "payment_id": declined.body["data"]["id"], "reason": "x" });
    assert_eq!(world.call(REFUND, &operator, failed).await.code(), "not_refundable");
    world.processor.next(&[Fault::Lost]);
    let open = world.call(pay, &partner.principal, wanted).await.data();
    let open = json!({ "payment_id": open["id"], "reason": "x" });
    assert_eq!(world.call(REFUND, &operator, open).await.code(), "payment_in_progress");
}
both!(what_cannot_be_refunded_is_refused);

async fn money_on_its_way_out_or_gone_is_not_refunded_unless_it_may_be_owed(world: World) {
    let paid = paid(&world, 10_000).await;
    let operator = finance(&world);
    let payout = pay_out(&world, &paid.athlete).await;
    let allowed = input(&paid, json!({ "allow_negative_balance": true }));
    let busy = world.call(REFUND, &operator, allowed.clone()).await;
    assert_eq!((busy.status, busy.code()), (409, "payout_in_progress"));
    sandbox::let_arrive(&world.platform, payout).await.unwrap();
    let gone = world.call(REFUND, &operator, input(&paid, json!({}))).await;
    assert_eq!((gone.status, gone.code()), (409, "already_paid_out"));
    world.books_are_right().await;

    let refund = world.call(REFUND, &operator, allowed).await.data();
    assert_eq!(refund["status"], "succeeded");
    assert_eq!(world.balance(&paid.agent).await, 0, "the agent's share is the agent's");
    let wallet = world.call("core.wallet.show", &paid.athlete.principal, json!({})).await.data();
    assert_eq!((&wallet["balance_cents"], &wallet["owed_back_cents"]), (&json!(0), &json!(8_500)));
    world.books_are_right().await;

    // Later earnings settle it first.
    let deal = world.approved_deal(&paid.partner, &paid.athlete, &[6_000]).await;
    world.pay(&paid.partner, &paid.athlete, &deal).await;
    let wallet = world.call("core.wallet.show", &paid.athlete.principal, json!({})).await.data();
    assert_eq!((&wallet["balance_cents"], &wallet["owed_back_cents"]), (&json!(0), &json!(3_400)));
    let deal = world.approved_deal(&paid.partner, &paid.athlete, &[6_000]).await;
    world.pay(&paid.partner, &paid.athlete, &deal).await;
    assert_eq!(world.balance(&paid.athlete).await, 1_700);
    world.books_are_right().await;
}
both!(money_on_its_way_out_or_gone_is_not_refunded_unless_it_may_be_owed);

async fn a_refund_takes_its_money_out_of_a_payout_that_is_on_hold(world: World) {
    let paid = paid(&world, 10_000).await;
    let operator = finance(&world);
    let trigger = json!({ "id": paid.athlete.id });
    let held = world.call("admin.payout.trigger", &operator, trigger.clone()).await.data();
    assert_eq!((&held["status"], world.balance(&paid.athlete).await), (&json!("on_hold"), 0));
    let part = input(&paid, json!({ "amount_cents": 4_000 }));
    let refund = world.call(REFUND, &operator, part).await.data();
    assert_eq!(refund["status"], "succeeded");
    // 85 % of the 6,000 that are left.
    assert_eq!(world.balance(&paid.athlete).await, 5_100);
    let failed =
        world.call("admin.payout.list", &operator, json!({ "status": "failed" })).await.data();
    assert_eq!(
        (&failed[0]["id"], &failed[0]["failure_code"]),
        (&held["id"], &json!("cancelled_for_refund"))
    );
    assert_eq!(failed[0]["hold_reasons"], json!([]));
    world.books_are_right().await;
    // It did not fail, so it is not retried.
    world.can_receive(&paid.athlete).await;
    world.pass(TimeDelta::hours(25));
    let retried = payments::retry_payouts(&world.platform).await.unwrap();
    assert_eq!((retried.retried, retried.held), (0, 0));
    let rest = world.call("admin.payout.trigger", &operator, trigger).await.data();
    assert_eq!((&rest["status"], &rest["amount_cents"]), (&json!("in_transit"), &json!(5_100)));
    world.books_are_right().await;
}
both!(a_refund_takes_its_money_out_of_a_payout_that_is_on_hold);

async fn a_refused_refund_puts_everything_back(world: World) {
    let paid = paid(&world, 10_000).await;
    world.processor.next(&[Fault::Refused]);
    let wanted = input(&paid, json!({ "refund_fee": "all" }));
    let refund = world.call(REFUND, &finance(&world), wanted.clone()).await.data();
    assert_eq!((&refund["status"], &refund["failure_code"]), (&json!("failed"), &json!("refused")));
    assert_eq!(world.balance(&paid.athlete).await, 8_500);
    assert_eq!(world.balance(&paid.agent).await, 1_500);
    assert_eq!(payment_now(&world, &paid).await["status"], "succeeded");
    let again = world.call(REFUND, &finance(&world), wanted).await.data();
    assert_eq!((&again["status"], &again["fee_cents"]), (&json!("succeeded"), &json!(1_000)));
}
both!(a_refused_refund_puts_everything_back);

async fn a_silent_processor_leaves_the_refund_pending_until_it_is_asked_again(world: World) {
    for fault in [Fault::Lost, Fault::Unanswered, Fault::DiesBefore, Fault::DiesAfter] {
        let paid = paid(&world, 1_000).await;
        let operator = finance(&world);
        let key = format!("{fault:?}");
        world.processor.next(&[fault]);
        let wanted = input(&paid, json!({}));
        let answer = world.call_with_key(REFUND, &operator, wanted.clone(), Some(&key)).await;
        assert!(answer.status == 500 || answer.body["data"]["status"] == "pending");
        assert_eq!(world.balance(&paid.athlete).await, 0, "the money is set aside");
        let second = world.call(REFUND, &operator, wanted.clone()).await;
        assert_eq!(second.code(), "not_refundable", "nothing is left to refund");
        world.books_are_right().await;
        world.pass(TimeDelta::seconds(11));
        assert_eq!(payments::reconcile(&world.platform).await.unwrap().refunds, 1);
        assert_eq!(payment_now(&world, &paid).await["status"], "refunded");
        let again = world.call_with_key(REFUND, &operator, wanted, Some(&key)).await;
        assert_eq!(again.status, 200);
        world.books_are_right().await;
    }
}
both!(a_silent_processor_leaves_the_refund_pending_until_it_is_asked_again);

async fn parallel_refunds_give_back_once(world: World) {
    let paid = paid(&world, 1_000).await;
    let operator = finance(&world);
    let calls = (0..6).map(|_| world.call(REFUND, &operator, input(&paid, json!({}))));
    let answers = futures::future::join_all(calls).await;
    assert_eq!(answers.iter().filter(|answer| answer.status == 200).count(), 1);
    for answer in answers.iter().filter(|answer| answer.status != 200) {
        assert_eq!(answer.code(), "not_refundable");
    }
    world.books_are_right().await;
}
both!(parallel_refunds_give_back_once);
