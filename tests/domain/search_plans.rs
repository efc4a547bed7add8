//! Searches use indexes: with 10,000 athletes, 2,000 brands and 2,000 open jobs no plan of
//! PostgreSQL scans a whole table, neither for a page nor for its count. SQLite plans alike for any
//! number of rows, and has a fifth of them.

use nil_core::accounts::UserKind;
use nil_core::accounts::profiles::athlete_search::SearchAthletes;
use nil_core::accounts::profiles::brand_search::BrandDirectory;
use nil_core::accounts::profiles::searching::{self, Seeker};
use nil_core::jobs::{SearchJobs, browsing};
use nil_core::kernel::{AthleteId, Paged};
use nil_core::marketplace::SearchOffers;
use nil_core::marketplace::searching as offers;
use nil_tests::{Engine, World, both};
use serde_json::{Value, json};

/// Tables that must never be scanned.
const BIG: [&str; 11] = [
    "athlete",
    "athlete_search",
    "athlete_social",
    "athlete_tag",
    "app_user",
    "partner",
    "partner_search",
    "job",
    "milestone",
    "application",
    "service_offer",
];

/// The lines of a plan that scan one of the big tables.
fn whole_reads(plan: &str) -> Vec<&str> {
    let reads = |line: &&str| {
        let table = line
            .split_once("SCAN ")
            .or_else(|| line.split_once("Seq Scan on "))
            .and_then(|(_, rest)| rest.split_whitespace().next());
        table.is_some_and(|table| BIG.contains(&table))
    };
    plan.lines().filter(reads).collect()
}

fn check(what: &str, input: &Value, plans: &[String]) {
    for plan in plans {
        let whole = whole_reads(plan);
        assert!(whole.is_empty(), "{what} {input}: {whole:?} in\n{plan}");
    }
}

/// A range by which a search is not sorted must not choose the index: every row of it would be
/// read, and sorted.
fn check_order(what: &str, input: &Value, plans: &[String]) {
    let fields = input.as_object().unwrap();
    let has_range = fields.keys().any(|name| name.starts_with("min_") || name.starts_with("max_"));
    if !has_range || fields.contains_key("q") {
        return;
    }
    for plan in plans {
        // What is read beside a page that is found is sorted again: a page.
        let found = plan.split_once("SCAN page").map_or(plan.as_str(), |(found, _)| found);
        assert!(!found.contains("TEMP B-TREE FOR ORDER BY"), "{what} {input}:\n{plan}");
    }
}

/// The jobs of a search for words are found in their order. If they were sorted, every job with the
/// words would be read first, however few are shown. PostgreSQL may do so with rare words only.
fn check_found(input: &Value, plans: &[String]) {
    let by_age_or_relevance =
        matches!(input["sort"].as_str(), None | Some("relevance" | "created_at" | "-created_at"));
    if !(input["q"].is_string() && by_age_or_relevance) {
        return;
    }
    for plan in plans {
        let found = plan
            .split_once("MATERIALIZE found")
            .and_then(|(_, rest)| rest.split_once("SCAN found"));
        match found {
            Some((found, _)) => assert!(!found.contains("ORDER BY"), "{input}:\n{plan}"),
            None => assert!(plan.contains("CTE found"), "{input}:\n{plan}"),
        }
        if input["q"] == "students" {
            assert!(!plan.contains("job_by_words"), "{input}:\n{plan}");
        }
    }
}

#[test]
fn a_whole_read_is_seen_in_either_engines_words() {
    assert_eq!(whole_reads("SCAN athlete_search USING INDEX x\nSEARCH job USING INDEX y").len(), 1);
    assert_eq!(whole_reads("Limit\n  ->  Seq Scan on job  (cost=0.00..1.00)").len(), 1);
    assert_eq!(whole_reads("SCAN athlete_text VIRTUAL TABLE INDEX 0:M2\nSCAN counted").len(), 0);
}

