//! The host's clock was wrong and is set back by an hour: nobody is locked out, and no work waits
//! for as long.

use std::time::Duration;

use chrono::TimeDelta;
use nil_core::auth::{Permission, Principal};
use nil_core::http::Shutdown;
use nil_core::notifications::outbox::OutboxStatus;
use nil_core::storage::sql;
use nil_core::{payments, worker};
use nil_tests::{Engine, Fate, Fault, PASSWORD, World, both};
use serde_json::json;

use crate::delivery::{the_mail, with_a_courier, work};

const NOBODY: Principal = Principal::Anonymous;

fn set_back(world: &World) {
    world.pass(-TimeDelta::hours(1));
}

async fn log_in(world: &World, email: &str, password: &str) -> u16 {
    let input = json!({ "email": email, "password": password });
    world.call("core.auth.log_in", &NOBODY, input).await.status
}

async fn who_logged_in_before_logs_in_again(world: World) {
    let brand = world.partner("Cedar Coffee").await;
    let other = world.partner("Harbor Books").await;
    assert_eq!(log_in(&world, &brand.email, PASSWORD).await, 200);
    assert_eq!(log_in(&world, &other.email, "not the passphrase").await, 401);
    set_back(&world);
    assert_eq!(log_in(&world, &brand.email, PASSWORD).await, 200);
    assert_eq!(log_in(&world, &other.email, PASSWORD).await, 200);
    // A turn that is not further away than any wait counts as before.
    world.pass(-TimeDelta::seconds(45));
    assert_eq!(log_in(&world, &brand.email, PASSWORD).await, 429);
}
both!(who_logged_in_before_logs_in_again);

async fn failures_count_for_fifteen_minutes_on_either_side(world: World) {
    let brand = world.partner("Cedar Coffee").await;
    for _ in 0..8 {
        assert_eq!(log_in(&world, &brand.email, "not the passphrase").await, 401);
    }
    set_back(&world);
    let begun = std::time::Instant::now();
    assert_eq!(log_in(&world, &brand.email, "not the passphrase").await, 401);
    assert!(begun.elapsed() < Duration::from_millis(1_900), "the delay of eight failures is 2 s");
}
both!(failures_count_for_fifteen_minutes_on_either_side);

async fn an_address_is_sent_mails_again_after_its_ten_minutes(world: World) {
    let (token, _) = world.awaiting_code().await;
    let registrant = world.registrant(&token).await;
    let resend = || world.call("core.registration.resend_code", &registrant, json!({}));
    while resend().await.status == 200 {}
    // The clocks of two servers differ by less than a minute.
    world.pass(-TimeDelta::seconds(30));
    assert_eq!(resend().await.code(), "too_many_mails");
    world.pass(-TimeDelta::minutes(59));
    assert_eq!(resend().await.status, 200);
    assert_eq!(resend().await.status, 200);
    assert_eq!(resend().await.status, 200);
    assert_eq!(resend().await.code(), "too_many_mails", "the new ten minutes have their own limit");
}
both!(an_address_is_sent_mails_again_after_its_ten_minutes);

async fn holder(world: &World) -> Option<String> {
    let mut session = world.platform.db().read().await.unwrap();
    session.value(sql("SELECT MIN(holder) FROM worker_lease")).await.unwrap()
}

/// Waits until the leases have a holder, other than this one.
async fn holder_after(world: &World, before: Option<&str>) -> String {
    let deadline = tokio::time::Instant::now() + Duration::from_secs(20);
    loop {
        match holder(world).await {
            Some(holder) if Some(holder.as_str()) != before => return holder,
            _ => assert!(tokio::time::Instant::now() < deadline, "nobody takes the tasks"),
        }
        tokio::task::yield_now().await;
    }
}

async fn a_killed_server_leaves_its_tasks_to_the_next(world: World) {
    let (_stop, shutdown) = Shutdown::new();
    let killed = tokio::spawn(worker::run(world.replica().await.platform, shutdown));
    let dead = holder_after(&world, None).await;
    killed.abort();
    assert!(killed.await.unwrap_err().is_cancelled());
    set_back(&world);
    let (stop, shutdown) = Shutdown::new();
    let next = tokio::spawn(worker::run(world.replica().await.platform, shutdown));
    holder_after(&world, Some(&dead)).await;
    stop.send(true).unwrap();
    next.await.unwrap();
}
both!(a_killed_server_leaves_its_tasks_to_the_next);

/// The next minute of the worker's life.
async fn a_minute(world: &World) {
    world.pass(TimeDelta::minutes(1));
    work(world).await;
    work(world).await;
}

