//! Exports: a verifiable archive, tables that are safe in spreadsheets, and little memory.

use std::collections::BTreeMap;
use std::io::{Cursor, Read as _, Write as _};

use calamine::{Reader as _, Xlsx};
use futures::StreamExt as _;
use nil_core::auth::Principal;
use nil_core::catalog::catalog;
use nil_core::operation::{Body, Call, Fields};
use nil_core::seed::{self, Size};
use nil_tests::{DECLINED_CARD, World, both, or_long};
use serde_json::{Value, json};
use zip::ZipArchive;

use crate::figures::officer;

const EXPORT: &str = "compliance.transaction.export";

async fn archive(world: &World, who: &Principal, input: Value) -> BTreeMap<String, Vec<u8>> {
    let file = world.call(EXPORT, who, input).await;
    assert_eq!(file.body["data"], "transactions-2026-11-20.zip");
    let mut archive = ZipArchive::new(Cursor::new(file.bytes)).unwrap();
    let mut files = BTreeMap::new();
    for at in 0..archive.len() {
        let mut file = archive.by_index(at).unwrap();
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).unwrap();
        files.insert(file.name().unwrap().into_owned(), bytes);
    }
    files
}

fn lines(files: &BTreeMap<String, Vec<u8>>, name: &str) -> Vec<String> {
    let text = String::from_utf8(files[name].clone()).unwrap();
    text.trim_end().split("\r\n").skip(1).map(Into::into).collect()
}

async fn an_archive_holds_what_its_manifest_says(world: World) {
    let college = world.college().await;
    let finance = world.portal_user(college, "finance").await.0;
    let partner = world.paying_partner("=HYPERLINK(\"A1\")").await;
    let athlete = world.athlete_of("Jordan Lake", college).await;
    let deal = world.approved_deal(&partner, &athlete, &[5_000]).await;
    world.pay(&partner, &athlete, &deal).await;
    let disclosed = json!({
        "payer_name": "@Harbor Books", "payer_kind": "business", "title": "+Reading", "category_id": 9,
        "amount_cents": 40_000, "compensation": "cash", "signed_on": "2026-11-19",
        "description": "Two readings.",
        "attestations": ["not_for_performance", "not_an_inducement", "business_purpose", "complete_and_true"],
    });
    world.call("core.disclosed_job.save", &athlete.principal, disclosed).await.data();
    let files = archive(&world, &finance, json!({ "contracts": true })).await;
    let year = "contracts/NIL-2026-000001.pdf";
    let names: Vec<_> = files.keys().map(String::as_str).collect();
    assert_eq!(
        names,
        [
            "README.txt",
            "athletes.csv",
            "contracts.csv",
            year,
            "disclosures.csv",
            "manifest.json",
            "transactions.csv"
        ]
    );
    assert!(files[year].starts_with(b"%PDF-"));
    let transactions = lines(&files, "transactions.csv");
    assert_eq!(transactions.len(), 2);
    assert!(transactions[0].contains("\"'=HYPERLINK(\"\"A1\"\")\""), "{}", transactions[0]);
    assert!(
        transactions[0].contains(",50.00,5.00,0.00,50.00,0.00,usd,succeeded,yes,"),
        "{}",
        transactions[0]
    );
    assert!(transactions[1].contains("\"'@Harbor Books\""), "{}", transactions[1]);
    let athletes = lines(&files, "athletes.csv");
    assert!(
        athletes[0].contains("Jordan Lake") && athletes[0].contains(",2,450.00,450.00,"),
        "{}",
        athletes[0]
    );
    assert!(lines(&files, "contracts.csv")[0].ends_with(year));
    assert!(lines(&files, "disclosures.csv")[0].contains("\"'+Reading\""));
    let manifest: Value = serde_json::from_slice(&files["manifest.json"]).unwrap();
    assert_eq!(
        (&manifest["college_id"], &manifest["time_zone"]),
        (&json!(college), &json!("America/Chicago"))
    );
    let listed = manifest["files"].as_array().unwrap();
    assert_eq!(listed.len(), 6);
    for file in listed {
        let content = &files[file["name"].as_str().unwrap()];
        assert_eq!(file["bytes"], content.len());
        assert_eq!(file["sha256"], sha256(content), "{file}");
    }

    let plain =
        archive(&world, &finance, json!({ "sources": ["platform"], "from": "2026-11-20" })).await;
    assert!(!plain.contains_key(year));
    assert_eq!(lines(&plain, "transactions.csv").len(), 1);
    assert!(lines(&plain, "disclosures.csv").is_empty());
    let empty = archive(&world, &finance, json!({ "to": "2026-01-01", "contracts": true })).await;
    assert_eq!(empty.len(), 6);
    assert!(
        lines(&empty, "contracts.csv").is_empty() && lines(&empty, "transactions.csv").is_empty()
    );
    let viewer = world.portal_user(college, "viewer").await.0;
    for name in [EXPORT, "compliance.athlete.export"] {
        assert_eq!(world.call(name, &viewer, json!({})).await.status, 403);
        let wrong = json!({ "from": "2026-11-20", "to": "2026-11-19" });
        assert_eq!(world.call(name, &finance, wrong).await.status, 422);
    }
}
both!(an_archive_holds_what_its_manifest_says);

