//! Two-step log-in of operators, and their own sessions.

use chrono::TimeDelta;
use nil_core::accounts::operators;
use nil_core::auth::{Must, Permission, Principal};
use nil_core::kernel::{Email, Password, Text};
use nil_tests::{Answer, AuthenticatorApp, Engine, World, both, recovery_codes};
use serde_json::{Value, json};

const NOBODY: Principal = Principal::Anonymous;
const PASSWORD: &str = "an operator's passphrase";
const EMAIL: &str = "ops@example.com";

/// An operator with this password.
async fn made(world: &World, email: &str) {
    let name = Text::new("Op Erator").unwrap();
    let all = vec![Permission::All];
    let (email, password) = (Email::new(email).unwrap(), Password::new(PASSWORD).unwrap());
    operators::create(&world.platform, email, name, all, password).await.unwrap();
}

async fn try_with(world: &World, password: &str, code: Option<&str>) -> Answer {
    let input = json!({ "email": EMAIL, "password": password, "totp": code });
    world.call("admin.auth.log_in", &NOBODY, input).await
}

/// The operator of the session that a log-in opened.
async fn inside(world: &World, answer: Answer) -> Principal {
    let operator = world.platform.authenticate_admin(&answer.session_cookie()).await.unwrap();
    answer.data();
    operator
}

fn refusal(answer: &Answer) -> (u16, &str) {
    (answer.status, answer.code())
}

/// Turns two-step log-in on; returns the app and the recovery codes.
async fn turned_on(world: &World, me: &Principal) -> (AuthenticatorApp, Vec<String>) {
    world.with_two_steps("admin", me, PASSWORD).await
}

async fn a_log_in_takes_a_password_and_a_code(world: World) {
    made(&world, EMAIL).await;
    let elsewhere = inside(&world, try_with(&world, PASSWORD, None).await).await;
    let me = inside(&world, try_with(&world, PASSWORD, None).await).await;

    let confirm = "admin.totp.confirm";
    let early = world.call(confirm, &me, json!({ "totp": "123456" })).await;
    assert_eq!(refusal(&early), (409, "totp_not_started"));
    let wrong = json!({ "current_password": "not the passphrase" });
    let wrong = world.call("admin.totp.start", &me, wrong).await;
    assert_eq!(wrong.status, 422);
    assert!(wrong.body["errors"].get("current_password").is_some(), "{}", wrong.body);

    let start = json!({ "current_password": PASSWORD });
    let void = world.call("admin.totp.start", &me, start.clone()).await.data();
    let void = AuthenticatorApp::with(void["secret"].as_str().unwrap());
    let given = world.call("admin.totp.start", &me, start.clone()).await.data();
    assert!(given["uri"].as_str().unwrap().starts_with("otpauth://totp/"), "{given}");
    let app = AuthenticatorApp::with(given["secret"].as_str().unwrap());
    let of_the_void = world.call(confirm, &me, json!({ "totp": void.code(&world) })).await;
    assert_eq!(refusal(&of_the_void), (401, "totp_invalid"));
    try_with(&world, PASSWORD, None).await.data();

    let on = world.call(confirm, &me, json!({ "totp": app.code(&world) })).await.data();
    let recovery = recovery_codes(&on);
    assert_eq!(recovery.len(), 10);
    for (row, input) in [("admin.totp.start", start), (confirm, json!({ "totp": "123456" }))] {
        assert_eq!(refusal(&world.call(row, &me, input).await), (409, "totp_on"), "{row}");
    }
    let Principal::Operator { session, .. } = &elsewhere else { panic!("{elsewhere:?}") };
    let others = format!("SELECT COUNT(*) FROM session WHERE id = '{session}'");
    assert_eq!(world.id(&others).await, 0, "other sessions end");

    assert_eq!(refusal(&try_with(&world, PASSWORD, None).await), (401, "totp_required"));
    let wrong_password = try_with(&world, "not the passphrase", Some("123456")).await;
    assert_eq!(refusal(&wrong_password), (401, "wrong_credentials"));
    let again = app.code(&world);
    let used = try_with(&world, PASSWORD, Some(&again)).await;
    assert_eq!(refusal(&used), (401, "totp_invalid"), "the first code was used");
    world.pass(TimeDelta::seconds(30));
    let code = app.code(&world);
    let answer = try_with(&world, PASSWORD, Some(&code)).await;
    let shown = inside(&world, answer).await;
    assert!(matches!(shown, Principal::Operator { .. }));
    assert_eq!(refusal(&try_with(&world, PASSWORD, Some(&code)).await), (401, "totp_invalid"));

    let typed = recovery[3].to_uppercase().replace('-', " ");
    try_with(&world, PASSWORD, Some(&typed)).await.data();
    assert_eq!(refusal(&try_with(&world, PASSWORD, Some(&typed)).await), (401, "totp_invalid"));
    let noted = "SELECT COUNT(*) FROM audit_entry WHERE action = ";
    for (action, times) in
        [("totp_turned_on", 1), ("recovery_code_used", 1), ("second_step_refused", 3)]
    {
        assert_eq!(world.id(&format!("{noted}'{action}'")).await, times, "{action}");
    }
}
both!(a_log_in_takes_a_password_and_a_code);

