//! The watch over published posts: what is seen, what is told, what counts as unchecked, and the
//! history of the checks.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use chrono::TimeDelta;
use nil_core::auth::Principal;
use nil_core::deals::watch_posts;
use nil_core::notifications::outbox;
use nil_core::ports::social_metrics::{Figures, Later, Look, Outage, Sandbox, SocialMetrics};
use nil_tests::{Hire, Person, World, both};
use serde_json::{Value, json};

use crate::figures::officer;

/// A source that says of every post what the test wants, and counts how often it was asked.
#[derive(Debug, Default)]
struct Says {
    look: Mutex<Option<Look>>,
    asked: AtomicUsize,
}

impl Says {
    fn say(&self, look: Option<Look>) {
        *self.look.lock().unwrap_or_else(PoisonError::into_inner) = look;
    }

    fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }
}

/// The source behind a handle that the test keeps.
#[derive(Debug, Clone, Default)]
struct Source(Arc<Says>);

impl SocialMetrics for Source {
    fn figures<'a>(&'a self, _network: &'a str, _handle: &'a str) -> Later<'a, Option<Figures>> {
        Box::pin(async { Ok(None) })
    }

    fn post<'a>(&'a self, _network: &'a str, _url: &'a str) -> Later<'a, Look> {
        self.0.asked.fetch_add(1, Ordering::SeqCst);
        let look = self.0.look.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Box::pin(async move { look.ok_or_else(|| Outage("down".to_owned())) })
    }
}

fn up(caption: &str) -> Option<Look> {
    Some(Look::There { caption: Some(caption.to_owned()) })
}

/// A confirmed deal whose post at this address is approved. The post has to stay up for 90 days.
async fn posted(world: &World, url: &str) -> Hire {
    let hire = world.hired(json!({})).await;
    let confirm = json!({ "job_id": hire.job });
    let confirmed =
        world.call("core.contract.confirm_availability", &hire.athlete.principal, confirm);
    confirmed.await.data();
    submit(world, &hire, url).await;
    hire
}

async fn submit(world: &World, hire: &Hire, url: &str) {
    let work = json!({
        "deliverable_id": hire.deliverables[0], "post_url": url, "caption": "On the trail #ad",
    });
    world.call("core.deliverable.submit", &hire.athlete.principal, work).await.data();
    let decision = json!({ "deliverable_id": hire.deliverables[0], "status": "approved" });
    world.call("core.deliverable.change_status", &hire.partner.principal, decision).await.data();
}

/// The watch as one side sees it.
async fn seen_by(world: &World, hire: &Hire, who: &Person) -> Value {
    let deal = world.deal(who, hire.job).await;
    let id = json!(hire.deliverables[0]);
    let all = deal["deliverables"].as_array().unwrap();
    let one = all.iter().find(|one| one["id"] == id).unwrap();
    one["posts"].clone()
}

async fn seen(world: &World, hire: &Hire) -> Value {
    seen_by(world, hire, &hire.athlete).await[0].clone()
}

/// How many were told of an event.
async fn told(world: &World, event: &str) -> usize {
    recipients(world, event).await.len()
}

async fn recipients(world: &World, event: &str) -> Vec<String> {
    let rows = outbox::list(&world.platform, 1_000).await.unwrap().into_iter();
    let of = rows.filter(|row| row.event == event && row.channel.as_str() == "event");
    of.map(|row| row.to).collect()
}

/// The institution of the deal's athlete.
async fn college_of(world: &World, hire: &Hire) -> i64 {
    let deal = world.deal(&hire.athlete, hire.job).await;
    deal["athlete"]["university_id"].as_i64().unwrap()
}

/// The name of a portal user in the outbox.
fn portal(who: &Principal) -> String {
    let Principal::Portal { id, .. } = who else { panic!("a portal user") };
    format!("portal_user:{id}")
}

async fn next_day(world: &World) -> usize {
    world.pass(TimeDelta::days(1));
    watch_posts(&world.platform).await.unwrap()
}

async fn checks(world: &World) -> i64 {
    world.id("SELECT COUNT(*) FROM post_check").await
}