/// The cents of a column, of the rows that another column says `yes` in, or of all.
fn cents(files: &BTreeMap<String, Vec<u8>>, name: &str, column: &str, only: Option<&str>) -> i64 {
    let mut reader = csv::Reader::from_reader(&*files[name]);
    let heads = reader.headers().unwrap().clone();
    let at = |column: &str| heads.iter().position(|head| head == column).expect("a column");
    let rows = reader.records().map(|row| row.unwrap());
    let rows = rows.filter(|row| only.is_none_or(|only| &row[at(only)] == "yes"));
    rows.map(|row| row[at(column)].replace('.', "").parse::<i64>().unwrap()).sum()
}

async fn the_files_of_an_archive_agree_with_each_other(world: World) {
    let college = world.college().await;
    let finance = world.portal_user(college, "finance").await.0;
    let partner = world.paying_partner("Ridge Outfitters").await;
    let athlete = world.athlete_of("Jordan Lake", college).await;
    let agent = world.agent("North Agency").await;
    world.represent(&agent, &athlete, 1_250).await;
    let deal = world.approved_deal(&partner, &athlete, &[30_000]).await;
    world.pay(&partner, &athlete, &deal).await;
    // A payment that failed is listed, and is in no total.
    let poor = world.partner("Pale Coffee").await;
    world.card(&poor, DECLINED_CARD).await;
    let deal = world.approved_deal(&poor, &athlete, &[7_100]).await;
    let pay = json!({ "athlete_id": athlete.id, "contract_id": deal.contract_id });
    let declined = world.call("core.payment.pay_with_saved_card", &poor.principal, pay).await;
    assert_eq!(declined.code(), "card_declined");
    let files = archive(&world, &finance, json!({})).await;
    let sum = |column, only| cents(&files, "transactions.csv", column, only);
    assert_eq!(sum("Gross", None), 37_100);
    for column in ["Gross", "Net", "Refunded"] {
        let of_athletes = cents(&files, "athletes.csv", column, None);
        assert_eq!(sum(column, Some("Counted")), of_athletes, "{column}");
    }
    assert_eq!(sum("Gross", None) - sum("Commission", None), sum("Net", None));
    assert!(sum("Commission", None) > 0);
    let explained = String::from_utf8(files["README.txt"].clone()).unwrap();
    for column in ["Gross", "Fee", "Commission", "Net", "Refunded", "Counted"] {
        assert!(explained.contains(&format!("\n{column} ")), "{column}");
    }
}
both!(the_files_of_an_archive_agree_with_each_other);