async fn no_search_reads_a_whole_table(engine: Engine) {
    let world = World::on(engine).await;
    // Nine of ten jobs are open.
    if engine == Engine::Postgres {
        world.populate(10_000, 2_000, 2_200).await;
    } else {
        world.populate(2_000, 400, 440).await;
    }
    let athletes = [
        json!({}),
        json!({ "page": 300 }),
        json!({ "q": "reyes" }),
        json!({ "q": "podcasts" }),
        json!({ "q": "ana reyes" }),
        json!({ "q": "handle1000017" }),
        json!({ "q": "podcasts", "sport_ids": [3], "sort": "name" }),
        json!({ "sport_ids": [3] }),
        json!({ "sport_ids": [3, 4], "class_years": ["senior"] }),
        json!({ "university_ids": [1_000_007] }),
        json!({ "conferences": ["Conference 3"] }),
        json!({ "states": ["IL"] }),
        json!({ "genders": ["female"] }),
        json!({ "class_years": ["junior"] }),
        json!({ "min_followers": 99_000 }),
        json!({ "max_followers": 500 }),
        json!({ "max_rate_cents": 1_000 }),
        json!({ "sport_ids": [3], "min_followers": 500 }),
        json!({ "min_followers": 500, "sort": "-followers" }),
        json!({ "is_available": false }),
        json!({ "platforms": ["twitch"] }),
        json!({ "tags": ["gaming"] }),
        json!({ "activities": ["autograph"] }),
        json!({ "sort": "name" }),
        json!({ "sort": "-name" }),
        json!({ "sort": "followers" }),
        json!({ "sort": "-followers" }),
        json!({ "sort": "engagement_rate" }),
        json!({ "sort": "-engagement_rate" }),
        json!({ "sort": "-newest" }),
        json!({ "states": ["IL"], "sort": "-followers", "genders": ["male"] }),
    ];
    let callers =
        [(UserKind::Athlete, 1_000_010), (UserKind::Partner, 1_000_001), (UserKind::Agent, 1)];
    let callers = callers.map(|(kind, profile)| Some(Seeker { kind, profile }));
    for input in &athletes {
        for caller in std::iter::once(None).chain(callers) {
            let plans = searching::plans(
                &world.platform,
                serde_json::from_value::<Paged<SearchAthletes>>(input.clone()).unwrap(),
                caller,
            )
            .await;
            let plans = plans.expect("plans");
            check("athletes", input, &plans);
            if caller.is_none() {
                check_order("athletes", input, &plans);
            }
        }
    }
    let brands = [
        json!({}),
        json!({ "q": "okoye" }),
        json!({ "business_category_ids": [3] }),
        json!({ "states": ["OH"] }),
        json!({ "sort": "name" }),
        json!({ "sort": "-name" }),
    ];
    for input in &brands {
        let plans = searching::brand_plans(
            &world.platform,
            serde_json::from_value::<Paged<BrandDirectory>>(input.clone()).unwrap(),
        )
        .await;
        check("brands", input, &plans.expect("plans"));
    }
    let jobs = [
        json!({}),
        json!({ "page": 30 }),
        json!({ "q": "headphones" }),
        json!({ "q": "burritos" }),
        json!({ "q": "students" }),
        json!({ "q": "students", "page": 3 }),
        json!({ "q": "students", "page": 30 }),
        json!({ "q": "students", "sort": "-created_at" }),
        json!({ "q": "students", "sort": "created_at", "category_ids": [3] }),
        json!({ "q": "headphones", "sort": "-amount_cents" }),
        json!({ "category_ids": [3] }),
        json!({ "kinds": ["ongoing"] }),
        json!({ "compensation": ["cash"] }),
        json!({ "min_amount_cents": 98_000 }),
        json!({ "min_amount_cents": 5_000, "category_ids": [3] }),
        json!({ "min_amount_cents": 5_000, "sort": "application_deadline" }),
        json!({ "min_amount_cents": 5_000, "sort": "amount_cents" }),
        json!({ "platforms": ["snapchat"] }),
        json!({ "sport_ids": [3] }),
        json!({ "university_ids": [1_000_003] }),
        json!({ "deadline_before": "2026-12-02" }),
        json!({ "sort": "created_at" }),
        json!({ "sort": "amount_cents" }),
        json!({ "sort": "-amount_cents" }),
        json!({ "sort": "application_deadline" }),
        json!({ "sort": "-application_deadline" }),
        json!({ "q": "headphones", "category_ids": [3], "kinds": ["ongoing"] }),
    ];
    for input in &jobs {
        for athlete in [None, AthleteId::new(1_000_001)] {
            let plans = browsing::plans(
                &world.platform,
                athlete,
                serde_json::from_value::<Paged<SearchJobs>>(input.clone()).unwrap(),
            )
            .await;
            let plans = plans.expect("plans");
            check("jobs", input, &plans);
            check_order("jobs", input, &plans);
            check_found(input, &plans);
        }
    }
    let mine = json!({ "is_eligible": true });
    let plans = browsing::plans(
        &world.platform,
        AthleteId::new(1_000_001),
        serde_json::from_value::<Paged<SearchJobs>>(mine.clone()).unwrap(),
    )
    .await;
    check("jobs", &mine, &plans.expect("plans"));
    let kinds = "CASE i.id % 3 WHEN 0 THEN 'lesson' WHEN 1 THEN 'speaking' ELSE 'autograph' END";
    world.script("UPDATE athlete SET date_of_birth = '2005-01-01' WHERE id > 1000000").await;
    world.script(&format!(
            "INSERT INTO service_offer (athlete_id, kind, platform, title, description, price_cents, \
             delivery_days, active, created_at, updated_at) SELECT i.id, {kinds}, 'in_person', \
             'Hour' || (i.id % 211) || ' of mine', 'Whatever topic' || (i.id % 97) || ' you like, for an \
             hour of my time, on the field or in the gym of the university, with all that is needed.', \
             (i.id % 500 + 1) * 100, 7, TRUE, i.created_at, i.created_at FROM athlete i"
        )).await;
    world.vacuum().await;
    for input in [
        json!({}),
        json!({ "page": 300 }),
        json!({ "q": "hour12" }),
        json!({ "q": "topic12" }),
        json!({ "q": "topic12", "sort": "price" }),
        json!({ "kinds": ["lesson"] }),
        json!({ "sport_ids": [3] }),
        json!({ "university_ids": [1_000_007] }),
        json!({ "athlete_id": 1_000_010 }),
        json!({ "max_price_cents": 200 }),
        json!({ "sport_ids": [3], "max_price_cents": 40_000 }),
        json!({ "min_price_cents": 49_000, "sort": "-price" }),
        json!({ "sort": "price" }),
        json!({ "sport_ids": [3, 4], "kinds": ["speaking"], "sort": "price" }),
    ] {
        let plans = offers::plans(
            &world.platform,
            serde_json::from_value::<Paged<SearchOffers>>(input.clone()).unwrap(),
        )
        .await;
        let plans = plans.expect("plans");
        check("offers", &input, &plans);
        check_order("offers", &input, &plans);
    }
    world.search_rows_are_right().await;
}
both!(no_search_reads_a_whole_table);

/// What a brand sees of an athlete is read by the athlete, who has few deals, and not by the brand,
/// which may have thousands.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_detail_does_not_read_all_deals_of_its_caller() {
    let world = World::on(Engine::Sqlite).await;
    let brand = world.partner("Northfield").await;
    let athlete = world.athlete("Jordan Lake").await;
    let input = json!({ "athlete_id": athlete.id });
    let detail = world.call("core.athlete.detail", &brand.principal, input);
    let (_, watched) = world.platform.db().watched(detail).await.unwrap();
    let plans: String = watched.plans.into_iter().map(|(_, plan)| plan + "\n").collect();
    assert!(plans.contains("contract_by_athlete"), "{plans}");
    for reading in ["contract_by_partner", "contract_of_partner", "job_by_partner"] {
        assert!(!plans.contains(reading), "{reading}: {plans}");
    }
}
