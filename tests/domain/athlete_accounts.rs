//! Operators open athletes' accounts, change them, look at them, list them and export them.

use std::io::Cursor;
use std::sync::Arc;

use calamine::{Reader as _, Xlsx};
use chrono::TimeDelta;
use nil_core::auth::{Permission, Principal};
use nil_core::ports::social_metrics::{Figures, Later, Outage, SocialMetrics};
use nil_tests::{PASSWORD, World, both};
use serde_json::{Value, json};

const SAVE: &str = "admin.athlete.save";
const VIEW: &str = "admin.athlete.view";
const LIST: &str = "admin.athlete.list";

fn jordan(college: i64, over: Value) -> Value {
    let mut input = json!({
        "email": "jordan@team.example", "first_name": "Jordan", "last_name": "Miles",
        "phone": "217 555 0100", "sport_id": 1, "university_id": college,
        "date_of_birth": "2005-03-14", "position": "Guard",
    });
    input.as_object_mut().unwrap().extend(over.as_object().unwrap().clone());
    input
}

/// The fields that a save names as wrong.
async fn wrong(world: &World, input: Value) -> Vec<String> {
    let operator = world.operator(&[Permission::Accounts]);
    let answer = world.call(SAVE, &operator, input).await;
    assert_eq!(answer.status, 422, "{}", answer.body);
    answer.body["errors"].as_object().unwrap().keys().cloned().collect()
}

async fn an_athlete_that_an_operator_opens_logs_in_and_is_found(world: World) {
    let operator = world.operator(&[Permission::Accounts]);
    let college = world.college().await;
    let account = world.call(SAVE, &operator, jordan(college, json!({}))).await.data();
    let profile = &account["profile"];
    for (field, expected) in [
        ("display_name", json!("Jordan Miles")),
        ("date_of_birth", json!("2005-03-14")),
        ("university_id", json!(college)),
        ("position", json!("Guard")),
        ("available", json!(true)),
        ("listed", json!(true)),
        ("share_slug", json!(format!("jordan-miles-{}", profile["id"]))),
    ] {
        assert_eq!(profile[field], expected, "{field}");
    }
    assert_eq!(profile["readiness"]["missing"], json!(["verified_contact"]));
    let token = world.link_for("jordan@team.example", "account.invited").await;
    let (nobody, choice) = (Principal::Anonymous, json!({ "token": token, "password": PASSWORD }));
    world.call("core.auth.confirm_password_reset", &nobody, choice).await.data();
    let log_in = json!({ "email": "jordan@team.example", "password": PASSWORD });
    let user = world.call("core.auth.log_in", &nobody, log_in).await.data()["user"].clone();
    assert_eq!(user["profile"]["readiness"]["percent"], 100);
    let partner = world.partner("Harbor Books").await.principal;
    let found = world.call("core.athlete.search", &partner, json!({ "q": "jordan" })).await;
    assert_eq!(found.body["pagination"]["total"], 1, "{}", found.body);
}
both!(an_athlete_that_an_operator_opens_logs_in_and_is_found);

async fn a_minor_needs_a_guardian_who_is_asked_for_consent(world: World) {
    let operator = world.operator(&[Permission::Accounts]);
    let college = world.college().await;
    let minor = |over: Value| {
        let mut input = jordan(college, json!({ "date_of_birth": "2009-06-01" }));
        input.as_object_mut().unwrap().extend(over.as_object().unwrap().clone());
        input
    };
    assert_eq!(wrong(&world, minor(json!({ "listed": true }))).await, ["guardian", "listed"]);
    let own = json!({ "guardian": { "name": "Robin Miles", "email": "jordan@team.example" } });
    assert_eq!(wrong(&world, minor(own)).await, ["guardian.email"]);
    let parent = json!({ "guardian": { "name": "Robin Miles", "email": "robin@home.example" } });
    let account = world.call(SAVE, &operator, minor(parent)).await.data();
    let id = account["profile"]["id"].clone();
    assert_eq!(account["profile"]["listed"], false);
    let missing = |account: &Value| account["profile"]["readiness"]["missing"].clone();
    assert_eq!(missing(&account), json!(["verified_contact", "guardian_consent"]));
    let nobody = Principal::Anonymous;
    let consent = async |mail: &str| {
        let token = world.link_for(mail, "guardian.consent").await;
        let consent = json!({ "token": token, "accept": true });
        world.call("core.registration.guardian_consent", &nobody, consent).await
    };
    consent("robin@home.example").await.data();
    // Another guardian has not consented.
    let other = json!({
        "id": id, "guardian": { "name": "Sam Miles", "email": "sam@home.example" },
    });
    let account = world.call(SAVE, &operator, other.clone()).await.data();
    assert_eq!(missing(&account), json!(["verified_contact", "guardian_consent"]));
    consent("sam@home.example").await.data();
    let account = world.call(SAVE, &operator, other).await.data();
    assert_eq!(missing(&account), json!(["verified_contact"]), "the same guardian");
    let born = json!({ "id": id, "date_of_birth": "2005-06-01" });
    let account = world.call(SAVE, &operator, born).await.data();
    assert_eq!(account["profile"]["date_of_birth"], "2005-06-01");
    let noted = "SELECT COUNT(*) FROM audit_entry WHERE action = 'origins_changed'";
    assert_eq!(world.id(noted).await, 2);
}
both!(a_minor_needs_a_guardian_who_is_asked_for_consent);

