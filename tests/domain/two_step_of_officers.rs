//! Two-step log-in of portal users, and how a lost app is reset.

use chrono::TimeDelta;
use nil_core::auth::{Permission, Principal};
use nil_tests::{Answer, PASSWORD, World, both, recovery_codes};
use serde_json::{Value, json};

use crate::impersonating::{START, operator};

const NOBODY: Principal = Principal::Anonymous;
const RESET: &str = "compliance.portal_user.reset_two_step";

async fn try_with(world: &World, email: &str, code: Option<&str>) -> Answer {
    let input = json!({ "email": email, "password": PASSWORD, "totp": code });
    world.call("compliance.auth.log_in", &NOBODY, input).await
}

/// A portal user of this college: the e-mail, and who they are.
async fn officer(world: &World, college: i64, role: &str) -> (String, Principal) {
    let (email, token) = world.new_portal_user(college, role).await;
    let who = world.platform.authenticate_compliance(&token).await.expect("a good token");
    (email, who)
}

/// Logs in with the password alone.
async fn inside(world: &World, email: &str) -> Principal {
    let answer = try_with(world, email, None).await;
    let token = answer.body["token"].as_str().unwrap_or_else(|| panic!("{}", answer.body));
    world.platform.authenticate_compliance(token).await.expect("a good token")
}

fn id(who: &Principal) -> i64 {
    let Principal::Portal { id, .. } = who else { panic!("a portal user") };
    id.get()
}

fn refusal(answer: &Answer) -> (u16, &str) {
    (answer.status, answer.code())
}

async fn sessions_of(world: &World, who: &Principal) -> i64 {
    let session = who.session().expect("a session");
    world.id(&format!("SELECT COUNT(*) FROM session WHERE id = '{session}'")).await
}

async fn an_officer_logs_in_with_a_password_and_a_code(world: World) {
    let college = world.college().await;
    let (email, elsewhere) = officer(&world, college, "viewer").await;
    let me = inside(&world, &email).await;

    let early = world.call("compliance.totp.confirm", &me, json!({ "totp": "123456" })).await;
    assert_eq!(refusal(&early), (409, "totp_not_started"));
    let wrong = json!({ "current_password": "not the passphrase" });
    let wrong = world.call("compliance.totp.start", &me, wrong).await;
    assert!(wrong.body["errors"].get("current_password").is_some(), "{}", wrong.body);
    let (app, recovery) = world.with_two_steps("compliance", &me, PASSWORD).await;
    assert_eq!(recovery.len(), 10);
    let start = json!({ "current_password": PASSWORD });
    let again = world.call("compliance.totp.start", &me, start).await;
    assert_eq!(refusal(&again), (409, "totp_on"));
    assert_eq!(sessions_of(&world, &elsewhere).await, 0, "other sessions end");
    assert_eq!(sessions_of(&world, &me).await, 1, "this one goes on");

    assert_eq!(refusal(&try_with(&world, &email, None).await), (401, "totp_required"));
    let used = try_with(&world, &email, Some(&app.code(&world))).await;
    assert_eq!(refusal(&used), (401, "totp_invalid"), "the first code was used");
    world.pass(TimeDelta::seconds(30));
    let code = app.code(&world);
    let answer = try_with(&world, &email, Some(&code)).await;
    assert!(answer.body["user"]["totp_on_at"].is_string(), "{}", answer.body);
    assert_eq!(refusal(&try_with(&world, &email, Some(&code)).await), (401, "totp_invalid"));
    assert_eq!(try_with(&world, &email, Some(&recovery[3])).await.status, 200);
    let twice = try_with(&world, &email, Some(&recovery[3])).await;
    assert_eq!(refusal(&twice), (401, "totp_invalid"));

    let both = |code: &str| json!({ "current_password": PASSWORD, "totp": code });
    let replaced = world.call("compliance.totp.recovery_codes", &me, both(&recovery[0])).await;
    let new = recovery_codes(&replaced.data());
    let off = "compliance.totp.off";
    let void = world.call(off, &me, both(&recovery[1])).await;
    assert_eq!(refusal(&void), (401, "totp_invalid"), "earlier codes are void");
    world.call(off, &me, both(&new[0])).await.data();
    assert_eq!(world.id("SELECT COUNT(*) FROM portal_recovery_code").await, 0);
    assert_eq!(refusal(&world.call(off, &me, both(&new[1])).await), (409, "totp_not_on"));
    assert_eq!(try_with(&world, &email, None).await.status, 200);
    let noted = "SELECT COUNT(*) FROM audit_entry WHERE subject_kind = 'portal_user' AND action = ";
    for (action, times) in [
        ("totp_started", 1),
        ("totp_turned_on", 1),
        ("recovery_code_used", 3),
        ("second_step_refused", 4),
        ("recovery_codes_replaced", 1),
        ("totp_turned_off", 1),
    ] {
        assert_eq!(world.id(&format!("{noted}'{action}'")).await, times, "{action}");
    }
}
both!(an_officer_logs_in_with_a_password_and_a_code);

