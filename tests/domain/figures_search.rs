//! The words of a search narrow the list, the figures and the exports alike.

use std::collections::BTreeMap;

use nil_core::auth::Principal;
use nil_tests::{World, both, unpacked};
use serde_json::{Value, json};

use crate::figures::{LIST, SUMMARY, asks, disclose, officer};

/// The rows of a table without its titles.
fn rows(files: &BTreeMap<String, Vec<u8>>, file: &str) -> usize {
    String::from_utf8(files[file].clone()).unwrap().trim_end().lines().count() - 1
}

async fn exported(world: &World, who: &Principal, q: &str) -> BTreeMap<String, Vec<u8>> {
    let file = world.call("compliance.transaction.export", who, json!({ "q": q })).await;
    assert_eq!(file.status, 200, "{}", file.body);
    unpacked(&file.bytes)
}

fn sum(rows: &Value) -> i64 {
    rows.as_array().unwrap().iter().map(|row| row["gross_cents"].as_i64().unwrap()).sum()
}

async fn words_narrow_lists_figures_and_exports_alike(world: World) {
    let college = world.college().await;
    let who = world.portal_user(college, "finance").await.0;
    let mut people = Vec::new();
    for (brand, name, cents) in [
        ("Cedar Coffee", "Jordan Lake", 7_310),
        ("Quarry 50% Gym", "Ida Novak", 12_450),
        ("Quarry 50% Gym", "Coral Reed", 2_040),
    ] {
        let partner = world.paying_partner(brand).await;
        let athlete = world.athlete_of(name, college).await;
        let deal = world.approved_deal(&partner, &athlete, &[cents]).await;
        world.pay(&partner, &athlete, &deal).await;
        people.push(athlete);
    }
    disclose(&world, &people[0], json!({ "payer_name": "Reedham Motors" })).await;
    for (q, count, athletes) in [
        ("quarry", 2, 2),
        // A payer and an athlete.
        ("reed", 2, 2),
        ("JORDAN", 2, 1),
        ("disclosed-", 1, 1),
        ("50%", 2, 2),
        ("5_%", 0, 0),
        ("nobody of that name", 0, 0),
        ("  ", 4, 3),
    ] {
        let words = json!({ "q": q });
        let list = asks(&world, LIST, &who, words.clone()).await;
        assert_eq!(list.as_array().unwrap().len(), count, "{q}");
        let totals = asks(&world, SUMMARY, &who, words.clone()).await["totals"].clone();
        assert_eq!(
            (&totals["count"], &totals["gross_cents"]),
            (&json!(count), &json!(sum(&list))),
            "{q}"
        );
        assert_eq!(totals["athletes"], athletes, "{q}");
        for figure in ["top_athletes", "top_teams"] {
            let name = format!("compliance.transaction.{figure}");
            assert_eq!(
                sum(&asks(&world, &name, &who, words.clone()).await),
                sum(&list),
                "{q} {figure}"
            );
        }
        for figure in ["by_sport", "by_payment_type", "by_category"] {
            let name = format!("compliance.analytics.{figure}");
            assert_eq!(
                sum(&asks(&world, &name, &who, words.clone()).await),
                sum(&list),
                "{q} {figure}"
            );
        }
        let files = exported(&world, &who, q).await;
        assert_eq!(rows(&files, "transactions.csv"), count, "{q}");
        assert_eq!(rows(&files, "athletes.csv"), athletes, "{q}");
        let both = rows(&files, "contracts.csv") + rows(&files, "disclosures.csv");
        assert_eq!(both, count, "{q}");
    }
    let series = "compliance.analytics.applications_over_time";
    for (q, hires) in [("quarry", 2), ("ida", 1), ("harbor", 0)] {
        let told = asks(&world, series, &who, json!({ "q": q, "interval": "day" })).await;
        let points = told["points"].as_array().unwrap().iter();
        let told: i64 = points.map(|point| point["hires"].as_i64().unwrap()).sum();
        assert_eq!(told, hires, "{q}");
    }
}
both!(words_narrow_lists_figures_and_exports_alike);

async fn athletes_are_exported_by_the_name_that_lists_them(world: World) {
    let college = world.college().await;
    let who = officer(college, &[]);
    for name in ["Jordan Lake", "Ida Novak", "Coral Lakeman"] {
        world.athlete_of(name, college).await;
    }
    for (q, found) in [("lake", 2), ("ida", 1), ("nobody", 0)] {
        let words = json!({ "q": q });
        let list = asks(&world, "compliance.athlete.list", &who, words.clone()).await;
        assert_eq!(list.as_array().unwrap().len(), found, "{q}");
        let file = world.call("compliance.athlete.export", &who, words).await;
        let text = String::from_utf8(file.bytes).unwrap();
        assert_eq!(text.trim_end().lines().count(), found + 1, "{q}: {text}");
    }
}
both!(athletes_are_exported_by_the_name_that_lists_them);

async fn the_payor_of_a_clearance_is_a_name(world: World) {
    let college = world.college().await;
    let athlete = world.athlete_of("Jordan Lake", college).await;
    let brand = world.partner("Reed & Sons Outfitters, LLC").await;
    let job = world.open_job(&brand, json!({ "slots": 1 })).await;
    world.hire(&brand, &athlete, job).await;
    let confirm = json!({ "job_id": job });
    world.call("core.contract.confirm_availability", &athlete.principal, confirm).await.data();
    disclose(&world, &athlete, json!({ "payer_name": "Café Nestor Inc." })).await;
    let own = world.call("core.clearance.list", &athlete.principal, json!({})).await.data();
    let mut names: Vec<_> = own.as_array().unwrap().iter().map(|one| &one["payor"]).collect();
    names.sort_by_key(|name| name.as_str());
    assert_eq!(names, ["Café Nestor Inc.", "Reed & Sons Outfitters, LLC"]);
}
both!(the_payor_of_a_clearance_is_a_name);
