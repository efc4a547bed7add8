//! Traces and logs at a collector: what arrives, what does not, and what a collector that does not
//! answer changes.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use nil_tests::collector::{Collected, Collector, Mood, attribute};
use nil_tests::receiver::{Heard, Receiver};
use nil_tests::{Engine, Gate, PASSWORD, World, both, story};
use serde_json::{Value, json};

use crate::nil::Nil;
use crate::served::Served;
use crate::story::CommandLine;

const OWN: &str = "a walk along the lake";
const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
const SPAN: &str = "b7ad6b7169203331";

/// How long a server may take to end: the two seconds of its own, the second for threads that still
/// work, and a busy machine.
const END: Duration = Duration::from_secs(20);

fn with_an_operator(nil: Nil, collector: &str) -> Nil {
    let nil = nil.with("NIL_TELEMETRY_ENDPOINT", collector);
    let create =
        ["operator", "create", "--email", "o@nil.example", "--name", "O", "--password-stdin"];
    nil.run_reading(&create, OWN).good();
    nil
}

/// Asks for a page in a trace of the caller's own.
async fn ask(served: &Served, path: &str) -> u16 {
    let asked = served.client.get(format!("{}{path}", served.core));
    let asked = asked.header("traceparent", format!("00-{TRACE}-{SPAN}-01"));
    asked.send().await.unwrap().status().as_u16()
}

/// Ends a server and waits; returns how long that took.
fn end(mut served: Served) -> Duration {
    let begun = Instant::now();
    served.process.terminate();
    let ended = served.process.ended();
    assert!(ended.success(), "{ended:?}: {}", served.log());
    begun.elapsed()
}

async fn a_request_is_a_span_with_its_lines(engine: Engine) {
    let (nil, system) = match engine {
        Engine::Sqlite => (Nil::alone(), "sqlite"),
        Engine::Postgres => (Nil::on_postgres().await, "postgresql"),
    };
    let collector = Collector::start(Mood::Takes).await;
    let nil = with_an_operator(nil, &collector.address)
        .with("NIL_TELEMETRY_HEADERS", "authorization=Bearer opensesame")
        .with("NIL_TELEMETRY_SERVICE_NAME", "nil-of-tests");
    let served = Served::start(&nil, &[]);
    let (status, _) = served.log_in_operator("o@nil.example", OWN).await;
    assert_eq!(status, 200);
    assert_eq!(served.log_in_operator("nobody@nil.example", OWN).await.0, 401);
    let ours = "admin.auth.log_in";
    let (span, line) = collector
        .gets(|it| {
            let span = it.spans.iter().find(|span| span.name == ours)?;
            let lines = it.lines.iter().find(|line| line.span_id == span.span_id)?;
            Some((span.clone(), lines.clone()))
        })
        .await;
    let of_span = |name| attribute(&span.attributes, name);
    assert_eq!(of_span("http.request.method"), "POST");
    assert_eq!(of_span("http.response.status_code"), "200");
    assert_eq!(of_span("db.system.name"), system);
    assert!(!of_span("request_id").is_empty());
    assert_eq!(line.trace_id, span.trace_id);
    assert!(span.parent_span_id.is_empty());
    let task = collector.span("letters").await;
    assert_eq!(attribute(&task.attributes, "outcome"), "done");
    let collected = collector.collected();
    let line = collected
        .lines
        .iter()
        .find(|line| attribute(&line.attributes, "request_id") == of_span("request_id"))
        .expect("the line of the request");
    assert_eq!(line.span_id, span.span_id);
    assert_eq!(attribute(&line.attributes, "operation"), ours);
    assert_eq!(attribute(&line.attributes, "status"), "200");
    for left in ["address", "path", "account"] {
        assert_eq!(attribute(&line.attributes, left), "", "{left}");
    }
    assert_eq!(attribute(&collected.resources, "service.name"), "nil-of-tests");
    let told = collected.headers.iter().all(|it| it["authorization"] == "Bearer opensesame");
    assert!(told, "{:?}", collected.headers);
    end(served);
    let last = |it: &Collected| it.text().contains("\"stopped\"").then_some(());
    collector.gets(last).await;
    let text = collector.collected().text();
    for left in ["nil.example", "127.0.0.1", "opensesame", "SELECT", "***"] {
        assert!(!text.contains(left), "{left}: {text}");
    }
}

