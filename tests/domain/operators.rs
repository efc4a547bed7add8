//! Operators: a CSRF token first, then their own session.

use chrono::TimeDelta;
use nil_core::accounts::operators;
use nil_core::auth::{Permission, Principal};
use nil_core::kernel::{Email, Password, Text};
use nil_core::operation::SessionCookie;
use nil_tests::{World, both};
use serde_json::json;

const NOBODY: Principal = Principal::Anonymous;
const OPERATOR_PASSWORD: &str = "an operator's passphrase";

async fn a_visitor_gets_a_token_and_logs_in_to_a_new_session(world: World) {
    operator(&world).await;
    let answer = world.call("admin.auth.csrf_token", &NOBODY, json!({})).await;
    let before = answer.session_cookie();
    assert!(answer.data()["csrf_token"].is_string());
    let visitor = world.platform.authenticate_admin(&before).await.unwrap();
    assert!(matches!(visitor, Principal::Visitor { .. }));
    // Another token for the same session.
    let again = world.call("admin.auth.csrf_token", &visitor, json!({})).await;
    assert!(again.cookie.is_none());
    again.data();

    let login = json!({ "email": "ops@example.com", "password": OPERATOR_PASSWORD });
    let answer = world.call("admin.auth.log_in", &visitor, login).await;
    let after = answer.session_cookie();
    assert_ne!(before, after);
    let data = answer.data();
    assert_eq!(data["email"], "ops@example.com");
    assert_eq!(data["permissions"], json!(["accounts", "jobs"]));
    assert!(data["csrf_token"].is_string());
    assert!(data.get("password_hash").is_none());
    // The previous session has ended.
    assert_eq!(world.platform.authenticate_admin(&before).await.unwrap(), NOBODY);
    let operator = world.platform.authenticate_admin(&after).await.unwrap();
    let Principal::Operator { permissions, .. } = &operator else { panic!() };
    assert_eq!(permissions, &[Permission::Accounts, Permission::Jobs]);

    let out = world.call("admin.auth.log_out", &operator, json!({})).await;
    assert_eq!(out.cookie, Some(SessionCookie::Clear));
    assert_eq!(world.platform.authenticate_admin(&after).await.unwrap(), NOBODY);
}
both!(a_visitor_gets_a_token_and_logs_in_to_a_new_session);

async fn wrong_and_unknown_operators_are_refused_alike(world: World) {
    operator(&world).await;
    let try_with = |email: &str| json!({ "email": email, "password": "not the passphrase" });
    let log_in = "admin.auth.log_in";
    let wrong = world.call(log_in, &NOBODY, try_with("ops@example.com")).await;
    let unknown = world.call(log_in, &NOBODY, try_with("nobody@example.com")).await;
    assert_eq!((wrong.status, wrong.code()), (401, "wrong_credentials"));
    assert_eq!(wrong.body, unknown.body);
}
both!(wrong_and_unknown_operators_are_refused_alike);

async fn an_idle_session_ends_after_eight_hours_and_a_busy_one_after_a_day(world: World) {
    operator(&world).await;
    let login = json!({ "email": "ops@example.com", "password": OPERATOR_PASSWORD });
    let cookie = world.call("admin.auth.log_in", &NOBODY, login.clone()).await.session_cookie();
    let mut hours = 0;
    while !world.platform.authenticate_admin(&cookie).await.unwrap().is_anonymous() {
        world.pass(TimeDelta::hours(6));
        hours += 6;
    }
    assert_eq!(hours, 24);
    let cookie = world.call("admin.auth.log_in", &NOBODY, login).await.session_cookie();
    world.pass(TimeDelta::hours(8));
    assert!(world.platform.authenticate_admin(&cookie).await.unwrap().is_anonymous());
}
both!(an_idle_session_ends_after_eight_hours_and_a_busy_one_after_a_day);

