//! Operators open agents' accounts, change them, look at them, list them, and end representations.
//! They list portal users and colleges in the same way.

use std::io::Cursor;

use calamine::{Reader as _, Xlsx};
use nil_core::auth::{Permission, Principal};
use nil_tests::{PASSWORD, World, both};
use serde_json::{Value, json};

const SAVE: &str = "admin.agent.save";

fn agency() -> Value {
    json!({
        "email": "kim@north.example", "first_name": "Kim", "last_name": "North",
        "phone": "217 555 0100", "agency_name": "North Agency",
        "network_profile_url": "https://network.example/kim",
        "certifications": [{ "body": "State of Illinois", "number": "A-17", "state": "IL" }],
    })
}

async fn an_agent_that_an_operator_opens_chooses_a_password_and_accepts_the_terms(world: World) {
    let operator = world.operator(&[Permission::Accounts]);
    let missing = world.call(SAVE, &operator, json!({})).await;
    let fields: Vec<_> = missing.body["errors"].as_object().unwrap().keys().cloned().collect();
    let needed =
        ["agency_name", "email", "first_name", "last_name", "network_profile_url", "phone"];
    assert_eq!((missing.status, fields), (422, needed.map(ToOwned::to_owned).to_vec()));
    let account = world.call(SAVE, &operator, agency()).await.data();
    let profile = &account["profile"];
    assert_eq!(profile["agency_name"], "North Agency");
    assert_eq!(profile["certifications"][0]["number"], "A-17");
    assert_eq!(profile["terms_version"], json!(null));
    let token = world.link_for("kim@north.example", "account.invited").await;
    let (nobody, choice) = (Principal::Anonymous, json!({ "token": token, "password": PASSWORD }));
    world.call("core.auth.confirm_password_reset", &nobody, choice).await.data();
    let log_in = json!({ "email": "kim@north.example", "password": PASSWORD });
    let user = world.call("core.auth.log_in", &nobody, log_in).await.data()["user"].clone();
    assert_eq!(user["profile"]["id"], profile["id"]);
    let change =
        json!({ "id": profile["id"], "last_name": "South", "agency_name": "South Agency" });
    let account = world.call(SAVE, &operator, change).await.data();
    assert_eq!(account["last_name"], "South");
    assert_eq!(account["profile"]["agency_name"], "South Agency");
    assert_eq!(account["profile"]["certifications"][0]["number"], "A-17");
    assert_eq!(account["profile"]["phone"], "+12175550100");
    let taken = world.call(SAVE, &operator, agency()).await;
    assert_eq!((taken.status, taken.code()), (409, "email_taken"));
    let suspend = json!({ "id": profile["id"], "status": "suspended" });
    assert_eq!(world.call(SAVE, &operator, suspend).await.data()["status"], "suspended");
    assert_eq!(world.call(SAVE, &operator, json!({ "id": 999 })).await.status, 404);
}
both!(an_agent_that_an_operator_opens_chooses_a_password_and_accepts_the_terms);

async fn an_operator_sees_whom_an_agent_represents_and_ends_it(world: World) {
    let operator = world.operator(&[Permission::Accounts]);
    let agent = world.agent("North Agency").await;
    let (jordan, sam) = (world.athlete("Jordan Miles").await, world.athlete("Sam Rivers").await);
    world.accept_terms(&agent).await;
    let active = world.represent(&agent, &jordan, 1_000).await;
    let invited = world.invite(&agent, &sam, 1_000).await;
    let athletes = async |over: Value| {
        let mut input = json!({ "id": agent.id });
        input.as_object_mut().unwrap().extend(over.as_object().unwrap().clone());
        world.call("admin.agent.athletes", &operator, input).await
    };
    let all = athletes(json!({})).await.data();
    assert_eq!((&all[0]["id"], &all[1]["id"]), (&json!(invited), &json!(active)));
    assert_eq!(all[1]["athlete"]["display_name"], "Jordan Miles");
    assert_eq!(all[1]["athlete"]["date_of_birth"], json!(null));
    assert_eq!(athletes(json!({ "statuses": ["active"] })).await.data()[0]["id"], active);
    assert_eq!(athletes(json!({ "id": 999 })).await.status, 404);
    let unlink = async |id: i64| {
        world.call("admin.agent.unlink_athlete", &operator, json!({ "id": id })).await
    };
    let refused = unlink(invited).await;
    assert_eq!((refused.status, refused.code()), (409, "illegal_transition"));
    assert_eq!(unlink(999).await.status, 404);
    let ended = unlink(active).await.data();
    assert_eq!(ended["status"], "ended");
    assert!(!world.is_represented(&jordan).await);
    assert_eq!(unlink(active).await.code(), "illegal_transition");
    nil_core::worker::round(&world.platform).await.unwrap();
    for told in [&agent.email, &jordan.email] {
        assert!(world.mail(told, "agent.unlinked").await.is_some(), "{told}");
    }
}
both!(an_operator_sees_whom_an_agent_represents_and_ends_it);

