//! Devices for push messages: stored sealed, tied to one account, removed with their session.

use chrono::TimeDelta;
use nil_core::accounts::suspension;
use nil_core::auth::Principal;
use nil_core::kernel::UserId;
use nil_tests::{PASSWORD, Person, World, both};
use serde_json::{Value, json};

const SAVE: &str = "core.device.save";
const FORGET: &str = "core.device.forget";

fn phone(token: &str) -> Value {
    json!({ "token": token, "platform": "ios", "name": "My phone" })
}

async fn devices(world: &World, who: &Principal) -> Vec<Value> {
    let listed = world.call("core.device.list", who, json!({})).await.data();
    listed.as_array().unwrap().clone()
}

/// Another session of the same account.
async fn elsewhere(world: &World, person: &Person) -> Principal {
    let input = json!({ "email": person.email, "password": PASSWORD });
    let answer = world.call("core.auth.log_in", &Principal::Anonymous, input).await;
    let token = answer.body["access_token"].as_str().unwrap();
    world.platform.authenticate_core(token).await.unwrap()
}

async fn a_device_is_kept_once_and_sealed(world: World) {
    let athlete = world.athlete("Jordan Lake").await;
    let who = &athlete.principal;
    let saved = world.call(SAVE, who, phone("apns-token-1")).await.data();
    assert_eq!((&saved["platform"], &saved["name"]), (&json!("ios"), &json!("My phone")));
    assert!(saved.get("token").is_none());
    let again = json!({ "token": "apns-token-1", "platform": "web" });
    let again = world.call(SAVE, who, again).await.data();
    assert_eq!((&again["id"], &again["name"]), (&saved["id"], &Value::Null));
    assert_eq!(devices(&world, who).await, std::slice::from_ref(&again));
    let dump = world.contents().await;
    assert!(!dump["device_token"].contains("apns-token-1"));
    let hex: String = "apns-token-1".bytes().map(|byte| format!("{byte:02x}")).collect();
    assert!(!dump["device_token"].to_lowercase().contains(&hex));

    for wrong in [
        json!({ "token": "apns-token-1", "platform": "symbian" }),
        json!({ "token": "short", "platform": "ios" }),
        json!({ "token": "x".repeat(4_097), "platform": "ios" }),
        json!({ "platform": "ios" }),
    ] {
        assert_eq!(world.call(SAVE, who, wrong).await.status, 422);
    }
    let nobody = world.call(SAVE, &Principal::Anonymous, phone("apns-token-2")).await;
    assert_eq!(nobody.status, 401);
}
both!(a_device_is_kept_once_and_sealed);

async fn a_device_is_forgotten_by_its_owner_only(world: World) {
    let athlete = world.athlete("Jordan Lake").await;
    let fan = world.fan("Robin Hill").await;
    let who = &athlete.principal;
    let saved = world.call(SAVE, who, phone("apns-token-1")).await.data();
    for input in [json!({ "id": saved["id"] }), json!({ "token": "apns-token-1" })] {
        let theirs = world.call(FORGET, &fan.principal, input).await;
        assert_eq!((theirs.status, theirs.code()), (404, "not_found"));
    }
    assert_eq!(world.call(FORGET, who, json!({})).await.status, 422);
    let mismatched = json!({ "id": saved["id"], "token": "apns-token-9" });
    assert_eq!(world.call(FORGET, who, mismatched).await.status, 404);
    let gone = world.call(FORGET, who, json!({ "token": "apns-token-1" })).await;
    assert_eq!(gone.data(), Value::Null);
    assert!(devices(&world, who).await.is_empty());
    let twice = world.call(FORGET, who, json!({ "id": saved["id"] })).await;
    assert_eq!(twice.status, 404);
}
both!(a_device_is_forgotten_by_its_owner_only);

async fn a_device_that_changes_hands_leaves_its_first_account(world: World) {
    let athlete = world.athlete("Jordan Lake").await;
    let fan = world.fan("Robin Hill").await;
    for person in [&athlete, &fan] {
        world.call(SAVE, &person.principal, phone("apns-token-1")).await.data();
    }
    assert!(devices(&world, &athlete.principal).await.is_empty());
    assert_eq!(devices(&world, &fan.principal).await.len(), 1);
}
both!(a_device_that_changes_hands_leaves_its_first_account);

async fn the_same_token_at_once_is_one_device(world: World) {
    let people = [world.athlete("Jordan Lake").await, world.fan("Robin Hill").await];
    let calls = (0..8).map(|at| world.call(SAVE, &people[at % 2].principal, phone("apns-token-1")));
    for answer in futures::future::join_all(calls).await {
        assert_eq!(answer.status, 200, "{}", answer.body);
    }
    let all = devices(&world, &people[0].principal).await.len()
        + devices(&world, &people[1].principal).await.len();
    assert_eq!(all, 1);
}
both!(the_same_token_at_once_is_one_device);

async fn the_twenty_first_device_pushes_out_the_oldest(world: World) {
    let athlete = world.athlete("Jordan Lake").await;
    for at in 0..21 {
        world.call(SAVE, &athlete.principal, phone(&format!("apns-token-{at}"))).await.data();
        world.pass(TimeDelta::seconds(1));
    }
    assert_eq!(devices(&world, &athlete.principal).await.len(), 20);
    let oldest = json!({ "token": "apns-token-0" });
    assert_eq!(world.call(FORGET, &athlete.principal, oldest).await.status, 404);
}
both!(the_twenty_first_device_pushes_out_the_oldest);

async fn logging_out_and_suspension_forget_devices(world: World) {
    let athlete = world.athlete("Jordan Lake").await;
    let other = elsewhere(&world, &athlete).await;
    world.call(SAVE, &athlete.principal, phone("apns-token-1")).await.data();
    world.call(SAVE, &other, phone("apns-token-2")).await.data();
    world.call("core.auth.log_out", &other, json!({})).await.data();
    let left = devices(&world, &athlete.principal).await;
    assert_eq!(left.len(), 1, "the other device stays");
    let id = UserId::new(athlete.user_id).unwrap();
    suspension::suspend(&world.platform, id).await.unwrap();
    suspension::restore(&world.platform, id).await.unwrap();
    assert!(devices(&world, &athlete.principal).await.is_empty());
}
both!(logging_out_and_suspension_forget_devices);
