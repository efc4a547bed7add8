//! Institutions with daily or weekly digests.

use chrono::TimeDelta;
use nil_core::auth::{Principal, Scope};
use nil_core::kernel::ApiKeyId;
use nil_core::notifications::{self, outbox, outbox::Channel};
use nil_core::worker;
use nil_tests::{Person, World, both};
use serde_json::json;

use crate::disclosing;

const DIGEST: &str = "institution.digest";
const FILED: &str = "disclosure.submitted";

/// A college with this digest setting, its officer's caller, and an athlete.
async fn college(world: &World, digest: &str) -> (Principal, Person) {
    let college = world.college().await;
    let (owner, _) = world.portal_user(college, "owner").await;
    choose(world, &owner, digest).await;
    (owner, world.athlete_of("Zoe Okafor", college).await)
}

async fn choose(world: &World, owner: &Principal, digest: &str) {
    let settings = json!({ "digest": digest });
    let saved = world.call("compliance.college.save_settings", owner, settings);
    saved.await.data();
}

async fn disclose(world: &World, athlete: &Person, title: &str) {
    let deal = json!({ "payer_name": "Valley Sports", "title": title, "amount_cents": 20_000 });
    disclosing::disclose(world, athlete, deal).await;
    worker::round(&world.platform).await.unwrap();
}

/// The texts of the mails of an event.
async fn mails(world: &World, event: &str) -> Vec<String> {
    worker::round(&world.platform).await.unwrap();
    let rows = outbox::list(&world.platform, 1_000).await.unwrap();
    let mails = rows.into_iter().filter(|row| row.channel == Channel::Email && row.event == event);
    mails.filter_map(|row| row.body).collect()
}

async fn run(world: &World) -> i64 {
    let internal =
        Principal::Service { id: ApiKeyId::new(1).unwrap(), scopes: vec![Scope::Internal] };
    let task = json!({ "task": "digests" });
    let ran = world.call("core.internal.run_task", &internal, task).await;
    ran.data()["counts"]["digests"].as_i64().unwrap()
}

async fn a_day_is_one_mail_at_eight_in_the_morning(world: World) {
    // It is six in the morning in Chicago.
    let (_, athlete) = college(&world, "daily").await;
    let (_, elsewhere) = college(&world, "daily").await;
    disclose(&world, &athlete, "Signing hour").await;
    disclose(&world, &athlete, "Podcast").await;
    disclose(&world, &elsewhere, "Camp").await;
    assert_eq!(mails(&world, FILED).await.len(), 0);
    world.pass(TimeDelta::minutes(119));
    assert_eq!(run(&world).await, 0);
    world.pass(TimeDelta::minutes(1));
    assert_eq!(run(&world).await, 2, "one for each institution");
    assert_eq!(run(&world).await, 0);
    let mails = mails(&world, DIGEST).await;
    assert_eq!(mails.len(), 2);
    let ours = mails.iter().find(|mail| mail.contains("Podcast")).unwrap();
    assert!(ours.contains("November 20: ") && ours.contains("Signing hour"), "{ours}");
    assert!(!ours.contains("Camp"), "{ours}");
    // Events after eight are in the next day's digest.
    disclose(&world, &athlete, "Clinic").await;
    world.pass(TimeDelta::hours(23));
    assert_eq!(run(&world).await, 0);
    world.pass(TimeDelta::hours(1));
    assert_eq!(worker::round(&world.platform).await.unwrap().digests, 1, "the worker does it too");
}
both!(a_day_is_one_mail_at_eight_in_the_morning);

async fn a_week_is_one_mail_on_monday(world: World) {
    // 20 November is a Friday.
    let (_, athlete) = college(&world, "weekly").await;
    disclose(&world, &athlete, "Signing hour").await;
    world.pass(TimeDelta::days(2) + TimeDelta::hours(23));
    assert_eq!(run(&world).await, 0);
    world.pass(TimeDelta::hours(3));
    assert_eq!(run(&world).await, 1);
    assert_eq!(mails(&world, DIGEST).await.len(), 1);
    assert_eq!(mails(&world, FILED).await.len(), 0);
}
both!(a_week_is_one_mail_on_monday);

async fn whoever_chose_nothing_or_everything_hears_at_once(world: World) {
    let unset = world.college().await;
    let (owner, _) = world.portal_user(unset, "owner").await;
    let settings = world.call("compliance.college.settings", &owner, json!({})).await;
    assert_eq!(settings.data()["digest"], "instant");
    let athlete = world.athlete_of("Ida Novak", unset).await;
    disclose(&world, &athlete, "Signing hour").await;
    assert_eq!(mails(&world, FILED).await.len(), 1);
    choose(&world, &owner, "instant").await;
    disclose(&world, &athlete, "Podcast").await;
    assert_eq!(mails(&world, FILED).await.len(), 2);
    assert_eq!((run(&world).await, mails(&world, DIGEST).await.len()), (0, 0));
}
both!(whoever_chose_nothing_or_everything_hears_at_once);

async fn what_was_gathered_goes_out_when_they_change_their_mind(world: World) {
    let (owner, athlete) = college(&world, "weekly").await;
    disclose(&world, &athlete, "Signing hour").await;
    choose(&world, &owner, "instant").await;
    world.pass(TimeDelta::seconds(1));
    assert_eq!(run(&world).await, 1);
    assert_eq!(mails(&world, DIGEST).await.len(), 1);
}
both!(what_was_gathered_goes_out_when_they_change_their_mind);

async fn workers_at_once_send_one_mail(world: World) {
    let (_, athlete) = college(&world, "daily").await;
    disclose(&world, &athlete, "Signing hour").await;
    world.pass(TimeDelta::days(1));
    let mut workers = Vec::new();
    for _ in 0..4 {
        let platform = world.replica().await.platform;
        workers.push(tokio::spawn(async move {
            notifications::send_digests(&platform).await.expect("digests")
        }));
    }
    let mut sent = 0;
    for worker in workers {
        sent += worker.await.unwrap();
    }
    assert_eq!((sent, mails(&world, DIGEST).await.len()), (1, 1));
}
both!(workers_at_once_send_one_mail);

async fn nothing_is_gathered_for_whoever_wants_no_such_mail(world: World) {
    let (owner, athlete) = college(&world, "daily").await;
    let none = json!({ "preferences": [
            { "event": FILED, "email": false, "sms": false, "in_app": false },
        ] });
    let saved = world.call("compliance.notification.save_preferences", &owner, none);
    saved.await.data();
    disclose(&world, &athlete, "Signing hour").await;
    world.pass(TimeDelta::days(1));
    assert_eq!(run(&world).await, 0);
}
both!(nothing_is_gathered_for_whoever_wants_no_such_mail);
