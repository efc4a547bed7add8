//! Cardholders take charges back through their banks.

use chrono::TimeDelta;
use nil_core::auth::Permission;
use nil_core::kernel::{Cents, DisputeId, PaymentId};
use nil_core::payments::sandbox;
use nil_core::ports::processor::{DisputeKind, DisputeState};
use nil_tests::{Person, World, both};
use serde_json::{Value, json};

use crate::chat;
use crate::refunding::{Paid, finance, paid, pay_out, payment_now};
use crate::requests::text_of;

const LIST: &str = "admin.dispute.list";
const VIEW: &str = "admin.dispute.view";
const ANSWER: &str = "admin.dispute.answer";
const ACCEPT: &str = "admin.dispute.accept";
const TERMS: &str = "admin.dispute.save_terms";
const REFUND: &str = "admin.payment.refund";

/// From now on, payees bear this share.
pub(crate) async fn payees_bear(world: &World, basis_points: i64) {
    let input = json!({ "payee_basis_points": basis_points });
    world.call(TERMS, &finance(world), input).await.data();
}

fn payment_of(paid: &Paid) -> PaymentId {
    PaymentId::new(paid.payment["id"].as_i64().unwrap()).unwrap()
}

pub(crate) async fn disputed(
    world: &World,
    paid: &Paid,
    kind: DisputeKind,
    cents: Option<i64>,
) -> DisputeId {
    let what = (kind, cents.map(Cents));
    let opened = sandbox::dispute(&world.platform, payment_of(paid), what).await.unwrap();
    opened.expect("a dispute")
}

pub(crate) async fn taken(world: &World, paid: &Paid) -> DisputeId {
    disputed(world, paid, DisputeKind::Chargeback, None).await
}

pub(crate) async fn turn(world: &World, id: DisputeId, to: DisputeState) {
    assert!(sandbox::turn_dispute(&world.platform, id, to).await.unwrap(), "{id} {to:?}");
    world.books_are_right().await;
}

async fn view(world: &World, id: DisputeId) -> Value {
    world.call(VIEW, &finance(world), json!({ "id": id })).await.data()
}

/// What an account of the ledger holds.
pub(crate) async fn held(world: &World, account: &str) -> i64 {
    let of =
        format!("COALESCE(SUM(balance_cents), 0) FROM ledger_account WHERE name = '{account}'");
    let (of, from) = of.split_once(" FROM ").unwrap();
    world.text(of, from).await.unwrap().parse().unwrap()
}

pub(crate) async fn wallet(world: &World, payee: &Person) -> Value {
    world.call("core.wallet.show", &payee.principal, json!({})).await.data()
}

pub(crate) fn refund(paid: &Paid) -> Value {
    json!({ "payment_id": paid.payment["id"], "reason": "They asked" })
}

async fn the_platform_bears_a_lost_dispute(world: World) {
    let paid = paid(&world, 10_000).await;
    let total = paid.payment["total_cents"].as_i64().unwrap();
    let cost = held(&world, "processor:costs").await;
    let id = taken(&world, &paid).await;
    world.books_are_right().await;
    let open = view(&world, id).await;
    assert_eq!((&open["status"], &open["kind"]), (&json!("needs_response"), &json!("chargeback")));
    assert_eq!((&open["amount_cents"], &open["fee_cents"]), (&json!(total), &json!(1_500)));
    let share = &open["shares"][0];
    assert_eq!(
        (&share["amount_cents"], &share["commission_cents"]),
        (&json!(10_000), &json!(1_500))
    );
    assert_eq!(held(&world, "processor:disputed").await, total);
    assert_eq!(held(&world, "platform:dispute_costs").await, -total - 1_500);
    assert_eq!(held(&world, "processor:costs").await, cost + 1_500);
    assert_eq!(payment_now(&world, &paid).await["dispute_status"], "needs_response");
    assert_eq!(world.told("dispute.opened").await, 2);
    // The money waits in the wallets, and a refund would pay it twice.
    let mine = wallet(&world, &paid.athlete).await;
    assert_eq!((&mine["available_cents"], &mine["disputed_cents"]), (&json!(0), &json!(8_500)));
    let refused = world.call(REFUND, &finance(&world), refund(&paid)).await;
    assert_eq!((refused.status, refused.code()), (409, "charge_disputed"));
    turn(&world, id, DisputeState::Lost).await;
    let lost = view(&world, id).await;
    assert_eq!((&lost["status"], &lost["borne_by_payees_cents"]), (&json!("lost"), &json!(0)));
    assert_eq!(held(&world, "processor:disputed").await, 0);
    assert_eq!(held(&world, "platform:dispute_costs").await, -total - 1_500);
    let card = format!("partner:{}:card", paid.partner.id);
    assert_eq!(held(&world, &card).await, 0, "the cardholder has everything back");
    assert_eq!(wallet(&world, &paid.athlete).await["available_cents"], 8_500);
    let refused = world.call(REFUND, &finance(&world), refund(&paid)).await;
    assert_eq!((refused.status, refused.code()), (409, "not_refundable"));
    assert_eq!(payment_now(&world, &paid).await["status"], "succeeded");
    assert_eq!(world.told("dispute.closed").await, 2);
}
both!(the_platform_bears_a_lost_dispute);

