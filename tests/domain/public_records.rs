//! Requests for public records: redacted files, and a log of what was handed out.

use std::collections::{BTreeMap, BTreeSet};

use nil_core::auth::Principal;
use nil_tests::{Person, World, both, unpacked};
use serde_json::{Value, json};

use crate::figures_exports::sha256;

const NOTE: &str = "compliance.records_request.note";
const FILE: &str = "compliance.records_request.file";
const LIST: &str = "compliance.records_request.list";

type Rows = Vec<BTreeMap<String, String>>;

/// The rows of a table, by column.
fn rows(files: &BTreeMap<String, Vec<u8>>, file: &str) -> Rows {
    let text = String::from_utf8(files[file].clone()).unwrap();
    let text = text.trim_start_matches('\u{feff}');
    let mut lines = csv::Reader::from_reader(text.as_bytes());
    lines.deserialize().collect::<Result<_, _>>().unwrap()
}

/// The different values of a column.
fn of(rows: &Rows, column: &str) -> BTreeSet<String> {
    rows.iter().map(|row| row[column].clone()).collect()
}

fn a_request() -> Value {
    json!({
        "requester": "Dana Ortiz, The Daily Gazette", "legal_basis": "Open Records Act, section 4",
        "received_on": "2026-11-19",
    })
}

async fn records_are_handed_out_without_names_and_each_file_is_on_record(world: World) {
    let college = world.college().await;
    let officer = world.portal_user(college, "officer").await.0;
    let brand = world.paying_partner("Quixley Coffee").await;
    let mut people = Vec::new();
    for name in ["Zorblatt", "Yarrow", "Xenon", "Wexford", "Vanfleet", "Umberto"] {
        let athlete = world.athlete_of(&format!("{name} Reyes"), college).await;
        let deal = world.approved_deal(&brand, &athlete, &[70_000]).await;
        world.pay(&brand, &athlete, &deal).await;
        people.push((name, athlete, deal));
    }
    // One of another sport, who would be known by it.
    let alone = people[5].1.id;
    world.script(&format!("UPDATE athlete SET sport_id = 3 WHERE id = {alone}")).await;
    let noted = world.call(NOTE, &officer, a_request()).await.data();
    assert_eq!(noted["requester"], "Dana Ortiz, The Daily Gazette");
    assert_eq!(noted["disclosures"], json!([]));
    let which = json!({ "id": noted["id"] });
    let answer = world.call(FILE, &officer, which.clone()).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    let files = unpacked(&answer.bytes);
    let all: Vec<_> = files.keys().map(String::as_str).collect();
    assert_eq!(all, ["contracts.csv", "manifest.json", "transactions.csv"]);
    let contracts = rows(&files, "contracts.csv");
    let transactions = rows(&files, "transactions.csv");
    assert_eq!((contracts.len(), transactions.len()), (6, 6));
    for text in files.values().map(|bytes| String::from_utf8_lossy(bytes)) {
        for (name, athlete, _) in &people {
            for secret in [*name, "Reyes", &athlete.email, "Quixley", "2005-", "campaign", "Reel"] {
                assert!(!text.contains(secret), "{secret}: {text}");
            }
        }
    }
    for table in [&contracts, &transactions] {
        for row in table {
            for (column, cell) in row {
                let is_day = cell.len() > 7 && cell.starts_with("2026-");
                assert!(!is_day, "{column}: {cell}");
            }
        }
    }
    // The same person, payer and contract in both files.
    for column in ["Athlete", "Contract", "Payer"] {
        assert_eq!(of(&contracts, column), of(&transactions, column), "{column}");
    }
    assert_eq!(of(&contracts, "Athlete").len(), 6);
    assert_eq!(of(&contracts, "Payer").len(), 1);
    assert_eq!(of(&transactions, "Month"), BTreeSet::from(["2026-11".to_owned()]));
    // A withheld sport that stands for one athlete would be that athlete: the next group is
    // withheld with it.
    let withheld = |row: &&BTreeMap<String, String>| row["Sport"] == "withheld";
    assert_eq!(transactions.iter().filter(withheld).count(), 6, "{transactions:?}");
    // Again: the same pseudonyms. For another request: others.
    let again = world.call(FILE, &officer, which.clone()).await;
    let repeated = rows(&unpacked(&again.bytes), "contracts.csv");
    assert_eq!(of(&repeated, "Athlete"), of(&contracts, "Athlete"));
    let mut later = a_request();
    later["from"] = json!("2026-01-01");
    later["to"] = json!("2026-11-30");
    let other = world.call(NOTE, &officer, later).await.data();
    let others = world.call(FILE, &officer, json!({ "id": other["id"] })).await;
    let others = rows(&unpacked(&others.bytes), "contracts.csv");
    assert!(of(&others, "Athlete").is_disjoint(&of(&contracts, "Athlete")));
    assert_eq!(others.len(), 6);
    let log = world.call(LIST, &officer, json!({})).await.data();
    assert_eq!((log.as_array().unwrap().len(), &log[0]["id"]), (2, &other["id"]));
    let handed = log[1]["disclosures"].as_array().unwrap();
    assert_eq!(handed.len(), 2);
    for (row, bytes) in handed.iter().zip([&again.bytes, &answer.bytes]) {
        assert_eq!(row["sha256"], sha256(bytes));
        assert_eq!(row["bytes"], bytes.len());
        assert_eq!((&row["contracts"], &row["transactions"]), (&json!(6), &json!(6)));
        assert!(row["completed_at"].is_string() && row["handed_out_by"].is_i64(), "{row}");
    }
    let trail = json!({ "subject_kind": "public_records_request" });
    let trail = world.call("compliance.audit.list", &officer, trail).await.data();
    let done: Vec<_> = trail.as_array().unwrap().iter().map(|row| row["action"].clone()).collect();
    assert_eq!(done, ["handed_out", "noted", "handed_out", "handed_out", "noted"]);
}
both!(records_are_handed_out_without_names_and_each_file_is_on_record);

