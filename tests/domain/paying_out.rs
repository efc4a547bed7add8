//! Wallets are paid out once, and money comes back when the bank returns it.

use chrono::TimeDelta;
use nil_core::accounts::suspension;
use nil_core::auth::{Permission, Principal};
use nil_core::kernel::{PayoutId, UserId};
use nil_core::notifications::outbox;
use nil_core::payments::{self, sandbox};
use nil_tests::{Fault, Person, World, both};
use serde_json::{Value, json};

const TRIGGER: &str = "admin.payout.trigger";
const RETRY: &str = "admin.payout.retry";
const CANCEL: &str = "admin.payout.cancel";

fn finance(world: &World) -> Principal {
    world.operator(&[Permission::Finance])
}

async fn trigger(world: &World, athlete: &Person) -> Value {
    let input = json!({ "id": athlete.id });
    world.call(TRIGGER, &finance(world), input).await.data()
}

fn id(payout: &Value) -> PayoutId {
    PayoutId::new(payout["id"].as_i64().unwrap()).unwrap()
}

async fn sent(world: &World) -> i64 {
    let log = world.processor.sandbox().log().await.unwrap();
    let sent = log.iter().filter(|e| e.kind == "transfer" && e.status != "failed");
    sent.map(|entry| entry.amount_cents.get()).sum()
}

async fn status(world: &World, payout: &Value) -> String {
    let input = json!({ "status": "all", "per_page": 100 });
    let all = world.call("admin.payout.list", &finance(world), input).await.data();
    let mut all = all.as_array().unwrap().iter();
    let found = all.find(|row| row["id"] == payout["id"]).expect("the payout");
    found["status"].as_str().unwrap().to_owned()
}

/// An instant in SQL notation.
fn moment(world: &World, at: &str) -> String {
    if world.is_sqlite() { format!("'{at}'") } else { format!("'{at}'::timestamptz") }
}

async fn the_wallet_is_paid_out_once_however_often_it_is_asked(world: World) {
    let athlete = world.earner(5_000).await;
    world.can_receive(&athlete).await;
    let operator = finance(&world);
    let calls = (0..6).map(|_| world.call(TRIGGER, &operator, json!({ "id": athlete.id })));
    let mut answers = Vec::new();
    for answer in futures::future::join_all(calls).await {
        answers.push(answer.data()["id"].clone());
    }
    answers.dedup();
    assert_eq!(answers.len(), 1, "one payout");
    let payout = trigger(&world, &athlete).await;
    assert_eq!(payout["status"], "in_transit");
    assert_eq!(payout["arrives_on"], "2026-11-22");
    assert_eq!(payout["amount_cents"], 5_000);
    assert_eq!(world.balance(&athlete).await, 0);
    assert_eq!(sent(&world).await, 5_000);
    world.books_are_right().await;

    assert!(sandbox::let_arrive(&world.platform, id(&payout)).await.unwrap());
    assert_eq!(status(&world, &payout).await, "paid");
    let nothing = world.call(TRIGGER, &operator, json!({ "id": athlete.id })).await;
    assert_eq!((nothing.status, nothing.code()), (409, "nothing_to_pay_out"));
    let told = outbox::list(&world.platform, 100).await.unwrap();
    assert!(told.iter().any(|row| row.event == "payout.paid"));
    world.books_are_right().await;
}
both!(the_wallet_is_paid_out_once_however_often_it_is_asked);

async fn only_finance_pays_out_and_only_to_athletes_who_exist(world: World) {
    let missing = world.call(TRIGGER, &finance(&world), json!({ "id": 99 })).await;
    assert_eq!(missing.status, 404);
    let others = world.operator(&[Permission::Accounts]);
    assert_eq!(world.call(TRIGGER, &others, json!({ "id": 1 })).await.status, 403);
    assert_eq!(world.call(RETRY, &finance(&world), json!({ "id": 99 })).await.status, 404);
}
both!(only_finance_pays_out_and_only_to_athletes_who_exist);

