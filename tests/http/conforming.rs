//! The suite of conformance against every stack: everything holds that can be checked.

use nil_conformance::{Report, Suite, all};
use nil_tests::{Engine, Frontend, Server, both, is_long, judged};

/// What the platform does otherwise than the contract says, row by row; each must still be so.
const OTHERWISE: [(&str, &str); 6] = [
    // The templates' variables are words: `due_on` is none of the contract's dates.
    ("core.notification.list", "types"),
    // Lists by name or role, where the contract says newest first.
    ("core.public.colleges", "order"),
    ("compliance.athlete.list", "order"),
    // The deal stands in a field of the answer.
    ("compliance.athlete.job_detail", "shape"),
    ("compliance.college.list", "order"),
    ("compliance.portal_user.list", "order"),
];

/// What no interface can make: an overdue deliverable, an agent's invoice.
const NOT_APPLICABLE: [&str; 2] = ["core.deliverable.overdue", "core.agent.invoices"];

async fn judge(frontend: Frontend, engine: Engine) {
    let server = Server::start(judged::world(engine).await, frontend).await;
    let _working = judged::working(&server);
    let suite = Suite::open(judged::seeded(&server).await).await.expect("the accounts log in");
    let report = suite.run(&[]).await;
    assert_eq!(report.rows.len(), all().len());
    let failures = report.rows.iter().flat_map(|row| {
        row.failures().map(|(finding, _)| (row.endpoint.operation, finding.check.as_str()))
    });
    let failures: Vec<_> = failures.collect();
    assert_eq!(failures, OTHERWISE, "{}", told(&report));
    let lacking = report.rows.iter().filter(|row| row.lacking().next().is_some());
    let lacking: Vec<_> = lacking.map(|row| row.endpoint.operation).collect();
    assert_eq!(lacking, NOT_APPLICABLE);
    // Once more with what is there now; the first run has used up a minute's limits.
    server.world.pass(chrono::TimeDelta::minutes(2));
    let again = suite.run(&["core.job.".to_owned(), "compliance.".to_owned()]).await;
    let known =
        failures.iter().filter(|(row, _)| again.rows.iter().any(|r| r.endpoint.operation == *row));
    assert_eq!(again.counts()[1], known.count(), "{}", told(&again));
}

/// The report without the table of all rows.
fn told(report: &Report) -> String {
    let text = report.to_string();
    text.split_once("\n\n").map_or_else(|| text.clone(), |(_, failures)| failures.to_owned())
}

/// Each server on one of the databases; behind `NIL_LONG`, on both.
async fn every_endpoint_is_what_the_interfaces_say(engine: Engine) {
    let usual = if engine == Engine::Sqlite { Frontend::Warp } else { Frontend::Poem };
    judge(usual, engine).await;
    if is_long() {
        let other = if engine == Engine::Sqlite { Frontend::Poem } else { Frontend::Warp };
        judge(other, engine).await;
    }
}
both!(every_endpoint_is_what_the_interfaces_say);
