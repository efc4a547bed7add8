//! Outgoing mails and text messages: handed over once, retried after failures, and in the morning
//! if they can wait.

use std::sync::Arc;

use chrono::TimeDelta;
use nil_core::kernel::OutboxId;
use nil_core::notifications::outbox::{self, Channel, OutboxRow, OutboxStatus};
use nil_core::ports::courier::Outcome;
use nil_tests::{Engine, Fate, Messenger, Person, World, both};
use serde_json::{Value, json};

/// A platform with the suites' courier.
pub(crate) async fn with_a_courier(engine: Engine) -> (World, Arc<Messenger>) {
    let courier = Arc::new(Messenger::default());
    let configured = courier.clone();
    let world = World::configured(engine, |config| config.courier = Some(configured)).await;
    (world, courier)
}

pub(crate) async fn work(world: &World) {
    nil_core::worker::round(&world.platform).await.expect("a round");
}

pub(crate) async fn mails_to(world: &World, who: &Person, event: &str) -> Vec<OutboxRow> {
    let rows = outbox::list(&world.platform, 1_000).await.unwrap();
    rows.into_iter()
        .filter(|row| row.channel == Channel::Email && row.to == who.email && row.event == event)
        .collect()
}

/// The one mail of an announcement.
pub(crate) async fn the_mail(world: &World, who: &Person) -> OutboxRow {
    let mut mails = mails_to(world, who, "announcement.published").await;
    assert_eq!(mails.len(), 1, "{mails:?}");
    mails.remove(0)
}

fn again() -> Fate {
    Fate::Answer(Outcome::TryAgain("the line is dead".into()))
}

async fn a_letter_is_handed_over_with_its_words(engine: Engine) {
    let (world, courier) = with_a_courier(engine).await;
    let brand = world.partner("Cedar Coffee").await;
    work(&world).await;
    let code = courier.handed().into_iter().find(|letter| letter.event == "otp.sent").unwrap();
    assert_eq!(code.to, brand.email);
    assert!(code.body.chars().any(|c| c.is_ascii_digit()), "the secret goes out: {code:?}");
    world.tell(&brand, "Spring\r\nBcc: all").await;
    work(&world).await;
    let letter = courier.handed().pop().unwrap();
    assert_eq!(letter.subject.as_deref(), Some("Spring  Bcc: all"));
    assert!(letter.body.contains("News."), "{letter:?}");
    let row = the_mail(&world, &brand).await;
    assert_eq!((row.status, row.attempts, row.id), (OutboxStatus::Sent, 1, letter.id));
}
both!(a_letter_is_handed_over_with_its_words);

async fn what_is_not_taken_is_tried_later_and_at_last_given_up(engine: Engine) {
    let (world, courier) = with_a_courier(engine).await;
    let brand = world.partner("Cedar Coffee").await;
    work(&world).await;
    let before = courier.handed().len();
    courier.next(std::iter::repeat_n(again(), 10));
    world.tell(&brand, "News").await;
    for attempt in 1..=10 {
        work(&world).await;
        work(&world).await;
        let row = the_mail(&world, &brand).await;
        assert_eq!(row.attempts, attempt, "not again before its time");
        let status = if attempt < 10 { OutboxStatus::Pending } else { OutboxStatus::Dead };
        assert_eq!(row.status, status);
        world.pass(TimeDelta::hours(8));
    }
    work(&world).await;
    assert_eq!(courier.handed().len(), before + 10);
    let row = the_mail(&world, &brand).await;
    assert!(outbox::retry(&world.platform, row.id).await.unwrap());
    work(&world).await;
    assert_eq!(the_mail(&world, &brand).await.status, OutboxStatus::Sent);
    assert_eq!(courier.times()[&row.id.get()], 11);
    assert!(!outbox::retry(&world.platform, OutboxId::new(999_999).unwrap()).await.unwrap());
}
both!(what_is_not_taken_is_tried_later_and_at_last_given_up);

