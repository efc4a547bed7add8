//! What is sent to webhooks, verified by the library that the authors of the specification publish.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use nil_tests::bucket::installed;
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
    let program = installed(&format!("standardwebhooks-{VERSION}/bin/python"));
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("domain/webhooks_verified.py");
    let mut process = Command::new(&program)
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{}: {error}; tests/run installs it", program.display()));
    let mut told = process.stdin.take().expect("a pipe");
    write!(told, "{cases}").expect("it listens");
    drop(told);
    let output = process.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{:?}", output.status);
    serde_json::from_slice(&output.stdout).expect("JSON")
}
