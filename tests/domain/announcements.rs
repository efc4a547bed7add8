//! Announcements: written, published at their start, sent to each recipient once, ended.

use std::collections::BTreeSet;
use std::time::Duration;

use chrono::TimeDelta;
use nil_core::auth::{Permission, Principal};
use nil_core::notifications::outbox::{self, Channel};
use nil_core::worker::{self, Round};
use nil_tests::{Answer, Person, World, both};
use serde_json::{Value, json};

const NOBODY: &Principal = &Principal::Anonymous;

async fn call(world: &World, name: &str, input: Value) -> Answer {
    let operator = world.operator(&[Permission::Messaging]);
    let name = format!("admin.announcement.{name}");
    world.call(&name, &operator, input).await
}

pub(crate) async fn round(world: &World) -> Round {
    worker::round(&world.platform).await.expect("a round")
}

/// The time in this many hours.
pub(crate) fn hours(world: &World, hours: i64) -> Value {
    json!(world.platform.now() + TimeDelta::hours(hours))
}

/// Saves an announcement with this title and the fields of `over`.
pub(crate) async fn save(world: &World, title: &str, over: Value) -> Answer {
    let mut input = json!({ "title": title, "body": "<p>We move <b>house</b>.</p>" });
    input.as_object_mut().unwrap().extend(over.as_object().unwrap().clone());
    call(world, "save", input).await
}

/// Changes an announcement.
pub(crate) async fn change(world: &World, saved: &Value, over: Value) -> Answer {
    let mut input = json!({ "id": saved["id"] });
    input.as_object_mut().unwrap().extend(over.as_object().unwrap().clone());
    call(world, "save", input).await
}

async fn group(world: &World, input: Value) -> Value {
    call(world, "save_group", input).await.data()
}

/// The status of an announcement.
async fn now(world: &World, saved: &Value) -> Value {
    let found = call(world, "list", json!({ "id": saved["id"] })).await.data();
    found[0].clone()
}

/// The titles a caller sees.
async fn seen(world: &World, who: &Principal) -> Vec<String> {
    let list = world.call("core.public.announcements", who, json!({})).await.data();
    let list = list.as_array().unwrap().iter();
    list.map(|one| one["title"].as_str().unwrap().to_owned()).collect()
}

/// The recipients of an announcement, with repeats.
async fn told(world: &World, saved: &Value) -> Vec<String> {
    let rows = outbox::list(&world.platform, 100_000).await.unwrap().into_iter();
    let of = rows.filter(|row| row.channel == Channel::Event);
    let of = of.filter(|row| row.data["announcement_id"] == saved["id"]);
    of.map(|row| row.to).collect()
}

/// The notifications of announcements in a user's feed.
async fn feed(world: &World, who: &Person) -> Vec<Value> {
    let feed = world.call("core.notification.list", &who.principal, json!({})).await.data();
    let feed = feed.as_array().unwrap().iter();
    feed.filter(|one| one["event"] == "announcement.published").cloned().collect()
}

/// This many active fans without any activity.
async fn crowd(world: &World, many: u32) {
    let text = format!(
        "INSERT INTO app_user (id, kind, email, password_hash, first_name, status, created_at, \
         updated_at) WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {many}) \
         SELECT 5000 + i, 'fan', 'fan-' || i || '@example.com', 'x', 'Fan', 'active', \
         '2026-01-01T00:00:00Z'::timestamptz, '2026-01-01T00:00:00Z'::timestamptz FROM n"
    );
    world.script(&text).await;
}