async fn agents_are_viewed_listed_and_exported(world: World) {
    let operator = world.operator(&[Permission::Accounts, Permission::Reports]);
    let agent = world.agent("North Agency").await;
    world.accept_terms(&agent).await;
    let partner = world.paying_partner("Harbor Books").await;
    let athlete = world.athlete("Jordan Miles").await;
    world.represent(&agent, &athlete, 1_000).await;
    let deal = world.approved_deal(&partner, &athlete, &[40_000]).await;
    world.pay(&partner, &athlete, &deal).await;
    world.agent("South Agency").await;
    let view = world.call("admin.agent.view", &operator, json!({ "id": agent.id })).await.data();
    assert_eq!(view["profile"]["athlete_count"], 1);
    assert_eq!(view["money"]["earned_cents"], 4_000);
    assert_eq!(view["deals"][0]["athlete"]["id"], athlete.id);
    assert_eq!(world.call("admin.agent.view", &operator, json!({ "id": 999 })).await.status, 404);
    let list = json!({ "status": "active", "id": 0, "sort": "-name" });
    let list = world.call("admin.agent.list", &operator, list).await.data();
    assert_eq!(
        (&list[0]["agency_name"], &list[0]["athletes"]),
        (&json!("South Agency"), &json!(0))
    );
    assert_eq!((&list[1]["athletes"], &list[1]["terms_version"]), (&json!(1), &json!(1)));
    let found = json!({ "status": "all", "id": 0, "q": "orth ag" });
    let found = world.call("admin.agent.list", &operator, found).await;
    assert_eq!(found.body["pagination"]["total"], 1);
    let file = world.call("admin.agent.export_xlsx", &operator, json!({ "q": "agency" })).await;
    assert_eq!(file.body["data"], "agents-2026-11-20.xlsx");
    let mut book: Xlsx<_> = Xlsx::new(Cursor::new(file.bytes)).unwrap();
    assert_eq!(book.worksheet_range("Agents").unwrap().height(), 3);
    let noted = "SELECT COUNT(*) FROM audit_entry WHERE action = 'agents_exported'";
    assert_eq!(world.id(noted).await, 1);
}
both!(agents_are_viewed_listed_and_exported);

async fn portal_users_and_colleges_are_listed_by_status(world: World) {
    let operator = world.operator(&[Permission::Accounts]);
    let college = world.college().await;
    world.portal_user(college, "owner").await;
    let invite = json!({
        "college_id": college, "email": "pat@lake.example", "name": "Pat Lake", "role": "viewer",
    });
    let invited = world.call("admin.university_admin.save", &operator, invite).await.data();
    let list = async |operation: &str, over: Value| {
        let mut input = json!({ "status": "all", "id": 0 });
        input.as_object_mut().unwrap().extend(over.as_object().unwrap().clone());
        world.call(operation, &operator, input).await
    };
    let admins = "admin.university_admin.list";
    assert_eq!(list(admins, json!({})).await.body["pagination"]["total"], 2);
    let waiting = list(admins, json!({ "status": "invited" })).await.data();
    assert_eq!(waiting, json!([invited]));
    let names = list(admins, json!({ "sort": "name" })).await.data();
    assert_eq!(
        (&names[0]["name"], &names[1]["name"]),
        (&json!("Dana Whitfield"), &json!("Pat Lake"))
    );
    assert_eq!(list(admins, json!({ "q": "PAT@" })).await.data()[0]["id"], invited["id"]);
    assert_eq!(list(admins, json!({ "id": 999 })).await.status, 404);
    assert_eq!(list(admins, json!({ "status": "suspended" })).await.status, 422);
    let colleges = "admin.college.list";
    let hidden = json!({
        "name": "Old Mill College", "division": "D3", "state": "IL", "listed": false,
        "time_zone": "America/Chicago",
    });
    let hidden = world.call("admin.college.save", &operator, hidden).await.data();
    assert_eq!(list(colleges, json!({})).await.data()[1], hidden);
    assert_eq!(list(colleges, json!({ "status": "unlisted" })).await.data(), json!([hidden]));
    assert_eq!(list(colleges, json!({ "status": "listed" })).await.data()[0]["id"], college);
    assert_eq!(list(colleges, json!({ "q": "old mill" })).await.data(), json!([hidden]));
    assert_eq!(list(colleges, json!({ "id": 999 })).await.status, 404);
}
both!(portal_users_and_colleges_are_listed_by_status);

async fn views_read_no_whole_table(world: World) {
    // PostgreSQL's planner reads small tables as a whole.
    if !world.is_sqlite() {
        return;
    }
    let operator = world.operator(&[Permission::Accounts]);
    let hire = world.active(json!({})).await;
    let agent = world.agent("North Agency").await;
    world.represent(&agent, &hire.athlete, 1_000).await;
    for (view, id) in [
        ("admin.athlete.view", hire.athlete.id),
        ("admin.partner.view", hire.partner.id),
        ("admin.agent.view", agent.id),
    ] {
        let view = world.call(view, &operator, json!({ "id": id }));
        let (answer, watched) = world.platform.db().watched(view).await.unwrap();
        assert_eq!(answer.data()["deals"].as_array().unwrap().len(), 1);
        assert!(watched.plans.len() > 10, "{}", watched.plans.len());
        for (statement, plan) in &watched.plans {
            let mut lines = plan.lines();
            // The columns of a query within a query are read in its own lines.
            let fine = ["INDEX", "CONSTANT", "SCAN part", "SCAN (", "SUBQUERY"];
            let whole =
                lines.find(|line| line.contains("SCAN ") && !fine.iter().any(|w| line.contains(w)));
            assert_eq!(whole, None, "{statement}\n{plan}");
        }
    }
}
both!(views_read_no_whole_table);
