//! A suspended user is locked out at once, and automatic processes for them stop.

use nil_core::accounts::{operators, suspension};
use nil_core::auth::{Audience, Caller as _, Operator, Permission, Principal};
use nil_core::kernel::{AthleteId, Email, OperatorId, UserId};
use nil_tests::{PASSWORD, Person, World, both};
use serde_json::{Value, json};

fn operator(world: &World) -> Operator {
    Operator::admit(&world.operator(&[Permission::Accounts])).expect("an operator")
}

/// An operator gives an athlete's account a status.
async fn give(world: &World, athlete: &Person, status: &str) -> Value {
    let operator = world.operator(&[Permission::Accounts]);
    let input = json!({ "id": athlete.id, "status": status });
    world.call("admin.athlete.save", &operator, input).await.data()
}

/// A new operator with all permissions: the id, and the cookie of a session.
async fn chief(world: &World, email: &str) -> (operators::operator::WhichOperator, String) {
    world.new_operator(email, Permission::All).await;
    let input = json!({ "email": email, "password": PASSWORD });
    let answer = world.call("admin.auth.log_in", &Principal::Anonymous, input).await;
    let cookie = answer.session_cookie();
    let id = answer.data()["id"].as_i64().and_then(OperatorId::new);
    (operators::operator::WhichOperator { id: id.expect("an id") }, cookie)
}

async fn noted(world: &World, kind: &str, action: &str) -> i64 {
    let count = format!(
        "SELECT COUNT(*) FROM audit_entry WHERE subject_kind = '{kind}' AND action = '{action}'"
    );
    world.id(&count).await
}

async fn a_suspended_athlete_is_out_everywhere_at_once(world: World) {
    let (partner, athlete) =
        (world.partner("Ridge Outfitters").await, world.athlete("Zoe Okafor").await);
    let job = world.open_job(&partner, json!({})).await;
    let application = world.apply(&athlete, job).await;
    let forgot = json!({ "email": athlete.email });
    world.call("core.auth.forget_password", &Principal::Anonymous, forgot).await.data();
    let reset = world.link_for(&athlete.email, "password.reset").await;
    let token = athlete.token.clone().unwrap();
    let own = AthleteId::new(athlete.id).unwrap();
    assert!(world.platform.mint_athlete_token(own).await.is_ok());

    assert_eq!(give(&world, &athlete, "suspended").await["status"], "suspended");
    assert_eq!(noted(&world, "user", "status_changed").await, 1);
    assert!(world.platform.authenticate_core(&token).await.is_err());
    let log_in = json!({ "email": athlete.email, "password": PASSWORD });
    let refused = world.call("core.auth.log_in", &Principal::Anonymous, log_in.clone()).await;
    assert_eq!((refused.status, refused.code()), (403, "account_suspended"));
    assert_eq!(world.platform.mint_athlete_token(own).await.unwrap_err().code(), "not_found");
    let hire =
        world.call("core.application.hire", &partner.principal, json!({ "id": application })).await;
    assert_eq!((hire.status, hire.code()), (409, "athlete_unavailable"));

    // Suspending it again changes nothing in the back office, and is refused on the command line.
    assert_eq!(give(&world, &athlete, "suspended").await["status"], "suspended");
    assert_eq!(noted(&world, "user", "status_changed").await, 1);
    let user = UserId::new(athlete.user_id).unwrap();
    let twice = suspension::suspend(&world.platform, user).await;
    assert_eq!(twice.unwrap_err().code(), "illegal_transition");
    assert_eq!(give(&world, &athlete, "active").await["status"], "active");
    assert_eq!(noted(&world, "user", "status_changed").await, 2);
    // Ended sessions stay ended: the user logs in again with the same password.
    assert!(world.platform.authenticate_core(&token).await.is_err());
    let new = json!({ "token": reset, "password": "quite another passphrase" });
    let dead = world.call("core.auth.confirm_password_reset", &Principal::Anonymous, new).await;
    assert_eq!((dead.status, dead.code()), (422, "token_invalid"));
    assert_eq!(world.call("core.auth.log_in", &Principal::Anonymous, log_in).await.status, 200);
    let hire =
        world.call("core.application.hire", &partner.principal, json!({ "id": application })).await;
    assert_eq!(hire.data()["status"], "hired");
}
both!(a_suspended_athlete_is_out_everywhere_at_once);

async fn a_disabled_operator_is_out_at_once(world: World) {
    let (_, first) = chief(&world, "first@nil.example").await;
    let (second, cookie) = chief(&world, "second@nil.example").await;
    assert!(!world.platform.authenticate_admin(&cookie).await.unwrap().is_anonymous());
    let off = world.platform.call(operator(&world), operators::disable, second).await;
    assert!(!off.unwrap().into_inner().active);
    assert_eq!(noted(&world, "operator", "disabled").await, 1);
    assert_eq!(world.platform.authenticate_admin(&cookie).await.unwrap(), Principal::Anonymous);
    let sessions = format!(
        "SELECT COUNT(*) FROM session WHERE audience = '{}' AND subject_id = {}",
        Audience::Admin,
        second.id
    );
    assert_eq!(world.id(&sessions).await, 0);
    assert!(!world.platform.authenticate_admin(&first).await.unwrap().is_anonymous());
    let log_in = json!({ "email": "second@nil.example", "password": PASSWORD });
    let refused = world.call("admin.auth.log_in", &Principal::Anonymous, log_in.clone()).await;
    assert_eq!((refused.status, refused.code()), (401, "wrong_credentials"));
    let on = world.platform.call(operator(&world), operators::enable, second).await;
    assert!(on.unwrap().into_inner().active);
    assert_eq!(world.platform.authenticate_admin(&cookie).await.unwrap(), Principal::Anonymous);
    assert_eq!(world.call("admin.auth.log_in", &Principal::Anonymous, log_in).await.status, 200);
    let nobody = operators::operator::WhichOperator { id: OperatorId::new(999).unwrap() };
    let missing = world.platform.call(operator(&world), operators::disable, nobody).await;
    assert_eq!(missing.unwrap_err().code(), "not_found");
}
both!(a_disabled_operator_is_out_at_once);

async fn an_operator_who_may_do_everything_stays(world: World) {
    let (chief, _) = chief(&world, "chief@nil.example").await;
    world.new_operator("jobs@nil.example", Permission::Jobs).await;
    let refused = world.platform.call(operator(&world), operators::disable, chief).await;
    assert_eq!(refused.unwrap_err().code(), "last_operator");
    let jobs = Email::new("jobs@nil.example").unwrap();
    let off = operators::set_active(&world.platform, jobs.clone(), false).await.unwrap();
    assert!(!off.active);
    // Already disabled: nothing changes, and nothing is audited.
    operators::set_active(&world.platform, jobs, false).await.unwrap();
    assert_eq!(noted(&world, "operator", "disabled").await, 1);
}
both!(an_operator_who_may_do_everything_stays);

async fn two_chiefs_cannot_both_be_disabled_at_once(world: World) {
    let (one, _) = chief(&world, "one@nil.example").await;
    let (two, _) = chief(&world, "two@nil.example").await;
    let (first, second) = tokio::join!(
        world.platform.call(operator(&world), operators::disable, one),
        world.platform.call(operator(&world), operators::disable, two),
    );
    let refused: Vec<Value> = [first, second]
        .into_iter()
        .filter_map(|answer| answer.err().map(|error| json!(error.code())))
        .collect();
    assert_eq!(refused, [json!("last_operator")]);
}
both!(two_chiefs_cannot_both_be_disabled_at_once);
