//! What becomes of commission when a contract with an agent is cancelled while money is on its way,
//! and what waits until it cannot be cancelled any more.

use chrono::TimeDelta;
use nil_core::auth::Permission;
use nil_core::payments;
use nil_tests::{Deal, Fault, Person, World, both};
use serde_json::{Value, json};

async fn cancel(world: &World, athlete: &Person) {
    let cancel = "core.athlete.cancel_agent_contract";
    world.call(cancel, &athlete.principal, json!({})).await.data();
}

/// An athlete with an agent, and a brand with approved work to pay.
async fn owing(world: &World) -> (Person, Person, Person, Deal) {
    let partner = world.paying_partner("Ridge Outfitters").await;
    let athlete = world.athlete("Zoe Okafor").await;
    let agent = world.agent("North Agency").await;
    let through = Some((&agent, 1_000));
    let deal = world.approved_deal_through(&partner, &athlete, through, &[10_000]).await;
    (partner, athlete, agent, deal)
}

async fn a_payment_under_way_settles_without_commission(world: World) {
    let (partner, athlete, agent, deal) = owing(&world).await;
    world.processor.next(&[Fault::Unanswered]);
    let payment = world.pay(&partner, &athlete, &deal).await;
    assert_eq!(
        (&payment["status"], &payment["agent_commission_cents"]),
        (&json!("processing"), &json!(1_000))
    );
    cancel(&world, &athlete).await;
    world.books_are_right().await;
    world.pass(TimeDelta::seconds(11));
    assert_eq!(payments::reconcile(&world.platform).await.unwrap().charges, 1);
    assert_eq!((world.balance(&agent).await, world.balance(&athlete).await), (0, 10_000));
    world.books_are_right().await;
}
both!(a_payment_under_way_settles_without_commission);

async fn what_a_refund_took_back_is_not_given_back_again(world: World) {
    let (partner, athlete, agent, deal) = owing(&world).await;
    let payment = world.pay(&partner, &athlete, &deal).await;
    let finance = world.operator(&[Permission::Finance]);
    let refund = json!({ "payment_id": payment["id"], "amount_cents": 4_000, "reason": "Late." });
    world.call("admin.payment.refund", &finance, refund).await.data();
    assert_eq!((world.balance(&agent).await, world.balance(&athlete).await), (600, 5_400));
    cancel(&world, &athlete).await;
    assert_eq!((world.balance(&agent).await, world.balance(&athlete).await), (0, 6_000));
    world.books_are_right().await;
    let rest = json!({ "payment_id": payment["id"], "reason": "All of it." });
    world.call("admin.payment.refund", &finance, rest).await.data();
    assert_eq!((world.balance(&agent).await, world.balance(&athlete).await), (0, 0));
    world.books_are_right().await;
}
both!(what_a_refund_took_back_is_not_given_back_again);

/// An agent whose wallet is paid out at once.
async fn instant_agent(world: &World) -> Person {
    let agent = world.agent("North Agency").await;
    world.can_receive(&agent).await;
    let instant = json!({ "preference": "instant" });
    let chosen = world.call("core.payout_account.set_preference", &agent.principal, instant);
    chosen.await.data();
    agent
}

/// An agent with two athletes: one who could cancel long ago, and one who can cancel now.
async fn two_athletes(world: &World, agents: usize) -> Vec<(Person, Person, Person)> {
    let mut all = Vec::new();
    for _ in 0..agents {
        let agent = instant_agent(world).await;
        let (old, new) = (world.athlete("Ida Novak").await, world.athlete("Zoe Okafor").await);
        world.represent(&agent, &old, 1_000).await;
        all.push((agent, old, new));
    }
    world.pass(TimeDelta::days(16));
    for (agent, _, new) in &all {
        world.represent(agent, new, 1_000).await;
    }
    all
}

async fn earn(world: &World, partner: &Person, athlete: &Person, cents: i64) {
    let deal = world.approved_deal(partner, athlete, &[cents]).await;
    world.pay(partner, athlete, &deal).await;
}