async fn a_wrong_address_is_given_up_at_once_and_a_broken_courier_is_not(engine: Engine) {
    let (world, courier) = with_a_courier(engine).await;
    let brand = world.partner("Cedar Coffee").await;
    let other = world.partner("Harbor Books").await;
    work(&world).await;
    courier.next([Fate::Answer(Outcome::Never("no such mailbox".into())), Fate::Panic]);
    world.tell(&brand, "News").await;
    work(&world).await;
    world.tell(&other, "News").await;
    work(&world).await;
    assert_eq!(the_mail(&world, &brand).await.status, OutboxStatus::Dead);
    assert_eq!(the_mail(&world, &other).await.status, OutboxStatus::Pending);
    world.pass(TimeDelta::minutes(1));
    work(&world).await;
    assert_eq!(the_mail(&world, &other).await.status, OutboxStatus::Sent);
}
both!(a_wrong_address_is_given_up_at_once_and_a_broken_courier_is_not);

async fn a_worker_that_dies_over_a_letter_leaves_it_to_the_next(engine: Engine) {
    let (world, courier) = with_a_courier(engine).await;
    let brand = world.partner("Cedar Coffee").await;
    work(&world).await;
    let before = courier.handed().len();
    courier.next([Fate::Silence]);
    world.tell(&brand, "News").await;
    let platform = world.platform.clone();
    let dying = tokio::spawn(async move { nil_core::worker::round(&platform).await });
    while courier.handed().len() == before {
        courier.bell.notified().await;
    }
    dying.abort();
    assert!(dying.await.unwrap_err().is_cancelled());
    let letter = courier.handed().pop().unwrap();

    let other = world.replica().await;
    work(&other).await;
    assert_eq!(courier.handed().len(), before + 1, "it may still be on its way");
    world.pass(TimeDelta::minutes(10));
    work(&other).await;
    let handed = courier.handed();
    assert_eq!((handed.len(), &handed[before + 1]), (before + 2, &letter), "the same letter");
    let row = the_mail(&world, &brand).await;
    assert_eq!((row.status, row.attempts), (OutboxStatus::Sent, 2));
    let feed = world.call("core.notification.list", &brand.principal, json!({})).await.data();
    let news = feed.as_array().unwrap().iter().filter(|one| one["title"] == "News");
    assert_eq!(news.count(), 1);
}
both!(a_worker_that_dies_over_a_letter_leaves_it_to_the_next);

async fn workers_at_once_hand_each_letter_over_once(engine: Engine) {
    let (world, courier) = with_a_courier(engine).await;
    let brand = world.partner("Cedar Coffee").await;
    work(&world).await;
    let before = courier.handed().len();
    for number in 0..60 {
        world.tell(&brand, &number.to_string()).await;
    }
    let mut workers = Vec::new();
    for _ in 0..4 {
        let platform = world.replica().await.platform;
        workers.push(tokio::spawn(async move {
            nil_core::worker::round(&platform).await.expect("a round");
        }));
    }
    for worker in workers {
        worker.await.unwrap();
    }
    work(&world).await;
    assert_eq!(courier.handed().len(), before + 60);
    assert!(courier.times().values().all(|times| *times == 1));
    let mails = mails_to(&world, &brand, "announcement.published").await;
    assert_eq!(mails.len(), 60);
    assert!(mails.iter().all(|mail| mail.status == OutboxStatus::Sent));
    let fetched =
        world.call("core.notification.list", &brand.principal, json!({ "limit": 200 })).await;
    let feed = fetched.data();
    let news = feed.as_array().unwrap().iter();
    assert_eq!(news.filter(|one| one["event"] == "announcement.published").count(), 60);
}
both!(workers_at_once_hand_each_letter_over_once);

