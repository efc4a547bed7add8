//! Log-in, log-out, and the end of sessions.

use chrono::TimeDelta;
use nil_core::accounts::{UserStatus, suspension};
use nil_core::auth::{Permission, Principal};
use nil_core::kernel::UserId;
use nil_core::storage::sql;
use nil_tests::{PASSWORD, Person, World, both};
use serde_json::json;

const NOBODY: Principal = Principal::Anonymous;

async fn a_login_is_bare_and_its_token_works(world: World) {
    let partner = world.partner("Corner Bakery").await;
    let answer = log_in(&world, &partner.email.to_uppercase(), PASSWORD).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.body["token_type"], "Bearer");
    assert_eq!(answer.body["expires_at"], "2026-11-21T00:00:00Z");
    assert_eq!(answer.body["user"]["profile"]["company_name"], "Corner Bakery");
    let token = answer.body["access_token"].as_str().unwrap();
    let principal = world.platform.authenticate_core(token).await.unwrap();
    assert_eq!(principal.actor(), format!("partner:{}", partner.id));
    world.pass(TimeDelta::hours(12));
    assert!(world.platform.authenticate_core(token).await.is_err());
}
both!(a_login_is_bare_and_its_token_works);

async fn unknown_and_wrong_are_told_apart_by_nothing(world: World) {
    let partner = world.partner("Corner Bakery").await;
    let wrong = log_in(&world, &partner.email, "not the passphrase").await;
    let unknown = log_in(&world, "nobody@example.com", "not the passphrase").await;
    assert_eq!((wrong.status, wrong.code()), (401, "wrong_credentials"));
    assert_eq!(wrong.body, unknown.body);
    assert_eq!(failures(&world).await, 2);
}
both!(unknown_and_wrong_are_told_apart_by_nothing);

async fn failures_count_until_the_right_password_comes(world: World) {
    let partner = world.partner("Corner Bakery").await;
    for _ in 0..6 {
        log_in(&world, &partner.email, "not the passphrase").await.code();
    }
    assert_eq!(failures(&world).await, 6);
    // The seventh answer is delayed, and right.
    let begun = std::time::Instant::now();
    assert_eq!(log_in(&world, &partner.email, PASSWORD).await.status, 200);
    assert!(begun.elapsed().as_millis() >= 500);
    assert_eq!(failures(&world).await, 0);
}
both!(failures_count_until_the_right_password_comes);

async fn a_registration_has_to_be_finished_first(world: World) {
    let (_, email) = world.start("agent", "Sam Summit").await;
    let right = log_in(&world, &email, PASSWORD).await;
    assert_eq!((right.status, right.code()), (403, "registration_incomplete"));
    assert_eq!(log_in(&world, &email, "not the passphrase").await.status, 401);
}
both!(a_registration_has_to_be_finished_first);

async fn suspension_ends_every_session_at_once(world: World) {
    let athlete = world.athlete("Jordan Miles").await;
    let token = athlete.token.clone().unwrap();
    let id = UserId::new(athlete.user_id).unwrap();
    assert_eq!(suspension::suspend(&world.platform, id).await.unwrap(), UserStatus::Suspended);
    assert!(world.platform.authenticate_core(&token).await.is_err());
    let barred = log_in(&world, &athlete.email, PASSWORD).await;
    assert_eq!((barred.status, barred.code()), (403, "account_suspended"));
    let twice = suspension::suspend(&world.platform, id).await.unwrap_err();
    assert_eq!(twice.code(), "illegal_transition");
    suspension::restore(&world.platform, id).await.unwrap();
    assert_eq!(log_in(&world, &athlete.email, PASSWORD).await.status, 200);
    let nobody = UserId::new(999).unwrap();
    assert_eq!(suspension::suspend(&world.platform, nobody).await.unwrap_err().code(), "not_found");
}
both!(suspension_ends_every_session_at_once);

async fn an_operator_sends_a_verification_only_where_it_is_of_use(world: World) {
    let athlete = world.athlete("Jordan Miles").await;
    let operator = world.operator(&[Permission::Accounts]);
    let send = "admin.athlete.send_verification";
    let done = world.call(send, &operator, json!({ "id": athlete.id })).await;
    assert_eq!((done.status, done.code()), (409, "illegal_transition"));
    assert_eq!(world.call(send, &operator, json!({ "id": 999 })).await.status, 404);
}
both!(an_operator_sends_a_verification_only_where_it_is_of_use);