async fn a_held_payout_can_be_cancelled_once_and_its_money_is_in_the_wallet_again(world: World) {
    let athlete = world.earner(5_000).await;
    let held = trigger(&world, &athlete).await;
    assert_eq!((&held["status"], world.balance(&athlete).await), (&json!("on_hold"), 0));
    let operator = finance(&world);
    let cancel = || world.call(CANCEL, &operator, json!({ "id": held["id"] }));
    let answers = futures::future::join_all((0..6).map(|_| cancel())).await;
    let (mut done, refused): (Vec<_>, Vec<_>) =
        answers.into_iter().partition(|it| it.status == 200);
    assert_eq!((done.len(), refused.len()), (1, 5));
    assert!(refused.iter().all(|it| it.code() == "illegal_transition"));
    let cancelled = done.remove(0).data();
    assert_eq!(
        (&cancelled["status"], &cancelled["failure_code"]),
        (&json!("failed"), &json!("cancelled"))
    );
    assert_eq!(world.balance(&athlete).await, 5_000);
    world.books_are_right().await;
    world.can_receive(&athlete).await;
    let payout = trigger(&world, &athlete).await;
    assert_eq!((&payout["status"], &payout["amount_cents"]), (&json!("in_transit"), &json!(5_000)));
    let late = world.call(CANCEL, &operator, json!({ "id": payout["id"] })).await;
    assert_eq!((late.status, late.code()), (409, "illegal_transition"));
    let none = world.call(CANCEL, &operator, json!({ "id": 99 })).await;
    assert_eq!(none.status, 404);
    world.books_are_right().await;
}
both!(a_held_payout_can_be_cancelled_once_and_its_money_is_in_the_wallet_again);

async fn a_payout_waits_for_the_account_and_goes_when_it_can(world: World) {
    let athlete = world.earner(5_000).await;
    let held = trigger(&world, &athlete).await;
    assert_eq!(held["status"], "on_hold");
    assert_eq!(held["hold_reasons"], json!(["no_payout_account"]));
    assert_eq!(world.balance(&athlete).await, 0, "making a payout takes the money");
    world.books_are_right().await;
    let opened = world
        .call("core.payout_account.create_express", &athlete.principal, json!({}))
        .await
        .data();
    assert_eq!((&opened["status"], &opened["kind"]), (&json!("pending"), &json!("express")));
    let url = opened["onboarding_url"].as_str().unwrap();
    assert!(url.starts_with("http://127.0.0.1:8080/api/sandbox/onboarding/acct_"), "{url}");
    // Neither the account's name nor another account's page works.
    let account = opened["processor_account_id"].as_str().unwrap();
    let (page, mark) = url.rsplit_once('.').unwrap();
    let other = format!("{}.{mark}", page.replace(account, "acct_athlete_999"));
    for guess in [account, page, &format!("{page}."), &format!("{page}.{}", "0".repeat(64)), &other]
    {
        assert!(!sandbox::open_onboarding(&world.platform, guess).await.unwrap(), "{guess}");
    }
    let pending =
        world.call("core.payout_account.status", &athlete.principal, json!({})).await.data();
    assert_eq!(pending["status"], "pending");
    world.pass(TimeDelta::minutes(2));
    let swept = payments::sweep_payouts(&world.platform).await.unwrap();
    assert_eq!((swept.held, swept.released), (1, 0));
    // Finishing the onboarding releases the money at once.
    assert!(sandbox::open_onboarding(&world.platform, url).await.unwrap());
    assert_eq!(status(&world, &held).await, "in_transit");
    let account = world.call("core.payout_account.status", &athlete.principal, json!({})).await;
    let account = account.data();
    assert_eq!((&account["status"], &account["kind"]), (&json!("enabled"), &json!("express")));
    assert_eq!(sent(&world).await, 5_000);
    world.books_are_right().await;
}
both!(a_payout_waits_for_the_account_and_goes_when_it_can);

