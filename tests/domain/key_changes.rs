//! The secret key is changed: what was made under the earlier one counts until it is forgotten, and
//! what is sealed is sealed again.

use chrono::TimeDelta;
use nil_core::auth::{MasterKey, Principal};
use nil_core::keeping::{count_sealed, reseal, sealed_columns};
use nil_core::kernel::SystemRandom;
use nil_core::keys::TokenAlgorithm;
use nil_core::storage::moving;
use nil_tests::{AuthenticatorApp, Engine, PASSWORD, Person, World, both};
use serde_json::{Value, json};

use crate::tax_forms::{hand_in, w9};

/// One of each sealed value.
struct Sealed {
    athlete: Person,
    officer: String,
    app: AuthenticatorApp,
    recovery: Vec<String>,
}

fn phone(token: &str) -> Value {
    json!({ "token": token, "platform": "ios", "name": "My phone" })
}

async fn seal(world: &World) -> Sealed {
    let athlete = world.athlete("Jordan Lake").await;
    world.call("core.device.save", &athlete.principal, phone("apns-token-1")).await.data();
    hand_in(world, &athlete, w9("219-09-9999")).await.data();
    let forgotten = json!({ "email": athlete.email });
    world.call("core.auth.forget_password", &Principal::Anonymous, forgotten).await;
    nil_core::notifications::worker::split_events(&world.platform).await.unwrap();
    let college = world.college().await;
    let (officer, token) = world.new_portal_user(college, "viewer").await;
    let who = world.platform.authenticate_compliance(&token).await.unwrap();
    let (app, recovery) = world.with_two_steps("compliance", &who, PASSWORD).await;
    let email = world.chief_operator().await;
    let operator = json!({ "email": email, "password": PASSWORD });
    let inside = world.call("admin.auth.log_in", &Principal::Anonymous, operator).await;
    let me = world.platform.authenticate_admin(&inside.session_cookie()).await.unwrap();
    world.with_two_steps("admin", &me, PASSWORD).await;
    Sealed { athlete, officer, app, recovery }
}

/// Logs the officer in with this code.
async fn officer_logs_in(world: &World, officer: &str, code: &str) -> u16 {
    let input = json!({ "email": officer, "password": PASSWORD, "totp": code });
    world.call("compliance.auth.log_in", &Principal::Anonymous, input).await.status
}

async fn nothing_is_lost_when_the_key_changes(world: World) {
    let sealed = seal(&world).await;
    for filled in ["operator", "portal_user"] {
        let count = format!("SELECT COUNT(*) FROM {filled} WHERE totp_secret IS NOT NULL");
        assert_eq!(world.id(&count).await, 1, "{filled}");
    }
    for (table, column) in
        [("tax_form", "tin_sealed"), ("outbox", "sealed"), ("device_token", "sealed_token")]
    {
        let count = format!("SELECT COUNT(*) FROM {table} WHERE {column} IS NOT NULL");
        assert!(world.id(&count).await >= 1, "{table}");
    }
    let before = count_sealed(&world.platform).await.unwrap();
    assert_eq!(before.earlier, 0);
    let first = world.platform.config().secret_key.clone();
    let second = first.rotated(&SystemRandom).unwrap();
    let token = sealed.athlete.token.clone().unwrap();

    // A server with the new key reads everything.
    let rotated = world.changed(|config| config.secret_key = second.clone()).await.unwrap();
    assert!(rotated.platform.authenticate_core(&token).await.is_ok());
    let found = count_sealed(&rotated.platform).await.unwrap();
    assert_eq!((found.values, found.earlier), (before.values, before.values));
    let recovery = &sealed.recovery;
    assert_eq!(officer_logs_in(&rotated, &sealed.officer, &recovery[0]).await, 200);
    assert_eq!(officer_logs_in(&rotated, &sealed.officer, &recovery[0]).await, 401, "used up");
    // The same device again is the same row, and forgetting it finds it.
    rotated.call("core.device.save", &sealed.athlete.principal, phone("apns-token-1")).await.data();
    assert_eq!(rotated.id("SELECT COUNT(*) FROM device_token").await, 1);

    let done = reseal(&rotated.platform).await.unwrap();
    assert!(done.earlier >= before.values - 1, "{done:?}");
    let again = reseal(&rotated.platform).await.unwrap();
    assert_eq!((again.values, again.earlier), (before.values, 0));

    // Then the earlier key can be forgotten. A server without the new one is refused.
    let alone = world.changed(|config| config.secret_key = second.alone()).await.unwrap();
    let found = count_sealed(&alone.platform).await.unwrap();
    assert_eq!((found.values, found.earlier), (before.values, 0));
    world.pass(TimeDelta::minutes(2));
    let code = sealed.app.code(&alone);
    assert_eq!(officer_logs_in(&alone, &sealed.officer, &code).await, 200);
    assert_eq!(officer_logs_in(&alone, &sealed.officer, &recovery[1]).await, 401);
    assert!(alone.platform.authenticate_core(&token).await.is_err());
    let old = world.changed(|config| config.secret_key = first).await;
    assert!(old.err().unwrap().message().contains("not the secret key"));
    let stranger = MasterKey::generate(&SystemRandom);
    assert!(world.changed(|config| config.secret_key = stranger).await.is_err());
}
both!(nothing_is_lost_when_the_key_changes);