async fn a_one_time_password_logs_in_once_and_has_to_be_changed(world: World) {
    let password = one_time(&world).await;
    let login = json!({ "email": "ops@example.com", "password": password });
    let answer = world.call("admin.auth.log_in", &NOBODY, login.clone()).await;
    let first = answer.session_cookie();
    assert_eq!(answer.data()["password_change_required"], true);
    let again = world.call("admin.auth.log_in", &NOBODY, login.clone()).await;
    assert_eq!((again.status, again.code()), (403, "one_time_password_used"));
    let wrong = json!({ "email": "ops@example.com", "password": "not the passphrase" });
    let wrong = world.call("admin.auth.log_in", &NOBODY, wrong).await;
    assert_eq!((wrong.status, wrong.code()), (401, "wrong_credentials"));

    let me = world.platform.authenticate_admin(&first).await.unwrap();
    for row in ["admin.job.list", "admin.payout.trigger", "admin.job.view"] {
        let refused = world.call(row, &me, json!({ "status": "all", "id": 1 })).await;
        assert_eq!((refused.status, refused.code()), (403, "password_change_required"), "{row}");
    }
    let token = world.call("admin.auth.csrf_token", &me, json!({})).await;
    assert!(token.cookie.is_none(), "the session goes on");
    let change = "admin.auth.change_password";
    for (field, input) in [
        (
            "current_password",
            json!({ "current_password": "another one", "password": OPERATOR_PASSWORD }),
        ),
        ("password", json!({ "current_password": password, "password": "too short" })),
        ("password", json!({ "current_password": password, "password": password })),
    ] {
        let refused = world.call(change, &me, input).await;
        assert_eq!(refused.status, 422, "{}", refused.body);
        assert!(refused.body["errors"].get(field).is_some(), "{}", refused.body);
    }
    let input = json!({ "current_password": password, "password": OPERATOR_PASSWORD });
    let changed = world.call(change, &me, input).await;
    let second = changed.session_cookie();
    let changed = changed.data();
    assert_eq!(changed["password_change_required"], false);
    assert!(changed["csrf_token"].is_string());
    assert_eq!(world.platform.authenticate_admin(&first).await.unwrap(), NOBODY);
    let me = world.platform.authenticate_admin(&second).await.unwrap();
    world.call("admin.job.list", &me, json!({ "status": "all", "id": 0 })).await.data();

    assert_eq!(world.call("admin.auth.log_in", &NOBODY, login).await.status, 401);
    for _ in 0..2 {
        let login = json!({ "email": "ops@example.com", "password": OPERATOR_PASSWORD });
        let own = world.call("admin.auth.log_in", &NOBODY, login).await.data();
        assert_eq!(own["password_change_required"], false);
    }
}
both!(a_one_time_password_logs_in_once_and_has_to_be_changed);

async fn of_many_log_ins_at_once_one_uses_a_one_time_password(world: World) {
    let password = one_time(&world).await;
    let login = json!({ "email": "ops@example.com", "password": password });
    let log_ins = (0..4).map(|_| world.call("admin.auth.log_in", &NOBODY, login.clone()));
    let mut answers: Vec<_> =
        futures::future::join_all(log_ins).await.iter().map(|a| a.status).collect();
    answers.sort_unstable();
    assert_eq!(answers, [200, 403, 403, 403]);
}
both!(of_many_log_ins_at_once_one_uses_a_one_time_password);

async fn a_changed_password_ends_every_other_session(world: World) {
    operator(&world).await;
    let login = json!({ "email": "ops@example.com", "password": OPERATOR_PASSWORD });
    let here = world.call("admin.auth.log_in", &NOBODY, login.clone()).await.session_cookie();
    let there = world.call("admin.auth.log_in", &NOBODY, login.clone()).await.session_cookie();
    let me = world.platform.authenticate_admin(&here).await.unwrap();
    let input =
        json!({ "current_password": OPERATOR_PASSWORD, "password": "a walk along the lake" });
    let changed = world.call("admin.auth.change_password", &me, input).await;
    let now = changed.session_cookie();
    changed.data();
    for ended in [&here, &there] {
        assert_eq!(world.platform.authenticate_admin(ended).await.unwrap(), NOBODY);
    }
    assert!(matches!(
        world.platform.authenticate_admin(&now).await.unwrap(),
        Principal::Operator { .. }
    ));
    assert_eq!(world.call("admin.auth.log_in", &NOBODY, login).await.status, 401);
}
both!(a_changed_password_ends_every_other_session);

async fn a_lost_one_time_password_is_made_anew(world: World) {
    let lost = one_time(&world).await;
    let login = |password: &str| json!({ "email": "ops@example.com", "password": password });
    let session = world.call("admin.auth.log_in", &NOBODY, login(&lost)).await.session_cookie();
    let (_, password) =
        operators::passwords::reset(&world.platform, address(), false).await.unwrap();
    assert_eq!(world.platform.authenticate_admin(&session).await.unwrap(), NOBODY);
    assert_eq!(world.call("admin.auth.log_in", &NOBODY, login(&lost)).await.status, 401);
    let again = world.call("admin.auth.log_in", &NOBODY, login(password.expose())).await.data();
    assert_eq!(again["password_change_required"], true);
    let nobody = Email::new("nobody@example.com").unwrap();
    let unknown = operators::passwords::reset(&world.platform, nobody, false).await.unwrap_err();
    assert_eq!(unknown.code(), "not_found");
}
both!(a_lost_one_time_password_is_made_anew);

async fn an_operator_is_made_once(world: World) {
    operator(&world).await;
    let again = create(&world, OPERATOR_PASSWORD).await.unwrap_err();
    assert_eq!(again.code(), "email_taken");
}
both!(an_operator_is_made_once);

fn address() -> Email {
    Email::new("ops@example.com").unwrap()
}

/// Makes an operator with a one-time password, and returns the password.
async fn one_time(world: &World) -> String {
    let name = Text::new("Op Erator").unwrap();
    let all = vec![Permission::All];
    let made = operators::passwords::create(&world.platform, address(), name, all).await;
    made.unwrap().1.expose().to_owned()
}

async fn create(
    world: &World,
    password: &str,
) -> nil_core::Result<operators::operator::OperatorAccount> {
    operators::create(
        &world.platform,
        address(),
        Text::new("Op Erator").unwrap(),
        vec![Permission::Accounts, Permission::Jobs],
        Password::new(password).unwrap(),
    )
    .await
}

async fn operator(world: &World) {
    create(world, OPERATOR_PASSWORD).await.unwrap();
}
