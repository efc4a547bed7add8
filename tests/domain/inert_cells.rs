//! Exports of a world in which every name and title begins like a formula: independent readers find
//! no formula in any table, as CSV or as a spreadsheet.

use std::io::Cursor;

use calamine::{Data, Reader as _, Xlsx};
use nil_core::auth::{Permission, Principal};
use nil_core::worker::round;
use nil_tests::{World, both, trust, unpacked};
use serde_json::{Value, json};

/// How a text begins that a spreadsheet may take for a formula, and texts that look like one only
/// to a reader that separates cells wrongly.
const BEGINNINGS: [&str; 20] = [
    "=",
    "+",
    "-",
    "@",
    "\t=",
    "\r=",
    "\n=",
    " =",
    "\u{feff}=",
    "\u{a0}=",
    "＝",
    "＋",
    "－",
    "＠",
    "==",
    "=\"",
    "\"=",
    "'=",
    ",=",
    ";=",
];
/// The rest of each text; it shows which cells somebody wrote.
const REST: &str = "1+cmd|' /C calc'!A0";

/// Every name and title that the tables show, with this text in place of what was written.
fn written(text: &str) -> String {
    let text = text.replace('\'', "''");
    [
        ("partner", "company_name"),
        ("athlete", "display_name"),
        ("agent", "agency_name"),
        ("job", "title"),
        ("milestone", "title"),
        ("disclosed_job", "title"),
        ("disclosed_job", "payer_name"),
    ]
    .map(|(table, column)| format!("UPDATE {table} SET {column} = '{text}';"))
    .concat()
}

/// Whether a spreadsheet takes the text of a cell for a formula.
fn is_formula(cell: &str) -> bool {
    let begun = cell.trim_start_matches([' ', '\u{feff}', '\n']);
    begun.starts_with(['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠'])
        && cell.parse::<f64>().is_err()
}

/// The cells of a table; panics on a formula.
fn cells(name: &str, bytes: &[u8]) -> Vec<String> {
    if bytes.starts_with(b"PK") {
        return sheet(name, bytes);
    }
    let text = std::str::from_utf8(bytes).expect("UTF-8").trim_start_matches('\u{feff}');
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
    let mut cells = Vec::new();
    for row in reader.records() {
        cells.extend(row.expect("a row").iter().map(str::to_owned));
    }
    for cell in &cells {
        assert!(!is_formula(cell), "{name}: {cell:?}");
    }
    cells
}

/// The cells of a spreadsheet. Text in them is text, whatever it begins with; a formula would be an
/// element of its own.
fn sheet(name: &str, bytes: &[u8]) -> Vec<String> {
    for (part, xml) in unpacked(bytes) {
        let xml = String::from_utf8(xml).expect("text");
        assert!(!xml.contains("<f>") && !xml.contains("<f "), "{name}, {part}: {xml:.500}");
        assert!(!xml.contains("ddeLink") && !xml.contains("externalLink"), "{name}, {part}");
    }
    let mut book: Xlsx<_> = Xlsx::new(Cursor::new(bytes)).expect("a spreadsheet");
    let sheets = book.sheet_names();
    let mut cells = Vec::new();
    for sheet in sheets {
        let formulas = book.worksheet_formula(&sheet).expect("a sheet");
        assert_eq!(formulas.used_cells().count(), 0, "{name}");
        let range = book.worksheet_range(&sheet).expect("a sheet");
        for (_, _, cell) in range.used_cells() {
            assert!(!matches!(cell, Data::Error(_)), "{name}: {cell:?}");
            cells.push(cell.to_string());
        }
    }
    cells
}

/// What an export brings: its tables by their names.
fn tables(name: &str, bytes: Vec<u8>) -> Vec<(String, Vec<u8>)> {
    if !bytes.starts_with(b"PK") {
        return vec![(name.to_owned(), bytes)];
    }
    let files = unpacked(&bytes);
    if files.contains_key("[Content_Types].xml") {
        return vec![(name.to_owned(), bytes)];
    }
    let files = files.into_iter();
    let files = files.filter(|(file, _)| file.ends_with(".csv") || file.ends_with(".xlsx"));
    files.map(|(file, bytes)| (format!("{name}: {file}"), bytes)).collect()
}