async fn payees_bear_what_the_terms_of_their_day_say(world: World) {
    let before = paid(&world, 10_000).await;
    world.pass(TimeDelta::seconds(1));
    payees_bear(&world, 2_500).await;
    let after = {
        let deal = world.approved_deal(&before.partner, &before.athlete, &[4_001]).await;
        world.pay(&before.partner, &before.athlete, &deal).await
    };
    world.pass(TimeDelta::seconds(1));
    payees_bear(&world, 10_000).await;
    let id = taken(&world, &before).await;
    turn(&world, id, DisputeState::Lost).await;
    assert_eq!(view(&world, id).await["borne_by_payees_cents"], 0, "no terms when it was made");
    let after = Paid { payment: after, ..before };
    let id = taken(&world, &after).await;
    let open = view(&world, id).await;
    assert_eq!(
        (&open["payees_bear_cents"], &open["borne_by_payees_cents"]),
        (&json!(1_000), &json!(0))
    );
    let (deal, number) = (&open["deals"][0], &after.payment["number"]);
    assert_eq!((&deal["payees_bear_cents"], &deal["paid_cents"]), (&json!(1_000), &json!(4_001)));
    assert_eq!(&open["payment_number"], number);
    assert_eq!(
        (&deal["job_id"], &deal["payment_id"]),
        (&after.payment["job_id"], &after.payment["id"])
    );
    assert!(deal["contract_number"].as_str().unwrap().starts_with("NIL-"), "{deal}");
    turn(&world, id, DisputeState::Lost).await;
    let lost = view(&world, id).await;
    assert_eq!(
        (&lost["borne_by_payees_cents"], &lost["payees_bear_cents"]),
        (&json!(1_000), &json!(1_000))
    );
    let why = world.text("reason", "refund").await.unwrap();
    assert_eq!(why, "The cardholder says that they did not make the payment");
    assert_eq!(lost["reason"], "fraudulent", "the processor's own word stays");
    let now = payment_now(&world, &after).await;
    assert_eq!(
        (&now["status"], &now["refunded_cents"]),
        (&json!("partially_refunded"), &json!(1_000))
    );
}
both!(payees_bear_what_the_terms_of_their_day_say);

async fn a_dispute_lost_after_the_payout_is_recovered_from_the_next_one(world: World) {
    payees_bear(&world, 10_000).await;
    let paid = paid(&world, 10_000).await;
    let payout = pay_out(&world, &paid.athlete).await;
    assert!(sandbox::let_arrive(&world.platform, payout).await.unwrap());
    let id = taken(&world, &paid).await;
    // What was paid out does not make later earnings wait.
    let share = &view(&world, id).await["shares"][0];
    assert_eq!(
        (&share["athlete_waits_cents"], &share["agent_waits_cents"]),
        (&json!(0), &json!(1_500))
    );
    turn(&world, id, DisputeState::Lost).await;
    let mine = wallet(&world, &paid.athlete).await;
    assert_eq!((&mine["balance_cents"], &mine["owed_back_cents"]), (&json!(0), &json!(8_500)));
    assert_eq!(wallet(&world, &paid.agent).await["balance_cents"], 0);
    let summary = world.call("core.tax_form.standing", &paid.athlete.principal, json!({})).await;
    assert_eq!(summary.data()["earned_cents"], 0, "what went back was not earned");
    let deal = world.approved_deal(&paid.partner, &paid.athlete, &[20_000]).await;
    world.pay(&paid.partner, &paid.athlete, &deal).await;
    let mine = wallet(&world, &paid.athlete).await;
    assert_eq!((&mine["balance_cents"], &mine["owed_back_cents"]), (&json!(8_500), &json!(0)));
    world.books_are_right().await;
    // The network decides anew: everything is as it was.
    turn(&world, id, DisputeState::Won).await;
    assert_eq!(wallet(&world, &paid.athlete).await["balance_cents"], 17_000);
    assert_eq!(wallet(&world, &paid.agent).await["balance_cents"], 4_500);
    let now = payment_now(&world, &paid).await;
    assert_eq!((&now["status"], &now["dispute_status"]), (&json!("succeeded"), &json!("won")));
}
both!(a_dispute_lost_after_the_payout_is_recovered_from_the_next_one);

