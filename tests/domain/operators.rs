//! Operators: a CSRF token first, then a session of their own.

use chrono::TimeDelta;
use nil_core::accounts::operators;
use nil_core::auth::{Permission, Principal};
use nil_core::kernel::{Email, Password, Text};
use nil_core::operation::SessionCookie;
use nil_tests::{World, on_both_databases};
use serde_json::json;

const NOBODY: Principal = Principal::Anonymous;
const OPERATOR_PASSWORD: &str = "an operator's passphrase";

on_both_databases! {
    async fn a_visitor_gets_a_token_and_logs_in_to_a_new_session(world) {
        operator(&world).await;
        let answer = world.call("admin.auth.csrf_token", &NOBODY, json!({})).await;
        let before = secret(&answer.cookie);
        assert!(answer.data()["csrf_token"].is_string());
        let visitor = world.platform.authenticate_admin(&before).await.unwrap();
        assert!(matches!(visitor, Principal::Visitor { .. }));
        // Another token for the same session.
        let again = world.call("admin.auth.csrf_token", &visitor, json!({})).await;
        assert!(again.cookie.is_none());
        again.data();

        let login = json!({ "email": "ops@example.com", "password": OPERATOR_PASSWORD });
        let answer = world.call("admin.auth.log_in", &visitor, login).await;
        let after = secret(&answer.cookie);
        assert_ne!(before, after);
        let data = answer.data();
        assert_eq!(data["email"], "ops@example.com");
        assert_eq!(data["permissions"], json!(["accounts", "jobs"]));
        assert!(data["csrf_token"].is_string());
        assert!(data.get("password_hash").is_none());
        // The session before is over.
        assert_eq!(world.platform.authenticate_admin(&before).await.unwrap(), NOBODY);
        let operator = world.platform.authenticate_admin(&after).await.unwrap();
        let Principal::Operator { permissions, .. } = &operator else { panic!() };
        assert_eq!(permissions, &[Permission::Accounts, Permission::Jobs]);

        let out = world.call("admin.auth.log_out", &operator, json!({})).await;
        assert_eq!(out.cookie, Some(SessionCookie::Clear));
        assert_eq!(world.platform.authenticate_admin(&after).await.unwrap(), NOBODY);
    }

    async fn wrong_and_unknown_operators_are_refused_alike(world) {
        operator(&world).await;
        let try_with = |email: &str| json!({ "email": email, "password": "not the passphrase" });
        let log_in = "admin.auth.log_in";
        let wrong = world.call(log_in, &NOBODY, try_with("ops@example.com")).await;
        let unknown = world.call(log_in, &NOBODY, try_with("nobody@example.com")).await;
        assert_eq!((wrong.status, wrong.code()), (401, "wrong_credentials"));
        assert_eq!(wrong.body, unknown.body);
    }

    async fn an_idle_session_ends_after_eight_hours_and_a_busy_one_after_a_day(world) {
        operator(&world).await;
        let login = json!({ "email": "ops@example.com", "password": OPERATOR_PASSWORD });
        let cookie = secret(&world.call("admin.auth.log_in", &NOBODY, login.clone()).await.cookie);
        let mut hours = 0;
        while !world.platform.authenticate_admin(&cookie).await.unwrap().is_anonymous() {
            world.pass(TimeDelta::hours(6));
            hours += 6;
        }
        assert_eq!(hours, 24);
        let cookie = secret(&world.call("admin.auth.log_in", &NOBODY, login).await.cookie);
        world.pass(TimeDelta::hours(8));
        assert!(world.platform.authenticate_admin(&cookie).await.unwrap().is_anonymous());
    }

    async fn an_operator_is_made_once(world) {
        operator(&world).await;
        let again = create(&world, OPERATOR_PASSWORD).await.unwrap_err();
        assert_eq!(again.code(), "email_taken");
    }
}

async fn create(world: &World, password: &str) -> nil_core::Result<operators::OperatorAccount> {
    operators::create(
        &world.platform,
        Email::new("ops@example.com").unwrap(),
        Text::new("Op Erator").unwrap(),
        vec![Permission::Accounts, Permission::Jobs],
        Password::new(password).unwrap(),
    )
    .await
}

async fn operator(world: &World) {
    create(world, OPERATOR_PASSWORD).await.unwrap();
}

fn secret(cookie: &Option<SessionCookie>) -> String {
    match cookie {
        Some(SessionCookie::Set(secret)) => secret.expose().to_owned(),
        other => panic!("no session was begun: {other:?}"),
    }
}