both!(a_request_is_a_span_with_its_lines);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_trace_of_a_caller_is_a_link_and_keeps_nothing() {
    let collector = Collector::start(Mood::Takes).await;
    let nil = Nil::alone().with("NIL_TELEMETRY_ENDPOINT", &collector.address);
    let served = Served::start(&nil, &[]);
    assert_eq!(ask(&served, "/api/site_config").await, 200);
    let linked = |it: &Collected| it.spans.iter().find(|span| !span.links.is_empty()).cloned();
    let span = collector.gets(linked).await;
    assert_eq!(hex(&span.links[0].trace_id), TRACE);
    assert_eq!(hex(&span.links[0].span_id), SPAN);
    assert_ne!(hex(&span.trace_id), TRACE);
    end(served);

    // Of which nothing is kept, nothing is kept for a caller who keeps theirs.
    let collector = Collector::start(Mood::Takes).await;
    let nil = nil
        .with("NIL_TELEMETRY_ENDPOINT", &collector.address)
        .with("NIL_TELEMETRY_SAMPLE_RATIO", "0");
    let served = Served::start(&nil, &[]);
    assert_eq!(ask(&served, "/api/site_config").await, 200);
    end(served);
    let stopped = |it: &Collected| it.text().contains("\"stopped\"").then_some(());
    collector.gets(stopped).await;
    let collected = collector.collected();
    assert_eq!(collected.spans, []);
    // A line has its trace all the same.
    assert!(collected.lines.iter().any(|line| !line.trace_id.is_empty()));
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
}