async fn letters_go_out_at_once(engine: Engine) {
    let (world, courier) = with_a_courier(engine).await;
    let brand = world.partner("Cedar Coffee").await;
    work(&world).await;
    world.tell(&brand, "News").await;
    set_back(&world);
    a_minute(&world).await;
    assert_eq!(the_mail(&world, &brand).await.status, OutboxStatus::Sent);
    assert!(courier.times().values().all(|times| *times == 1));
}
both!(letters_go_out_at_once);

async fn a_letter_that_is_tried_again_does_not_wait_longer(engine: Engine) {
    let (world, courier) = with_a_courier(engine).await;
    let brand = world.partner("Cedar Coffee").await;
    world.tell(&brand, "News").await;
    // The letter is older than the wait.
    world.pass(TimeDelta::hours(3));
    courier.next(std::iter::repeat_n(Fate::Silence, 1));
    let platform = world.platform.clone();
    let dying = tokio::spawn(async move { worker::round(&platform).await });
    while courier.handed().is_empty() {
        courier.bell.notified().await;
    }
    dying.abort();
    assert!(dying.await.unwrap_err().is_cancelled());
    set_back(&world);
    a_minute(&world).await;
    let waiting = "SELECT COUNT(*) FROM outbox WHERE status = 'pending'";
    assert_eq!(world.id(waiting).await, 0);
    assert!(courier.times().values().any(|times| *times == 2), "one was tried again");
}
both!(a_letter_that_is_tried_again_does_not_wait_longer);

async fn a_killed_export_is_made_by_the_next_server(world: World) {
    let me = world.new_operator("ops@example.com", Permission::Reports).await;
    let wanted = json!({ "kind": "athletes", "format": "csv" });
    world.call("admin.export.request", &me, wanted).await.data();
    // As a server leaves it that was killed at the beginning of its work.
    world
        .script(
            "UPDATE export_report SET status = 'processing', attempt = 1, \
             due_at = '2026-11-20T12:01:00.000000+00:00', \
             updated_at = '2026-11-20T12:00:00.000000+00:00'",
        )
        .await;
    set_back(&world);
    a_minute(&world).await;
    assert_eq!(world.id("SELECT COUNT(*) FROM export_report WHERE status = 'ready'").await, 1);
}
both!(a_killed_export_is_made_by_the_next_server);

async fn money_whose_outcome_is_unknown_is_asked_about(world: World) {
    let partner = world.paying_partner("Cedar Coffee").await;
    let athlete = world.athlete("Jordan Lake").await;
    let deal = world.approved_deal(&partner, &athlete, &[1_000]).await;
    world.processor.next(&[Fault::Unanswered]);
    assert_eq!(world.pay(&partner, &athlete, &deal).await["status"], "processing");
    set_back(&world);
    assert_eq!(payments::reconcile(&world.platform).await.unwrap().charges, 1);
    assert_eq!(world.balance(&athlete).await, 1_000);
    world.books_are_right().await;
}
both!(money_whose_outcome_is_unknown_is_asked_about);

async fn a_payout_on_hold_goes_when_its_reason_is_gone(world: World) {
    let athlete = world.earner(5_000).await;
    let finance = world.operator(&[Permission::Finance]);
    let held = world.call("admin.payout.trigger", &finance, json!({ "id": athlete.id })).await;
    assert_eq!(held.data()["status"], "on_hold");
    set_back(&world);
    // The sweep looks at it, as it does a minute after the last look.
    assert_eq!(payments::sweep_payouts(&world.platform).await.unwrap().held, 1);
    world.books_are_right().await;
}
both!(a_payout_on_hold_goes_when_its_reason_is_gone);

async fn an_idle_worker_looks_for_such_waits_only_once(world: World) {
    worker::round(&world.platform).await.unwrap();
    world.pass(TimeDelta::minutes(2));
    let rounds = async { worker::round(&world.platform).await.unwrap() };
    let (_, watched) = world.platform.db().watched(rounds).await.unwrap();
    let looks = watched.plans.iter().filter(|(text, _)| text.contains("waits_since"));
    assert_eq!(looks.count(), 0);
    set_back(&world);
    let rounds = async { worker::round(&world.platform).await.unwrap() };
    let (_, watched) = world.platform.db().watched(rounds).await.unwrap();
    let looks = watched.plans.iter().filter(|(text, _)| text.contains("waits_since"));
    assert_eq!(looks.count(), 1);
}
both!(an_idle_worker_looks_for_such_waits_only_once);
