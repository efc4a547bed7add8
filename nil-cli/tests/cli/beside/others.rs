//! A language model, and identity providers.

use nil_tests::identity::{CLIENT, Key, Provider, SECRET, providers_nearby};
use nil_tests::receiver::{Receiver, Reply};
use nil_tests::{Engine, Gate, World, both};
use serde_json::{Value, json};

use super::{BOTH, falls};
use crate::nil::Nil;
use crate::served::Served;

async fn without_the_model_the_rules_answer(engine: Engine) {
    const FAILED: &str = "the assistant's model failed";
    let world = World::in_real_time(engine).await;
    let athlete = world.athlete("Ann").await;
    let token = athlete.token.as_deref().expect("a token");
    let model = Receiver::start().await;
    let gate = Gate::before(model.address());
    let nil = Nil::beside(&world)
        .with("NIL_MODEL_URL", &gate.at(model.address()))
        .with("NIL_MODEL_NAME", "small")
        .with("NIL_MODEL_TIMEOUT_SECONDS", "1");
    let mut served = Served::start(&nil, &[]);
    let said =
        json!({ "choices": [{ "message": { "role": "assistant", "content": "Nothing." } }] });
    let answered_by = || {
        let path = "/api/athlete/ai-athlete-assistant/chat";
        let asked = served.post(path, token).json(&json!({ "text": "What is due?" }));
        async move {
            let answer: Value = asked.send().await.unwrap().json().await.unwrap();
            answer["data"]["model"].as_str().unwrap_or_else(|| panic!("{answer:#}")).to_owned()
        }
    };
    for (times, silence) in (1..).zip(BOTH) {
        model.next([Reply::With(200, said.to_string())]);
        assert_eq!(answered_by().await, "small");
        falls(&gate, silence).await;
        assert_eq!(answered_by().await, "rules", "{silence:?}");
        assert_eq!(served.log().matches(FAILED).count(), times);
        gate.cut().await;
        gate.open().await;
    }
    model.next([Reply::With(200, said.to_string())]);
    assert_eq!(answered_by().await, "small");
    served.logged(FAILED).await;
}
both!(without_the_model_the_rules_answer);

async fn without_the_identity_provider_nobody_signs_on(engine: Engine) {
    const SIGN_ONS: (&str, &[&str]) =
        ("nil_sign_on_total", &["interface=\"compliance\"", "outcome=\"sign_on_unavailable\""]);
    let mut world = World::in_real_time(engine).await;
    world.reopen(providers_nearby).await;
    let gate = Gate::ahead();
    let provider = Provider::behind(&gate, Key::curve()).await;
    let college = world.college().await;
    let (owner, token) = world.portal_user(college, "owner").await;
    world.give_domains(college, json!(["lakeshore.example"])).await;
    let save = json!({
        "issuer": provider.issuer(), "client_id": CLIENT, "client_secret": SECRET,
        "role_claim": "groups", "roles": [{ "value": "nil-officers", "role": "officer" }],
    });
    world.call("compliance.sign_on.save", &owner, save).await.data();
    let nil = Nil::beside(&world).with("NIL_SIGN_ON_NETWORKS", "127.0.0.1");
    let served = Served::start(&nil, &[]);
    let office = format!("{}/api/compliance", served.back_office);
    let asked = async |path: &str, input: Value| {
        let answer = served.client.post(format!("{office}{path}")).json(&input).send().await;
        let answer = answer.unwrap();
        (answer.status().as_u16(), answer.json::<Value>().await.unwrap())
    };
    let start = json!({ "email": "dana@lakeshore.example", "return_to": "pages" });
    for silence in BOTH {
        let unavailable = served.figure(SIGN_ONS.0, SIGN_ONS.1).await;
        falls(&gate, silence).await;
        let (status, answer) = asked("/sign-on/start", start.clone()).await;
        assert_eq!((status, &answer["code"]), (503, &json!("sign_on_unavailable")), "{silence:?}");
        served.above(SIGN_ONS.0, SIGN_ONS.1, unavailable).await;
        // A session that is open goes on.
        let seen = served.client.get(format!("{office}/sign-on")).bearer_auth(&token);
        assert_eq!(seen.send().await.unwrap().status(), 200);
    }
    gate.cut().await;
    gate.open().await;
    let (status, started) = asked("/sign-on/start", start).await;
    assert_eq!(status, 200, "{started:#}");
    let to = started["data"]["authorization_url"].as_str().unwrap();
    let dana = json!({
        "sub": "id-of-dana", "sid": "desk", "email": "dana@lakeshore.example",
        "email_verified": true, "name": "Dana Whitfield", "groups": ["nil-officers"],
    });
    let mut back = provider.sign_on(to, world.platform.now(), dana);
    back.insert("secret".into(), started["data"]["secret"].clone());
    // It goes away while the browser is on its way back.
    gate.cut().await;
    let (status, answer) = asked("/sign-on/finish", back.clone().into()).await;
    assert_eq!((status, &answer["code"]), (503, &json!("sign_on_unavailable")));
    gate.open().await;
    let (status, answer) = asked("/sign-on/finish", back.into()).await;
    assert_eq!(status, 200, "{answer:#}");
    assert!(served.figure("nil_sign_on_total", &["outcome=\"signed_on\""]).await > 0.0);
}
both!(without_the_identity_provider_nobody_signs_on);