async fn a_suspended_owners_payout_waits(world: World) {
    let athlete = world.earner(5_000).await;
    world.can_receive(&athlete).await;
    let instant = json!({ "preference": "instant" });
    world.call("core.payout_account.set_preference", &athlete.principal, instant).await.data();
    let user = UserId::new(athlete.user_id).unwrap();
    suspension::suspend(&world.platform, user).await.unwrap();
    // Nothing is paid out automatically; a triggered payout is on hold.
    let swept = payments::sweep_payouts(&world.platform).await.unwrap();
    assert_eq!((swept.paid_out, swept.failed, sent(&world).await), (0, 0, 0));
    let held = trigger(&world, &athlete).await;
    assert_eq!(
        (&held["status"], &held["hold_reasons"]),
        (&json!("on_hold"), &json!(["account_suspended"]))
    );
    world.pass(TimeDelta::minutes(2));
    let swept = payments::sweep_payouts(&world.platform).await.unwrap();
    assert_eq!((swept.held, swept.released, sent(&world).await), (1, 0, 0));
    suspension::restore(&world.platform, user).await.unwrap();
    world.pass(TimeDelta::minutes(2));
    let swept = payments::sweep_payouts(&world.platform).await.unwrap();
    assert_eq!((swept.held, swept.released, sent(&world).await), (0, 1, 5_000));
    world.books_are_right().await;
}
both!(a_suspended_owners_payout_waits);

async fn a_late_return_puts_the_money_back_and_a_retry_sends_it_again(world: World) {
    let athlete = world.earner(5_000).await;
    world.can_receive(&athlete).await;
    let operator = finance(&world);
    let payout = trigger(&world, &athlete).await;
    let early = world.call(RETRY, &operator, json!({ "id": payout["id"] })).await;
    assert_eq!((early.status, early.code()), (409, "illegal_transition"));
    sandbox::let_arrive(&world.platform, id(&payout)).await.unwrap();
    assert!(sandbox::return_payout(&world.platform, id(&payout)).await.unwrap());
    assert_eq!(status(&world, &payout).await, "failed");
    assert_eq!(world.balance(&athlete).await, 5_000);
    world.books_are_right().await;

    let calls = (0..4).map(|_| world.call(RETRY, &operator, json!({ "id": payout["id"] })));
    let mut again = Vec::new();
    for answer in futures::future::join_all(calls).await {
        again.push(answer.data()["id"].clone());
    }
    again.dedup();
    assert_eq!(again.len(), 1, "one retry");
    let retry = world.call(RETRY, &operator, json!({ "id": payout["id"] })).await.data();
    assert_eq!((&retry["attempt"], &retry["retry_of"]), (&json!(2), &payout["id"]));
    assert_eq!(retry["status"], "in_transit");
    assert_eq!(world.balance(&athlete).await, 0);
    assert_eq!(sent(&world).await, 5_000);
    sandbox::return_payout(&world.platform, id(&retry)).await.unwrap();
    trigger(&world, &athlete).await;
    let busy = world.call(RETRY, &operator, json!({ "id": retry["id"] })).await;
    assert_eq!((busy.status, busy.code()), (409, "payout_in_progress"));
    let other = world.call(TRIGGER, &operator, json!({ "id": athlete.id })).await.data();
    sandbox::let_arrive(&world.platform, id(&other)).await.unwrap();
    let gone = world.call(RETRY, &operator, json!({ "id": retry["id"] })).await;
    assert_eq!((gone.status, gone.code()), (409, "nothing_to_pay_out"));
    world.books_are_right().await;
}
both!(a_late_return_puts_the_money_back_and_a_retry_sends_it_again);

async fn a_held_payout_goes_even_if_the_event_is_lost(world: World) {
    let athlete = world.earner(5_000).await;
    let held = trigger(&world, &athlete).await;
    let opened =
        world.call("core.payout_account.create", &athlete.principal, json!({})).await.data();
    let account = opened["processor_account_id"].as_str().unwrap();
    world.processor.sandbox().finish_onboarding(account).await.unwrap();
    world.pass(TimeDelta::minutes(2));
    let swept = payments::sweep_payouts(&world.platform).await.unwrap();
    assert_eq!((swept.held, swept.released), (0, 1));
    assert_eq!(status(&world, &held).await, "in_transit");
    world.books_are_right().await;
}
both!(a_held_payout_goes_even_if_the_event_is_lost);

async fn arrivals_are_found_out_without_any_event(world: World) {
    let athlete = world.earner(5_000).await;
    world.can_receive(&athlete).await;
    let payout = trigger(&world, &athlete).await;
    world.pass(TimeDelta::days(1));
    assert_eq!(payments::reconcile(&world.platform).await.unwrap().payouts, 0);
    world.pass(TimeDelta::days(1));
    assert_eq!(payments::reconcile(&world.platform).await.unwrap().payouts, 1);
    assert_eq!(status(&world, &payout).await, "paid");
    world.books_are_right().await;
}
both!(arrivals_are_found_out_without_any_event);