async fn a_post_is_looked_at_once_a_day(mut world: World) {
    let source = Source::default();
    let kept = source.clone();
    world.reopen(move |config| config.social_metrics = Some(Arc::new(kept))).await;
    source.0.say(up("#ad Hello"));
    let hire = posted(&world, "https://www.instagram.com/p/1").await;
    let before = seen(&world, &hire).await;
    assert_eq!((&before["outcome"], &before["checked_at"]), (&json!("unchecked"), &Value::Null));
    assert_eq!(before["live_until"], "2027-02-19T05:59:59Z");

    let rounds = (0..6).map(|_| watch_posts(&world.platform));
    let looked: usize =
        futures::future::join_all(rounds).await.into_iter().map(Result::unwrap).sum();
    assert_eq!((looked, source.0.asked()), (1, 1), "one look, whatever number of servers");
    let after = seen(&world, &hire).await;
    assert_eq!((&after["outcome"], &after["reason"]), (&json!("live"), &Value::Null));
    assert_eq!(after["checked_at"], "2026-11-20T12:00:00Z");
    for side in [&hire.athlete, &hire.partner] {
        assert_eq!(seen_by(&world, &hire, side).await, json!([after]));
    }
    for day in 2..=4 {
        assert_eq!(next_day(&world).await, 1);
        assert_eq!(watch_posts(&world.platform).await.unwrap(), 0);
        assert_eq!(checks(&world).await, day);
    }
    // Nothing is looked at after the live period.
    world.pass(TimeDelta::days(200));
    assert_eq!(watch_posts(&world.platform).await.unwrap(), 0);
    assert_eq!((next_day(&world).await, source.0.asked()), (0, 4));
    for event in ["post.gone", "post.undisclosed", "post.restored"] {
        assert_eq!(told(&world, event).await, 0, "{event}");
    }
}
both!(a_post_is_looked_at_once_a_day);

async fn what_changes_is_told_once_to_both_sides(mut world: World) {
    let source = Source::default();
    let kept = source.clone();
    world.reopen(move |config| config.social_metrics = Some(Arc::new(kept))).await;
    source.0.say(up("#ad Hello"));
    let hire = posted(&world, "https://www.instagram.com/p/1").await;
    watch_posts(&world.platform).await.unwrap();

    source.0.say(Some(Look::Gone));
    for _ in 0..2 {
        next_day(&world).await;
        let now = seen(&world, &hire).await;
        assert_eq!(
            (&now["outcome"], &now["seen_at"]),
            (&json!("gone"), &json!("2026-11-20T12:00:00Z"))
        );
        assert_eq!(told(&world, "post.gone").await, 2);
    }
    // A day without an answer says nothing new.
    source.0.say(Some(Look::Unknown("Closed.".to_owned())));
    next_day(&world).await;
    let now = seen(&world, &hire).await;
    assert_eq!((&now["outcome"], &now["reason"]), (&json!("unchecked"), &json!("Closed.")));
    source.0.say(Some(Look::Gone));
    next_day(&world).await;
    assert_eq!(told(&world, "post.gone").await, 2);

    source.0.say(up("Hello"));
    next_day(&world).await;
    assert_eq!(seen(&world, &hire).await["outcome"], "undisclosed");
    assert_eq!(told(&world, "post.undisclosed").await, 2);
    source.0.say(up("Hello #ad"));
    next_day(&world).await;
    assert_eq!(seen(&world, &hire).await["outcome"], "live");
    assert_eq!(told(&world, "post.restored").await, 2);
    nil_core::worker::round(&world.platform).await.unwrap();
    let mail = world.mail(&hire.partner.email, "post.gone").await.unwrap();
    assert!(mail.contains("https://www.instagram.com/p/1") && !mail.contains("{{"), "{mail}");
}
both!(what_changes_is_told_once_to_both_sides);

async fn an_outage_is_unchecked_and_asked_again_less_and_less_often(mut world: World) {
    let source = Source::default();
    let kept = source.clone();
    world.reopen(move |config| config.social_metrics = Some(Arc::new(kept))).await;
    source.0.say(None);
    let hire = posted(&world, "https://www.instagram.com/p/1").await;
    assert_eq!(watch_posts(&world.platform).await.unwrap(), 1);
    let now = seen(&world, &hire).await;
    assert_eq!(now["outcome"], "unchecked");
    assert!(now["reason"].as_str().unwrap().contains("did not answer"), "{now}");
    for (hours, looked) in [(1, 1), (1, 0), (1, 1), (3, 0), (1, 1)] {
        world.pass(TimeDelta::hours(hours));
        let found = watch_posts(&world.platform).await.unwrap();
        assert_eq!(found, looked, "{}", world.platform.now());
    }
    assert_eq!(checks(&world).await, 1, "one row for the day");
    // The answer replaces what could not be checked.
    source.0.say(up("#ad"));
    world.pass(TimeDelta::hours(8));
    watch_posts(&world.platform).await.unwrap();
    assert_eq!(seen(&world, &hire).await["outcome"], "live");
    for event in ["post.gone", "post.undisclosed", "post.restored"] {
        assert_eq!(told(&world, event).await, 0, "{event}");
    }
}
both!(an_outage_is_unchecked_and_asked_again_less_and_less_often);