async fn payouts_of_disputed_money_wait(world: World) {
    let paid = paid(&world, 10_000).await;
    world.can_receive(&paid.athlete).await;
    let id = disputed(&world, &paid, DisputeKind::Inquiry, Some(5_500)).await;
    assert_eq!(view(&world, id).await["status"], "warning");
    assert_eq!(held(&world, "processor:disputed").await, 0);
    // Half of the charge is asked about: the other half goes out.
    let trigger = json!({ "id": paid.athlete.id });
    let payout = world.call("admin.payout.trigger", &finance(&world), trigger.clone()).await.data();
    assert_eq!((&payout["amount_cents"], &payout["status"]), (&json!(4_250), &json!("in_transit")));
    let payout = payout["id"].as_i64().unwrap();
    let payout = nil_core::kernel::PayoutId::new(payout).unwrap();
    assert!(sandbox::let_arrive(&world.platform, payout).await.unwrap());
    let none = world.call("admin.payout.trigger", &finance(&world), trigger.clone()).await;
    assert_eq!(none.code(), "nothing_to_pay_out");
    turn(&world, id, DisputeState::NeedsResponse).await;
    assert_eq!(held(&world, "processor:disputed").await, 5_500);
    turn(&world, id, DisputeState::Withdrawn).await;
    assert_eq!(held(&world, "processor:disputed").await, 0);
    assert_eq!(held(&world, "platform:dispute_costs").await, -1_500, "its fee is kept");
    let payout = world.call("admin.payout.trigger", &finance(&world), trigger).await.data();
    assert_eq!(payout["amount_cents"], 4_250);
    world.books_are_right().await;
}
both!(payouts_of_disputed_money_wait);

async fn a_payout_on_hold_stays_there_while_its_money_is_disputed(world: World) {
    let paid = paid(&world, 10_000).await;
    let trigger = json!({ "id": paid.athlete.id });
    let made = world.call("admin.payout.trigger", &finance(&world), trigger.clone()).await.data();
    assert_eq!(made["status"], "on_hold");
    let id = taken(&world, &paid).await;
    world.can_receive(&paid.athlete).await;
    let held = world.call("admin.payout.trigger", &finance(&world), trigger.clone()).await.data();
    assert_eq!((&held["id"], &held["status"]), (&made["id"], &json!("on_hold")));
    turn(&world, id, DisputeState::Won).await;
    let sent = world.call("admin.payout.trigger", &finance(&world), trigger).await.data();
    assert_eq!((&sent["id"], &sent["status"]), (&made["id"], &json!("in_transit")));
    world.books_are_right().await;
}
both!(a_payout_on_hold_stays_there_while_its_money_is_disputed);