async fn a_silent_processor_leaves_the_payout_pending_until_it_is_asked_again(world: World) {
    for fault in [Fault::Lost, Fault::Unanswered, Fault::DiesBefore, Fault::DiesAfter] {
        let athlete = world.earner(1_000).await;
        world.can_receive(&athlete).await;
        world.processor.next(&[fault]);
        let answer = world
            .call_with_key(
                TRIGGER,
                &finance(&world),
                json!({ "id": athlete.id }),
                Some(&format!("{fault:?}")),
            )
            .await;
        assert!(answer.status == 500 || answer.body["data"]["status"] == "pending");
        assert_eq!(world.balance(&athlete).await, 0);
        world.books_are_right().await;
        world.pass(TimeDelta::seconds(11));
        assert_eq!(payments::reconcile(&world.platform).await.unwrap().payouts, 1, "{fault:?}");
        let again = world
            .call_with_key(
                TRIGGER,
                &finance(&world),
                json!({ "id": athlete.id }),
                Some(&format!("{fault:?}")),
            )
            .await;
        assert_eq!(again.status, 200, "the key was answered: {}", again.body);
        assert_eq!(trigger(&world, &athlete).await["status"], "in_transit");
        world.books_are_right().await;
    }
    assert_eq!(sent(&world).await, 4_000);
}
both!(a_silent_processor_leaves_the_payout_pending_until_it_is_asked_again);

async fn a_refused_payout_fails_and_gives_the_money_back(world: World) {
    let athlete = world.earner(1_000).await;
    world.can_receive(&athlete).await;
    world.processor.next(&[Fault::Refused]);
    let payout = trigger(&world, &athlete).await;
    assert_eq!((&payout["status"], &payout["failure_code"]), (&json!("failed"), &json!("refused")));
    assert_eq!(world.balance(&athlete).await, 1_000);
    let told = outbox::list(&world.platform, 100).await.unwrap();
    assert!(told.iter().any(|row| row.event == "payout.failed"));
}
both!(a_refused_payout_fails_and_gives_the_money_back);

async fn wallets_are_paid_out_as_their_owners_prefer(world: World) {
    let partner = world.paying_partner("Cedar Coffee").await;
    let [instant, standard, manual] = [
        world.athlete("Ina Stant").await,
        world.athlete("Stan Dard").await,
        world.athlete("Manu Al").await,
    ];
    let agent = world.agent("North Agency").await;
    for (who, preference) in [(&instant, "instant"), (&standard, "standard"), (&agent, "instant")] {
        let input = json!({ "preference": preference });
        let set = world.call("core.payout_account.set_preference", &who.principal, input).await;
        assert_eq!(set.data()["preference"], preference, "before any account is opened");
        world.can_receive(who).await;
    }
    world.can_receive(&manual).await;
    let earn = async |cents: i64| {
        for athlete in [&instant, &standard, &manual] {
            let through = Some((&agent, 1_000));
            let deal = world.approved_deal_through(&partner, athlete, through, &[cents]).await;
            world.pay(&partner, athlete, &deal).await;
        }
    };
    earn(1_000).await;
    // The athletes can no longer cancel the contract with the agent.
    world.pass(TimeDelta::days(15));
    let swept = payments::sweep_payouts(&world.platform).await.unwrap();
    assert_eq!((swept.paid_out, swept.failed), (3, 0));
    assert_eq!(world.balance(&manual).await, 900);
    assert_eq!(world.balance(&agent).await, 0);
    world.pass(TimeDelta::hours(1));
    world.books_are_right().await;
    // A later sweep of the same day does not touch payouts under way.
    earn(500).await;
    assert_eq!(payments::sweep_payouts(&world.platform).await.unwrap().paid_out, 0);
    world.pass(TimeDelta::days(2));
    payments::reconcile(&world.platform).await.unwrap();
    assert_eq!(payments::sweep_payouts(&world.platform).await.unwrap().paid_out, 3);
    world.books_are_right().await;
}
both!(wallets_are_paid_out_as_their_owners_prefer);