async fn the_table_of_athletes_says_what_the_list_says(world: World) {
    let college = world.college().await;
    let finance = world.portal_user(college, "finance").await.0;
    let partner = world.paying_partner("Cedar Coffee").await;
    let paid = world.athlete_of("Jordan Lake", college).await;
    let deal = world.approved_deal(&partner, &paid, &[5_000]).await;
    world.pay(&partner, &paid, &deal).await;
    let other = world.athlete_of("=Ana Reyes", college).await;
    let list = "compliance.athlete.list";
    let rows = world.call(list, &finance, json!({})).await.data();
    let names: Vec<_> =
        rows.as_array().unwrap().iter().map(|row| row["display_name"].as_str().unwrap()).collect();
    assert_eq!(names, ["=Ana Reyes", "Jordan Lake"]);
    assert_eq!(
        rows[1]["totals"],
        json!({
            "count": 1, "gross_cents": 5_000, "net_cents": 5_000, "refunded_cents": 0,
            "last_at": "2026-11-20T12:00:00Z",
        })
    );
    assert_eq!((&rows[1]["minor"], &rows[1]["status"]), (&json!(false), &json!("active")));
    for (input, ids) in [
        (json!({ "sort": "-gross_cents" }), vec![paid.id, other.id]),
        (json!({ "sort": "gross_cents" }), vec![other.id, paid.id]),
        (json!({ "q": "LAKE" }), vec![paid.id]),
        (json!({ "statuses": ["succeeded"] }), vec![paid.id]),
        (json!({ "min_cents": 5_001 }), vec![]),
        (json!({ "to": "2026-11-19" }), vec![other.id, paid.id]),
        (json!({ "genders": ["male"] }), vec![]),
        (json!({ "athlete_ids": [other.id] }), vec![other.id]),
        (json!({ "page": 2, "per_page": 1 }), vec![paid.id]),
    ] {
        let rows = world.call(list, &finance, input.clone()).await.data();
        let found: Vec<_> =
            rows.as_array().unwrap().iter().map(|row| row["id"].as_i64().unwrap()).collect();
        assert_eq!(found, ids, "{input}");
    }
    let file = world.call("compliance.athlete.export", &finance, json!({})).await;
    assert_eq!(file.body["data"], "athletes-2026-11-20.csv");
    let text = String::from_utf8(file.bytes).unwrap();
    let lines: Vec<_> = text.trim_end().split("\r\n").collect();
    assert_eq!(lines.len(), 3);
    assert!(
        lines[1].starts_with(&format!("{},Jordan Lake,Baseball,female,", paid.id)),
        "{}",
        lines[1]
    );
    assert!(lines[2].contains("\"'=Ana Reyes\""), "{}", lines[2]);
}
both!(the_table_of_athletes_says_what_the_list_says);