/// Pays wallets out; returns how many.
pub(crate) async fn sweep(world: &World) -> usize {
    payments::sweep_payouts(&world.platform).await.unwrap().paid_out
}

/// The balance, what can be paid out now, and what waits.
async fn wallet(world: &World, agent: &Person) -> (i64, i64, Value) {
    let wallet = world.call("core.wallet.show", &agent.principal, json!({})).await.data();
    let cents = |name: &str| wallet[name].as_i64().unwrap();
    (cents("balance_cents"), cents("available_cents"), wallet["held"].clone())
}

async fn only_commission_that_can_be_taken_back_waits(world: World) {
    let partner = world.paying_partner("Ridge Outfitters").await;
    let (agent, old, new) = two_athletes(&world, 1).await.remove(0);
    earn(&world, &partner, &old, 20_000).await;
    earn(&world, &partner, &new, 10_000).await;
    // The end of the fourteenth day after 6 December in Chicago.
    let waits = json!([{ "amount_cents": 1_000, "until": "2026-12-21T05:59:59Z" }]);
    assert_eq!(wallet(&world, &agent).await, (3_000, 2_000, waits.clone()));
    let accounts = world.operator(&[Permission::Accounts]);
    let dossier = json!({ "id": agent.id });
    let dossier = world.call("admin.agent.view", &accounts, dossier).await.data();
    assert_eq!(dossier["money"]["available_cents"], 2_000);

    assert_eq!(sweep(&world).await, 1);
    assert_eq!(wallet(&world, &agent).await, (1_000, 0, waits.clone()));
    world.books_are_right().await;
    // The payout arrives, and the rest goes by itself as soon as it is free.
    world.pass(TimeDelta::days(3));
    payments::reconcile(&world.platform).await.unwrap();
    assert_eq!(sweep(&world).await, 0);
    world.pass_until("2026-12-21T05:59:59Z");
    assert_eq!(sweep(&world).await, 0);
    assert_eq!(wallet(&world, &agent).await, (1_000, 0, waits));
    world.pass(TimeDelta::seconds(1));
    assert_eq!(sweep(&world).await, 1);
    assert_eq!(wallet(&world, &agent).await, (0, 0, json!([])));
    world.books_are_right().await;
}
both!(only_commission_that_can_be_taken_back_waits);

async fn what_a_refund_took_back_does_not_wait(world: World) {
    let partner = world.paying_partner("Ridge Outfitters").await;
    let (agent, old, new) = two_athletes(&world, 1).await.remove(0);
    earn(&world, &partner, &old, 20_000).await;
    let deal = world.approved_deal(&partner, &new, &[10_000]).await;
    let payment = world.pay(&partner, &new, &deal).await;
    let finance = world.operator(&[Permission::Finance]);
    let refund = json!({ "payment_id": payment["id"], "amount_cents": 4_000, "reason": "Late." });
    world.call("admin.payment.refund", &finance, refund).await.data();
    let waits = json!([{ "amount_cents": 600, "until": "2026-12-21T05:59:59Z" }]);
    assert_eq!(wallet(&world, &agent).await, (2_600, 2_000, waits));
    assert_eq!(sweep(&world).await, 1);
    cancel(&world, &new).await;
    assert_eq!(wallet(&world, &agent).await, (0, 0, json!([])));
    assert_eq!(world.balance(&new).await, 6_000);
    world.books_are_right().await;
}
both!(what_a_refund_took_back_does_not_wait);