async fn wallets_that_cannot_be_paid_do_not_stand_in_the_way(world: World) {
    // More than one sweep processes, all due before; their owners are gone.
    let many = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 501)";
    let accounts = format!(
        "{many} INSERT INTO payout_account (owner, processor_account_id, kind, charges_enabled, \
             payouts_enabled, requirements_due, status, preference, look_at, created_at, updated_at) \
             SELECT 'athlete:' || (900000 + i), 'acct_gone_' || i, 'express', {yes}, {yes}, '[]', \
             'enabled', 'instant', '1970-01-01T00:00:00Z', '2026-11-01T00:00:00Z', \
             '2026-11-01T00:00:00Z' FROM n RETURNING id",
        yes = if world.is_sqlite() { "1" } else { "TRUE" },
    );
    world
        .id(&accounts
            .replace("'1970-01-01T00:00:00Z'", &moment(&world, "1970-01-01T00:00:00Z"))
            .replace("'2026-11-01T00:00:00Z'", &moment(&world, "2026-11-01T00:00:00Z"))
            .replace("'[]'", if world.is_sqlite() { "'[]'" } else { "'[]'::jsonb" }))
        .await;
    let wallets = format!(
        "{many} INSERT INTO ledger_account (name, balance_cents) \
             SELECT 'athlete:' || (900000 + i) || ':wallet', 100 FROM n RETURNING balance_cents"
    );
    world.id(&wallets).await;
    let athlete = world.earner(5_000).await;
    world.can_receive(&athlete).await;
    let input = json!({ "preference": "instant" });
    world.call("core.payout_account.set_preference", &athlete.principal, input).await.data();
    let mut looked = Vec::new();
    for _ in 0..2 {
        let swept = payments::sweep_payouts(&world.platform).await.unwrap();
        looked.push((swept.paid_out, swept.failed));
    }
    assert_eq!(looked, [(0, 500), (1, 1)]);
    assert_eq!(world.balance(&athlete).await, 0);
    // They are checked again later, not in every sweep.
    let swept = payments::sweep_payouts(&world.platform).await.unwrap();
    assert_eq!((swept.paid_out, swept.failed), (0, 0));
    world.pass(TimeDelta::minutes(6));
    assert_eq!(payments::sweep_payouts(&world.platform).await.unwrap().failed, 500);
    // New money makes a wallet due at once, whatever its pause.
    let grown = "UPDATE ledger_account SET balance_cents = 200 WHERE name = 'athlete:900001:wallet' \
                     RETURNING balance_cents";
    payments::sweep_payouts(&world.platform).await.unwrap();
    world.id(grown).await;
    assert_eq!(payments::sweep_payouts(&world.platform).await.unwrap().failed, 1);
}
both!(wallets_that_cannot_be_paid_do_not_stand_in_the_way);

async fn an_account_is_opened_once_and_none_before(world: World) {
    let athlete = world.athlete("Jordan Lake").await;
    let who = &athlete.principal;
    let none = world.call("core.payout_account.status", who, json!({})).await.data();
    assert_eq!((&none["status"], &none["id"]), (&json!("none"), &Value::Null));
    let back = json!({ "return_url": "https://app.example/done?x=1" });
    let first = world.call("core.payout_account.create", who, back).await.data();
    let url = first["onboarding_url"].as_str().unwrap();
    assert!(url.ends_with("?return_url=https%3A%2F%2Fapp.example%2Fdone%3Fx%3D1"), "{url}");
    let again = world.call("core.payout_account.create_express", who, json!({})).await.data();
    assert_eq!(first["processor_account_id"], again["processor_account_id"]);
    assert_eq!(again["kind"], "standard", "the account stays what it is");
    let partner = world.partner("Cedar Coffee").await;
    let wrong = world.call("core.payout_account.create", &partner.principal, json!({})).await;
    assert_eq!(wrong.status, 403);
    let unknown = json!({ "preference": "weekly" });
    let unknown = world.call("core.payout_account.set_preference", who, unknown).await;
    assert_eq!(unknown.status, 422);
}
both!(an_account_is_opened_once_and_none_before);