async fn logging_out_ends_that_session_only(world: World) {
    let fan = world.fan("Casey Field").await;
    let second = log_in(&world, &fan.email, PASSWORD).await.body["access_token"].clone();
    world.call("core.auth.log_out", &fan.principal, json!({})).await.data();
    assert!(world.platform.authenticate_core(&fan.token.unwrap()).await.is_err());
    assert!(world.platform.authenticate_core(second.as_str().unwrap()).await.is_ok());
}
both!(logging_out_ends_that_session_only);

async fn a_forgotten_password_is_set_anew_by_a_link(world: World) {
    let partner = world.partner("Corner Bakery").await;
    let token = ask_for_link(&world, &partner).await;
    let confirm = "core.auth.confirm_password_reset";
    let common = json!({ "token": token, "password": "sunshine" });
    assert_eq!(world.call(confirm, &NOBODY, common).await.status, 422);
    let new = json!({ "token": token, "password": "another long passphrase" });
    world.call(confirm, &NOBODY, new.clone()).await.data();
    // Every session, the old password and the link have ended.
    assert!(world.platform.authenticate_core(&partner.token.unwrap()).await.is_err());
    assert_eq!(log_in(&world, &partner.email, PASSWORD).await.status, 401);
    assert_eq!(log_in(&world, &partner.email, "another long passphrase").await.status, 200);
    let again = world.call(confirm, &NOBODY, new).await;
    assert_eq!((again.status, again.code()), (422, "token_invalid"));
}
both!(a_forgotten_password_is_set_anew_by_a_link);

async fn a_link_works_for_an_hour_and_a_newer_one_voids_it(world: World) {
    let partner = world.partner("Corner Bakery").await;
    let confirm = "core.auth.confirm_password_reset";
    let first = ask_for_link(&world, &partner).await;
    let second = ask_for_link(&world, &partner).await;
    let with = |token: &str| json!({ "token": token, "password": "another long passphrase" });
    assert_eq!(world.call(confirm, &NOBODY, with(&first)).await.code(), "token_invalid");
    world.pass(TimeDelta::hours(1));
    assert_eq!(world.call(confirm, &NOBODY, with(&second)).await.code(), "token_invalid");
}
both!(a_link_works_for_an_hour_and_a_newer_one_voids_it);

async fn forgetting_an_unknown_address_looks_the_same(world: World) {
    let partner = world.partner("Corner Bakery").await;
    let forget = "core.auth.forget_password";
    let known = world.call(forget, &NOBODY, json!({ "email": partner.email })).await;
    let unknown = world.call(forget, &NOBODY, json!({ "email": "nobody@example.com" })).await;
    assert_eq!(known.bytes, unknown.bytes);
    assert!(world.mail("nobody@example.com", "password.reset").await.is_none());
}
both!(forgetting_an_unknown_address_looks_the_same);

async fn one_token_logs_in_at_one_interface(world: World) {
    let partner = world.partner("Corner Bakery").await;
    let token = partner.token.unwrap();
    assert!(world.platform.authenticate_compliance(&token).await.is_err());
    assert!(world.platform.authenticate_service(&token).await.is_err());
    assert!(world.platform.authenticate_core("not.a.token").await.is_err());
    let admin = world.platform.authenticate_admin(&token).await.unwrap();
    assert!(admin.is_anonymous());
}
both!(one_token_logs_in_at_one_interface);

async fn log_in(world: &World, email: &str, password: &str) -> nil_tests::Answer {
    let input = json!({ "email": email, "password": password });
    world.call("core.auth.log_in", &NOBODY, input).await
}

async fn failures(world: &World) -> i64 {
    let mut session = world.platform.db().read().await.unwrap();
    session.value(sql("SELECT COUNT(*) FROM login_failure")).await.unwrap()
}

async fn ask_for_link(world: &World, person: &Person) -> String {
    let forget = json!({ "email": person.email });
    world.call("core.auth.forget_password", &NOBODY, forget).await.data();
    world.link_for(&person.email, "password.reset").await
}