async fn a_cancellation_beside_a_payout_finds_its_money(world: World) {
    let partner = world.paying_partner("Ridge Outfitters").await;
    let all = two_athletes(&world, 4).await;
    for (_, old, new) in &all {
        earn(&world, &partner, old, 20_000).await;
        earn(&world, &partner, new, 10_000).await;
    }
    let cancels = futures::future::join_all(all.iter().map(|(_, _, new)| cancel(&world, new)));
    let sweeps = futures::future::join_all((0..3).map(|_| sweep(&world)));
    futures::future::join(cancels, sweeps).await;
    for (agent, _, new) in &all {
        assert_eq!(wallet(&world, agent).await, (0, 0, json!([])));
        assert_eq!(world.balance(new).await, 10_000);
        let owed = format!(
            "SELECT COALESCE(SUM(balance_cents), 0) FROM ledger_account \
             WHERE name = 'agent:{}:receivable'",
            agent.id
        );
        let owed = if world.is_sqlite() { owed } else { format!("SELECT ({owed})::bigint") };
        assert_eq!(world.id(&owed).await, 0, "nothing was paid out that could be taken back");
        let sent = format!("SELECT amount_cents FROM payout WHERE agent_id = {}", agent.id);
        assert_eq!(world.id(&sent).await, 2_000);
    }
    world.books_are_right().await;
}
both!(a_cancellation_beside_a_payout_finds_its_money);

async fn commission_that_arrives_beside_a_payout_waits(world: World) {
    let partner = world.paying_partner("Ridge Outfitters").await;
    let all = two_athletes(&world, 4).await;
    let mut deals = Vec::new();
    for (_, old, new) in &all {
        earn(&world, &partner, old, 20_000).await;
        deals.push(world.approved_deal(&partner, new, &[10_000]).await);
    }
    let pays = all.iter().zip(&deals).map(|((_, _, new), deal)| world.pay(&partner, new, deal));
    let sweeps = futures::future::join_all((0..3).map(|_| sweep(&world)));
    futures::future::join(futures::future::join_all(pays), sweeps).await;
    for (agent, ..) in &all {
        let (balance, available, held) = wallet(&world, agent).await;
        assert_eq!((balance, available, &held[0]["amount_cents"]), (1_000, 0, &json!(1_000)));
    }
    world.books_are_right().await;
}
both!(commission_that_arrives_beside_a_payout_waits);

async fn a_retry_that_would_leave_too_little_is_on_hold_and_given_up_for_a_cancellation(
    world: World,
) {
    let partner = world.paying_partner("Ridge Outfitters").await;
    let (agent, old, new) = two_athletes(&world, 1).await.remove(0);
    let deal = world.approved_deal(&partner, &old, &[20_000]).await;
    let payment = world.pay(&partner, &old, &deal).await;
    earn(&world, &partner, &new, 10_000).await;
    world.processor.next(&[Fault::Refused]);
    sweep(&world).await;
    assert_eq!(world.balance(&agent).await, 3_000, "it failed");
    let finance = world.operator(&[Permission::Finance]);
    let refund = json!({ "payment_id": payment["id"], "amount_cents": 5_000, "reason": "Late." });
    world.call("admin.payment.refund", &finance, refund).await.data();
    let failed = world.id("SELECT MAX(id) FROM payout").await;
    let again = world.call("admin.payout.retry", &finance, json!({ "id": failed })).await.data();
    assert_eq!(
        (&again["status"], &again["hold_reasons"]),
        (&json!("on_hold"), &json!(["cancellation_window"]))
    );
    world.pass(TimeDelta::minutes(2));
    let swept = payments::sweep_payouts(&world.platform).await.unwrap();
    assert_eq!((swept.held, swept.released, swept.paid_out), (1, 0, 0));
    world.books_are_right().await;
    // The athlete's money is found in the payout on hold.
    cancel(&world, &new).await;
    assert_eq!(wallet(&world, &agent).await, (1_500, 1_500, json!([])));
    assert_eq!(world.balance(&new).await, 10_000);
    world.books_are_right().await;
}
both!(a_retry_that_would_leave_too_little_is_on_hold_and_given_up_for_a_cancellation);

