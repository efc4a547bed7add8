//! The worker's tasks on demand: each does what is due, counts it, and does it once.

use chrono::TimeDelta;
use nil_core::auth::{Permission, Principal, Scope};
use nil_core::kernel::{ApiKeyId, PayoutId};
use nil_core::payments::sandbox;
use nil_core::{payments, worker};
use nil_tests::{Person, World, both};
use serde_json::{Value, json};

const RUN: &str = "core.internal.run_task";
const ROUND: &str = "core.internal.run_round";

fn service(scope: Scope) -> Principal {
    Principal::Service { id: ApiKeyId::new(1).unwrap(), scopes: vec![scope] }
}

/// Runs a task; returns its counts.
async fn run(world: &World, task: &str) -> Value {
    let internal = service(Scope::Internal);
    let ran = world.call(RUN, &internal, json!({ "task": task })).await;
    let ran = ran.data();
    assert_eq!(ran["task"], task);
    ran["counts"].clone()
}

/// An athlete with money in the wallet and an account that can receive it.
async fn earner(world: &World, preference: &str) -> Person {
    let partner = world.paying_partner("Cedar Coffee").await;
    let athlete = world.athlete("Jordan Lake").await;
    let set = json!({ "preference": preference });
    let set = world.call("core.payout_account.set_preference", &athlete.principal, set);
    set.await.data();
    world.can_receive(&athlete).await;
    let deal = world.approved_deal(&partner, &athlete, &[5_000]).await;
    world.pay(&partner, &athlete, &deal).await;
    athlete
}

async fn payouts(world: &World, athlete: &Person) -> Vec<Value> {
    let finance = world.operator(&[Permission::Finance]);
    let all = json!({ "status": "all", "per_page": 100 });
    let all = world.call("admin.payout.list", &finance, all).await.data();
    let all = all.as_array().unwrap().iter();
    let own = all.filter(|payout| payout["athlete_id"] == athlete.id);
    let own: Vec<Value> = own.cloned().collect();
    assert!(
        own.iter().all(|payout| payout["payee_name"].as_str().is_some_and(|name| name.len() > 3)),
        "{own:?}"
    );
    own
}

/// The bank returns the athlete's last payout.
async fn bounce(world: &World, athlete: &Person) {
    let last = payouts(world, athlete).await[0]["id"].as_i64().unwrap();
    let last = PayoutId::new(last).unwrap();
    assert!(sandbox::return_payout(&world.platform, last).await.unwrap());
}

async fn due_dates_are_told_of_once_each_by_its_own_task(world: World) {
    let hire = world.active(json!({})).await;
    assert_eq!(run(&world, "due-soon").await, json!({ "reminders": 0 }));
    world.pass(TimeDelta::days(18));
    assert_eq!(run(&world, "overdue").await, json!({ "reminders": 0 }));
    assert_eq!(run(&world, "due-soon").await, json!({ "reminders": 1 }));
    assert_eq!(run(&world, "due-soon").await, json!({ "reminders": 0 }), "told already");
    world.pass(TimeDelta::days(3));
    assert_eq!(run(&world, "overdue").await, json!({ "reminders": 1 }));
    assert_eq!(
        worker::round(&world.platform).await.unwrap().reminders,
        0,
        "the worker finds nothing left"
    );
    assert!(world.mail(&hire.athlete.email, "deliverable.overdue").await.is_some());
}
both!(due_dates_are_told_of_once_each_by_its_own_task);

async fn contracts_and_jobs_end_in_time(world: World) {
    let until = json!({ "application_deadline": "2026-11-22T12:00:00Z" });
    let hire = world.hired(json!({})).await;
    world.open_job(&hire.partner, until).await;
    assert_eq!(run(&world, "expire-contracts").await, json!({ "contracts_expired": 0 }));
    assert_eq!(run(&world, "close-expired-jobs").await, json!({ "jobs_closed": 0 }));
    world.pass(TimeDelta::hours(73));
    assert_eq!(run(&world, "expire-contracts").await, json!({ "contracts_expired": 1 }));
    assert_eq!(run(&world, "close-expired-jobs").await, json!({ "jobs_closed": 1 }));
    assert_eq!(run(&world, "expire-contracts").await, json!({ "contracts_expired": 0 }));
    assert_eq!(run(&world, "close-expired-jobs").await, json!({ "jobs_closed": 0 }));
}
both!(contracts_and_jobs_end_in_time);

