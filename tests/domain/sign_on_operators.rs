//! Operators sign on through the provider that the host has configured.

use nil_core::Config;
use nil_core::auth::{Must, Permission, Principal};
use nil_core::config::OperatorSignOn;
use nil_core::kernel::{Clock as _, Secret};
use nil_core::ports::identity::Client;
use nil_tests::identity::{CLIENT, Key, Provider, SECRET, providers_nearby};
use nil_tests::{Answer, Engine, PASSWORD, World, both};
use serde_json::{Value, json};

const FINISH: &str = "admin.sign_on.finish";

/// A platform whose operators sign on, with a provider.
async fn configured(engine: Engine, change: impl FnOnce(&mut OperatorSignOn)) -> (World, Provider) {
    let provider = Provider::start(Key::edwards()).await;
    let issuer = provider.issuer().to_owned();
    let client = Client { issuer, id: CLIENT.into(), secret: Secret::new(SECRET) };
    let mut sign_on = OperatorSignOn { client, required: None, passwords: true };
    change(&mut sign_on);
    let set = |config: &mut Config| {
        providers_nearby(config);
        config.operators_need_totp = true;
        config.operator_sign_on = Some(sign_on);
    };
    (World::configured(engine, set).await, provider)
}

fn sam(changes: &Value) -> Value {
    let mut person = json!({
        "sub": "id-of-sam", "sid": "session-of-sam", "email": "sam@nil.example",
        "email_verified": true,
    });
    person.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
    person
}

async fn sign_on(world: &World, provider: &Provider, person: Value) -> Answer {
    let nobody = Principal::Anonymous;
    let input = json!({ "email": "sam@nil.example", "return_to": "pages" });
    let started = world.call("admin.sign_on.start", &nobody, input).await.data();
    let to = started["authorization_url"].as_str().unwrap();
    let mut back = provider.sign_on(to, world.clock.now(), person);
    back.insert("secret".into(), started["secret"].clone());
    world.call(FINISH, &nobody, back.into()).await
}

async fn who(world: &World, answer: &Answer) -> Principal {
    world.platform.authenticate_admin(&answer.session_cookie()).await.expect("a session")
}

async fn operators_with_an_account_sign_on(engine: Engine) {
    let (world, provider) = configured(engine, |_| {}).await;
    let refused = sign_on(&world, &provider, sam(&json!({}))).await;
    assert_eq!((refused.status, refused.code()), (403, "sign_on_refused"));
    world.new_operator("sam@nil.example", Permission::Site).await;
    let refused = sign_on(&world, &provider, sam(&json!({ "email_verified": false }))).await;
    assert_eq!((refused.status, refused.code()), (403, "sign_on_refused"));
    let answer = sign_on(&world, &provider, sam(&json!({}))).await;
    let operator = who(&world, &answer).await;
    // The second step is the provider's.
    let Principal::Operator { permissions, id, .. } = operator else { panic!("{operator:?}") };
    assert_eq!(permissions, [Permission::Site]);
    let log_in = json!({ "email": "sam@nil.example", "password": PASSWORD });
    let by_password = world.call("admin.auth.log_in", &Principal::Anonymous, log_in).await;
    let by_password = who(&world, &by_password).await;
    assert!(matches!(by_password, Principal::NewOperator { must: Must::SetUpTotp, .. }));
    // The name at the provider counts from then on.
    let renamed = sign_on(&world, &provider, sam(&json!({ "email": "other@x.example" }))).await;
    assert!(
        matches!(who(&world, &renamed).await, Principal::Operator { id: same, .. } if same == id)
    );
    // A provider ends operators' sessions as well.
    let now = world.clock.now().timestamp();
    let message = provider.sign(&json!({
        "iss": provider.issuer(), "aud": CLIENT, "iat": now, "jti": "1", "sub": "id-of-sam",
        "events": { "http://schemas.openid.net/event/backchannel-logout": {} },
    }));
    let input = json!({ "logout_token": message });
    let told = world.call("compliance.sign_on.log_out", &Principal::Anonymous, input).await;
    assert_eq!(told.status, 200, "{}", told.body);
    assert!(who(&world, &renamed).await.is_anonymous());
}
both!(operators_with_an_account_sign_on);

async fn a_host_asks_for_a_claim_and_switches_passwords_off(engine: Engine) {
    let (world, provider) = configured(engine, |sign_on| {
        sign_on.required = Some(("/realm/roles".into(), "nil".into()));
        sign_on.passwords = false;
    })
    .await;
    world.new_operator("sam@nil.example", Permission::All).await;
    for roles in [json!(null), json!(["other"]), json!("nil2")] {
        let person = sam(&json!({ "realm": { "roles": roles } }));
        let refused = sign_on(&world, &provider, person).await;
        assert_eq!((refused.status, refused.code()), (403, "sign_on_refused"), "{roles}");
    }
    let person = sam(&json!({ "realm": { "roles": ["other", "nil"] } }));
    let answer = sign_on(&world, &provider, person).await;
    assert!(matches!(who(&world, &answer).await, Principal::Operator { .. }));
    let log_in = json!({ "email": "sam@nil.example", "password": PASSWORD });
    let refused = world.call("admin.auth.log_in", &Principal::Anonymous, log_in).await;
    assert_eq!((refused.status, refused.code()), (403, "sign_on_required"));
}
both!(a_host_asks_for_a_claim_and_switches_passwords_off);

async fn without_a_provider_there_is_no_sign_on(engine: Engine) {
    let world = World::on(engine).await;
    let start = json!({ "email": "sam@nil.example" });
    let refused = world.call("admin.sign_on.start", &Principal::Anonymous, start).await;
    assert_eq!((refused.status, refused.code()), (404, "not_found"));
}
both!(without_a_provider_there_is_no_sign_on);