/// A request that is repeated after the change gets its answer.
async fn an_answer_is_kept_across_the_change(world: World) {
    let athlete = world.athlete("Jordan Lake").await;
    let (name, who) = ("core.device.save", &athlete.principal);
    let saved = world.call_with_key(name, who, phone("apns-token-1"), Some("key-1")).await;
    assert_eq!(saved.status, 200);
    let second = world.platform.config().secret_key.rotated(&SystemRandom).unwrap();
    let rotated = world.changed(|config| config.secret_key = second).await.unwrap();
    let again = rotated.call_with_key(name, who, phone("apns-token-1"), Some("key-1")).await;
    assert_eq!(again.body, saved.body);
    let other = rotated.call_with_key(name, who, phone("apns-token-2"), Some("key-1")).await;
    assert_eq!(other.code(), "idempotency_key_reused");
}
both!(an_answer_is_kept_across_the_change);

async fn tokens_of_either_algorithm_count_after_a_change(world: World) {
    let before = world.athlete("Jordan Lake").await.token.unwrap();
    let signed = |config: &mut nil_core::Config| config.token_algorithm = TokenAlgorithm::EdDsa;
    let other = world.changed(signed).await.unwrap();
    let after = other.athlete("Mia Hill").await.token.unwrap();
    for platform in [&world.platform, &other.platform] {
        for token in [&before, &after] {
            assert!(platform.authenticate_core(token).await.is_ok());
            assert!(platform.authenticate_compliance(token).await.is_err());
        }
    }
}
both!(tokens_of_either_algorithm_count_after_a_change);

/// Whatever the database keeps as bytes is sealed, and is sealed again.
#[tokio::test]
async fn no_sealed_column_is_forgotten() {
    let world = World::on(Engine::Sqlite).await;
    let mut session = world.platform.db().read().await.unwrap();
    let tables = moving::tables(&mut session).await.unwrap();
    let mut columns: Vec<(String, String)> = tables
        .iter()
        .flat_map(|table| table.columns.iter().map(move |column| (table, column)))
        .filter(|(_, column)| column.kind == moving::Kind::Bytes)
        .map(|(table, column)| (table.name.clone(), column.name.clone()))
        .collect();
    // Kept for a day.
    columns.retain(|(table, _)| table != "idempotency");
    let mut known: Vec<(String, String)> =
        sealed_columns().map(|(table, column)| (table.to_owned(), column.to_owned())).collect();
    known.sort_unstable();
    columns.sort_unstable();
    assert_eq!(known, columns);
}