async fn payouts_are_swept_once_by_any_number_of_schedulers(world: World) {
    let athlete = earner(&world, "standard").await;
    let internal = service(Scope::Internal);
    let input = json!({ "task": "sweep-payouts" });
    let sweeps = (0..4).map(|_| world.call(RUN, &internal, input.clone()));
    for swept in futures::future::join_all(sweeps).await {
        assert_eq!(swept.data()["counts"]["failed"], 0);
    }
    assert_eq!(payouts(&world, &athlete).await.len(), 1);
    assert_eq!(world.balance(&athlete).await, 0);
    world.books_are_right().await;
}
both!(payouts_are_swept_once_by_any_number_of_schedulers);

async fn a_failed_payout_is_tried_again_a_day_later_three_times_in_all(world: World) {
    let athlete = earner(&world, "manual").await;
    let none = json!({ "retried": 0, "held": 0, "failed": 0 });
    let finance = world.operator(&[Permission::Finance]);
    world.call("admin.payout.trigger", &finance, json!({ "id": athlete.id })).await.data();
    bounce(&world, &athlete).await;
    assert_eq!(run(&world, "retry-payouts").await, none, "the bank has just refused it");
    world.pass(TimeDelta::hours(24));
    assert_eq!(run(&world, "retry-payouts").await["retried"], 1);
    assert_eq!(run(&world, "retry-payouts").await, none);
    bounce(&world, &athlete).await;
    world.pass(TimeDelta::hours(24));
    let round = worker::round(&world.platform).await.unwrap();
    assert_eq!(round.retries.retried, 1, "the worker does it too");
    bounce(&world, &athlete).await;
    world.pass(TimeDelta::hours(24));
    assert_eq!(
        run(&world, "retry-payouts").await,
        none,
        "what failed three times is for an operator"
    );
    let all = payouts(&world, &athlete).await;
    let attempts: Vec<_> = all.iter().map(|payout| payout["attempt"].as_i64().unwrap()).collect();
    assert_eq!(attempts, [3, 2, 1]);
    assert!(all.iter().all(|payout| payout["status"] == "failed"));
    assert_eq!(world.balance(&athlete).await, 5_000);
    world.books_are_right().await;
}
both!(a_failed_payout_is_tried_again_a_day_later_three_times_in_all);

async fn failed_payouts_that_cannot_go_do_not_stand_in_the_way_of_others(world: World) {
    let stuck = world.athlete("Robin Vale").await;
    let athlete = earner(&world, "manual").await;
    let finance = world.operator(&[Permission::Finance]);
    world.call("admin.payout.trigger", &finance, json!({ "id": athlete.id })).await.data();
    world.pass(TimeDelta::minutes(1));
    bounce(&world, &athlete).await;
    // More than one run processes, all failed before; their owner has no account.
    let many = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 101)";
    world
        .id(&format!(
            "{many} INSERT INTO ledger_account (name, balance_cents) \
             SELECT 'stuck:' || i || ':wallet', 100 FROM n RETURNING balance_cents"
        ))
        .await;
    world.id(&format!(
            "{many} INSERT INTO payout (wallet, athlete_id, amount_cents, status, attempt, \
             hold_reasons, pending_since, created_at, updated_at) SELECT 'stuck:' || n.i || ':wallet', {}, 100, \
             'failed', 1, p.hold_reasons, p.created_at, p.created_at, p.created_at FROM n, payout p \
             WHERE p.athlete_id = {} RETURNING id",
            stuck.id, athlete.id,
        )).await;
    world.pass(TimeDelta::hours(25));
    let first = run(&world, "retry-payouts").await;
    assert_eq!(first, json!({ "retried": 0, "held": 100, "failed": 0 }));
    world.pass(TimeDelta::minutes(1));
    let second = run(&world, "retry-payouts").await;
    assert_eq!(second, json!({ "retried": 1, "held": 99, "failed": 0 }));
}
both!(failed_payouts_that_cannot_go_do_not_stand_in_the_way_of_others);

async fn a_payout_is_tried_again_once_whoever_does_it(world: World) {
    let athlete = earner(&world, "manual").await;
    let finance = world.operator(&[Permission::Finance]);
    world.call("admin.payout.trigger", &finance, json!({ "id": athlete.id })).await.data();
    bounce(&world, &athlete).await;
    world.pass(TimeDelta::hours(25));
    let mut workers = Vec::new();
    for _ in 0..4 {
        let platform = world.replica().await.platform;
        workers.push(tokio::spawn(async move {
            payments::retry_payouts(&platform).await.expect("retries").retried
        }));
    }
    let mut retried = 0;
    for worker in workers {
        retried += worker.await.unwrap();
    }
    assert_eq!(retried, 1);
    let all = payouts(&world, &athlete).await;
    assert_eq!((all.len(), &all[0]["status"]), (2, &json!("in_transit")));
    world.books_are_right().await;
}
both!(a_payout_is_tried_again_once_whoever_does_it);

