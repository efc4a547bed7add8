//! What an institution gives to the public: statistics in which nobody can be recognised.

use std::collections::{BTreeMap, BTreeSet};

use nil_core::auth::Principal;
use nil_core::kernel::{Cents, SeededRandom};
use nil_tests::{Draw as _, World, both};
use serde_json::{Value, json};

use crate::figures::{asks, officer};

const SHOW: &str = "compliance.statistics.show";

/// A transaction of the academic year 2025/26, as the test knows it.
#[derive(Clone, Copy, Debug)]
struct Known {
    athlete: i64,
    sport: i64,
    category: i64,
    month: u32,
    cents: i64,
}

async fn write(world: &World, college: i64, known: &[Known]) {
    let rows = (1..).zip(known).map(|(record, one)| {
        format!(
            "({college}, '{}-15T12:00:00+00:00', 'platform', {}, {}, {}, 'female', {}, 'cash', \
             'succeeded', (1 = 1), {}, 0, {}, 0, NULL, (1 = 0), (1 = 0), (1 = 0), (1 = 0), (1 = 0), NULL)",
            month(one),
            college * 1_000_000 + record,
            one.athlete,
            one.sport,
            one.category,
            one.cents,
            one.cents,
        )
    });
    let rows: Vec<String> = rows.collect();
    world.script(&format!("INSERT INTO college_transaction VALUES {}", rows.join(", "))).await;
}

fn month(one: &Known) -> String {
    let year = if one.month > 6 { 2025 } else { 2026 };
    format!("{year}-{:02}", one.month)
}

/// So many athletes of a sport with a deal each.
fn team(sport: i64, athletes: std::ops::Range<i64>, cents: i64) -> Vec<Known> {
    athletes.map(|athlete| Known { athlete, sport, category: 1, month: 9, cents }).collect()
}

fn names(statistics: &Value) -> Vec<&str> {
    let groups = statistics["groups"].as_array().unwrap();
    groups.iter().map(|group| group["name"].as_str().unwrap()).collect()
}

async fn statistics_hide_small_groups_and_what_gives_them_away(world: World) {
    let college = world.college().await;
    let owner = world.portal_user(college, "owner").await.0;
    let mut known = team(1, 1..9, 10_000);
    known.extend(team(3, 20..22, 20_000));
    known.extend(team(5, 40..49, 30_049));
    // Another institution's.
    let elsewhere = world.college().await;
    write(&world, elsewhere, &team(7, 60..70, 99_000)).await;
    write(&world, college, &known).await;
    let by_sport = asks(&world, SHOW, &owner, json!({})).await;
    // Two athletes of sport 3: with the total, the sum of sport 1 would give theirs away.
    assert_eq!(names(&by_sport).len(), 1, "{by_sport}");
    assert_eq!((&by_sport["by"], &by_sport["suppressed"]), (&json!("sport"), &json!(2)));
    assert_eq!((&by_sport["from"], &by_sport["to"]), (&json!("2025-07-01"), &json!("2026-06-30")));
    assert_eq!(by_sport["groups"][0]["deals"], 9);
    assert_eq!(by_sport["groups"][0]["median_cents"], 30_000);
    assert_eq!((&by_sport["all"]["deals"], &by_sport["all"]["athletes"]), (&json!(19), &json!(19)));
    assert_eq!(by_sport["all"]["gross_cents"], 390_000);
    assert!(by_sport["note"].as_str().unwrap().starts_with("2 groups are left out"), "{by_sport}");
    let by_month = asks(&world, SHOW, &owner, json!({ "by": "month" })).await;
    assert_eq!((names(&by_month), &by_month["suppressed"]), (vec!["2025-09"], &json!(0)));
    let by_category = asks(&world, SHOW, &owner, json!({ "by": "category" })).await;
    assert_eq!(by_category["groups"][0]["athletes"], 19);
    let sheet = world.call("compliance.statistics.export", &owner, json!({})).await;
    let text = String::from_utf8(sheet.bytes).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 4, "{text}");
    assert!(lines[0].ends_with("Group,Deals,Athletes,Sum,Median,Currency"), "{text}");
    assert!(lines[2].starts_with("All,19,19,"), "{text}");
    assert!(lines[3].contains("2 groups are left out"), "{text}");
    let trail = json!({ "action": "statistics_published" });
    let trail = world.call("compliance.audit.list", &owner, trail).await;
    assert_eq!(trail.body["pagination"]["total"], 4);
    assert_eq!(trail.body["data"][0]["after"]["by"], "sport");
    // A greater k hides more.
    let save = "compliance.college.save_settings";
    let settings = asks(&world, save, &owner, json!({ "smallest_group": 20 })).await;
    assert_eq!(settings["smallest_group"], 20);
    let none = asks(&world, SHOW, &owner, json!({})).await;
    assert_eq!((&none["all"], &none["suppressed"]), (&Value::Null, &json!(3)));
    assert!(names(&none).is_empty());
    for wrong in [4, 101] {
        let refused = world.call(save, &owner, json!({ "smallest_group": wrong })).await;
        assert_eq!(refused.status, 422, "{wrong}");
    }
    // Years before there was anything, and years that are not over.
    let early = asks(&world, SHOW, &owner, json!({ "academic_year": 2020 })).await;
    assert_eq!((&early["all"], &early["suppressed"]), (&Value::Null, &json!(0)));
    for year in [2026, 1969, i32::MAX, i32::MIN] {
        let ask = json!({ "academic_year": year });
        assert_eq!(world.call(SHOW, &owner, ask).await.status, 422, "{year}");
    }
    let limited = officer(college, &[1]);
    let finance = world.portal_user(college, "finance").await.0;
    for refused in [limited, finance] {
        assert_eq!(world.call(SHOW, &refused, json!({})).await.status, 403);
    }
}
both!(statistics_hide_small_groups_and_what_gives_them_away);

