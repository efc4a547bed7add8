//! Figures and lists of an institution use indexes, whatever filters are combined: no plan of
//! either database reads all rows of a large table.

use nil_tests::{Engine, World, both};
use serde_json::{Map, Value, json};

use crate::figures::officer;

/// Tables that grow with the installation.
const BIG: [&str; 12] = [
    "college_transaction",
    "athlete",
    "app_user",
    "payment",
    "contract",
    "disclosed_job",
    "application",
    "job",
    "partner",
    "audit_entry",
    "participant",
    "message",
];

/// Their names in the statements of figures, as SQLite's plans say them; `s`, `k`, `g` and `step`
/// are small.
const ALIASES: [&str; 10] = ["t", "a", "u", "p", "c", "d", "x", "j", "b", "r"];

/// The lines of a plan that read all rows of a large table, in whatever order.
pub(crate) fn whole_reads(plan: &str) -> Vec<String> {
    let lines: Vec<&str> = plan.lines().collect();
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        if let Some((_, rest)) = line.split_once("SCAN ") {
            let table = rest.split_whitespace().next().unwrap_or_default();
            // A table that a statement makes for itself has a name of its own.
            if BIG.contains(&table) || ALIASES.contains(&table) {
                found.push((*line).to_owned());
            }
        }
        let on_big =
            |rest: &str| rest.split_whitespace().next().is_some_and(|name| BIG.contains(&name));
        if line.split_once("Seq Scan on ").is_some_and(|(_, rest)| on_big(rest)) {
            found.push((*line).to_owned());
        }
        // An index that is read from end to end. PostgreSQL may read accounts so, to join an
        // institution's athletes, where the institution is a large part of all; payments and
        // contracts are few in this test.
        let by_index =
            line.contains("Index Scan using ") || line.contains("Index Only Scan using ");
        let many = |rest: &str| {
            let table = rest.split_whitespace().next().unwrap_or_default();
            [
                "college_transaction",
                "athlete",
                "disclosed_job",
                "audit_entry",
                "participant",
                "message",
            ]
            .contains(&table)
        };
        if by_index && line.split_once(" on ").is_some_and(|(_, rest)| many(rest)) {
            let below = lines.iter().skip(at + 1).take_while(|line| !line.contains("->"));
            if !below.clone().any(|line| line.contains("Index Cond")) {
                found.push((*line).to_owned());
            }
        }
    }
    found
}

#[test]
fn a_whole_read_is_seen_in_either_engines_words() {
    assert_eq!(whole_reads("SCAN t USING COVERING INDEX x\nSEARCH a USING INDEX y").len(), 1);
    assert_eq!(whole_reads("SEARCH t USING PRIMARY KEY (college_id=?)\nSCAN step").len(), 0);
    assert_eq!(whole_reads("Limit\n  ->  Seq Scan on athlete a  (cost=0.00..1.00)").len(), 1);
    let whole =
        "Limit\n  ->  Index Scan using athlete_pkey on athlete a  (cost=0.1)\n        Filter: x";
    assert_eq!(whole_reads(whole).len(), 1);
    let part =
        "  ->  Index Scan using athlete_pkey on athlete a  (cost=0.1)\n     Index Cond: (id = 1)";
    assert_eq!(whole_reads(part).len(), 0);
}

/// Every field of the filter with a value that leaves some rows.
fn filters() -> Vec<(&'static str, Value)> {
    vec![
        ("from", json!("2026-06-01")),
        ("to", json!("2026-09-30")),
        ("sport_ids", json!([3, 5])),
        ("genders", json!(["female"])),
        ("athlete_ids", json!([1_000_007, 1_000_107])),
        ("category_ids", json!([2, 3])),
        ("sources", json!(["disclosed"])),
        ("statuses", json!(["approved", "rejected"])),
        ("flags", json!(["over_threshold", "late"])),
        ("min_cents", json!(20_000)),
        ("max_cents", json!(60_000)),
    ]
}