async fn what_has_been_paid_out_otherwise_is_not_tried_again(world: World) {
    let athlete = earner(&world, "manual").await;
    let finance = world.operator(&[Permission::Finance]);
    let trigger = json!({ "id": athlete.id });
    world.call("admin.payout.trigger", &finance, trigger.clone()).await.data();
    bounce(&world, &athlete).await;
    world.call("admin.payout.trigger", &finance, trigger).await.data();
    world.pass(TimeDelta::hours(25));
    assert_eq!(run(&world, "retry-payouts").await["retried"], 0);
    assert_eq!(payouts(&world, &athlete).await.len(), 2);
    world.books_are_right().await;
}
both!(what_has_been_paid_out_otherwise_is_not_tried_again);

async fn a_wallet_whose_bank_refuses_is_left_alone_for_a_day(world: World) {
    let athlete = earner(&world, "instant").await;
    assert_eq!(run(&world, "sweep-payouts").await["paid_out"], 1);
    bounce(&world, &athlete).await;
    for _ in 0..3 {
        assert_eq!(run(&world, "sweep-payouts").await["paid_out"], 0);
        world.pass(TimeDelta::hours(7));
    }
    assert_eq!(payouts(&world, &athlete).await.len(), 1);
    world.pass(TimeDelta::hours(3));
    assert_eq!(run(&world, "sweep-payouts").await["paid_out"], 1);
    assert_eq!(run(&world, "retry-payouts").await["retried"], 0, "it has been seen to");
    assert_eq!(world.balance(&athlete).await, 0);
    world.books_are_right().await;
}
both!(a_wallet_whose_bank_refuses_is_left_alone_for_a_day);

async fn the_worker_need_not_look_for_files_in_every_round(world: World) {
    let athlete = world.athlete("Zoe Okafor").await;
    world.file(&athlete, "a.png").await;
    world.pass(TimeDelta::hours(24) - TimeDelta::seconds(30));
    let unused = async || worker::round(&world.platform).await.unwrap().files.unused;
    assert_eq!(unused().await, 0);
    world.pass(TimeDelta::seconds(40));
    assert_eq!(unused().await, 0, "it looked forty seconds ago");
    world.file(&athlete, "b.png").await;
    assert_eq!(
        run(&world, "expire-uploads").await["unused"],
        1,
        "whoever asks is not kept waiting"
    );
    world.pass(TimeDelta::hours(25));
    assert_eq!(unused().await, 1);
}
both!(the_worker_need_not_look_for_files_in_every_round);

async fn a_round_answers_what_it_did(world: World) {
    let hire = world.hired(json!({})).await;
    let internal = service(Scope::Internal);
    let round = world.call(ROUND, &internal, json!({})).await.data();
    assert!(round["messages"].as_i64().unwrap() > 0, "{round}");
    assert!(world.mail(&hire.athlete.email, "athlete.hired").await.is_some());
    let idle = world.call(ROUND, &internal, json!({})).await.data();
    assert_eq!((&idle["messages"], &idle["payouts"]["paid_out"]), (&json!(0), &json!(0)));
}
both!(a_round_answers_what_it_did);

async fn the_same_key_gives_the_same_counts(world: World) {
    world.hired(json!({})).await;
    world.pass(TimeDelta::hours(73));
    let (internal, task) = (service(Scope::Internal), json!({ "task": "expire-contracts" }));
    let first = world.call_with_key(RUN, &internal, task.clone(), Some("tonight")).await.data();
    let again = world.call_with_key(RUN, &internal, task, Some("tonight")).await.data();
    assert_eq!(first["counts"], json!({ "contracts_expired": 1 }));
    assert_eq!(again, first);
}
both!(the_same_key_gives_the_same_counts);

async fn only_services_with_the_scope_get_in_and_only_tasks_run(world: World) {
    let internal = service(Scope::Internal);
    for unknown in ["subscriptions", "", "DUE-SOON"] {
        let answer = world.call(RUN, &internal, json!({ "task": unknown })).await;
        assert_eq!((answer.status, answer.code()), (422, "validation_failed"), "{unknown:?}");
    }
    let task = json!({ "task": "overdue" });
    let athlete = world.athlete("Zoe Okafor").await;
    for (who, status) in [
        (&Principal::Anonymous, 401),
        (&service(Scope::AiTools), 403),
        (&service(Scope::Affiliate), 403),
        (&athlete.principal, 403),
        (&world.operator(&[Permission::All]), 403),
    ] {
        assert_eq!(world.call(RUN, who, task.clone()).await.status, status);
        assert_eq!(world.call(ROUND, who, json!({})).await.status, status);
    }
}
both!(only_services_with_the_scope_get_in_and_only_tasks_run);