async fn an_operator_answers(world: World) {
    payees_bear(&world, 10_000).await;
    let paid = paid(&world, 10_000).await;
    let operator = finance(&world);
    let id = taken(&world, &paid).await;
    let job = paid.payment["job_id"].as_i64();
    let talk = chat::start(&world, &paid.partner, &paid.athlete, job).await;
    chat::send(&world, &paid.partner, &talk, "Looks great, thank you!").await;
    chat::send(&world, &paid.athlete, &talk, "My pleasure.").await;
    let document =
        world.call("admin.dispute.download_evidence", &operator, json!({ "id": id })).await;
    let words = text_of(&document.bytes);
    for expected in [
        "Cardholder Cedar Coffee",
        "Jordan Lake (Athlete)",
        "Post 20",
        "Brand Looks great, thank you!",
        "Athlete My pleasure.",
        "Reason given The cardholder says that they did not make the payment",
        "follows on pages of its own",
        "Name, Image and Likeness Agreement",
        "refers to the terms of contract NIL-",
    ] {
        assert!(words.contains(expected), "`{expected}` is not in {words}");
    }
    let answer = json!({ "id": id, "statement": "The work was done, and approved." });
    let answered = world.call(ANSWER, &operator, answer.clone()).await.data();
    assert_eq!(answered["status"], "under_review");
    assert_eq!(answered["answered_by"], "operator:1");
    assert_eq!(answered["statement"], "The work was done, and approved.");
    for (operation, input) in [(ANSWER, answer), (ACCEPT, json!({ "id": id }))] {
        let refused = world.call(operation, &operator, input).await;
        assert_eq!((refused.status, refused.code()), (409, "illegal_transition"));
    }
    turn(&world, id, DisputeState::Won).await;
    assert_eq!(view(&world, id).await["fee_cents"], 0, "the sandbox gives it back");
    assert_eq!(held(&world, "platform:dispute_costs").await, 0);
    let id = taken(&world, &paid).await;
    let accepted = world.call(ACCEPT, &operator, json!({ "id": id })).await.data();
    assert_eq!(accepted["status"], "lost");
    assert_eq!(accepted["borne_by_payees_cents"], 10_000);
    assert_eq!(world.balance(&paid.athlete).await, 0);
    assert_eq!(payment_now(&world, &paid).await["status"], "refunded");
    let unknown = world.call(VIEW, &operator, json!({ "id": 999 })).await;
    assert_eq!(unknown.status, 404);
    let all = world.call(LIST, &operator, json!({ "status": "all" })).await.data();
    assert_eq!(all.as_array().unwrap().len(), 2);
    let lost = json!({ "status": "lost", "payment_id": paid.payment["id"] });
    assert_eq!(world.call(LIST, &operator, lost).await.data()[0]["id"], json!(id));
    let editor = world.operator(&[Permission::Content]);
    assert_eq!(world.call(ACCEPT, &editor, json!({ "id": id })).await.status, 403);
    world.books_are_right().await;
}
both!(an_operator_answers);

async fn a_dispute_is_found_by_its_numbers(world: World) {
    let first = paid(&world, 10_000).await;
    let id = taken(&world, &first).await;
    let known = view(&world, id).await;
    let operator = finance(&world);
    let found = async |words: &str| {
        let asked = json!({ "status": "all", "q": words });
        let listed = world.call(LIST, &operator, asked).await.data();
        listed.as_array().unwrap().iter().map(|it| it["id"].clone()).collect::<Vec<_>>()
    };
    let own = [json!(id)];
    for name in ["processor_dispute_id", "payment_number", "payer_name"] {
        assert_eq!(found(known[name].as_str().unwrap()).await, own, "{name}");
    }
    assert_eq!(found(&format!("#{id}")).await, own);
    assert_eq!(found("  ").await, own);
    for other in ["#999", "du_of_nobody", "P-0"] {
        assert_eq!(found(other).await, [] as [Value; 0], "{other}");
    }
}
both!(a_dispute_is_found_by_its_numbers);

async fn evidence_is_not_taken_for_ever(world: World) {
    let paid = paid(&world, 10_000).await;
    let id = taken(&world, &paid).await;
    world.pass(TimeDelta::days(15));
    let answer = json!({ "id": id, "statement": "Too late." });
    let refused = world.call(ANSWER, &finance(&world), answer).await;
    assert_eq!((refused.status, refused.code()), (409, "dispute_refused"));
    let kept = view(&world, id).await;
    assert_eq!((&kept["status"], &kept["statement"]), (&json!("needs_response"), &Value::Null));
}
both!(evidence_is_not_taken_for_ever);

async fn a_warning_lets_an_operator_refund_in_time(world: World) {
    let paid = paid(&world, 10_000).await;
    let id = disputed(&world, &paid, DisputeKind::EarlyWarning, None).await;
    let warned = view(&world, id).await;
    assert_eq!((&warned["kind"], &warned["status"]), (&json!("early_warning"), &json!("warning")));
    assert_eq!(wallet(&world, &paid.athlete).await["disputed_cents"], 0);
    assert_eq!(world.told("dispute.opened").await, 0, "only operators see it");
    let back = json!({ "refund_fee": "all" });
    let mut input = refund(&paid);
    input.as_object_mut().unwrap().extend(back.as_object().unwrap().clone());
    world.call(REFUND, &finance(&world), input).await.data();
    turn(&world, id, DisputeState::Withdrawn).await;
    assert_eq!(held(&world, "platform:dispute_costs").await, 0);
}
both!(a_warning_lets_an_operator_refund_in_time);