async fn many_transactions_come_piece_by_piece_and_each_once(world: World) {
    let college = world.college().await;
    let finance = world.portal_user(college, "finance").await.0;
    let partner = world.paying_partner("Cedar Coffee").await;
    let athlete = world.athlete_of("Jordan Lake", college).await;
    let deal = world.approved_deal(&partner, &athlete, &[5_000]).await;
    world.pay(&partner, &athlete, &deal).await;
    // Half of them at the same instant, so that pages end within it.
    let many = format!(
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4700) \
             INSERT INTO payment (number, charge_id, partner_id, athlete_id, contract_id, college_id, \
             amount_cents, fee_cents, agent_commission_cents, total_cents, refunded_cents, \
             refunded_fee_cents, currency, status, paid_at, created_at, updated_at) \
             SELECT 'MANY-' || i, p.charge_id, p.partner_id, p.athlete_id, p.contract_id, p.college_id, \
             i, 0, 0, i, 0, 0, 'usd', 'succeeded', CASE WHEN i % 2 = 0 THEN p.paid_at ELSE \
             ('2026-01-01T00:' || (10 + i % 50) || ':00+00:00')::timestamptz END, p.created_at, p.created_at \
             FROM n CROSS JOIN payment p WHERE p.contract_id = {}",
        deal.contract_id
    );
    world.script(&many).await;
    let files = archive(&world, &finance, json!({})).await;
    let transactions = lines(&files, "transactions.csv");
    let numbers: std::collections::BTreeSet<_> =
        transactions.iter().map(|line| line.split(',').next().unwrap()).collect();
    assert_eq!((transactions.len(), numbers.len()), (4_701, 4_701));
    world.figures_are_right().await;

    // A client may stop reading early.
    let call = Call {
        principal: finance,
        fields: Fields::from_object(serde_json::Map::new()),
        key: None,
        strict: false,
        address: None,
        request_id: "test".into(),
    };
    let reply = catalog().named(EXPORT).unwrap().answer(&world.platform, call).await.unwrap();
    let Body::File(mut file) = reply.body else { panic!("a file") };
    let first = file.bytes.next().await.unwrap().unwrap();
    assert!(first.starts_with(b"PK") && first.len() < 1_000_000);
}
both!(many_transactions_come_piece_by_piece_and_each_once);

/// Otherwise an export takes time by the square of its rows.
async fn no_part_of_an_export_sorts_what_is_left(world: World) {
    let college = world.college().await;
    let finance = world.portal_user(college, "finance").await.0;
    let export = archive(&world, &finance, json!({}));
    let (_, watched) = world.platform.db().watched(export).await.unwrap();
    let tables = ["college_transaction", "athlete", "contract", "disclosed_job"];
    for table in tables {
        let from = format!("FROM \"{table}\" AS");
        let part = |(text, _): &&(String, String)| text.contains(&from) && text.contains("LIMIT");
        let (text, plan) = watched.plans.iter().find(part).unwrap_or_else(|| panic!("{table}"));
        // PostgreSQL sorts the rows of small tables, whatever indexes there are; these words are
        // SQLite's.
        assert!(!plan.contains("ORDER BY"), "{text}\n{plan}");
    }
}
both!(no_part_of_an_export_sorts_what_is_left);

/// The checksum, computed by another program.
pub fn sha256(bytes: &[u8]) -> String {
    let mut program = std::process::Command::new("sha256sum")
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = program.stdin.take().unwrap();
    input.write_all(bytes).unwrap();
    drop(input);
    let output = program.wait_with_output().unwrap();
    String::from_utf8(output.stdout).unwrap()[..64].to_owned()
}

/// All transactions of an institution are in its export, once each and in their order.
async fn a_long_export_reads_back_equal(world: World) {
    let transactions = or_long(3_000, 100_000);
    let size = Size { athletes: 500, brands: 1, jobs: 1, institutions: 1, transactions, seed: 1 };
    let written = seed::write(&world.platform, size, "none".into(), &mut |_, _| {}).await;
    written.expect("a population");
    let who = officer(1_000_001, &[]);
    let files = archive(&world, &who, json!({})).await;
    let text = String::from_utf8(files["transactions.csv"].clone()).unwrap();
    let mut lines = csv::Reader::from_reader(text.trim_start_matches('\u{feff}').as_bytes());
    let titles = lines.headers().unwrap().clone();
    let column = |name: &str| titles.iter().position(|title| title == name).unwrap();
    let (record, gross) = (column("Disclosed job ID"), column("Gross"));
    let (mut places, mut cents, mut rows) = (0_i64, 0_i64, 0_i64);
    for line in lines.records() {
        let line = line.unwrap();
        rows += 1;
        places += rows * line[record].parse::<i64>().unwrap();
        cents += line[gross].replace('.', "").parse::<i64>().unwrap();
    }
    assert_eq!(rows, i64::from(transactions));
    let all = "SELECT CAST(SUM(gross_cents) AS BIGINT) FROM college_transaction";
    assert_eq!(cents, world.id(all).await);
    // The sum of place times record says whether they stand in their order.
    let order = "SELECT CAST(SUM(x.place * x.record_id) AS BIGINT) FROM (SELECT record_id, ROW_NUMBER() OVER \
        (ORDER BY occurred_at DESC, source DESC, record_id DESC) AS place FROM college_transaction) AS x";
    assert_eq!(places, world.id(order).await);
}
both!(a_long_export_reads_back_equal);