/// Makes a paid deal of this amount for an athlete of this sport, or one that is only agreed on.
async fn a_deal(
    world: &World,
    brand: &Person,
    college: i64,
    (sport, cents): (i64, i64),
    paid: bool,
) {
    let athlete = world.athlete_of("Noor Reyes", college).await;
    world.script(&format!("UPDATE athlete SET sport_id = {sport} WHERE id = {}", athlete.id)).await;
    let deal = world.approved_deal(brand, &athlete, &[cents]).await;
    if paid {
        world.pay(brand, &athlete, &deal).await;
    }
}

/// The tables of a new request.
async fn handed_out(world: &World, officer: &Principal) -> [Rows; 2] {
    let noted = world.call(NOTE, officer, a_request()).await.data();
    let answer = world.call(FILE, officer, json!({ "id": noted["id"] })).await;
    let files = unpacked(&answer.bytes);
    ["contracts.csv", "transactions.csv"].map(|file| rows(&files, file))
}

/// The sports that the rows tell of each athlete.
fn sports<'a>(
    rows: impl Iterator<Item = &'a BTreeMap<String, String>>,
) -> BTreeMap<String, BTreeSet<String>> {
    let mut all: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for row in rows {
        all.entry(row["Athlete"].clone()).or_default().insert(row["Sport"].clone());
    }
    all
}