/// Queues exports of every kind in both formats; their files.
async fn queued(world: &World, operator: &Principal) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    for format in ["csv", "xlsx"] {
        let mut codes = Vec::new();
        for kind in [
            "athletes",
            "partners",
            "agents",
            "jobs",
            "payments",
            "payouts",
            "disclosures",
            "audit",
        ] {
            let input = json!({ "kind": kind, "format": format });
            let report = world.call("admin.export.request", operator, input).await.data();
            codes.push((kind, report["code"].clone()));
        }
        round(&world.platform).await.expect("a round");
        for (kind, code) in codes {
            let input = json!({ "code": code });
            let file = world.call("admin.export.download", operator, input).await;
            assert_eq!(file.status, 200, "{kind}: {}", file.body);
            found.push((format!("queued {kind} as {format}"), file.bytes));
        }
    }
    found
}

async fn no_export_has_a_cell_that_is_a_formula(world: World) {
    let college = world.college().await;
    let (owner, _) = world.portal_user(college, "owner").await;
    let partner = world.paying_partner("Harbor Books").await;
    let athlete = world.athlete_of("Jordan Lake", college).await;
    let agent = world.agent("North Agency").await;
    world.represent(&agent, &athlete, 1_000).await;
    let deal = world.approved_deal(&partner, &athlete, &[5_000]).await;
    world.pay(&partner, &athlete, &deal).await;
    let disclosed = json!({
        "payer_name": "Harbor Books", "payer_kind": "business", "title": "Reading",
        "category_id": 9, "amount_cents": 40_000, "compensation": "cash",
        "signed_on": "2026-11-19", "description": "Two readings.",
        "attestations": ["not_for_performance", "not_an_inducement", "business_purpose",
            "complete_and_true"],
    });
    world.call("core.disclosed_job.save", &athlete.principal, disclosed).await.data();
    let operator = world.new_operator("ops@example.com", Permission::All).await;
    let none = json!({});
    let xlsx = json!({ "format": "xlsx" });
    let exports: [(&str, &Principal, &Value); 12] = [
        ("admin.payment.export_csv", &operator, &none),
        ("admin.payment.export_xlsx", &operator, &none),
        ("admin.athlete.export_csv", &operator, &none),
        ("admin.athlete.export_xlsx", &operator, &none),
        ("admin.partner.export_xlsx", &operator, &none),
        ("admin.agent.export_xlsx", &operator, &none),
        ("compliance.transaction.export", &owner, &none),
        ("compliance.transaction.export", &owner, &xlsx),
        ("compliance.athlete.export", &owner, &none),
        ("compliance.athlete.export", &owner, &xlsx),
        ("core.deliverable.export_report", &partner.principal, &none),
        ("compliance.statistics.export", &owner, &none),
    ];
    let mut theirs = 0;
    for beginning in BEGINNINGS {
        world.script(&written(&format!("{beginning}{REST}"))).await;
        let mut files = Vec::new();
        for (name, who, input) in exports {
            let file = world.call(name, who, input.clone()).await;
            assert_eq!(file.status, 200, "{name}: {}", file.body);
            files.push((name.to_owned(), file.bytes));
        }
        // The queue makes its files with the same writers; once is enough.
        if beginning == "=" {
            files.extend(queued(&world, &operator).await);
        }
        for (name, bytes) in files {
            for (table, bytes) in tables(&name, bytes) {
                let cells = cells(&table, &bytes);
                theirs += cells.iter().filter(|cell| cell.contains(REST)).count();
            }
        }
    }
    // The check is meaningful only if the tables show what was written: each at least once.
    assert!(theirs > BEGINNINGS.len() * exports.len(), "{theirs}");
    trust::tried("A13", "cells", theirs);
}
both!(no_export_has_a_cell_that_is_a_formula);