async fn what_the_processor_says_is_taken_in_any_order(world: World) {
    payees_bear(&world, 5_000).await;
    let paid = paid(&world, 10_000).await;
    let processor = world.platform.processor();
    let box_ = processor.sandbox().unwrap();
    let charge = payment_now(&world, &paid).await["processor_charge_id"].clone();
    let charge = charge.as_str().unwrap();
    let opened = box_.open_dispute(charge, DisputeKind::Chargeback, None).await.unwrap().unwrap();
    assert!(box_.turn_dispute(&opened, DisputeState::Lost).await.unwrap());
    // The events of both are delivered when it is lost already, and then once more.
    sandbox::deliver_events(&world.platform).await.unwrap();
    world.books_are_right().await;
    let all = world.call(LIST, &finance(&world), json!({ "status": "lost" })).await.data();
    assert_eq!(all[0]["borne_by_payees_cents"], 5_000);
    let again = "UPDATE sandbox_event SET delivered_at = NULL WHERE object_id LIKE 'du_%'";
    world.id(&format!("{again} RETURNING CAST(1 AS BIGINT)")).await;
    world
        .id("DELETE FROM webhook_event WHERE object_id LIKE 'du_%' RETURNING CAST(1 AS BIGINT)")
        .await;
    sandbox::deliver_events(&world.platform).await.unwrap();
    world.books_are_right().await;
}
both!(what_the_processor_says_is_taken_in_any_order);

async fn a_bulk_charge_is_divided_over_its_payments(world: World) {
    payees_bear(&world, 10_000).await;
    let partner = world.paying_partner("Cedar Coffee").await;
    let mut items = Vec::new();
    for (name, cents) in [("Jordan Lake", 10_000), ("Riley Stone", 3_333), ("Sam Brook", 1)] {
        let athlete = world.athlete(name).await;
        let deal = world.approved_deal(&partner, &athlete, &[cents]).await;
        items.push(json!({ "athlete_id": athlete.id, "contract_id": deal.contract_id }));
    }
    let preview = json!({ "payments": items });
    let summary = world.call("core.payment.bulk_summary", &partner.principal, preview).await.data();
    let all = json!({ "payments": items, "expected_total_cents": summary["total_cents"] });
    let bulk = world.call("core.payment.pay_bulk", &partner.principal, all).await.data();
    let first = PaymentId::new(bulk["payments"][0]["id"].as_i64().unwrap()).unwrap();
    let what = (DisputeKind::Chargeback, Some(Cents(7_777)));
    let id = sandbox::dispute(&world.platform, first, what).await.unwrap().unwrap();
    let seen = view(&world, id).await;
    let shares = seen["shares"].as_array().unwrap();
    assert_eq!(shares.len(), 3);
    let sum = |share: &Value| {
        share["amount_cents"].as_i64().unwrap() + share["fee_cents"].as_i64().unwrap()
    };
    assert_eq!(shares.iter().map(sum).sum::<i64>(), 7_777);
    turn(&world, id, DisputeState::Lost).await;
    let borne: i64 = shares.iter().map(|share| share["amount_cents"].as_i64().unwrap()).sum();
    assert_eq!(view(&world, id).await["borne_by_payees_cents"], borne);
}
both!(a_bulk_charge_is_divided_over_its_payments);

async fn a_subscription_is_disputed(world: World) {
    let plan = world.plan(json!({})).await;
    let brand = world.paying_partner("Cedar Coffee").await;
    world.subscribe(&brand, &plan).await.data();
    let of = "processor_charge_id";
    let charge = world.text(of, "subscription_charge").await.unwrap();
    let box_ = world.platform.processor();
    let box_ = box_.sandbox().unwrap();
    let opened = box_.open_dispute(&charge, DisputeKind::Chargeback, None).await.unwrap().unwrap();
    sandbox::deliver_events(&world.platform).await.unwrap();
    world.books_are_right().await;
    let listed = world.call(LIST, &finance(&world), json!({ "status": "all" })).await.data();
    assert_eq!(
        (&listed[0]["payments"], &listed[0]["payer_name"]),
        (&json!(0), &json!("Cedar Coffee"))
    );
    let evidence = json!({ "id": listed[0]["id"] });
    let paper = world.call("admin.dispute.download_evidence", &finance(&world), evidence).await;
    assert_eq!(paper.status, 200);
    let invoice = world.id("SELECT id FROM invoice").await;
    let back = json!({ "invoice_id": invoice, "reason": "They asked" });
    let refused = world.call("admin.subscription.refund", &finance(&world), back).await;
    assert_eq!((refused.status, refused.code()), (409, "charge_disputed"));
    assert!(box_.turn_dispute(&opened, DisputeState::Lost).await.unwrap());
    sandbox::deliver_events(&world.platform).await.unwrap();
    world.books_are_right().await;
    let card = format!("partner:{}:card", brand.id);
    assert_eq!(held(&world, &card).await, 0);
}
both!(a_subscription_is_disputed);