/// Five athletes of each of two sports have contracts; of the second only two were paid.
async fn one_file_tells_no_sport_that_the_other_withholds(world: World) {
    let college = world.college().await;
    let officer = world.portal_user(college, "officer").await.0;
    let brand = world.paying_partner("Quixley Coffee").await;
    for place in 0..5 {
        a_deal(&world, &brand, college, (1, 70_000), true).await;
        a_deal(&world, &brand, college, (2, 70_000), place < 2).await;
    }
    let [contracts, transactions] = handed_out(&world, &officer).await;
    assert_eq!((contracts.len(), transactions.len()), (10, 7));
    for (athlete, told) in sports(contracts.iter().chain(&transactions)) {
        assert_eq!(told.len(), 1, "{athlete}: {told:?}");
        assert!(!told.contains("withheld"), "{athlete}: {told:?}");
    }
    // One of a third sport is hidden together with the smallest group that is large enough to hide
    // in.
    a_deal(&world, &brand, college, (3, 70_000), true).await;
    a_deal(&world, &brand, college, (1, 70_000), false).await;
    let [contracts, transactions] = handed_out(&world, &officer).await;
    let told = sports(contracts.iter().chain(&transactions));
    assert!(told.values().all(|told| told.len() == 1), "{told:?}");
    let hidden = told.values().filter(|told| told.contains("withheld")).count();
    assert_eq!((hidden, told.len()), (6, 12), "{told:?}");
}
both!(one_file_tells_no_sport_that_the_other_withholds);

/// What two requests show cannot be put together by exact amounts or by the places of the rows.
async fn two_requests_cannot_be_joined(world: World) {
    let college = world.college().await;
    let officer = world.portal_user(college, "officer").await.0;
    let brand = world.paying_partner("Quixley Coffee").await;
    for place in 1..=6 {
        a_deal(&world, &brand, college, (1, 10_000 * place + 137), true).await;
    }
    let mut orders = BTreeSet::new();
    for _ in 0..4 {
        let [contracts, transactions] = handed_out(&world, &officer).await;
        let column = |rows: &Rows, name: &str| -> Vec<String> {
            rows.iter().map(|row| row[name].clone()).collect()
        };
        for name in ["Gross", "Fee", "Net", "Refunded"] {
            for cell in column(&transactions, name) {
                let cents = cell.replace('.', "").parse::<i64>().unwrap();
                assert_eq!(cents % 500, 0, "{name}: {cell}");
            }
        }
        let agreed = column(&contracts, "Agreed amount");
        let mut sorted = agreed.clone();
        sorted.sort();
        assert_eq!(sorted, ["100.00", "200.00", "300.00", "400.00", "500.00", "600.00"]);
        orders.insert((agreed, column(&transactions, "Gross")));
    }
    assert!(orders.len() > 1, "{orders:?}");
}
both!(two_requests_cannot_be_joined);

async fn requests_belong_to_the_whole_institution(world: World) {
    let college = world.college().await;
    let officer = world.portal_user(college, "officer").await.0;
    let noted = world.call(NOTE, &officer, a_request()).await.data();
    let which = json!({ "id": noted["id"] });
    let elsewhere = world.college().await;
    let stranger = world.portal_user(elsewhere, "owner").await.0;
    assert_eq!(world.call(FILE, &stranger, which.clone()).await.status, 404);
    assert_eq!(world.call(LIST, &stranger, json!({})).await.data(), json!([]));
    let limited = crate::figures::officer(college, &[1]);
    assert_eq!(world.call(FILE, &limited, which.clone()).await.status, 403);
    assert_eq!(world.call(NOTE, &limited, a_request()).await.status, 403);
    let finance = world.portal_user(college, "finance").await.0;
    assert_eq!(world.call(FILE, &finance, which).await.status, 403);
    for (field, wrong) in [
        ("received_on", json!("2026-11-21")),
        ("to", json!("2025-12-31")),
        ("requester", json!("")),
        ("legal_basis", json!("x".repeat(1_001))),
    ] {
        let mut input = a_request();
        input["from"] = json!("2026-01-01");
        input[field] = wrong;
        assert_eq!(world.call(NOTE, &officer, input).await.status, 422, "{field}");
    }
    assert_eq!(world.id("SELECT COUNT(*) FROM public_records_disclosure").await, 0);
}
both!(requests_belong_to_the_whole_institution);