/// A collector that fails neither slows requests nor the end.
async fn a_collector_that_fails_delays_nothing(mood: Mood) {
    let collector = Collector::start(mood).await;
    let nil = Nil::alone().with("NIL_TELEMETRY_ENDPOINT", &collector.address);
    let mut served = Served::start(&nil, &[]);
    assert_eq!(ask(&served, "/api/site_config").await, 200);
    collector.gets(|it| (it.requests > 1).then_some(())).await;
    if mood == Mood::Refuses {
        served.logged("the collector takes nothing").await;
        let refused = ["outcome=\"refused\""];
        assert!(served.figure("nil_telemetry_batches_total", &refused).await > 0.0);
    }
    // More than fit into the queues.
    let begun = Instant::now();
    for _ in 0..100 {
        assert_eq!(ask(&served, "/api/site_config").await, 200);
    }
    assert!(begun.elapsed() < END, "{:?}", begun.elapsed());
    let took = end(served);
    assert!(took < END, "{took:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_the_collector_requests_go_on() {
    const BATCHES: (&str, &[&str]) = ("nil_telemetry_batches_total", &["outcome=\"unanswered\""]);
    let collector = Collector::start(Mood::Takes).await;
    let gate = Gate::before(&collector.address);
    let nil = Nil::alone().with("NIL_TELEMETRY_ENDPOINT", &gate.at(&collector.address));
    let nil = nil.with("NIL_THROTTLE_PUBLIC", "100000");
    gate.cut().await;
    let mut served = Served::start(&nil, &[]);
    for silent in [false, true] {
        let unanswered = served.figure(BATCHES.0, BATCHES.1).await;
        if silent {
            gate.silent().await;
        }
        let begun = Instant::now();
        for _ in 0..100 {
            assert_eq!(ask(&served, "/api/site_config").await, 200);
        }
        assert!(begun.elapsed() < END, "{:?}", begun.elapsed());
        served.above(BATCHES.0, BATCHES.1, unanswered).await;
    }
    served.logged("the collector takes nothing").await;
    assert_eq!(collector.collected().spans, []);
    gate.cut().await;
    gate.open().await;
    assert_eq!(ask(&served, "/api/site_config").await, 200);
    collector.gets(|it| it.spans.first().cloned()).await;
    // It may leave again.
    gate.cut().await;
    let took = end(served);
    assert!(took < END, "{took:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_collector_that_refuses_delays_nothing() {
    a_collector_that_fails_delays_nothing(Mood::Refuses).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_collector_that_stalls_delays_nothing() {
    a_collector_that_fails_delays_nothing(Mood::Stalls).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn receivers_of_webhooks_and_the_model_hear_of_the_trace() {
    let world = World::in_real_time(Engine::Sqlite).await;
    let (brand, athlete) = (world.partner("Acme").await, world.athlete("Ann").await);
    let (collector, receiver) = (Collector::start(Mood::Takes).await, Receiver::start().await);
    let model = Receiver::start().await;
    let nil = Nil::beside(&world)
        .with("NIL_TELEMETRY_ENDPOINT", &collector.address)
        .with("NIL_WEBHOOK_NETWORKS", "127.0.0.1")
        .with("NIL_MODEL_URL", model.address())
        .with("NIL_MODEL_NAME", "small");
    let served = Served::start(&nil, &[]);
    let hook = json!({ "url": receiver.address(), "events": ["job.approved"] }).to_string();
    let who = format!("partner:{}", brand.email);
    let save = ["call", "core.webhook.save", "--as", &who, "--input", &hook];
    nil.run(&save).good();
    nil.run(&["call", "core.webhook.test", "--as", &who, "--input", "{\"id\":1}"]).good();
    let heard = receiver.hears(1).await;
    assert_eq!(spans_of(&collector, &heard[0]).await, ["webhook", "webhooks"]);

    let token = served.log_in(&athlete.email, PASSWORD).await;
    let question = json!({ "text": "What is due?" });
    let asked = served.post("/api/athlete/ai-athlete-assistant/chat", &token).json(&question);
    asked.send().await.unwrap();
    let heard = model.hears(1).await;
    assert_eq!(spans_of(&collector, &heard[0]).await, ["model", "core.assistant.chat"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_processor_hears_of_the_trace() {
    let (collector, processor) = (Collector::start(Mood::Takes).await, Receiver::start().await);
    let nil = Nil::alone()
        .with("NIL_TELEMETRY_ENDPOINT", &collector.address)
        .with("NIL_PROCESSOR_KIND", "stripe")
        .with("NIL_PROCESSOR_URL", processor.address())
        .with("NIL_PROCESSOR_KEY", "sk_test_1")
        .with("NIL_PROCESSOR_WEBHOOK_SECRETS", "whsec_1")
        .with("NIL_PUBLIC_URL", "https://nil.example");
    let _served = Served::start(&nil, &[]);
    // The worker looks for disputes and for lines of the statement.
    let heard = processor.hears(1).await;
    let [call, task] = spans_of(&collector, &heard[0]).await;
    assert_eq!(call, "processor");
    assert!(["reconciling", "statement"].contains(&&*task), "{task}");
}

/// The names of the span in which a request was sent, as its receiver was told, and of the one
/// around it.
async fn spans_of(collector: &Collector, heard: &Heard) -> [String; 2] {
    let told: Vec<_> = heard.traceparent.split('-').collect();
    let sent = |it: &Collected| {
        let of = |id: &str| it.spans.iter().find(|span| hex(&span.span_id) == id);
        let call = of(told[2])?;
        let around = of(&hex(&call.parent_span_id))?;
        assert_eq!(hex(&call.trace_id), told[1]);
        assert_eq!(call.kind, 3, "a client of another service");
        assert!(!attribute(&call.attributes, "http.response.status_code").is_empty());
        assert!(!format!("{:?}", call.attributes).contains("127.0.0.1"), "{call:?}");
        Some([call.name.clone(), around.name.clone()])
    };
    collector.gets(sent).await
}

/// The values of these fields in the script of the story.
fn said(script: &Value, fields: &[&str], into: &mut BTreeSet<String>) {
    match script {
        Value::Array(parts) => parts.iter().for_each(|part| said(part, fields, into)),
        Value::Object(parts) => {
            for (name, part) in parts {
                match part {
                    Value::String(text) if fields.contains(&name.as_str()) => {
                        into.insert(text.clone());
                    }
                    _ => said(part, fields, into),
                }
            }
        }
        _ => {}
    }
}

/// Nothing that tells who somebody is leaves, nor anything that they have written.
async fn the_story_sends_nothing_personal(engine: Engine) {
    let world = World::in_real_time(engine).await;
    world.chief_operator().await;
    let collector = Collector::start(Mood::Takes).await;
    let nil = Nil::beside(&world).with("NIL_TELEMETRY_ENDPOINT", &collector.address);
    let served = Served::start(&nil, &[]);
    let addresses = Some([served.core.clone(), served.back_office.clone()]);
    let door = CommandLine { nil, addresses };
    let platform = world.platform.clone();
    story::play(&door, &platform, platform.now().date_naive()).await;
    end(served);
    let last = |it: &Collected| it.text().contains("\"stopped\"").then_some(());
    collector.gets(last).await;
    let collected = collector.collected();
    let text = collected.text();
    assert!(collected.spans.iter().any(|span| span.name.starts_with("core.")), "{text}");
    let script: Value =
        serde_json::from_str(include_str!("../../../tests/story/deal.json")).unwrap();
    let mut personal = BTreeSet::new();
    let fields = [
        "business_purpose",
        "caption",
        "company_name",
        "date_of_birth",
        "description",
        "email",
        "first_name",
        "handle",
        "last_name",
        "name",
        "password",
        "phone",
        "pitch",
        "post_url",
        "title",
    ];
    said(&script, &fields, &mut personal);
    assert!(personal.len() > 20, "{personal:?}");
    for word in personal.iter().filter(|word| word.len() > 3 && *word != "password") {
        assert!(!text.contains(word.as_str()), "{word}");
    }
    assert!(!text.contains('@'), "an address of mail: {text}");
    assert!(!text.contains("127.0.0.1"), "an address of a caller: {text}");
}

both!(the_story_sends_nothing_personal);

#[test]
fn what_makes_no_sense_is_refused() {
    let at = |address: &str| Nil::alone().with("NIL_TELEMETRY_ENDPOINT", address);
    at("collector").run(&["config", "show"]).misused("telemetry.endpoint: `collector`");
    let good = || at("http://127.0.0.1:4318");
    let wrong = good().with("NIL_TELEMETRY_SAMPLE_RATIO", "2");
    wrong.run(&["config", "show"]).misused("telemetry.sample_ratio: 2 makes no sense");
    let wrong = good().with("NIL_TELEMETRY_HEADERS", "opensesame");
    let refused = wrong.run(&["config", "show"]);
    assert!(!refused.stderr.contains("opensesame"), "{refused:?}");
    refused.misused("telemetry.headers: must be NAME=VALUE");
}