async fn of_many_log_ins_at_once_one_uses_a_code(world: World) {
    made(&world, EMAIL).await;
    let me = inside(&world, try_with(&world, PASSWORD, None).await).await;
    let (app, recovery) = turned_on(&world, &me).await;
    world.pass(TimeDelta::seconds(30));
    for code in [app.code(&world), recovery[0].clone()] {
        let at_once = (0..4).map(|_| try_with(&world, PASSWORD, Some(&code)));
        let answers = futures::future::join_all(at_once).await;
        let mut answers: Vec<_> = answers.iter().map(|answer| answer.status).collect();
        answers.sort_unstable();
        assert_eq!(answers, [200, 401, 401, 401]);
        world.pass(TimeDelta::hours(1));
    }
}
both!(of_many_log_ins_at_once_one_uses_a_code);

async fn after_twenty_wrong_codes_only_a_recovery_code_helps(world: World) {
    made(&world, EMAIL).await;
    let me = inside(&world, try_with(&world, PASSWORD, None).await).await;
    let (app, recovery) = turned_on(&world, &me).await;
    for _ in 0..20 {
        // Enough time that no attempt is delayed.
        world.pass(TimeDelta::minutes(20));
        let wrong = try_with(&world, PASSWORD, Some(app.wrong_code(&world))).await;
        assert_eq!(refusal(&wrong), (401, "totp_invalid"));
    }
    world.pass(TimeDelta::minutes(20));
    let right = app.code(&world);
    assert_eq!(refusal(&try_with(&world, PASSWORD, Some(&right)).await), (403, "totp_blocked"));
    try_with(&world, PASSWORD, Some(&recovery[9])).await.data();
    world.pass(TimeDelta::minutes(20));
    try_with(&world, PASSWORD, Some(&app.code(&world))).await.data();
}
both!(after_twenty_wrong_codes_only_a_recovery_code_helps);

async fn a_short_password_needs_two_steps(world: World) {
    made(&world, EMAIL).await;
    let me = inside(&world, try_with(&world, PASSWORD, None).await).await;
    const SHORT: &str = "twelve signs";
    let short = json!({ "current_password": PASSWORD, "password": SHORT });
    let change = "admin.auth.change_password";
    let alone = world.call(change, &me, short.clone()).await;
    assert_eq!(alone.status, 422);
    assert!(alone.body["errors"].get("password").is_some(), "{}", alone.body);

    let (app, recovery) = turned_on(&world, &me).await;
    let me = inside(&world, world.call(change, &me, short).await).await;
    world.pass(TimeDelta::seconds(30));
    let both = |password: &str, code: &str| json!({ "current_password": password, "totp": code });
    let off = "admin.totp.off";
    let too_short = world.call(off, &me, both(SHORT, &app.code(&world))).await;
    assert!(too_short.body["errors"].get("current_password").is_some(), "{}", too_short.body);

    let long = json!({ "current_password": SHORT, "password": PASSWORD });
    let me = inside(&world, world.call(change, &me, long).await).await;
    let wrong = world.call(off, &me, both(PASSWORD, "12345a")).await;
    assert_eq!(refusal(&wrong), (401, "totp_invalid"));
    let replaced = world.call("admin.totp.recovery_codes", &me, both(PASSWORD, &recovery[0])).await;
    let new = recovery_codes(&replaced.data());
    let void = world.call(off, &me, both(PASSWORD, &recovery[1])).await;
    assert_eq!(refusal(&void), (401, "totp_invalid"), "earlier codes are void");
    world.call(off, &me, both(PASSWORD, &new[0])).await.data();
    assert_eq!(world.id("SELECT COUNT(*) FROM operator_recovery_code").await, 0);
    let again = world.call(off, &me, both(PASSWORD, &new[1])).await;
    assert_eq!(refusal(&again), (409, "totp_not_on"));
    try_with(&world, PASSWORD, None).await.data();
}
both!(a_short_password_needs_two_steps);

