//! A provider ends the sessions of somebody who has logged out there.

use chrono::TimeDelta;
use nil_core::auth::Principal;
use nil_core::kernel::Clock as _;
use nil_tests::identity::{self, CLIENT, Key, SECRET};
use nil_tests::{Answer, Engine, both};
use serde_json::{Value, json};

use crate::sign_on::House;

const LOGGED_OUT: &str = "http://schemas.openid.net/event/backchannel-logout";

/// A log-out token of this person, with these changes; null removes a claim.
fn token(house: &House, name: &str, changes: &Value) -> Value {
    let mut claims = json!({
        "iss": house.provider.issuer(), "aud": CLIENT, "iat": house.world.clock.now().timestamp(),
        "jti": format!("log-out-{}", house.world.number()), "events": { LOGGED_OUT: {} },
        "sub": format!("id-of-{name}"), "sid": format!("session-of-{name}"),
    });
    let all = claims.as_object_mut().unwrap();
    all.extend(changes.as_object().unwrap().clone());
    all.retain(|_, value| !value.is_null());
    claims
}

async fn tell(house: &House, token: &str) -> Answer {
    let input = json!({ "logout_token": token });
    house.world.call("compliance.sign_on.log_out", &Principal::Anonymous, input).await
}

async fn sessions_end_by_their_name_or_all_of_a_person(engine: Engine) {
    let house = House::on(engine).await;
    let at = |name: &str, sid: &str| {
        let mut person = house.person(name, json!(["staff"]));
        person["sid"] = sid.into();
        person
    };
    let (_, desk) = house.signed_on(at("dana", "desk")).await;
    let (_, phone) = house.signed_on(at("dana", "phone")).await;
    let (_, other) = house.signed_on(at("kim", "desk")).await;
    let message = house.provider.sign(&token(&house, "dana", &json!({ "sid": "desk" })));
    assert_eq!(tell(&house, &message).await.status, 200);
    assert!(house.who(&desk).await.is_none());
    assert!(house.who(&phone).await.is_some() && house.who(&other).await.is_some());
    // The message counts once.
    let (_, again) = house.signed_on(at("dana", "desk")).await;
    assert_eq!(tell(&house, &message).await.status, 200);
    assert!(house.who(&again).await.is_some());
    let message = house.provider.sign(&token(&house, "dana", &json!({ "sid": null })));
    assert_eq!(tell(&house, &message).await.status, 200);
    assert!(house.who(&again).await.is_none() && house.who(&phone).await.is_none());
    assert!(house.who(&other).await.is_some());
    let message = json!({ "sid": "desk", "sub": null });
    let message = house.provider.sign(&token(&house, "kim", &message));
    assert_eq!(tell(&house, &message).await.status, 200);
    assert!(house.who(&other).await.is_none());
    assert!(house.owner_is_in().await);
}
both!(sessions_end_by_their_name_or_all_of_a_person);

async fn what_is_not_to_be_trusted_ends_nothing(engine: Engine) {
    let house = House::on(engine).await;
    let (_, desk) = house.signed_on(house.person("dana", json!(["staff"]))).await;
    let now = house.world.clock.now().timestamp();
    let changed = |changes: Value| house.provider.sign(&token(&house, "dana", &changes));
    let own = token(&house, "dana", &json!({}));
    for (what, message) in [
        ("no token", "no.token.at-all".to_owned()),
        ("by nobody", identity::unsigned(&own)),
        ("by the secret", identity::signed_with(SECRET.as_bytes(), &own)),
        ("by a stranger", Key::curve().sign("first", &own)),
        ("of another issuer", changed(json!({ "iss": "https://login.elsewhere.example" }))),
        ("for another client", changed(json!({ "aud": "others" }))),
        ("an ID token", changed(json!({ "events": null, "nonce": "n", "exp": now + 300 }))),
        ("with a nonce", changed(json!({ "nonce": "n" }))),
        ("of another event", changed(json!({ "events": { "https://other.example": {} } }))),
        ("of nobody", changed(json!({ "sub": null, "sid": null }))),
        ("without a name", changed(json!({ "jti": null }))),
        ("of long ago", changed(json!({ "iat": now - 420 }))),
        ("expired", changed(json!({ "exp": now - 61 }))),
        ("of tomorrow", changed(json!({ "iat": now + 86_400 }))),
    ] {
        let refused = tell(&house, &message).await;
        assert_eq!((refused.status, refused.code()), (400, "malformed_request"), "{what}");
    }
    assert!(house.who(&desk).await.is_some());
    house.world.pass(TimeDelta::hours(1));
    house.provider.is_down(true);
    let message = house.provider.sign(&token(&house, "dana", &json!({})));
    let refused = tell(&house, &message).await;
    assert_eq!((refused.status, refused.code()), (503, "sign_on_unavailable"));
    house.provider.is_down(false);
    assert_eq!(tell(&house, &message).await.status, 200);
    assert!(house.who(&desk).await.is_none());
}
both!(what_is_not_to_be_trusted_ends_nothing);
