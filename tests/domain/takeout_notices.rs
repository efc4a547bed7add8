//! Whoever asked for a takeout is told when it can be fetched, unless it is gone by then.

use chrono::TimeDelta;
use nil_core::accounts::suspension;
use nil_core::kernel::UserId;
use nil_core::notifications::outbox::{self, OutboxRow, OutboxStatus};
use nil_core::worker::{self, round};
use nil_tests::shaky::Shaky;
use nil_tests::{Engine, Person, World, both};
use serde_json::{Value, json};

use crate::departures::close;
use crate::queued_exports::stalled;

const EVENT: &str = "takeout.ready";

async fn ask(world: &World, who: &Person) {
    world.call("core.account.request_takeout", &who.principal, json!({})).await.data();
}

/// Asks for a takeout and lets the worker make it.
async fn take(world: &World, who: &Person) {
    ask(world, who).await;
    assert_eq!(round(&world.platform).await.unwrap().exports, 1);
}

/// The rows of the outbox about takeouts, the newest first.
async fn told(world: &World) -> Vec<OutboxRow> {
    let rows = outbox::list(&world.platform, 1_000).await.unwrap();
    rows.into_iter().filter(|row| row.event == EVENT).collect()
}

/// The states of the mails about takeouts to this user, the newest first.
async fn mails(world: &World, who: &Person) -> Vec<OutboxStatus> {
    let rows = told(world).await.into_iter();
    let mails = rows.filter(|row| row.channel.as_str() == "email" && row.to == who.email);
    mails.map(|row| row.status).collect()
}

async fn whoever_asked_is_told_once_and_until_when(mut world: World) {
    let (athlete, brand) = (world.athlete("Zoe Okafor").await, world.partner("Cedar Coffee").await);
    ask(&world, &athlete).await;
    assert!(told(&world).await.is_empty(), "it is not made yet");
    assert_eq!(round(&world.platform).await.unwrap().exports, 1);
    round(&world.platform).await.unwrap();
    assert_eq!(mails(&world, &athlete).await, [OutboxStatus::Pending], "once");
    let mail = world.mail(&athlete.email, EVENT).await.unwrap();
    // A week from now, by the clock of the athlete's institution.
    for said in ["until November 27, 2026, 6:00 am Central", "\nSign in to Lakeside Deals.\n"] {
        assert!(mail.contains(said), "{said}: {mail}");
    }
    assert!(!mail.contains("http"), "{mail}");
    let feed = world.call("core.notification.list", &athlete.principal, json!({})).await.data();
    let own: Vec<&Value> =
        feed.as_array().unwrap().iter().filter(|one| one["event"] == EVENT).collect();
    assert_eq!(own.len(), 1, "{feed}");
    assert!(own[0]["body"].as_str().unwrap().contains("November 27, 2026"), "{feed}");
    let code = world.text("code", "export_report").await.unwrap();
    for row in told(&world).await {
        let all = format!("{:?} {:?} {}", row.subject, row.body, row.data);
        assert!(!all.contains(&code) && !all.contains("token"), "{all}");
    }
    // A brand has no institution.
    world.reopen(|config| config.portal_url = Some("https://app.example/".into())).await;
    take(&world, &brand).await;
    let mail = world.mail(&brand.email, EVENT).await.unwrap();
    assert!(mail.contains("November 27, 2026, 12:00 pm UTC"), "{mail}");
    assert!(mail.contains("\nhttps://app.example/takeout\n"), "{mail}");
}
both!(whoever_asked_is_told_once_and_until_when);

async fn who_wants_no_mail_about_it_finds_it_in_the_feed(world: World) {
    let fan = world.fan("Casey Field").await;
    let off = json!({ "preferences": [{ "event": EVENT, "email": false }] });
    world.call("core.notification.save_preferences", &fan.principal, off).await.data();
    take(&world, &fan).await;
    assert!(mails(&world, &fan).await.is_empty());
    let feed = world.call("core.notification.list", &fan.principal, json!({})).await.data();
    assert_eq!(feed[0]["event"], EVENT);
}
both!(who_wants_no_mail_about_it_finds_it_in_the_feed);

/// Nothing delivers mails here, so they wait.
async fn a_takeout_that_is_gone_is_not_told_of(world: World) {
    use OutboxStatus::{Pending, Withdrawn};
    let (athlete, fan) = (world.athlete("Zoe Okafor").await, world.fan("Casey Field").await);
    take(&world, &athlete).await;
    assert_eq!(mails(&world, &athlete).await, [Pending]);
    // A newer one takes its place.
    world.pass(TimeDelta::hours(2));
    ask(&world, &athlete).await;
    assert_eq!(mails(&world, &athlete).await, [Withdrawn]);
    assert_eq!(round(&world.platform).await.unwrap().exports, 1);
    assert_eq!(mails(&world, &athlete).await, [Pending, Withdrawn]);
    // What was made before somebody's data was erased may hold it.
    close(&world, &fan).await.data();
    assert_eq!(mails(&world, &athlete).await, [Withdrawn, Withdrawn]);
    // Its week is over. The worker erases once more an hour after an account closed.
    world.pass(TimeDelta::hours(2));
    round(&world.platform).await.unwrap();
    take(&world, &athlete).await;
    assert_eq!(mails(&world, &athlete).await, [Pending, Withdrawn, Withdrawn]);
    world.pass(TimeDelta::days(7));
    round(&world.platform).await.unwrap();
    assert_eq!(mails(&world, &athlete).await, [Withdrawn; 3]);
}
both!(a_takeout_that_is_gone_is_not_told_of);

/// What happens to an account while its takeout is being made.
enum Meanwhile {
    Closed,
    Suspended,
}

async fn made_too_late(engine: Engine, meanwhile: Meanwhile) {
    let (world, store) = Shaky::world(engine, |_| ()).await;
    let fan = world.fan("Casey Field").await;
    ask(&world, &fan).await;
    let making = stalled(&world, &store).await;
    match meanwhile {
        Meanwhile::Closed => close(&world, &fan).await.data(),
        Meanwhile::Suspended => {
            let user = UserId::new(fan.user_id).unwrap();
            suspension::suspend(&world.platform, user).await.unwrap();
            Value::Null
        }
    };
    store.go_on();
    assert_eq!(making.await.unwrap().unwrap().exports, 0);
    for _ in 0..4 {
        worker::round(&world.platform).await.unwrap();
        world.pass(TimeDelta::minutes(1));
    }
    assert_eq!(world.told(EVENT).await, 0);
    let state = "SELECT COUNT(*) FROM export_report WHERE status = 'failed' AND object_key IS NULL";
    assert_eq!(world.id(state).await, 1);
    assert_eq!(world.objects().await, 0, "no file is left");
}

async fn who_leaves_while_it_is_made_is_not_told(engine: Engine) {
    made_too_late(engine, Meanwhile::Closed).await;
}
both!(who_leaves_while_it_is_made_is_not_told);

async fn who_is_suspended_while_it_is_made_is_not_told(engine: Engine) {
    made_too_late(engine, Meanwhile::Suspended).await;
}
both!(who_is_suspended_while_it_is_made_is_not_told);