async fn what_waits_is_read_by_indexes(world: World) {
    let (agent, ..) = two_athletes(&world, 1).await.remove(0);
    world.populate(200, 50, 50).await;
    let look = wallet(&world, &agent);
    let (_, watched) = world.platform.db().watched(look).await.unwrap();
    let waits = watched.plans.iter().filter(|(text, _)| text.contains("transfers_wait_until"));
    let waits: Vec<_> = waits.collect();
    assert!(!waits.is_empty());
    for (statement, plan) in waits {
        // On PostgreSQL join strategies depend on table sizes, so those are checked on SQLite.
        if world.is_sqlite() {
            assert!(plan.contains("INDEX representation_waiting"), "{statement}\n{plan}");
            let whole: Vec<&str> = plan
                .lines()
                .filter(|line| line.contains("SCAN ") && !line.contains("SCAN w"))
                .collect();
            assert!(whole.is_empty(), "{whole:?} in\n{statement}\n{plan}");
        }
    }
}
both!(what_waits_is_read_by_indexes);

async fn a_refund_that_fails_after_the_cancellation_leaves_the_agent_nothing(world: World) {
    let partner = world.paying_partner("Ridge Outfitters").await;
    let athlete = world.athlete("Zoe Okafor").await;
    let agent = world.agent("North Agency").await;
    let through = Some((&agent, 2_000));
    let deal = world.approved_deal_through(&partner, &athlete, through, &[10_000]).await;
    let payment = world.pay(&partner, &athlete, &deal).await;
    let finance = world.operator(&[Permission::Finance]);
    let refund = async |cents: i64| {
        let input =
            json!({ "payment_id": payment["id"], "amount_cents": cents, "reason": "Late." });
        world.call("admin.payment.refund", &finance, input).await.data()["status"].clone()
    };
    world.processor.next(&[Fault::Lost, Fault::Lost]);
    assert_eq!((refund(5_000).await, refund(1_000).await), (json!("pending"), json!("pending")));
    assert_eq!((world.balance(&agent).await, world.balance(&athlete).await), (800, 3_200));
    cancel(&world, &athlete).await;
    assert_eq!((world.balance(&agent).await, world.balance(&athlete).await), (0, 4_000));
    world.books_are_right().await;
    // One of both fails, the other succeeds.
    world.pass(TimeDelta::seconds(11));
    world.processor.next(&[Fault::Refused, Fault::None]);
    assert_eq!(payments::reconcile(&world.platform).await.unwrap().refunds, 2);
    assert_eq!((world.balance(&agent).await, world.balance(&athlete).await), (0, 9_000));
    let kept = "SELECT agent_commission_cents FROM payment";
    assert_eq!(world.id(kept).await, 200, "what the refund that succeeded took back");
    world.books_are_right().await;
    assert_eq!(refund(9_000).await, "succeeded");
    assert_eq!((world.balance(&agent).await, world.balance(&athlete).await), (0, 0));
    world.books_are_right().await;
}
both!(a_refund_that_fails_after_the_cancellation_leaves_the_agent_nothing);

async fn a_share_that_comes_back_settles_what_the_agent_owes_and_is_owed_to_the_athlete(
    world: World,
) {
    let partner = world.paying_partner("Ridge Outfitters").await;
    let (agent, old, new) = two_athletes(&world, 1).await.remove(0);
    let deal = world.approved_deal(&partner, &old, &[9_000]).await;
    let other = world.pay(&partner, &old, &deal).await;
    let deal = world.approved_deal(&partner, &new, &[10_000]).await;
    let payment = world.pay(&partner, &new, &deal).await;
    let finance = world.operator(&[Permission::Finance]);
    world.processor.next(&[Fault::Lost, Fault::None]);
    for (payment, cents) in [(&payment, 5_000), (&other, 9_000)] {
        let refund =
            json!({ "payment_id": payment["id"], "amount_cents": cents, "reason": "Late." });
        world.call("admin.payment.refund", &finance, refund).await.data();
    }
    assert_eq!(wallet(&world, &agent).await.0, 500);
    cancel(&world, &new).await;
    world.pass(TimeDelta::seconds(11));
    world.processor.next(&[Fault::Refused]);
    payments::reconcile(&world.platform).await.unwrap();
    assert_eq!(world.balance(&new).await, 10_000);
    assert_eq!(wallet(&world, &agent).await, (0, 0, json!([])));
    world.books_are_right().await;
}
both!(a_share_that_comes_back_settles_what_the_agent_owes_and_is_owed_to_the_athlete);