async fn all_wrong_fields_of_an_athlete_are_named_and_nothing_is_lost(world: World) {
    let operator = world.operator(&[Permission::Accounts]);
    let needed =
        ["date_of_birth", "email", "first_name", "last_name", "phone", "sport_id", "university_id"];
    assert_eq!(wrong(&world, json!({})).await, needed);
    let all = json!({
        "sport_id": 999, "date_of_birth": "2020-01-01", "hometown_state": "ZZ",
        "min_rate_cents": -1, "guardian": { "name": "Robin Miles", "email": "robin@home.example" },
        "socials": [{ "platform": "x", "handle": "jo", "followers": -1 }],
    });
    let fields = wrong(&world, jordan(999, all)).await;
    let expected = [
        "date_of_birth",
        "hometown_state",
        "min_rate_cents",
        "socials.0.followers",
        "sport_id",
        "university_id",
    ];
    assert_eq!(fields, expected);
    assert_eq!(world.id("SELECT COUNT(*) FROM athlete").await, 0);
    let hire = world.active(json!({})).await;
    let college = world.college().await;
    let move_on = json!({ "id": hire.athlete.id, "university_id": college, "bio": "Lost?" });
    let refused = world.call(SAVE, &operator, move_on).await;
    assert_eq!((refused.status, refused.code()), (409, "illegal_transition"));
    let view = world.call(VIEW, &operator, json!({ "id": hire.athlete.id })).await.data();
    assert_eq!(view["profile"]["bio"], json!(null));
    let fewer = json!({ "id": hire.athlete.id, "class_year": "senior", "status": "suspended" });
    let account = world.call(SAVE, &operator, fewer).await.data();
    assert_eq!(account["status"], "suspended");
    assert_eq!(account["profile"]["class_year"], "senior");
    assert_eq!(account["profile"]["date_of_birth"], "2005-03-14");
    let token = hire.athlete.token.as_deref().unwrap();
    assert!(world.platform.authenticate_core(token).await.is_err());
    assert_eq!(world.call(SAVE, &operator, json!({ "id": 999 })).await.status, 404);
}
both!(all_wrong_fields_of_an_athlete_are_named_and_nothing_is_lost);

async fn a_view_shows_earnings_and_deals_and_is_on_record(world: World) {
    let athlete = world.earner(40_000).await;
    let operator = world.operator(&[Permission::Accounts]);
    let view = world.call(VIEW, &operator, json!({ "id": athlete.id })).await.data();
    let money = &view["money"];
    assert_eq!((&money["earned_cents"], &money["balance_cents"]), (&json!(40_000), &json!(40_000)));
    assert_eq!((&money["charged_cents"], &money["paid_out_cents"]), (&json!(0), &json!(0)));
    assert_eq!(view["deals"].as_array().unwrap().len(), 1);
    let viewed = "SELECT COUNT(*) FROM audit_entry WHERE action = 'viewed' \
        AND operation = 'admin.athlete.view' AND subject_kind = 'athlete'";
    assert_eq!(world.id(viewed).await, 1);
    assert_eq!(world.call(VIEW, &operator, json!({ "id": 999 })).await.status, 404);
    assert_eq!(world.id(viewed).await, 1);
    let jobs = async |id: i64, status: &str| {
        let which = json!({ "id": id, "status": status });
        world.call("admin.athlete.jobs", &operator, which).await
    };
    let all = jobs(athlete.id, "all").await.data();
    assert_eq!(all[0]["athlete"]["id"], athlete.id, "{all}");
    let status = all[0]["status"].as_str().unwrap();
    assert_eq!(jobs(athlete.id, status).await.data(), all);
    assert_eq!(jobs(athlete.id, "withdrawn").await.data(), json!([]));
    assert_eq!(jobs(athlete.id, "hopeful").await.status, 422);
    assert_eq!(jobs(999, "all").await.status, 404);
}
both!(a_view_shows_earnings_and_deals_and_is_on_record);

/// A source that knows one account.
#[derive(Debug)]
struct OneAccount;

impl SocialMetrics for OneAccount {
    fn figures<'a>(&'a self, network: &'a str, handle: &'a str) -> Later<'a, Option<Figures>> {
        Box::pin(async move {
            match (network, handle) {
                ("instagram", "lake") => {
                    Ok(Some(Figures { followers: 15_500, engagement_rate: Some(425) }))
                }
                ("x", "gone") => Err(Outage("stalled".into())),
                _ => Ok(None),
            }
        })
    }
}

