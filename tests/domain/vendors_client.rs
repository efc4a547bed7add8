//! The processor of the suites, seen by the client that the real one's makers publish: what it
//! reads from our answers, and signatures of events both ways.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;

use nil_core::kernel::SystemClock;
use nil_core::ports::processor::{Concern, Processor as _};
use nil_tests::ledgered::{Ledgered, SIGNS};
use nil_tests::serving::started;
use serde_json::{Value, json};

/// The version that `tests/run` installs.
const VERSION: &str = "16.1.0";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_vendors_client_reads_our_processor_and_its_signatures() {
    // The client compares signatures with the time of day.
    let ledgered = Ledgered::start(Arc::new(SystemClock)).await;
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("domain/vendors_client.py");
    let mut process = started(&format!("stripe-{VERSION}/bin/python"), |command| {
        command.arg(script).args([&ledgered.address(), SIGNS]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
    });
    let mut said = BufReader::new(process.stdout.take().expect("a pipe"));
    let mut heard = || -> Value {
        let mut line = String::new();
        said.read_line(&mut line).expect("a line");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
    };
    // It onboards the account when it is told of it.
    let account = heard();
    ledgered.onboard(account["account"].as_str().expect("an account"));
    let mut told = process.stdin.take().expect("a pipe");
    writeln!(told, "{{}}").expect("the client listens");
    let moved = heard();
    let intent = ledgered.all("pi")[0]["id"].clone();
    let expected = json!({ "intent": intent, "status": "succeeded", "fee": 320, "pages": 5,
        "declined": ["card_declined", "insufficient_funds"], "other_parameters": "idempotency_error",
        "again": intent, "refund": "succeeded", "too_much": "charge_already_refunded",
        "payout": "in_transit", "early": "balance_insufficient", "reversed": 700, "missing": 404 });
    assert_eq!(moved, expected);

    // Its events are read by our adapter and by their client; a changed one by neither.
    let events = ledgered.events();
    let ours = ledgered.client();
    assert!(events.len() > 5, "{events:?}");
    let mut signed: Vec<Value> = Vec::new();
    for event in &events {
        let header = ledgered.signature(event);
        let read = ours.read_webhook(&header, event.body.as_bytes()).expect("it is signed");
        assert_eq!(read.kind, event.kind);
        assert!(ours.read_webhook(&header, format!("{} ", event.body).as_bytes()).is_none());
        signed.push(json!({ "header": header, "body": event.body, "kind": event.kind }));
    }
    writeln!(told, "{}", Value::from(signed)).expect("the client listens");
    let verified = heard();
    assert_eq!(verified["verified"], events.len());
    assert_eq!(verified["refused"], events.len());
    // And what it signs itself is read here.
    let (header, body) = (verified["header"].as_str().unwrap(), verified["body"].as_str().unwrap());
    let read = ours.read_webhook(header, body.as_bytes()).expect("the client's own signature");
    assert_eq!(read.concern, Concern::Movement("re_ü".into()));
    drop(told);
    assert!(process.wait().expect("it ends").success());
}