async fn what_begins_now_is_seen_at_once_and_told_once(world: World) {
    let athlete = world.athlete("Jordan Miles").await;
    let quiet = world.fan("Casey Field").await;
    let off = json!({ "preferences": [
            { "event": "announcement.published", "email": false, "in_app": false },
        ] });
    let preference = "core.notification.save_preferences";
    world.call(preference, &quiet.principal, off).await.data();
    let (portal, _) = world.portal_user(world.college().await, "owner").await;
    round(&world).await;
    let begins = json!({ "starts_at": world.platform.now(), "body":
            "<h2>Soon</h2><p>We move &amp; <b onclick=x>rest</b>.</p><script>alert(1)</script>" });
    let saved = save(&world, "Moving", begins).await.data();
    assert_eq!(saved["status"], "published");
    assert_eq!(saved["body"], "<h2>Soon</h2><p>We move &amp; <b>rest</b>.</p>");
    let end = world.platform.now() + TimeDelta::days(30);
    assert_eq!(saved["ends_at"], json!(end), "it ends where nothing is said");
    for who in [NOBODY, &athlete.principal, &quiet.principal, &portal] {
        assert_eq!(seen(&world, who).await, ["Moving"]);
    }
    assert!(feed(&world, &athlete).await.is_empty(), "the worker tells");
    assert_eq!(round(&world).await.announced, 3);
    for _ in 0..3 {
        world.pass(TimeDelta::minutes(1));
        assert_eq!(round(&world).await.announced, 0);
    }
    let told_of = feed(&world, &athlete).await;
    assert_eq!(told_of.len(), 1);
    assert_eq!(
        (&told_of[0]["title"], &told_of[0]["body"]),
        (&json!("Moving"), &json!("Soon\nWe move & rest."))
    );
    assert_eq!(told_of[0]["data"]["announcement_id"], saved["id"]);
    assert!(feed(&world, &quiet).await.is_empty(), "who does not want to know is not told");
    let rows = outbox::list(&world.platform, 1_000).await.unwrap();
    let mails: Vec<&str> = rows
        .iter()
        .filter(|row| row.channel == Channel::Email && row.event == "announcement.published")
        .map(|row| row.to.as_str())
        .collect();
    assert_eq!(mails.len(), 2, "the athlete and the portal user: {mails:?}");
    assert!(mails.contains(&athlete.email.as_str()));
    let after = now(&world, &saved).await;
    assert_eq!(after["told"], 3);
    assert!(after["told_at"].is_string() && after["published_at"].is_string());
}
both!(what_begins_now_is_seen_at_once_and_told_once);

async fn what_begins_later_waits_and_what_is_over_is_gone(world: World) {
    let athlete = world.athlete("Jordan Miles").await;
    let draft = save(&world, "Draft", json!({})).await.data();
    assert_eq!((&draft["status"], &draft["starts_at"]), (&json!("draft"), &Value::Null));
    let times = json!({ "starts_at": hours(&world, 2), "ends_at": hours(&world, 5) });
    let saved = save(&world, "Later", times.clone()).await.data();
    assert_eq!(saved["status"], "scheduled");
    let back = change(&world, &saved, json!({ "starts_at": null })).await.data();
    assert_eq!(back["status"], "draft");
    assert_eq!(change(&world, &saved, times).await.data()["status"], "scheduled");
    let later = change(&world, &saved, json!({ "starts_at": hours(&world, 3) })).await.data();
    assert_eq!(later["status"], "scheduled");
    for _ in 0..2 {
        world.pass(TimeDelta::hours(1));
        assert_eq!(round(&world).await.announced, 0);
    }
    assert!(seen(&world, &athlete.principal).await.is_empty());
    world.pass(TimeDelta::hours(1));
    assert_eq!(round(&world).await.announced, 1);
    assert_eq!(seen(&world, NOBODY).await, ["Later"]);
    assert_eq!(now(&world, &saved).await["status"], "published");
    world.pass(TimeDelta::hours(2));
    assert!(seen(&world, NOBODY).await.is_empty(), "its end needs no worker");
    round(&world).await;
    assert_eq!(now(&world, &saved).await["status"], "ended");
    let late = change(&world, &saved, json!({ "title": "Again" })).await;
    assert_eq!(late.code(), "illegal_transition");
    // One whose whole time passed without a worker is sent to no one.
    let times = json!({ "starts_at": hours(&world, 1), "ends_at": hours(&world, 2) });
    let missed = save(&world, "Missed", times).await.data();
    world.pass(TimeDelta::hours(3));
    assert_eq!(round(&world).await.announced, 0);
    assert_eq!(now(&world, &missed).await["status"], "ended");
    assert!(told(&world, &missed).await.is_empty());
    assert_eq!(now(&world, &draft).await["status"], "draft");
}
both!(what_begins_later_waits_and_what_is_over_is_gone);