async fn officers_export_spreadsheets_named_after_what_they_hold(world: World) {
    let college = world.college().await;
    let finance = world.portal_user(college, "owner").await.0;
    let partner = world.paying_partner("Harbor & Sons").await;
    let athlete = world.athlete_of("Jordan Lake", college).await;
    let deal = world.approved_deal(&partner, &athlete, &[5_000]).await;
    world.pay(&partner, &athlete, &deal).await;
    let sheet = async |name: &str, input: Value| {
        let file = world.call(name, &finance, input).await;
        let called = file.body["data"].as_str().unwrap_or_else(|| panic!("{file:?}")).to_owned();
        (called, book(file.bytes))
    };
    let xlsx = json!({ "format": "xlsx" });
    let (called, (name, rows)) = sheet("compliance.athlete.export", xlsx.clone()).await;
    assert_eq!((called.as_str(), name.as_str()), ("athletes-2026-11-20.xlsx", "Athletes"));
    assert_eq!((rows[0][0].as_str(), rows[0][1].as_str()), ("Athlete ID", "Name"));
    assert_eq!((rows[1][0].clone(), rows[1][1].as_str()), (athlete.id.to_string(), "Jordan Lake"));
    let (called, (name, _)) = sheet("compliance.statistics.export", xlsx.clone()).await;
    assert!(called.ends_with(".xlsx"), "{called}");
    assert_eq!(name, "Statistics");
    // All tables of the archive, with the same rows as with commas.
    let files = archive(&world, &finance, xlsx.clone()).await;
    let plain = archive(&world, &finance, json!({})).await;
    let names: Vec<_> = files.keys().map(String::as_str).collect();
    let expected = [
        "README.txt",
        "athletes.xlsx",
        "contracts.xlsx",
        "disclosures.xlsx",
        "manifest.json",
        "transactions.xlsx",
    ];
    assert_eq!(names, expected);
    for (table, sheet, id) in [
        ("athletes", "Athletes", "Athlete ID"),
        ("contracts", "Contracts", "Contract ID"),
        ("transactions", "Transactions", "Number"),
        ("disclosures", "Disclosed jobs", "Disclosed job ID"),
    ] {
        let (name, rows) = book(files[&format!("{table}.xlsx")].clone());
        assert_eq!((name.as_str(), rows[0][0].as_str()), (sheet, id));
        let commas = format!("{table}.csv");
        assert_eq!(rows.len() - 1, lines(&plain, &commas).len(), "{table}");
        let text = String::from_utf8(plain[&commas].clone()).unwrap();
        let heads = text.lines().next().unwrap().trim_start_matches('\u{feff}');
        assert_eq!(rows[0].join(","), heads);
    }
    let wrong = world.call("compliance.athlete.export", &finance, json!({ "format": "pdf" })).await;
    assert_eq!(wrong.status, 422);
}
both!(officers_export_spreadsheets_named_after_what_they_hold);

/// The name of a spreadsheet's only sheet, and its cells.
fn book(bytes: Vec<u8>) -> (String, Vec<Vec<String>>) {
    let mut book: Xlsx<_> = Xlsx::new(Cursor::new(bytes)).unwrap();
    let names = book.sheet_names();
    assert_eq!(names.len(), 1);
    let sheet = book.worksheet_range_at(0).unwrap().unwrap();
    let rows = sheet.rows().map(|row| row.iter().map(ToString::to_string).collect()).collect();
    (names[0].clone(), rows)
}