async fn figures_are_fetched_if_there_is_a_source(mut world: World) {
    let athlete = world.athlete("Jordan Miles").await;
    let operator = world.operator(&[Permission::Accounts]);
    let which = json!({ "athlete_id": athlete.id });
    let refresh = "admin.athlete.refresh_social";
    let refreshed = world.call(refresh, &operator, which.clone()).await.data();
    assert_eq!(refreshed["source"], "entered_by_hand");
    assert_eq!(refreshed["socials"][0]["followers"], 12_000);
    world.reopen(|config| config.social_metrics = Some(Arc::new(OneAccount))).await;
    world.pass(TimeDelta::days(1));
    let socials = json!({ "socials": [
        { "platform": "instagram", "handle": "lake", "followers": 12_000 },
        { "platform": "tiktok", "handle": "lake", "followers": 90 },
    ] });
    world.call("core.athlete.edit", &athlete.principal, socials).await.data();
    world.pass(TimeDelta::days(1));
    let refreshed = world.call(refresh, &operator, which.clone()).await.data();
    assert_eq!(refreshed["source"], "fetched");
    let socials = &refreshed["socials"];
    assert_eq!((&socials[0]["followers"], &socials[1]["followers"]), (&json!(15_500), &json!(90)));
    assert_eq!(socials[0]["engagement_rate"], 425);
    let at = |place: usize| socials[place]["refreshed_at"].as_str().unwrap().to_owned();
    assert!(at(0) > at(1), "{socials}");
    let socials = json!({ "socials": [{ "platform": "x", "handle": "gone", "followers": 7 }] });
    world.call("core.athlete.edit", &athlete.principal, socials).await.data();
    let refused = world.call(refresh, &operator, which).await;
    assert_eq!((refused.status, refused.code()), (503, "unavailable"));
    assert_eq!(world.call(refresh, &operator, json!({ "athlete_id": 999 })).await.status, 404);
}
both!(figures_are_fetched_if_there_is_a_source);

async fn lists_and_exports_show_the_same_athletes(world: World) {
    let college = world.college().await;
    let jordan = world.athlete_of("Jordan Miles", college).await;
    let sam = world.athlete_of("Sam Rivers", college).await;
    world.start("athlete", "Early Bird").await;
    let operator = world.operator(&[Permission::Accounts, Permission::Reports]);
    let list = async |over: Value| {
        let mut input = json!({ "status": "all", "id": 0 });
        input.as_object_mut().unwrap().extend(over.as_object().unwrap().clone());
        world.call(LIST, &operator, input).await
    };
    let names = |answer: Value| -> Vec<String> {
        let rows = answer.as_array().unwrap().iter();
        rows.map(|row| row["display_name"].as_str().unwrap().to_owned()).collect()
    };
    let active = list(json!({ "status": "active", "sort": "name" })).await.data();
    assert_eq!(active[0]["sport_id"], 1);
    assert!(active[0]["university"].as_str().unwrap().starts_with("Lakeshore"));
    assert_eq!(active[0]["date_of_birth"], json!(null));
    assert_eq!(names(active), ["Jordan Miles", "Sam Rivers"]);
    assert_eq!(names(list(json!({ "status": "active" })).await.data())[0], "Sam Rivers");
    assert_eq!(names(list(json!({ "q": "jordan m" })).await.data()), ["Jordan Miles"]);
    assert_eq!(names(list(json!({ "q": sam.email })).await.data()), ["Sam Rivers"]);
    assert_eq!(names(list(json!({ "id": jordan.id })).await.data()), ["Jordan Miles"]);
    assert_eq!(list(json!({})).await.body["pagination"]["total"], 3);
    assert_eq!(list(json!({ "id": 999 })).await.status, 404);
    assert_eq!(list(json!({ "sort": "gpa" })).await.status, 422);
    let wanted = json!({ "status": "active" });
    let csv = world.call("admin.athlete.export_csv", &operator, wanted.clone()).await;
    let text = String::from_utf8(csv.bytes).unwrap();
    assert!(text.starts_with('\u{feff}') || text.starts_with("Athlete ID,"), "{text}");
    assert_eq!(text.lines().count(), 3, "{text}");
    assert!(text.contains("Jordan Miles") && text.contains(&sam.email));
    let file = world.call("admin.athlete.export_xlsx", &operator, wanted).await;
    assert_eq!(file.body["data"], "athletes-2026-11-20.xlsx");
    let mut book: Xlsx<_> = Xlsx::new(Cursor::new(file.bytes)).unwrap();
    assert_eq!(book.worksheet_range("Athletes").unwrap().height(), 3);
    let noted = "SELECT COUNT(*) FROM audit_entry WHERE action = 'athletes_exported'";
    assert_eq!(world.id(noted).await, 2);
    let reader = world.operator(&[Permission::Accounts]);
    assert_eq!(world.call("admin.athlete.export_csv", &reader, json!({})).await.status, 403);
}
both!(lists_and_exports_show_the_same_athletes);