/// An agent from whose commission tax is withheld, and the wallets after a payment of 30,000.07
/// dollars.
async fn taxed(world: &World, both: bool) -> (Person, Person, Value) {
    let partner = world.paying_partner("Ridge Outfitters").await;
    let athlete = world.athlete("Zoe Okafor").await;
    let agent = world.agent("North Agency").await;
    let finance = world.operator(&[Permission::Finance]);
    let payees = [("agent_id", &agent, true), ("athlete_id", &athlete, both)];
    for (payee, who, _) in payees.into_iter().filter(|(.., yes)| *yes) {
        let notice = json!({
            payee: who.id, "active": true, "notice": "b_notice", "reason": "CP2100",
        });
        world.call("admin.tax.set_withholding", &finance, notice).await.data();
    }
    let through = Some((&agent, 1_000));
    let deal = world.approved_deal_through(&partner, &athlete, through, &[3_000_007]).await;
    let payment = world.pay(&partner, &athlete, &deal).await;
    (athlete, agent, payment)
}

/// Wallet, debt and withheld tax.
async fn money(world: &World, who: &Person) -> (i64, i64, i64) {
    let shown = world.call("core.wallet.show", &who.principal, json!({})).await.data();
    let cents = |name: &str| shown[name].as_i64().unwrap();
    (cents("balance_cents"), cents("owed_back_cents"), cents("withheld_cents"))
}

/// The athlete gets the commission whole; the tax within it was never the agent's.
async fn commission_goes_back_with_the_tax_within_it(world: World) {
    let (athlete, agent, _) = taxed(&world, false).await;
    assert_eq!(money(&world, &agent).await, (300_001 - 72_000, 0, 72_000));
    cancel(&world, &athlete).await;
    assert_eq!(money(&world, &agent).await, (0, 0, 0));
    assert_eq!(money(&world, &athlete).await, (3_000_007, 0, 0));
    world.books_are_right().await;
}
both!(commission_goes_back_with_the_tax_within_it);

/// The athlete's own tax is of the whole payment, with or without commission.
async fn the_athletes_own_tax_is_the_same_without_commission(world: World) {
    let (athlete, agent, payment) = taxed(&world, true).await;
    let tax = 720_002;
    assert_eq!(money(&world, &athlete).await, (3_000_007 - 300_001 - tax, 0, tax));
    let finance = world.operator(&[Permission::Finance]);
    let part =
        json!({ "payment_id": payment["id"], "amount_cents": 1_000_003, "reason": "A third." });
    world.call("admin.payment.refund", &finance, part).await.data();
    cancel(&world, &athlete).await;
    assert_eq!(money(&world, &agent).await, (0, 0, 0));
    let (wallet, debt, withheld) = money(&world, &athlete).await;
    assert_eq!((wallet + withheld, debt), (3_000_007 - 1_000_003, 0));
    // 24 percent of what is left.
    assert_eq!(withheld, 480_001);
    world.books_are_right().await;
}
both!(the_athletes_own_tax_is_the_same_without_commission);

/// Once the payer's year is over, the tax is with the tax office, and the agent owes it.
async fn tax_of_a_year_that_is_over_is_owed_by_the_agent(world: World) {
    world.pass_until("2026-12-28T12:00:00Z");
    let (athlete, agent, _) = taxed(&world, false).await;
    world.pass_until("2027-01-04T12:00:00Z");
    cancel(&world, &athlete).await;
    assert_eq!(money(&world, &agent).await, (0, 72_000, 72_000));
    assert_eq!(money(&world, &athlete).await, (3_000_007, 0, 0));
    world.books_are_right().await;
}
both!(tax_of_a_year_that_is_over_is_owed_by_the_agent);
