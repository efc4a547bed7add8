//! The table of what runs beside a server: each row has a test that makes the other side fall
//! silent, and names figures that exist.

use crate::tidy::{complain, sources};

/// The rows by the beginning of their first cell, each with the file and the name of its test.
const ROWS: &[(&str, &str, &str)] = &[
    (
        "`database`",
        "nil-cli/tests/cli/beside/databases.rs",
        "without_the_database_requests_are_refused_in_time_postgres",
    ),
    (
        "`database_direct`",
        "nil-cli/tests/cli/beside/databases.rs",
        "without_the_databases_own_address_requests_go_on_postgres",
    ),
    (
        "`database_replica`",
        "nil-cli/tests/cli/beside/databases.rs",
        "without_the_replica_all_is_read_from_the_primary_postgres",
    ),
    (
        "`redis_url`",
        "nil-cli/tests/cli/shared_throttles.rs",
        "three_processes_share_a_limit_and_tell_when_they_do_not_postgres",
    ),
    (
        "`[mail] server`",
        "nil-cli/tests/cli/beside/messages.rs",
        "without_the_mail_server_mails_wait",
    ),
    ("`[sms] url`", "nil-cli/tests/cli/beside/messages.rs", "without_the_provider_texts_wait"),
    (
        "`[objects] bucket`",
        "nil-cli/tests/cli/beside/money_and_files.rs",
        "without_the_bucket_files_are_refused",
    ),
    (
        "`[processor]`",
        "nil-cli/tests/cli/beside/money_and_files.rs",
        "without_the_processor_payments_stay_processing",
    ),
    ("`[model] url`", "nil-cli/tests/cli/beside/others.rs", "without_the_model_the_rules_answer"),
    (
        "identity providers (`[operator_sign_on]`",
        "nil-cli/tests/cli/beside/others.rs",
        "without_the_identity_provider_nobody_signs_on",
    ),
    (
        "`[telemetry] endpoint`",
        "nil-cli/tests/cli/telemetry.rs",
        "without_the_collector_requests_go_on",
    ),
    (
        "receivers of webhooks",
        "nil-cli/tests/cli/beside/messages.rs",
        "without_a_receiver_its_webhooks_wait",
    ),
];

/// The cells of the table's rows.
fn rows() -> Vec<Vec<String>> {
    let page = include_str!("../../docs/operating.md");
    let (_, after) = page.split_once("## What runs beside a server\n").expect("the heading");
    let table = after.split("\n## ").next().unwrap_or_default();
    let lines = table.lines().filter(|line| line.starts_with("| ")).skip(1);
    lines
        .map(|line| line.trim_matches('|').split('|').map(|cell| cell.trim().into()).collect())
        .collect()
}

#[test]
fn each_row_has_its_test() {
    let (rows, sources) = (rows(), sources(".rs"));
    let mut wrong = Vec::new();
    if rows.len() != ROWS.len() {
        wrong.push(format!("the table has {} rows, the list {}", rows.len(), ROWS.len()));
    }
    for (row, (setting, file, test)) in rows.iter().zip(ROWS) {
        if !row[0].starts_with(setting) {
            wrong.push(format!("the row of {} stands where the list has {setting}", row[0]));
        }
        let text = sources.iter().find(|(path, _)| path == file);
        let head = format!("async fn {test}(");
        if !text.is_some_and(|(_, text)| text.contains(&head)) {
            wrong.push(format!("{file} has no test {test}"));
        }
    }
    complain(wrong);
}

#[test]
fn each_figure_of_a_row_is_measured() {
    let metering = include_str!("../../nil-core/src/metering.rs");
    let mut wrong = Vec::new();
    for row in rows() {
        assert_eq!(row.len(), 4, "{row:?}");
        let names = row[3].split('`').skip(1).step_by(2);
        let names: Vec<_> = names.filter(|name| name.starts_with("nil_")).collect();
        if names.is_empty() && !row[3].starts_with('–') {
            wrong.push(format!("the row of {} names neither a figure nor `–`", row[0]));
        }
        for name in names {
            let name = name.split('{').next().unwrap_or(name);
            if !metering.contains(&format!("\"{name}\"")) {
                wrong.push(format!("{name} is not measured"));
            }
        }
    }
    complain(wrong);
}