async fn what_is_taken_back_is_neither_told_nor_seen(world: World) {
    world.athlete("Jordan Miles").await;
    let back = json!({ "withdraw": true });
    let draft = save(&world, "Draft", json!({})).await.data();
    let waits = save(&world, "Waits", json!({ "starts_at": hours(&world, 1) })).await.data();
    let runs = save(&world, "Runs", json!({ "starts_at": hours(&world, 0) })).await.data();
    for saved in [&draft, &waits, &runs] {
        let withdrawn = change(&world, saved, back.clone()).await.data();
        assert_eq!(withdrawn["status"], "withdrawn");
        assert_eq!(change(&world, saved, back.clone()).await.code(), "illegal_transition");
        let again = change(&world, saved, json!({ "starts_at": hours(&world, 2) })).await;
        assert_eq!(again.code(), "illegal_transition");
    }
    assert!(seen(&world, NOBODY).await.is_empty());
    world.pass(TimeDelta::hours(2));
    assert_eq!(round(&world).await.announced, 0);
    assert!(told(&world, &waits).await.is_empty() && told(&world, &runs).await.is_empty());
    let none = call(&world, "save", back).await;
    assert!(none.body["errors"]["id"].is_array());
}
both!(what_is_taken_back_is_neither_told_nor_seen);

async fn an_audience_is_told_what_it_sees_and_nobody_else(world: World) {
    let (lake, hill) = (world.college().await, world.college().await);
    let at_lake = world.athlete_of("Ada Lake", lake).await;
    let at_hill = world.athlete_of("Bea Hill", hill).await;
    let brand = world.partner("Corner Bakery").await;
    let stranger = world.partner("Harbor Books").await;
    let agent = world.agent("Summit Sports").await;
    let fan = world.fan("Casey Field").await;
    let fans = world.call("core.fan.me", &fan.principal, json!({})).await.data();
    let fans = fans["university_id"].as_i64().unwrap();
    let tie = format!(
        "INSERT INTO partner_university VALUES ({}, {lake}, '2026-01-01T00:00:00Z'::timestamptz)",
        brand.id
    );
    world.script(&tie).await;
    world.script(&format!("UPDATE athlete SET sport_id = 2 WHERE id = {}", at_hill.id)).await;
    let (_, _) = world.portal_user(lake, "owner").await;
    let portal = world.id("SELECT id FROM portal_user").await;
    // Has not finished registering, and is not notified.
    world.start("partner", "Early Brand").await;
    let people = [&at_lake, &at_hill, &brand, &stranger, &agent, &fan];
    for (number, (audience, expected, portal_user)) in [
        (json!({}), vec![&at_lake, &at_hill, &brand, &stranger, &agent, &fan], true),
        (json!({ "kinds": ["athlete", "fan"] }), vec![&at_lake, &at_hill, &fan], false),
        (json!({ "kinds": ["portal_user"] }), vec![], true),
        (json!({ "university_ids": [lake] }), vec![&at_lake, &brand], true),
        (json!({ "university_ids": [hill, fans] }), vec![&at_hill, &fan], false),
        (json!({ "kinds": ["partner"], "university_ids": [lake] }), vec![&brand], false),
        (json!({ "sport_ids": [1] }), vec![&at_lake], false),
        (json!({ "sport_ids": [1, 2], "university_ids": [hill] }), vec![&at_hill], false),
        (json!({ "kinds": ["agent"], "sport_ids": [1] }), vec![], false),
    ]
    .into_iter()
    .enumerate()
    {
        let mut input = audience;
        input["name"] = json!(format!("Group {number}"));
        let of = group(&world, input).await;
        let title = format!("News {number}");
        let over = json!({ "starts_at": hours(&world, 0), "group_id": of["id"] });
        let saved = save(&world, &title, over).await.data();
        assert_eq!(saved["audience"], of["audience"]);
        round(&world).await;
        let told: BTreeSet<String> = told(&world, &saved).await.into_iter().collect();
        let mut right: BTreeSet<String> =
            expected.iter().map(|who| format!("user:{}", who.user_id)).collect();
        if portal_user {
            right.insert(format!("portal_user:{portal}"));
        }
        assert_eq!(told, right, "{number}");
        for who in people {
            let sees = seen(&world, &who.principal).await.contains(&title);
            let told = told.contains(&format!("user:{}", who.user_id));
            assert_eq!(sees, told, "{number}: {}", who.email);
        }
        let open = seen(&world, NOBODY).await.contains(&title);
        assert_eq!(open, number == 0, "only what is for everybody is open");
    }
}
both!(an_audience_is_told_what_it_sees_and_nobody_else);