async fn a_secret_that_has_expired_is_not_sent_any_more(engine: Engine) {
    let (world, courier) = with_a_courier(engine).await;
    let brand = world.partner("Cedar Coffee").await;
    work(&world).await;
    courier.next([again()]);
    let forgot = json!({ "email": brand.email });
    let anybody = nil_core::auth::Principal::Anonymous;
    world.call("core.auth.forget_password", &anybody, forgot).await.data();
    work(&world).await;
    let handed = courier.handed().len();
    world.pass(TimeDelta::hours(2));
    work(&world).await;
    assert_eq!(courier.handed().len(), handed);
    let mail = &mails_to(&world, &brand, "password.reset").await[0];
    assert_eq!((mail.status, mail.body.is_none()), (OutboxStatus::Dead, true));
}
both!(a_secret_that_has_expired_is_not_sent_any_more);

async fn workers_killed_anywhere_tell_everything_once(world: World) {
    let brand = world.partner("Cedar Coffee").await;
    work(&world).await;
    const NEWS: usize = 120;
    let mut told = 0;
    // Each is killed a little later than the previous one, at a different point of its work.
    for pauses in 0..240_u32 {
        if told < NEWS - 1 && pauses % 2 == 0 {
            world.tell(&brand, &told.to_string()).await;
            told += 1;
        }
        let platform = world.platform.clone();
        let worker = tokio::spawn(async move { nil_core::worker::round(&platform).await });
        for _ in 0..pauses {
            tokio::task::yield_now().await;
        }
        worker.abort();
        let _ = worker.await;
    }
    // What a killed worker has written may not be on disk yet. A write by another process waits for
    // it.
    world.tell(&brand, &told.to_string()).await;
    work(&world).await;
    let mails = mails_to(&world, &brand, "announcement.published").await;
    assert_eq!(mails.len(), NEWS, "a mail each");
    assert!(mails.iter().all(|mail| mail.status == OutboxStatus::Pending && mail.attempts == 0));
    let all = json!({ "limit": 200 });
    let feed = world.call("core.notification.list", &brand.principal, all).await.data();
    let news: std::collections::BTreeSet<String> = feed
        .as_array()
        .unwrap()
        .iter()
        .filter(|one| one["event"] == "announcement.published")
        .map(|one| one["title"].to_string())
        .collect();
    let times =
        feed.as_array().unwrap().iter().filter(|one| one["event"] == "announcement.published");
    assert_eq!((news.len(), times.count()), (NEWS, NEWS), "and a notification each");
}
both!(workers_killed_anywhere_tell_everything_once);

async fn nights_are_quiet(engine: Engine) {
    let quiet = |config: &mut nil_core::Config| {
        config.courier = Some(Arc::new(Messenger::default()));
        config.quiet_hours = Some("21:00-08:00 America/New_York".parse().unwrap());
    };
    // It is seven in New York and six at the athlete's college.
    let world = World::configured(engine, quiet).await;
    let brand = world.partner("Cedar Coffee").await;
    let athlete = world.athlete("Jordan Lake").await;
    world.tell(&brand, "Morning").await;
    world.tell(&athlete, "Morning").await;
    work(&world).await;
    let status = async |who: &Person| the_mail(&world, who).await.status;
    for who in [&brand, &athlete] {
        assert_eq!(status(who).await, OutboxStatus::Pending);
        let feed = world.call("core.notification.list", &who.principal, json!({}));
        assert_eq!(feed.await.data()[0]["title"], "Morning", "the feed wakes nobody");
        let code = &mails_to(&world, who, "otp.sent").await[0];
        assert_eq!(code.status, OutboxStatus::Sent, "a code cannot wait");
    }
    world.pass(TimeDelta::minutes(59));
    work(&world).await;
    assert_eq!(status(&brand).await, OutboxStatus::Pending);
    world.pass(TimeDelta::minutes(1));
    work(&world).await;
    assert_eq!(status(&brand).await, OutboxStatus::Sent);
    assert_eq!(status(&athlete).await, OutboxStatus::Pending);
    world.pass(TimeDelta::hours(1));
    work(&world).await;
    assert_eq!(status(&athlete).await, OutboxStatus::Sent);
    assert_eq!(the_mail(&world, &athlete).await.attempts, 1, "waiting is no attempt");
}

