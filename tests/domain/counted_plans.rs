//! What a page costs beside its own rows: the number of all rows comes from an index, without the
//! tables that only name things; and rows of a few athletes are found by the athletes.

use nil_tests::{World, both};
use serde_json::{Value, json};

use crate::followed_plans::{HERE, beside, populate, reader, sorts};

/// The statement that reads a page, with its plan.
async fn page_of(world: &World, name: &str, input: &Value) -> (String, String) {
    let who = reader(world, name);
    let call = world.call(name, &who, input.clone());
    let (answer, watched) = world.platform.db().watched(call).await.unwrap();
    assert_eq!(answer.status, 200, "{name} {input}: {}", answer.body);
    let mut pages = watched.plans.into_iter().filter(|(text, _)| text.contains("list_key_1"));
    let page = pages.next().unwrap_or_else(|| panic!("{name} {input} reads no page"));
    assert_eq!(pages.next(), None, "{name} {input}");
    page
}

/// The part of a page's statement that counts.
fn count_of(text: &str) -> &str {
    let (before, _) = text.rsplit_once("list_total").expect("a total");
    before.rsplit_once("(SELECT COUNT(*)").expect("a count").1
}

#[test]
fn a_count_is_found_behind_the_columns() {
    let text = r#"SELECT (SELECT COUNT(*) FROM job) AS "jobs", (SELECT COUNT(*) FROM "a") AS "list_total" FROM "a""#;
    assert_eq!(count_of(text), r#" FROM "a") AS ""#);
}

/// Lists, what is asked, and what SQLite counts by.
fn counted() -> Vec<(&'static str, Value, &'static str)> {
    let none = || json!({});
    let every = || json!({ "status": "all", "id": 0 });
    vec![
        ("compliance.clearance.list", none(), "COVERING INDEX clearance_by_college"),
        (
            "compliance.clearance.list",
            json!({ "statuses": ["due"] }),
            "COVERING INDEX clearance_by_college",
        ),
        ("compliance.disclosed_job.list", none(), "INDEX disclosed_job_of_college"),
        ("compliance.disclosure.list", none(), "COVERING INDEX athlete_agent_filing_by_college"),
        ("compliance.audit.list", none(), "INDEX audit_entry_by_portal_user"),
        ("admin.athlete.list", every(), "COVERING INDEX"),
        ("admin.partner.list", every(), "COVERING INDEX"),
        ("admin.agent.list", every(), "agent"),
    ]
}

async fn rows_are_counted_without_what_names_them(world: World) {
    populate(&world).await;
    beside(&world).await;
    world.vacuum().await;
    for (name, input, by) in counted() {
        let (text, plan) = page_of(&world, name, &input).await;
        let count = count_of(&text);
        assert!(!count.contains("JOIN"), "{name} {input} counts{count}");
        if world.is_sqlite() {
            assert!(plan.contains(by), "{name} {input}\n{plan}");
        }
    }
    let (text, plan) = page_of(&world, "compliance.athlete.list", &json!({})).await;
    let count = count_of(&text);
    assert!(!count.contains("representation"), "{count}\n{plan}");
}
both!(rows_are_counted_without_what_names_them);

async fn rows_of_few_athletes_are_found_by_the_athletes(world: World) {
    populate(&world).await;
    beside(&world).await;
    world.vacuum().await;
    let athlete = format!("SELECT MAX(id) AS id FROM athlete WHERE university_id = {HERE}");
    let athletes = json!({ "athlete_ids": [world.id(&athlete).await] });
    for (name, by) in [
        ("compliance.clearance.list", "clearance_by_athlete"),
        ("compliance.disclosed_job.list", "disclosed_job_by_athlete"),
        ("compliance.disclosure.list", "athlete_agent_filing_by_athlete"),
    ] {
        let (text, plan) = page_of(&world, name, &athletes).await;
        assert!(plan.contains(by), "{name}\n{text}\n{plan}");
        let of_college = by.replace("_by_athlete", "_of_college");
        for other in [of_college.clone(), of_college.replace("_of_", "_by_")] {
            assert!(!plan.contains(&other), "{name} uses {other}\n{text}\n{plan}");
        }
    }
}
both!(rows_of_few_athletes_are_found_by_the_athletes);

/// Sums, the order of a list and what is open have an index of their own.
async fn pages_of_many_rows_have_their_indexes(world: World) {
    populate(&world).await;
    beside(&world).await;
    world.vacuum().await;
    for (name, by) in [
        ("admin.payment.list", "payment_by_status"),
        ("compliance.inbox.list", "athlete_agent_filing_open"),
    ] {
        let who = reader(&world, name);
        let input = if name.starts_with("admin.") {
            json!({ "status": "all", "id": 0 })
        } else {
            json!({})
        };
        let call = world.call(name, &who, input);
        let (answer, watched) = world.platform.db().watched(call).await.unwrap();
        assert_eq!(answer.status, 200, "{name}: {}", answer.body);
        let plans: String = watched.plans.into_iter().map(|(_, plan)| plan + "\n").collect();
        assert!(plans.contains(by), "{name}\n{plans}");
    }
    let (text, plan) = page_of(&world, "admin.export.list", &json!({})).await;
    assert!(plan.contains("export_report_of_operator"), "{text}\n{plan}");
    if world.is_sqlite() {
        assert!(!sorts(&plan), "{text}\n{plan}");
    }
}
both!(pages_of_many_rows_have_their_indexes);
