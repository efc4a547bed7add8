//! What a server tells its operators' tools: `/metrics`, for whom, and the log.

use nil_tests::{Engine, World, both};
use serde_json::{Value, json};

use crate::nil::Nil;
use crate::served::Served;

const OWN: &str = "a walk along the lake";

/// A platform with an operator.
fn with_an_operator() -> Nil {
    let nil = Nil::alone();
    let create =
        ["operator", "create", "--email", "o@nil.example", "--name", "O", "--password-stdin"];
    nil.run_reading(&create, OWN).good();
    nil
}

async fn get(served: &Served, address: &str, header: (&str, &str)) -> (u16, String) {
    let asked = served.client.get(address).header(header.0, header.1).send().await.unwrap();
    (asked.status().as_u16(), asked.text().await.unwrap())
}

/// The value of a figure's only line that begins so.
fn value(figures: &str, begin: &str) -> f64 {
    let mut found = figures.lines().filter_map(|line| line.strip_prefix(begin));
    let value = found.next().unwrap_or_else(|| panic!("no {begin} in {figures}"));
    assert_eq!(found.next(), None, "{begin}");
    value.trim().parse().unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn figures_tell_what_a_process_does() {
    let nil = with_an_operator().with("NIL_THROTTLE_LOGIN", "1");
    let mut served = Served::start(&nil, &[]);
    served.visit_as_operator("o@nil.example", OWN).await;
    assert_eq!(served.log_in_operator("o@nil.example", OWN).await.0, 429);
    let code = json!({ "email": "somebody@else.example" });
    let begun = served.client.post(format!("{}/api/forgotPassword", served.core)).json(&code);
    begun.send().await.unwrap();
    served.logged("admin.auth.log_in").await;
    let page = format!("{}/metrics", served.back_office);
    let (status, figures) = get(&served, &page, ("accept", "*/*")).await;
    assert_eq!(status, 200);
    let log_ins = "nil_http_requests_total{operation=\"admin.auth.log_in\",status=";
    assert!(value(&figures, &format!("{log_ins}\"200\"}}")) >= 1.0, "{figures}");
    assert!(value(&figures, &format!("{log_ins}\"429\"}}")) >= 1.0, "{figures}");
    assert!(value(&figures, "nil_http_throttled_total{class=\"login\"}") >= 1.0, "{figures}");
    let bucket = "nil_http_request_seconds_bucket{operation=\"admin.auth.log_in\",le=\"+Inf\"}";
    assert!(value(&figures, bucket) >= 2.0, "{figures}");
    assert!(value(&figures, "nil_database_wait_seconds_count{for=\"write\"}") >= 1.0, "{figures}");
    assert!(value(&figures, "nil_live_streams") >= 0.0);
    assert!(value(&figures, "nil_outbox_pending{channel=\"email\"}") >= 0.0);
    assert!(value(&figures, "nil_outbox_overdue_seconds{channel=\"event\"}") >= 0.0);
    let unsettled = "nil_processor_unsettled_seconds{kind=\"payout\"}";
    assert!(value(&figures, unsettled).abs() < f64::EPSILON, "{figures}");
    assert!(value(&figures, "nil_processor_differences") >= 0.0);
    assert!(value(&figures, "nil_processor_difference_seconds") >= 0.0);
    assert!(value(&figures, "nil_audit_unsealed_seconds") >= 0.0);
    assert!(value(&figures, "nil_books_unbalanced_transfers").abs() < f64::EPSILON, "{figures}");
    assert!(value(&figures, "process_resident_memory_bytes") > 1e6, "{figures}");
    let version = format!("nil_build_info{{version=\"{}\"}}", env!("CARGO_PKG_VERSION"));
    assert!((value(&figures, &version) - 1.0).abs() < f64::EPSILON);
    // Every figure has a meaning, and the page for operators names it.
    let page = include_str!("../../../docs/operating.md");
    for line in figures.lines().filter_map(|line| line.strip_prefix("# TYPE ")) {
        let name = line.split(' ').next().unwrap();
        assert!(figures.contains(&format!("# HELP {name} ")), "{name} has no meaning");
        assert!(page.contains(name) || name.starts_with("process_"), "{name} is not in the page");
    }
}

/// When `nil verify` last found everything right, as a server says it.
async fn verified(served: &Served) -> f64 {
    let page = format!("{}/metrics", served.core);
    value(&get(served, &page, ("accept", "*/*")).await.1, "nil_verified_timestamp_seconds")
}

async fn servers_know_when_everything_was_right(engine: Engine) {
    let world = World::in_real_time(engine).await;
    let nil = Nil::beside(&world);
    let served = Served::start(&nil, &[]);
    assert!(verified(&served).await < 1.0);
    let said = |nil: &Nil| nil.doctor("last good verify").0;
    assert_eq!(said(&nil), "warning");
    nil.run(&["verify"]).good();
    let first = verified(&served).await;
    assert!(first > 1.7e9, "{first}");
    assert_eq!(said(&nil), "good");
    // What finds something wrong is no good check.
    let alone = "INSERT INTO ledger_transfer (reason, refers_to, at) \
                 VALUES ('payment', 'payment:999', '2026-11-01T00:00:00Z')";
    world.script(alone).await;
    world.script("UPDATE installation SET verified_at = '2026-11-01T00:00:00Z'").await;
    assert_eq!(nil.run(&["verify"]).code, 1);
    assert!(verified(&served).await < first);
    assert_eq!(said(&nil), "warning");
    let page = format!("{}/metrics", served.core);
    let figures = get(&served, &page, ("accept", "*/*")).await.1;
    assert!(figures.contains("\nnil_books_unbalanced_transfers 1\n"), "{figures}");
}
both!(servers_know_when_everything_was_right);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn figures_are_for_this_machine_for_a_token_or_on_a_listener_of_their_own() {
    let nil = with_an_operator();
    let served = Served::start(&nil, &[]);
    for base in [&served.core, &served.back_office] {
        let page = format!("{base}/metrics");
        assert_eq!(get(&served, &page, ("accept", "*/*")).await.0, 200);
        for name in ["x-forwarded-for", "forwarded", "x-real-ip", "via"] {
            assert_eq!(get(&served, &page, (name, "192.0.2.7")).await.0, 404, "{name}");
        }
    }
    drop(served);
    let nil = nil.with("NIL_METRICS_TOKEN", "a token for the scraper");
    let served = Served::start(&nil, &[]);
    let page = format!("{}/metrics", served.core);
    assert_eq!(get(&served, &page, ("accept", "*/*")).await.0, 401);
    assert_eq!(get(&served, &page, ("authorization", "Bearer a token")).await.0, 401);
    let right = ("authorization", "Bearer a token for the scraper");
    let (status, figures) = get(&served, &page, right).await;
    assert_eq!(status, 200);
    assert!(!figures.contains("a token"), "{figures}");
    drop(served);
    let nil = nil.with("NIL_METRICS_TOKEN", "").with("NIL_METRICS", "127.0.0.1:0");
    let served = Served::start(&nil, &[]);
    let page = format!("{}/metrics", served.core);
    assert_eq!(get(&served, &page, ("accept", "*/*")).await.0, 404);
    let own = served.metrics.as_deref().expect("its address");
    assert_eq!(get(&served, own, ("x-forwarded-for", "192.0.2.7")).await.0, 200);
    let elsewhere = own.replace("/metrics", "/api/listColleges");
    assert_eq!(get(&served, &elsewhere, ("accept", "*/*")).await.0, 404);
    drop(served);
    nil.with("NIL_METRICS_TOKEN", "short").run(&["serve"]).misused("at least 16 characters");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_line_of_the_log_says_who_asked_for_what() {
    let nil = with_an_operator();
    let mut served = Served::start(&nil, &[]);
    let (_, answer, cookie) = served.visit_as_operator("o@nil.example", OWN).await;
    let session = (cookie.as_str(), answer["data"]["csrf_token"].as_str().unwrap());
    let open = json!({ "job_id": 1, "status": "open" });
    served.post_as_operator("/admin/job/updateJobStatusFromPending", session, &open).await;
    served.client.get(format!("{}/readyz", served.core)).send().await.unwrap();
    served.logged("admin.job.decide_pending").await;
    let log = served.log();
    let lines = log.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let line =
        lines.into_iter().find(|line| line["operation"] == "admin.job.decide_pending").unwrap();
    assert_eq!(
        (&line["caller"], &line["interface"], &line["address"], &line["status"]),
        (&json!("operator:1"), &json!("admin"), &json!("127.0.0.1"), &json!(404))
    );
    assert!(line["micros"].is_u64(), "{line}");
    assert!(!log.contains("/readyz"), "probes are told at the level debug only");
    drop(served);
    let text = nil.with("NIL_LOG_FORMAT", "text").with("NIL_LOG", "debug");
    let mut served = Served::start(&text, &[]);
    served.client.get(format!("{}/readyz", served.core)).send().await.unwrap();
    served.logged("/readyz").await;
    assert!(!served.log().contains('{'), "{}", served.log());
    let wrong = text.with("NIL_LOG_FORMAT", "xml");
    wrong.run(&["serve"]).misused("must be `text` or `json`");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_log_says_what_was_refused_and_who_tried_to_log_in() {
    let nil = with_an_operator();
    let mut served = Served::start(&nil, &[]);
    let core = served.core.clone();
    served.client.get(format!("{core}/api/nowhere")).send().await.unwrap();
    served.client.get(format!("{core}/api/login")).send().await.unwrap();
    for email in ["o@nil.example", "nobody@elsewhere.example"] {
        let wrong = json!({ "email": email, "password": "not the password" });
        let at = format!("{core}/api/login");
        let refused = served.client.post(at).json(&wrong).send().await.unwrap();
        assert_eq!(refused.status(), 401);
    }
    served.client.get(format!("{core}/api/last")).send().await.unwrap();
    served.logged("/api/last").await;
    let lines: Vec<Value> =
        served.log().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(lines.iter().any(|line| line["message"] == "started"), "{}", served.log());
    let refusals = lines.iter().filter(|line| line["message"] == "request");
    let refusals: Vec<[&Value; 4]> = refusals
        .map(|line| ["status", "error", "caller", "address"].map(|name| &line[name]))
        .collect();
    let told = |status: u16, error: &str, caller: &str| {
        [json!(status), json!(error), json!(caller), json!("127.0.0.1")]
    };
    let expected = [
        told(404, "route_not_found", "not asked"),
        told(405, "method_not_allowed", "not asked"),
        told(401, "wrong_credentials", "anonymous"),
        told(401, "wrong_credentials", "anonymous"),
    ];
    for (found, expected) in refusals.iter().zip(&expected) {
        assert_eq!(found.map(Clone::clone), *expected);
    }
    assert!(refusals.len() > expected.len());
    let accounts: Vec<&Value> = lines
        .iter()
        .filter(|line| line["message"] == "a log-in failed")
        .map(|line| &line["account"])
        .collect();
    assert_eq!(accounts, ["o***@nil.example", "n***@elsewhere.example"]);
    assert!(!served.log().contains("nobody@"), "{}", served.log());
    drop(served);
    let trail = ["audit", "list", "--action", "log_in_failed", "--json"];
    let trail = nil.run(&trail).good().json();
    let subjects: Vec<&Value> =
        trail.as_array().unwrap().iter().map(|entry| &entry["subject_kind"]).collect();
    assert_eq!(subjects, ["unknown_account", "unknown_account"], "operators are unknown in Core");
}