async fn a_platform_may_require_two_steps_everywhere(engine: Engine) {
    let world = World::configured(engine, |config| config.operators_need_totp = true).await;
    made(&world, EMAIL).await;
    let answer = try_with(&world, PASSWORD, None).await;
    assert_eq!(answer.body["data"]["totp_setup_required"], true, "{}", answer.body);
    let me = inside(&world, answer).await;
    assert!(matches!(me, Principal::NewOperator { must: Must::SetUpTotp, .. }), "{me:?}");
    let refused = world.call("admin.operator.list", &me, json!({})).await;
    assert_eq!(refusal(&refused), (403, "totp_setup_required"));
    let Principal::NewOperator { session, .. } = &me else { panic!() };
    let id = session.clone();
    let (app, _) = turned_on(&world, &me).await;
    let here = format!("SELECT COUNT(*) FROM session WHERE id = '{id}'");
    assert_eq!(world.id(&here).await, 1, "the session goes on");
    world.pass(TimeDelta::seconds(30));
    let answer = try_with(&world, PASSWORD, Some(&app.code(&world))).await;
    assert_eq!(answer.body["data"]["totp_setup_required"], false, "{}", answer.body);
    let me = inside(&world, answer).await;
    world.call("admin.operator.list", &me, json!({})).await.data();
    world.pass(TimeDelta::seconds(30));
    let off = json!({ "current_password": PASSWORD, "totp": app.code(&world) });
    let off = world.call("admin.totp.off", &me, off).await;
    assert_eq!(refusal(&off), (409, "totp_compulsory"));
}
both!(a_platform_may_require_two_steps_everywhere);

async fn a_lost_app_is_replaced_by_another_operator_or_from_the_host(world: World) {
    made(&world, EMAIL).await;
    made(&world, "chief@example.com").await;
    let chief = json!({ "email": "chief@example.com", "password": PASSWORD });
    let chief = world.call("admin.auth.log_in", &NOBODY, chief).await;
    let chief = inside(&world, chief).await;
    for by_chief in [true, false] {
        let me = inside(&world, try_with(&world, PASSWORD, None).await).await;
        let Principal::Operator { id, .. } = &me else { panic!("{me:?}") };
        turned_on(&world, &me).await;
        let reset = "admin.operator.reset_log_in";
        let own = world.call(reset, &me, json!({ "id": id })).await;
        assert_eq!(own.status, 422, "{}", own.body);
        let unknown = world.call(reset, &chief, json!({ "id": 999 })).await;
        assert_eq!(unknown.status, 404, "{}", unknown.body);
        let password = if by_chief {
            let answer = world.call(reset, &chief, json!({ "id": id })).await.data();
            assert_eq!(answer["totp_on_at"], Value::Null);
            answer["one_time_password"].as_str().unwrap().to_owned()
        } else {
            let email = Email::new(EMAIL).unwrap();
            let reset = operators::passwords::reset(&world.platform, email, true).await.unwrap();
            reset.1.expose().to_owned()
        };
        let Principal::Operator { session, .. } = &me else { panic!() };
        let mine = format!("SELECT COUNT(*) FROM session WHERE id = '{session}'");
        assert_eq!(world.id(&mine).await, 0);
        assert_eq!(try_with(&world, PASSWORD, None).await.status, 401);
        let me = inside(&world, try_with(&world, &password, None).await).await;
        assert!(matches!(me, Principal::NewOperator { must: Must::ChangePassword, .. }));
        let own = json!({ "current_password": password, "password": PASSWORD });
        world.call("admin.auth.change_password", &me, own).await.data();
    }
}
both!(a_lost_app_is_replaced_by_another_operator_or_from_the_host);

async fn an_operator_sees_and_ends_their_own_sessions(world: World) {
    made(&world, EMAIL).await;
    made(&world, "other@example.com").await;
    let other = json!({ "email": "other@example.com", "password": PASSWORD });
    let other = world.call("admin.auth.log_in", &NOBODY, other).await;
    let other = inside(&world, other).await;
    let idle = inside(&world, try_with(&world, PASSWORD, None).await).await;
    world.pass(TimeDelta::hours(9));
    let first = inside(&world, try_with(&world, PASSWORD, None).await).await;
    let second = inside(&world, try_with(&world, PASSWORD, None).await).await;
    let me = inside(&world, try_with(&world, PASSWORD, None).await).await;
    let id = |who: &Principal| who.session().unwrap().to_owned();

    let sessions = world.call("admin.session.list", &me, json!({})).await.data();
    let mut shown: Vec<_> = sessions.as_array().unwrap().iter().collect();
    assert_eq!(shown.len(), 3, "not the idle one, nor another's: {sessions}");
    shown.retain(|session| session["current"] == true);
    assert_eq!((shown.len(), &shown[0]["id"]), (1, &json!(id(&me))));

    let end = "admin.session.end";
    for (strange, status) in [(id(&other), 404), ("x".into(), 404), (id(&me), 422)] {
        let refused = world.call(end, &me, json!({ "id": strange })).await;
        assert_eq!(refused.status, status, "{}", refused.body);
    }
    let one = world.call(end, &me, json!({ "id": id(&first) })).await.data();
    assert_eq!(one["ended"], 1);
    assert_eq!(world.call(end, &me, json!({})).await.data()["ended"], 2, "the idle one too");
    let left = |who: &Principal| format!("SELECT COUNT(*) FROM session WHERE id = '{}'", id(who));
    for (who, expected) in [(&idle, 0), (&first, 0), (&second, 0), (&me, 1), (&other, 1)] {
        assert_eq!(world.id(&left(who)).await, expected, "{who:?}");
    }
}
both!(an_operator_sees_and_ends_their_own_sessions);