async fn a_group_is_followed_until_it_is_published(world: World) {
    let college = world.college().await;
    let fans = json!({ "name": "Crowd", "kinds": ["fan"], "university_ids": [college] });
    let of = group(&world, fans).await;
    let over = |starts: i64| json!({ "starts_at": hours(&world, starts), "group_id": of["id"] });
    let runs = save(&world, "Runs", over(0)).await.data();
    let waits = save(&world, "Waits", over(1)).await.data();
    let athletes = json!({ "id": of["id"], "name": "Crowd", "kinds": ["athlete"] });
    let changed = group(&world, athletes).await;
    let both = json!({ "kinds": ["athlete"], "university_ids": [college], "sport_ids": [] });
    assert_eq!(changed["audience"], both, "what is left out stays");
    assert_eq!(now(&world, &waits).await["audience"], both);
    assert_eq!(now(&world, &runs).await["audience"]["kinds"], json!(["fan"]));
    world.pass(TimeDelta::hours(1));
    round(&world).await;
    assert_eq!(now(&world, &waits).await["audience"], both);

    let named = call(&world, "list_groups", json!({ "id": 0, "q": "crow" })).await;
    assert_eq!(named.data(), json!([changed]));
    assert_eq!(
        call(&world, "list_groups", json!({ "id": of["id"] })).await.data(),
        json!([changed])
    );
    for (input, code) in [
        (json!({ "name": "Crowd" }), "duplicate"),
        (json!({ "id": 999_999, "name": "x" }), "not_found"),
        (json!({ "name": "x", "kinds": ["everybody"] }), "validation_failed"),
        (json!({ "name": "x", "university_ids": [college, 999_999] }), "validation_failed"),
        (json!({ "name": "x", "sport_ids": [999_999] }), "validation_failed"),
    ] {
        assert_eq!(call(&world, "save_group", input.clone()).await.code(), code, "{input}");
    }
    let none = call(&world, "list_groups", json!({ "id": 999_999 })).await;
    assert_eq!(none.code(), "not_found");
}
both!(a_group_is_followed_until_it_is_published);

async fn what_is_published_can_be_corrected_and_is_not_told_again(world: World) {
    world.athlete("Jordan Miles").await;
    let of = group(&world, json!({ "name": "Athletes", "kinds": ["athlete"] })).await;
    let saved = save(&world, "Mooving", json!({ "starts_at": hours(&world, 0) })).await.data();
    assert_eq!(round(&world).await.announced, 1);
    let words = json!({
        "title": "Moving", "body": "Soon.", "starts_at": saved["starts_at"],
        "ends_at": hours(&world, 3),
    });
    let corrected = change(&world, &saved, words).await.data();
    assert_eq!((&corrected["title"], &corrected["body"]), (&json!("Moving"), &json!("Soon.")));
    assert_eq!(
        (&corrected["status"], &corrected["ends_at"]),
        (&json!("published"), &hours(&world, 3))
    );
    for fixed in [
        json!({ "group_id": of["id"] }),
        json!({ "starts_at": null }),
        json!({ "starts_at": hours(&world, 1) }),
    ] {
        assert_eq!(change(&world, &saved, fixed).await.code(), "illegal_transition");
    }
    world.pass(TimeDelta::minutes(1));
    assert_eq!(round(&world).await.announced, 0);
    assert_eq!(seen(&world, NOBODY).await, ["Moving"]);
}
both!(what_is_published_can_be_corrected_and_is_not_told_again);

