//! Portal users replace their password while they are logged in, and see and end their sessions.

use nil_core::auth::{Permission, Principal};
use nil_tests::{Answer, PASSWORD, World, both};
use serde_json::{Value, json};

use crate::impersonating::{START, operator};

const NOBODY: Principal = Principal::Anonymous;
const CHANGE: &str = "compliance.auth.change_own_password";
const LIST: &str = "compliance.session.list";
const END: &str = "compliance.session.end";

/// The e-mail of the portal user.
pub(crate) async fn email(world: &World, who: &Principal) -> String {
    let list = world.call("compliance.portal_user.list", who, json!({})).await.data();
    list[0]["email"].as_str().unwrap().to_owned()
}

async fn log_in(world: &World, email: &str, password: &str) -> Answer {
    let input = json!({ "email": email, "password": password });
    world.call("compliance.auth.log_in", &NOBODY, input).await
}

/// Logs in; returns the token, and who comes with it.
async fn inside(world: &World, email: &str, password: &str) -> (String, Principal) {
    let answer = log_in(world, email, password).await;
    let token = answer.body["token"].as_str().expect("a token").to_owned();
    let who = world.platform.authenticate_compliance(&token).await.expect("a good token");
    (token, who)
}

async fn is_in(world: &World, token: &str) -> bool {
    world.platform.authenticate_compliance(token).await.is_ok()
}

async fn a_new_password_ends_all_other_sessions(world: World) {
    let college = world.college().await;
    let (me, here) = world.portal_user(college, "viewer").await;
    let email = email(&world, &me).await;
    let (there, _) = inside(&world, &email, PASSWORD).await;
    let (colleague, theirs) = world.portal_user(college, "owner").await;
    let new = "a walk along the lake";
    let change = |current: &str, password: &str| json!({ "current_password": current, "password": password });
    for (field, input) in [
        ("current_password", change("not the passphrase", new)),
        ("password", change(PASSWORD, "eleven char")),
        ("password", change(PASSWORD, PASSWORD)),
        ("password", change(PASSWORD, "sojdlg123aljg")),
        ("password", json!({ "current_password": PASSWORD })),
        ("current_password", json!({ "password": new })),
    ] {
        let refused = world.call(CHANGE, &me, input).await;
        assert_eq!((refused.status, refused.code()), (422, "validation_failed"));
        assert!(refused.body["errors"][field].is_array(), "{}", refused.body);
    }
    assert!(is_in(&world, &there).await, "what is refused ends nothing");
    assert_eq!(world.call(CHANGE, &NOBODY, change(PASSWORD, new)).await.status, 401);

    world.call(CHANGE, &me, change(PASSWORD, new)).await.data();
    assert!(is_in(&world, &here).await, "the session of the request goes on");
    assert!(!is_in(&world, &there).await);
    assert!(is_in(&world, &theirs).await, "and so do those of others");
    assert_eq!(log_in(&world, &email, PASSWORD).await.status, 401);
    assert_eq!(log_in(&world, &email, new).await.status, 200);
    let trail = json!({ "operation": CHANGE });
    let trail = world.call("compliance.audit.list", &colleague, trail).await.data();
    assert_eq!(trail.as_array().unwrap().len(), 1);
    assert_eq!(trail[0]["action"], "password_changed");
}
both!(a_new_password_ends_all_other_sessions);

async fn of_two_changes_at_once_one_is_made(world: World) {
    let (me, _) = world.portal_user(world.college().await, "officer").await;
    let email = email(&world, &me).await;
    let new = ["a walk along the lake", "a swim across the lake"];
    let changes = new.map(|password| {
        let input = json!({ "current_password": PASSWORD, "password": password });
        world.call(CHANGE, &me, input)
    });
    let answers = futures::future::join_all(changes).await;
    let mut statuses: Vec<_> = answers.iter().map(|answer| answer.status).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 422]);
    for (answer, password) in answers.iter().zip(new) {
        let expected = if answer.status == 200 { 200 } else { 401 };
        assert_eq!(log_in(&world, &email, password).await.status, expected);
    }
}
both!(of_two_changes_at_once_one_is_made);

async fn a_portal_user_sees_and_ends_their_own_sessions(world: World) {
    let college = world.college().await;
    let (first, first_token) = world.portal_user(college, "viewer").await;
    let email = email(&world, &first).await;
    let (second_token, second) = inside(&world, &email, PASSWORD).await;
    let (third_token, _) = inside(&world, &email, PASSWORD).await;
    let (me_token, me) = inside(&world, &email, PASSWORD).await;
    let (other, other_token) = world.portal_user(college, "owner").await;
    let id = |who: &Principal| who.session().unwrap().to_owned();

    let list = async |who: &Principal| -> Vec<Value> {
        world.call(LIST, who, json!({})).await.data().as_array().unwrap().clone()
    };
    let sessions = list(&me).await;
    assert_eq!(sessions.len(), 4, "{sessions:?}");
    let current: Vec<_> = sessions.iter().filter(|session| session["current"] == true).collect();
    assert_eq!((current.len(), &current[0]["id"]), (1, &json!(id(&me))));
    assert_eq!(current[0]["address"], "127.0.0.1");
    assert_eq!(list(&other).await.len(), 1, "nobody sees another's");

    for (strange, status) in [(id(&other), 404), ("x".into(), 404), (id(&me), 422)] {
        let refused = world.call(END, &me, json!({ "id": strange })).await;
        assert_eq!(refused.status, status, "{}", refused.body);
    }
    let one = world.call(END, &me, json!({ "id": id(&second) })).await.data();
    assert_eq!(one["ended"], 1);
    assert!(!is_in(&world, &second_token).await);
    assert_eq!(world.call(END, &me, json!({})).await.data()["ended"], 2);
    for (token, open) in
        [(&first_token, false), (&third_token, false), (&me_token, true), (&other_token, true)]
    {
        assert_eq!(is_in(&world, token).await, open);
    }
    assert_eq!(list(&me).await.len(), 1);
    let noted = "SELECT COUNT(*) FROM audit_entry WHERE action = 'sessions_ended'";
    assert_eq!(world.id(noted).await, 2);
}
both!(a_portal_user_sees_and_ends_their_own_sessions);

async fn an_operator_who_acts_as_a_portal_user_is_not_among_the_sessions(world: World) {
    let (me, _) = world.portal_user(world.college().await, "viewer").await;
    let Principal::Portal { id, .. } = &me else { panic!("{me:?}") };
    let sam = operator(&world, "sam@nil.example", &[Permission::All]).await;
    let act = json!({ "portal_user_id": id, "purpose": "fault", "reason": "Case 9" });
    let started = world.call(START, &sam, act).await.data();
    let token = started["access_token"].as_str().expect("a token");
    let acting = world.platform.authenticate_compliance(token).await.expect("a good token");
    let change = json!({ "current_password": PASSWORD, "password": "a walk along the lake" });
    for (name, input) in [(LIST, json!({})), (END, json!({})), (CHANGE, change)] {
        let refused = world.call(name, &acting, input).await;
        assert_eq!((refused.status, refused.code()), (403, "impersonation_reads_only"), "{name}");
    }
    let sessions = world.call(LIST, &me, json!({})).await.data();
    assert_eq!(sessions.as_array().unwrap().len(), 1, "{sessions}");
    // Nobody else is left inside.
    assert_eq!(world.call(END, &me, json!({})).await.data()["ended"], 1);
    assert!(!is_in(&world, token).await);
}
both!(an_operator_who_acts_as_a_portal_user_is_not_among_the_sessions);