both!(nights_are_quiet);

async fn everybody_sets_their_own_quiet_hours(engine: Engine) {
    let (world, _) = with_a_courier(engine).await;
    const SAVE: &str = "core.notification.save_preferences";
    // It is noon UTC: six in Chicago, where no other recipient has quiet hours.
    let athlete = world.athlete("Jordan Lake").await;
    let other = world.athlete("Sam Hill").await;
    let who = &athlete.principal;
    let read = async || {
        let shown = world.call("core.notification.preferences", who, json!({})).await;
        assert!(shown.body["data"].is_array());
        shown.body["quiet_hours"].clone()
    };
    assert_eq!(read().await, Value::Null);
    let hours = json!({ "from": "21:00", "to": "07:30", "time_zone": "America/Chicago" });
    let saved = world.call(SAVE, who, json!({ "quiet_hours": hours })).await;
    assert_eq!((saved.status, &saved.body["quiet_hours"]), (200, &hours));
    assert_eq!(read().await, hours);
    let kept = json!({ "preferences": [{ "event": "message.received", "email": false }] });
    assert_eq!(world.call(SAVE, who, kept).await.body["quiet_hours"], hours);

    for person in [&athlete, &other] {
        world.tell(person, "Morning").await;
    }
    work(&world).await;
    assert_eq!(the_mail(&world, &other).await.status, OutboxStatus::Sent);
    assert_eq!(the_mail(&world, &athlete).await.status, OutboxStatus::Pending);
    let forgot = json!({ "email": athlete.email });
    let asked =
        world.call("core.auth.forget_password", &nil_core::auth::Principal::Anonymous, forgot);
    asked.await.data();
    work(&world).await;
    let reset = &mails_to(&world, &athlete, "password.reset").await[0];
    assert_eq!(reset.status, OutboxStatus::Sent, "what protects an account cannot wait");
    world.pass(TimeDelta::minutes(90));
    work(&world).await;
    assert_eq!(the_mail(&world, &athlete).await.status, OutboxStatus::Sent);

    let cleared = world.call(SAVE, who, json!({ "quiet_hours": null })).await;
    assert_eq!(cleared.body["quiet_hours"], Value::Null);
    assert_eq!(read().await, Value::Null);
}
both!(everybody_sets_their_own_quiet_hours);

async fn hours_that_are_none_are_refused(world: World) {
    let athlete = world.athlete("Jordan Lake").await;
    let hours = |from: &str, to: &str, zone: &str| json!({ "quiet_hours": { "from": from, "to": to, "time_zone": zone } });
    for wrong in [
        hours("21:00", "21:00", "UTC"),
        hours("25:00", "08:00", "UTC"),
        hours("9:00", "08:00", "UTC"),
        hours("21:00", "08:00", "Mars/Base"),
        json!({ "quiet_hours": { "from": "21:00" } }),
        json!({}),
    ] {
        let name = "core.notification.save_preferences";
        let refused = world.call(name, &athlete.principal, wrong.clone()).await;
        assert_eq!((refused.status, refused.code()), (422, "validation_failed"), "{wrong}");
    }
}
both!(hours_that_are_none_are_refused);

async fn the_portal_has_quiet_hours_too(world: World) {
    let college = world.college().await;
    let (owner, _) = world.portal_user(college, "owner").await;
    let hours = json!({ "from": "18:00", "to": "08:00", "time_zone": "America/New_York" });
    let save = "compliance.notification.save_preferences";
    let saved = world.call(save, &owner, json!({ "quiet_hours": hours })).await;
    assert_eq!(saved.body["quiet_hours"], hours);
    let shown = world.call("compliance.notification.preferences", &owner, json!({})).await;
    assert_eq!(shown.body["quiet_hours"], hours);
}
both!(the_portal_has_quiet_hours_too);