async fn wrong_announcements_are_refused(world: World) {
    let soon = hours(&world, 1);
    for (over, field) in [
        (json!({ "title": null }), "title"),
        (json!({ "title": " " }), "title"),
        (json!({ "body": null }), "body"),
        (json!({ "body": "<script>alert(1)</script>" }), "body"),
        (json!({ "group_id": 999_999 }), "group_id"),
        (json!({ "starts_at": soon, "ends_at": soon }), "ends_at"),
        (json!({ "starts_at": hours(&world, -2), "ends_at": hours(&world, -1) }), "ends_at"),
        (json!({ "starts_at": soon, "ends_at": hours(&world, 24 * 366 + 2) }), "ends_at"),
        (json!({ "starts_at": hours(&world, -24 * 40) }), "ends_at"),
    ] {
        let refused = save(&world, "News", over.clone()).await;
        assert!(refused.body["errors"][field].is_array(), "{over}: {}", refused.body);
    }
    assert_eq!(call(&world, "list", json!({ "id": 0 })).await.data(), json!([]));
    for id in [999_999, -1] {
        assert_eq!(call(&world, "list", json!({ "id": id })).await.code(), "not_found");
    }
    let unknown = change(&world, &json!({ "id": 999_999 }), json!({ "title": "x" })).await;
    assert_eq!(unknown.code(), "not_found");
    let other = world.operator(&[Permission::Content]);
    for (name, input) in
        [("save", json!({})), ("save_group", json!({ "name": "x" })), ("list", json!({ "id": 0 }))]
    {
        let refused = world.call(&format!("admin.announcement.{name}"), &other, input).await;
        assert_eq!(refused.code(), "forbidden");
    }
}
both!(wrong_announcements_are_refused);

async fn lists_go_page_by_page(world: World) {
    for (number, title) in ["one", "two", "three"].into_iter().enumerate() {
        let ago = -i64::try_from(number).unwrap();
        save(&world, title, json!({ "starts_at": hours(&world, ago) })).await.data();
    }
    let draft = save(&world, "four", json!({})).await.data();
    let page = json!({ "page": 2, "per_page": 2 });
    let list = world.call("core.public.announcements", NOBODY, page).await;
    assert_eq!(
        (&list.body["pagination"]["total"], &list.body["data"][0]["title"]),
        (&json!(3), &json!("three"))
    );
    let drafts = call(&world, "list", json!({ "id": 0, "status": "draft" })).await;
    assert_eq!(drafts.data(), json!([draft]));
    let oldest = call(&world, "list", json!({ "id": 0, "sort": "created_at", "q": "o" })).await;
    let titles: Vec<Value> =
        oldest.data().as_array().unwrap().iter().map(|one| one["title"].clone()).collect();
    assert_eq!(titles, ["one", "two", "four"]);
}
both!(lists_go_page_by_page);

async fn a_crowd_is_told_a_thousand_at_a_time_and_nobody_twice(world: World) {
    crowd(&world, 2_100).await;
    let saved = save(&world, "News", json!({ "starts_at": hours(&world, 0) })).await.data();
    // Workers that are stopped anywhere, and two at a time.
    let mut told_at = Value::Null;
    for attempt in 0..200 {
        let patience = Duration::from_millis(5 + 30 * attempt);
        let stopped = tokio::time::timeout(patience, round(&world));
        let (_, other) = tokio::join!(stopped, worker::round(&world.platform));
        assert!(other.unwrap().announced <= 1_000);
        told_at = now(&world, &saved).await["told_at"].clone();
        if told_at.is_string() {
            break;
        }
        world.pass(TimeDelta::minutes(1));
    }
    assert!(told_at.is_string());
    let told = told(&world, &saved).await;
    assert_eq!(told.len(), 2_100);
    assert_eq!(told.into_iter().collect::<BTreeSet<_>>().len(), 2_100);
    assert_eq!(now(&world, &saved).await["told"], 2_100);
    round(&world).await;
    let feeds = "SELECT COUNT(*) * 10000 + COUNT(DISTINCT user_id) FROM notification";
    assert_eq!(world.id(feeds).await, 21_002_100);
}
both!(a_crowd_is_told_a_thousand_at_a_time_and_nobody_twice);