fn athletes(known: &[Known]) -> usize {
    known.iter().map(|one| one.athlete).collect::<BTreeSet<_>>().len()
}

fn median(known: &[Known]) -> i64 {
    let mut cents: Vec<i64> = known.iter().map(|one| one.cents).collect();
    cents.sort_unstable();
    let (low, high) = (cents[(cents.len() - 1) / 2], cents[cents.len() / 2]);
    if cents.len() % 2 == 1 { low } else { low / 2 + high / 2 }
}

/// The names of sports and categories by their ids.
async fn named(world: &World, who: &Principal) -> [BTreeMap<i64, String>; 2] {
    let sports = asks(world, "compliance.filter.sports", who, json!({})).await;
    let categories = asks(world, "compliance.analytics.by_category", who, json!({})).await;
    let names = |rows: &Value, id: &str, name: &str| -> BTreeMap<i64, String> {
        let rows = rows.as_array().unwrap().iter();
        rows.map(|row| (row[id].as_i64().unwrap(), row[name].as_str().unwrap().to_owned()))
            .collect()
    };
    [names(&sports, "value", "label"), names(&categories, "category_id", "category")]
}

async fn statistics_are_what_a_recount_says_and_no_more(world: World) {
    let random = SeededRandom::new(11);
    let mut shown_at_all = 0;
    for round in 0..6 {
        let college = world.college().await;
        let who = officer(college, &[]);
        let [sports, categories] = named(&world, &who).await;
        let of_sports: Vec<i64> = sports.keys().copied().take(6).collect();
        let of_categories: Vec<i64> = categories.keys().copied().take(4).collect();
        let known: Vec<Known> = (0..20 + random.below(120))
            .map(|_| Known {
                athlete: 1 + random.below(10 + round * 10),
                sport: *random.one_of(&of_sports),
                category: *random.one_of(&of_categories),
                month: u32::try_from(1 + random.below(12)).unwrap(),
                cents: 1 + random.below(40_000),
            })
            .collect();
        write(&world, college, &known).await;
        for by in ["sport", "category", "month"] {
            let told = asks(&world, SHOW, &who, json!({ "by": by })).await;
            let name = |one: &Known| match by {
                "sport" => sports[&one.sport].clone(),
                "category" => categories[&one.category].clone(),
                _ => month(one),
            };
            let mut groups: BTreeMap<String, Vec<Known>> = BTreeMap::new();
            for one in &known {
                groups.entry(name(one)).or_default().push(*one);
            }
            let shown = names(&told);
            for (name, row) in shown.iter().zip(told["groups"].as_array().unwrap()) {
                let right = &groups[*name];
                assert!(athletes(right) >= 5, "{by} {row}");
                let gross = right.iter().map(|one| one.cents).sum();
                assert_eq!(row["deals"], right.len(), "{by} {row}");
                assert_eq!(row["athletes"], athletes(right), "{by} {row}");
                assert_eq!(row["gross_cents"], Cents(gross).rounded().get(), "{by} {row}");
                assert_eq!(row["median_cents"], Cents(median(right)).rounded().get(), "{by} {row}");
            }
            assert_eq!(told["suppressed"], groups.len() - shown.len(), "{by} {told}");
            shown_at_all += shown.len();
            if told["all"].is_null() {
                assert!(shown.is_empty());
                continue;
            }
            let hidden: Vec<Known> =
                known.iter().filter(|one| !shown.contains(&name(one).as_str())).copied().collect();
            let rest = athletes(&hidden);
            assert!(rest == 0 || rest >= 5, "{by}: {rest} athletes follow from the total");
            assert_eq!(told["all"]["deals"], known.len());
            assert_eq!(told["all"]["athletes"], athletes(&known));
            assert_eq!(told["all"]["median_cents"], Cents(median(&known)).rounded().get());
        }
    }
    assert!(shown_at_all > 40, "{shown_at_all}");
}
both!(statistics_are_what_a_recount_says_and_no_more);
