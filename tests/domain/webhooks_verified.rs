//! What is sent to webhooks, verified by the library that the authors of the specification publish.

use nil_tests::python::asked;
use nil_tests::receiver::{Heard, Receiver, receivers_nearby};
use nil_tests::{Engine, World};
use serde_json::{Value, json};

use crate::delivery::work;

/// The version that `tests/run` installs.
const VERSION: &str = "1.1.0";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_strangers_library_verifies_what_is_sent() {
    // The library compares the time of a request with the time of day.
    let mut world = World::in_real_time(Engine::Sqlite).await;
    world.reopen(receivers_nearby).await;
    let receiver = Receiver::start().await;
    let brand = world.partner("Café Über").await;
    let who = &brand.principal;
    let input = json!({ "url": receiver.address(), "events": ["job.approved"] });
    let made = world.call("core.webhook.save", who, input).await.data();
    world.open_job(&brand, json!({})).await;
    work(&world).await;
    let id = json!({ "id": made["id"] });
    let rotated = world.call("core.webhook.rotate_secret", who, id.clone()).await.data();
    world.call("core.webhook.test", who, id).await.data();
    work(&world).await;
    let heard = receiver.heard();
    assert_eq!(receiver.events(), ["job.approved", "webhook.test"]);
    let cases = [
        case(&heard[0], &made["secret"]),
        case(&heard[1], &made["secret"]),
        case(&heard[1], &rotated["secret"]),
    ];
    let said = verified(&json!({ "good": cases, "bad": [case(&heard[0], &rotated["secret"])] }));
    // Of each good one, five forgeries: id, time, body, an old time, and the signature.
    assert_eq!(said, json!({ "accepted": 3, "refused": 16 }));
}

/// A request and a secret.
fn case(heard: &Heard, secret: &Value) -> Value {
    json!({
        "secret": secret, "id": heard.id, "at": heard.at.to_string(),
        "signature": heard.signatures.join(" "), "body": heard.body
    })
}

/// What the library says.
fn verified(cases: &Value) -> Value {
    asked(&format!("standardwebhooks-{VERSION}"), "domain/webhooks_verified.py", cases)
}