/// Each filter alone, each pair, a preset with each, and none.
fn inputs() -> Vec<Value> {
    let one = |fields: &[&(&'static str, Value)]| {
        let fields: Map<String, Value> =
            fields.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        Value::Object(fields)
    };
    let all = filters();
    let preset = ("preset", json!("last_90_days"));
    let mut inputs = vec![json!({}), one(&[&preset])];
    for (place, first) in all.iter().enumerate() {
        inputs.push(one(&[first]));
        if !matches!(first.0, "from" | "to") {
            inputs.push(one(&[&preset, first]));
        }
        for second in &all[place + 1..] {
            inputs.push(one(&[first, second]));
        }
    }
    inputs
}

#[test]
fn every_filter_is_tried() {
    let entry = nil_core::catalog::catalog()
        .iter()
        .find(|entry| entry.name == "compliance.analytics.by_sport")
        .unwrap();
    let document = nil_tests::conforming::documented(entry);
    let mut named: Vec<&str> = document["parameters"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|field| field["in"] == "query")
        .map(|field| field["name"].as_str().unwrap())
        .collect();
    // Words are compared with the names of every row that is left: for a list, PostgreSQL may read
    // these by their key.
    let others = ["preset", "q"];
    let mut tried: Vec<&str> = filters().iter().map(|(name, _)| *name).chain(others).collect();
    named.sort_unstable();
    tried.sort_unstable();
    assert_eq!(named, tried);
}

async fn no_filter_of_figures_reads_a_whole_table(world: World) {
    world.populate_with_transactions().await;
    let who = officer(1_000_007, &[]);
    let listed = [
        "compliance.transaction.list",
        "compliance.transaction.summary",
        "compliance.transaction.top_athletes",
        "compliance.transaction.top_teams",
        "compliance.analytics.by_sport",
        "compliance.analytics.by_category",
        "compliance.athlete.list",
    ];
    let mut wrong = Vec::new();
    for input in inputs() {
        let calls = async {
            for name in listed {
                let answer = world.call(name, &who, input.clone()).await;
                assert_eq!(answer.status, 200, "{name} {input}: {}", answer.body);
            }
        };
        let ((), watched) = world.platform.db().watched(calls).await.unwrap();
        // Kept totals have names of their own for what they make.
        let of_tables = |text: &String| !text.contains("college_total t");
        for (text, plan) in watched.plans.into_iter().filter(|(text, _)| of_tables(text)) {
            let whole = whole_reads(&plan);
            if !whole.is_empty() {
                wrong.push(format!("{input}\n{whole:?}\n{text}\n{plan}"));
            }
        }
    }
    wrong.sort_by_key(String::len);
    assert!(wrong.is_empty(), "{} plans, such as\n{}", wrong.len(), wrong[0]);
}
both!(no_filter_of_figures_reads_a_whole_table);

/// The primary key begins with the institution, which has many more transactions than a few
/// athletes have. PostgreSQL's planner chooses by the numbers of rows.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sqlite_finds_a_few_athletes_by_their_own_index() {
    let world = World::on(Engine::Sqlite).await;
    let college = world.college().await;
    let who = officer(college, &[]);
    for name in ["compliance.transaction.summary", "compliance.analytics.by_sport"] {
        for input in [json!({}), json!({ "from": "2026-01-01" }), json!({ "sport_ids": [3] })] {
            let mut input = input;
            input["athlete_ids"] = json!([1, 2, 3]);
            let call = world.call(name, &who, input.clone());
            let (_, watched) = world.platform.db().watched(call).await.unwrap();
            let of_rows = |text: &str| text.contains(r#"FROM "college_transaction" AS "t""#);
            let mut plans = watched.plans.iter().filter(|(text, _)| of_rows(text)).peekable();
            assert!(plans.peek().is_some(), "{name} {input}: {:?}", watched.plans);
            for (text, plan) in plans {
                assert!(plan.contains("college_transaction_by_athlete"), "{text}\n{plan}");
            }
        }
    }
}