async fn without_a_source_nothing_is_shown_as_fine(world: World) {
    let hire = posted(&world, "https://www.instagram.com/p/1").await;
    assert_eq!(watch_posts(&world.platform).await.unwrap(), 1);
    let now = seen(&world, &hire).await;
    assert_eq!(now["outcome"], "unchecked");
    assert!(now["reason"].as_str().unwrap().contains("no source"), "{now}");
    // The institution sees the same.
    let college = world.deal(&hire.athlete, hire.job).await["athlete"]["university_id"].clone();
    let officer = world.portal_user(college.as_i64().unwrap(), "viewer").await.0;
    let which = json!({ "athlete_id": hire.athlete.id, "job_id": hire.job });
    let deal = world.call("compliance.athlete.job_detail", &officer, which).await.data();
    let text = deal.to_string();
    assert!(text.contains("https://www.instagram.com/p/1") && text.contains("no source"), "{text}");
}
both!(without_a_source_nothing_is_shown_as_fine);

async fn the_sandbox_does_what_addresses_say(mut world: World) {
    world.reopen(|config| config.social_metrics = Some(Arc::new(Sandbox))).await;
    let partner = world.partner("Ridge Outfitters").await;
    for (word, outcome) in [
        ("fine", "live"),
        ("gone", "gone"),
        ("undisclosed", "undisclosed"),
        ("unreadable", "unchecked"),
        ("walled", "unchecked"),
        ("outage", "unchecked"),
    ] {
        let athlete = world.athlete("Zoe Okafor").await;
        let job = world.open_job(&partner, json!({})).await;
        let hire = world.hire(&partner, &athlete, job).await;
        let confirm = json!({ "job_id": job });
        world.call("core.contract.confirm_availability", &athlete.principal, confirm).await.data();
        submit(&world, &hire, &format!("https://www.instagram.com/p/{word}")).await;
        watch_posts(&world.platform).await.unwrap();
        let now = seen(&world, &hire).await;
        assert_eq!(now["outcome"], outcome, "{word}: {now}");
        assert_eq!(now["reason"].is_null(), outcome == "live", "{word}: {now}");
    }
}
both!(the_sandbox_does_what_addresses_say);

async fn the_institution_hears_of_what_is_out_of_place(mut world: World) {
    let source = Source::default();
    let kept = source.clone();
    world.reopen(move |config| config.social_metrics = Some(Arc::new(kept))).await;
    source.0.say(up("#ad Hello"));
    let hire = posted(&world, "https://www.instagram.com/p/1").await;
    let college = college_of(&world, &hire).await;
    let (ours, _) = world.portal_user(college, "officer").await;
    // Those who only look, those of other sports and of other institutions are not told.
    world.portal_user(college, "viewer").await;
    let (golf, _) = world.portal_user(college, "officer").await;
    let limit = format!(
        "UPDATE portal_user SET sport_ids = '[999]'::jsonb WHERE id = {}",
        portal(&golf).trim_start_matches("portal_user:")
    );
    world.script(&limit).await;
    let elsewhere = world.college().await;
    world.portal_user(elsewhere, "officer").await;
    let event = "post.out_of_place";
    watch_posts(&world.platform).await.unwrap();
    assert_eq!(told(&world, event).await, 0);
    source.0.say(Some(Look::Gone));
    for _ in 0..2 {
        next_day(&world).await;
        assert_eq!(recipients(&world, event).await, [portal(&ours)]);
    }
    source.0.say(up("Hello"));
    next_day(&world).await;
    assert_eq!(recipients(&world, event).await, [portal(&ours), portal(&ours)]);
    source.0.say(up("Hello #ad"));
    next_day(&world).await;
    assert_eq!(told(&world, event).await, 2);
    nil_core::worker::round(&world.platform).await.unwrap();
    let rows = outbox::list(&world.platform, 1_000).await.unwrap().into_iter();
    let mails = rows.filter(|row| row.event == event && row.channel.as_str() == "email");
    let mut mails: Vec<String> = mails.filter_map(|row| row.body).collect();
    mails.sort();
    assert_eq!(mails.len(), 2);
    for (mail, finding) in mails.iter().zip(["does not disclose", "is not up any more"]) {
        assert!(mail.contains(finding) && !mail.contains("{{"), "{mail}");
        assert!(mail.contains("Zoe Okafor") && mail.contains("instagram.com/p/1"), "{mail}");
    }
    // It is among the events that officers choose.
    let off = json!({ "preferences": [{ "event": event, "email": false }] });
    let saved = world.call("compliance.notification.save_preferences", &ours, off).await.data();
    let one = saved.as_array().unwrap().iter().find(|one| one["event"] == event).unwrap();
    assert_eq!(one["email"], false);
}
both!(the_institution_hears_of_what_is_out_of_place);