async fn of_many_log_ins_of_an_officer_at_once_one_uses_a_code(world: World) {
    let college = world.college().await;
    let (email, me) = officer(&world, college, "officer").await;
    let (app, recovery) = world.with_two_steps("compliance", &me, PASSWORD).await;
    world.pass(TimeDelta::seconds(30));
    for code in [app.code(&world), recovery[0].clone()] {
        let at_once = (0..4).map(|_| try_with(&world, &email, Some(&code)));
        let answers = futures::future::join_all(at_once).await;
        let mut answers: Vec<_> = answers.iter().map(|answer| answer.status).collect();
        answers.sort_unstable();
        assert_eq!(answers, [200, 401, 401, 401]);
        world.pass(TimeDelta::hours(1));
    }
    assert_eq!(try_with(&world, &email, Some(&recovery[1])).await.status, 200);
    for _ in 0..20 {
        // Enough time that no attempt is delayed.
        world.pass(TimeDelta::minutes(20));
        let wrong = try_with(&world, &email, Some(app.wrong_code(&world))).await;
        assert_eq!(refusal(&wrong), (401, "totp_invalid"));
    }
    world.pass(TimeDelta::minutes(20));
    let right = try_with(&world, &email, Some(&app.code(&world))).await;
    assert_eq!(refusal(&right), (403, "totp_blocked"));
    assert_eq!(try_with(&world, &email, Some(&recovery[9])).await.status, 200);
}
both!(of_many_log_ins_of_an_officer_at_once_one_uses_a_code);

async fn an_officers_lost_app_is_reset_by_an_owner_or_an_operator(world: World) {
    let (college, elsewhere) = (world.college().await, world.college().await);
    let (_, owner) = officer(&world, college, "owner").await;
    let (_, stranger) = officer(&world, elsewhere, "owner").await;
    let (email, me) = officer(&world, college, "owner").await;
    let which = json!({ "id": id(&me) });
    let not_on = world.call(RESET, &owner, which.clone()).await;
    assert_eq!(refusal(&not_on), (409, "totp_not_on"));
    let accounts = world.operator(&[Permission::Accounts]);
    let by_operator = "admin.university_admin.reset_two_step";
    for (row, by) in [(RESET, &owner), (by_operator, &accounts)] {
        let me = inside(&world, &email).await;
        world.with_two_steps("compliance", &me, PASSWORD).await;
        let own = world.call(RESET, &me, which.clone()).await;
        assert!(own.body["errors"]["id"].is_array(), "{}", own.body);
        assert_eq!(world.call(RESET, &stranger, which.clone()).await.status, 404);
        for refused in [&world.operator(&[Permission::Finance]), &owner] {
            let refused = world.call(by_operator, refused, which.clone()).await;
            assert!([401, 403].contains(&refused.status), "{}", refused.body);
        }
        assert_eq!(sessions_of(&world, &me).await, 1, "what is refused ends nothing");
        let answer = world.call(row, by, which.clone()).await.data();
        assert_eq!(answer["totp_on_at"], Value::Null);
        assert_eq!(sessions_of(&world, &me).await, 0);
        assert_eq!(world.id("SELECT COUNT(*) FROM portal_recovery_code").await, 0);
        assert_eq!(try_with(&world, &email, None).await.status, 200, "the password stays");
        world.pass(TimeDelta::minutes(1));
    }
    let noted = "SELECT COUNT(*) FROM audit_entry WHERE action = 'two_step_reset'";
    assert_eq!(world.id(noted).await, 2);

    let limit = json!({ "id": id(&owner), "sport_ids": [1] });
    let me = inside(&world, &email).await;
    world.call("compliance.portal_user.change", &me, limit).await.data();
    world.with_two_steps("compliance", &me, PASSWORD).await;
    let limited = world.call(RESET, &owner, which).await;
    assert_eq!(refusal(&limited), (403, "forbidden"));
}
both!(an_officers_lost_app_is_reset_by_an_owner_or_an_operator);

async fn an_operator_who_acts_as_an_officer_leaves_the_second_step_alone(world: World) {
    let college = world.college().await;
    let (email, me) = officer(&world, college, "owner").await;
    let start = json!({
        "portal_user_id": id(&me), "purpose": "support", "reason": "A lost telephone",
    });
    let sam = operator(&world, "sam@nil.example", &[Permission::All]).await;
    let started = world.call(START, &sam, start).await.data();
    let token = started["access_token"].as_str().expect("a token");
    let acting = world.platform.authenticate_compliance(token).await.unwrap();
    for (row, input) in [
        ("start", json!({ "current_password": PASSWORD })),
        ("confirm", json!({ "totp": "123456" })),
        ("off", json!({ "current_password": PASSWORD, "totp": "123456" })),
    ] {
        let refused = world.call(&format!("compliance.totp.{row}"), &acting, input).await;
        assert_eq!(refusal(&refused), (403, "impersonation_reads_only"), "{row}");
    }
    assert_eq!(try_with(&world, &email, None).await.status, 200);
}
both!(an_operator_who_acts_as_an_officer_leaves_the_second_step_alone);
