//! Reminders of due dates and deadlines, once each.

use chrono::TimeDelta;
use nil_core::notifications::outbox::{self, Channel};
use nil_tests::{Person, World, both};
use serde_json::json;

/// Moves the clock and runs the worker.
async fn later(world: &World, time: TimeDelta) -> usize {
    world.pass(time);
    let round = nil_core::worker::round(&world.platform).await.expect("a round");
    round.reminders
}

/// How often a user was mailed about an event.
async fn mails(world: &World, who: &Person, event: &str) -> usize {
    let rows = outbox::list(&world.platform, 1_000).await.unwrap();
    rows.iter()
        .filter(|row| row.channel == Channel::Email && row.to == who.email && row.event == event)
        .count()
}

async fn work_that_is_due_soon_and_overdue_is_told_of_once(world: World) {
    // Due at the end of 10 and 20 December in Chicago; it is noon of 20 November.
    let hire = world.active(json!({})).await;
    let unconfirmed = world.athlete("Ida Novak").await;
    world.hire(&hire.partner, &unconfirmed, hire.job).await;
    let (soon, over) = ("deliverable.due_soon", "deliverable.overdue");
    assert_eq!(later(&world, TimeDelta::days(17)).await, 0, "three days and a half before");
    assert_eq!(later(&world, TimeDelta::days(1)).await, 1);
    assert_eq!(later(&world, TimeDelta::hours(1)).await, 0, "once");
    assert_eq!(mails(&world, &hire.athlete, soon).await, 1);
    assert_eq!(mails(&world, &hire.partner, soon).await, 0, "it is the athlete's to do");
    let told = world.mail(&hire.athlete.email, soon).await.unwrap();
    assert!(told.contains("Reel") && told.contains("December 10"), "{told}");
    assert_eq!(later(&world, TimeDelta::days(3)).await, 1, "the first is overdue");
    assert_eq!(later(&world, TimeDelta::days(1)).await, 0);
    for who in [&hire.athlete, &hire.partner] {
        assert_eq!(mails(&world, who, over).await, 1);
    }
    // The second one is submitted in time.
    world.submit(&hire, hire.deliverables[1]).await;
    assert_eq!(later(&world, TimeDelta::days(20)).await, 0);
    assert_eq!(mails(&world, &unconfirmed, soon).await, 0, "whose contract is not under way");
}
both!(work_that_is_due_soon_and_overdue_is_told_of_once);

async fn a_date_that_is_moved_is_a_new_one(world: World) {
    let hire = world.active(json!({})).await;
    assert_eq!(later(&world, TimeDelta::days(18)).await, 1);
    let ask = json!({
        "job_id": hire.job, "deliverable_id": hire.deliverables[0],
        "proposed_due_on": "2026-12-18", "reason": "Finals week.",
    });
    world.call("core.contract.request_new_due_date", &hire.athlete.principal, ask).await.data();
    let accept = json!({ "job_id": hire.job, "athlete_id": hire.athlete.id, "kind": "EDD" });
    world.call("core.contract.accept_request", &hire.partner.principal, accept).await.data();
    assert_eq!(later(&world, TimeDelta::days(4)).await, 0, "not overdue any more");
    assert_eq!(later(&world, TimeDelta::days(4)).await, 1);
    assert_eq!(mails(&world, &hire.athlete, "deliverable.due_soon").await, 2);
}
both!(a_date_that_is_moved_is_a_new_one);

async fn workers_at_once_remind_once(world: World) {
    let hire = world.active(json!({})).await;
    world.pass(TimeDelta::days(18));
    let mut workers = Vec::new();
    for _ in 0..4 {
        let platform = world.replica().await.platform;
        workers.push(tokio::spawn(async move {
            nil_core::deals::remind(&platform).await.expect("reminders")
        }));
    }
    let mut told = 0;
    for worker in workers {
        told += worker.await.unwrap();
    }
    assert_eq!(told, 1);
    nil_core::worker::round(&world.platform).await.unwrap();
    assert_eq!(mails(&world, &hire.athlete, "deliverable.due_soon").await, 1);
}
both!(workers_at_once_remind_once);

async fn those_who_have_not_decided_hear_that_a_job_closes(world: World) {
    let brand = world.partner("Ridge Outfitters").await;
    let (zoe, ida) = (world.athlete("Zoe Okafor").await, world.athlete("Ida Novak").await);
    let kim = world.athlete("Kim Park").await;
    let until = json!({ "application_deadline": "2026-11-26T12:00:00Z" });
    let job = world.open_job(&brand, until).await;
    let invite = json!({ "job_id": job, "athlete_ids": [zoe.id, ida.id] });
    world.call("core.application.invite_bulk", &brand.principal, invite).await.data();
    let no = json!({ "job_id": job, "accept": false });
    world.call("core.application.respond_invitation", &ida.principal, no).await.data();
    world.apply(&kim, job).await;
    assert_eq!(later(&world, TimeDelta::days(3)).await, 0);
    assert_eq!(later(&world, TimeDelta::days(2)).await, 1);
    assert_eq!(later(&world, TimeDelta::hours(1)).await, 0);
    let event = "job.closing_soon";
    for (who, times) in [(&brand, 1), (&zoe, 1), (&ida, 0), (&kim, 0)] {
        assert_eq!(mails(&world, who, event).await, times, "{}", who.email);
    }
}
both!(those_who_have_not_decided_hear_that_a_job_closes);

async fn a_job_without_a_deadline_is_told_of_before_its_last_due_date_ends(world: World) {
    let brand = world.partner("Ridge Outfitters").await;
    let zoe = world.athlete("Zoe Okafor").await;
    let job = world.open_job(&brand, json!({})).await;
    let invite = json!({ "job_id": job, "athlete_ids": [zoe.id] });
    world.call("core.application.invite_bulk", &brand.principal, invite).await.data();
    assert_eq!(later(&world, TimeDelta::days(28)).await, 0);
    assert_eq!(later(&world, TimeDelta::days(1)).await, 1);
    for (who, end) in
        [(&brand, "December 21, 2026, 9:59 am UTC"), (&zoe, "December 21, 2026, 3:59 am Central")]
    {
        let mail = world.mail(&who.email, "job.closing_soon").await.expect("a mail");
        assert!(mail.contains(end), "{mail}");
    }
}
both!(a_job_without_a_deadline_is_told_of_before_its_last_due_date_ends);