async fn the_checks_of_a_post_are_listed_for_who_may_see_the_work(mut world: World) {
    let source = Source::default();
    let kept = source.clone();
    world.reopen(move |config| config.social_metrics = Some(Arc::new(kept))).await;
    let hire = posted(&world, "https://www.instagram.com/p/1").await;
    for look in [up("#ad Hello"), Some(Look::Gone), Some(Look::Unknown("Closed.".to_owned()))] {
        source.0.say(look);
        next_day(&world).await;
    }
    let agent = world.agent("North Agency").await;
    world.represent(&agent, &hire.athlete, 1_000).await;
    let which = json!({ "deliverable_id": hire.deliverables[0] });
    let list = "core.deliverable.post_checks";
    let own = world.call(list, &hire.athlete.principal, which.clone()).await.data();
    let url = "https://www.instagram.com/p/1";
    let seen = |day: &str, outcome: &str, reason: Value| {
        let at = format!("{day}T12:00:00Z");
        json!({ "url": url, "day": day, "outcome": outcome, "reason": reason, "at": at })
    };
    assert_eq!(
        own,
        json!([
            seen("2026-11-23", "unchecked", json!("Closed.")),
            seen("2026-11-22", "gone", json!("There is no post at this address.")),
            seen("2026-11-21", "live", Value::Null),
        ])
    );
    let college = college_of(&world, &hire).await;
    let for_college = "compliance.deliverable.post_checks";
    for (operation, who) in [
        (list, &hire.partner.principal),
        (list, &agent.principal),
        (for_college, &officer(college, &[])),
        (for_college, &officer(college, &[1])),
    ] {
        assert_eq!(world.call(operation, who, which.clone()).await.data(), own);
    }
    let trail = "SELECT COUNT(*) FROM audit_entry WHERE action = 'post_checks_seen'";
    assert_eq!(world.id(trail).await, 1, "an agent's look is on record");
    let second = json!({ "deliverable_id": hire.deliverables[0], "page": 2, "per_page": 2 });
    let second = world.call(list, &hire.athlete.principal, second).await;
    assert_eq!(second.body["pagination"]["total"], 3, "{}", second.body);
    assert_eq!(second.data(), json!([own[2]]));
    let gone = json!({ "deliverable_id": hire.deliverables[0], "outcome": "gone" });
    assert_eq!(world.call(list, &hire.athlete.principal, gone).await.data(), json!([own[1]]));
    // Work without a post has no checks; others' work is not there.
    let other = json!({ "deliverable_id": hire.deliverables[1] });
    assert_eq!(world.call(list, &hire.athlete.principal, other).await.data(), json!([]));
    let stranger = world.athlete("Ida Novak").await;
    let elsewhere = world.college().await;
    for (operation, who) in [
        (list, &stranger.principal),
        (list, &world.partner("Cedar Coffee").await.principal),
        (list, &world.agent("East Agency").await.principal),
        (for_college, &officer(elsewhere, &[])),
        (for_college, &officer(college, &[999])),
    ] {
        assert_eq!(world.call(operation, who, which.clone()).await.status, 404);
    }
}
both!(the_checks_of_a_post_are_listed_for_who_may_see_the_work);
