//! A year's information returns: what is filed, in which columns, and what cannot be filed.

use std::collections::BTreeMap;

use nil_core::auth::Permission;
use nil_tests::{Person, World, both, unpacked};
use serde_json::{Value, json};

use crate::tax_forms::{hand_in, payer, w9};

const EXPORT: &str = "admin.tax.export_returns";

/// The lines of a CSV file, by title.
pub fn lines(file: &[u8]) -> Vec<BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_reader(file);
    let titles = reader.headers().unwrap().clone();
    let line = |record: csv::StringRecord| {
        titles.iter().map(str::to_owned).zip(record.iter().map(str::to_owned)).collect()
    };
    reader.records().map(|record| line(record.unwrap())).collect()
}

pub async fn exported(world: &World, year: i64) -> BTreeMap<String, Vec<u8>> {
    let operator = world.operator(&[Permission::Finance]);
    let answer = world.call(EXPORT, &operator, json!({ "year": year })).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    unpacked(&answer.bytes)
}

pub async fn paid(world: &World, partner: &Person, athlete: &Person, cents: i64) {
    let deal = world.approved_deal(partner, athlete, &[cents]).await;
    world.pay(partner, athlete, &deal).await;
}

async fn returns_are_exported_per_payer_and_recipient(world: World) {
    let brand = world.paying_partner("Cedar Coffee").await;
    let other = world.paying_partner("Harbor Books").await;
    let [jordan, zoe, kim] = [
        world.athlete("Jordan Lake").await,
        world.athlete("Zoe Okafor").await,
        world.athlete("Kim Park").await,
    ];
    world.call("core.tax_form.save_payer", &brand.principal, payer("12-3456789")).await.data();
    hand_in(&world, &jordan, w9("219-09-9999")).await.data();
    let mut sole = w9("457-55-5462");
    sole["business_name"] = json!("Kim Lessons");
    sole["first_name"] = json!("Kim");
    sole["last_name"] = json!("Park");
    hand_in(&world, &kim, sole).await.data();
    paid(&world, &brand, &jordan, 150_000).await;
    paid(&world, &brand, &jordan, 50_000).await;
    paid(&world, &brand, &kim, 300_000).await;
    paid(&world, &brand, &zoe, 250_000).await;
    paid(&world, &other, &jordan, 400_000).await;
    paid(&world, &other, &zoe, 199_999).await;

    let files = exported(&world, 2026).await;
    let names: Vec<&str> = files.keys().map(String::as_str).collect();
    assert_eq!(names, ["1099-nec-2026-001.csv", "manifest.json", "not-filed.csv"]);
    let filed = lines(&files["1099-nec-2026-001.csv"]);
    assert_eq!(filed.len(), 2);
    let first = &filed[0];
    for (title, value) in [
        ("Form Type", "1099-NEC"),
        ("Tax Year", "2026"),
        ("Payer TIN Type", "EIN"),
        ("Payer Taxpayer ID Number", "123456789"),
        ("Payer Name Type", "B"),
        ("Payer Business or Entity Name Line 1", "Cedar Coffee LLC"),
        ("Payer Address Line 2", "Suite 5"),
        ("Payer Phone", "3125550123"),
        ("Recipient TIN Type", "SSN"),
        ("Recipient Taxpayer ID Number", "219099999"),
        ("Recipient Name Type", "I"),
        ("Recipient First Name", "Jordan"),
        ("Recipient Last Name (Surname)", "Lake"),
        ("Recipient State/Province/Territory", "IL"),
        ("Recipient ZIP/Postal Code", "627011234"),
        ("Box 1 - Nonemployee Compensation", "2000.00"),
        ("Box 4 - Federal income tax withheld", "0.00"),
    ] {
        assert_eq!(first[title], value, "{title}");
    }
    let second = &filed[1];
    assert_eq!(second["Recipient Name Type"], "B");
    assert_eq!(second["Recipient Business or Entity Name Line 1"], "Kim Park");
    assert_eq!(second["Recipient Business or Entity Name Line 2"], "Kim Lessons");
    assert_eq!(second["Box 1 - Nonemployee Compensation"], "3000.00");

    let open = lines(&files["not-filed.csv"]);
    let why: Vec<(&str, &str, &str)> = open
        .iter()
        .map(|line| (line["Company"].as_str(), line["Amount"].as_str(), line["Why not"].as_str()))
        .collect();
    assert_eq!(
        why,
        [
            ("Cedar Coffee", "2500.00", "recipient_form_missing"),
            ("Harbor Books", "4000.00", "payer_details_missing"),
        ]
    );
    // A year without payments has nothing to file, and the audit trail names every export.
    assert_eq!(exported(&world, 2025).await.len(), 2);
    let noted = "SELECT COUNT(*) FROM audit_entry WHERE action = 'information_returns_exported'";
    assert_eq!(world.id(noted).await, 2);
    let text = world.contents().await.into_values().collect::<String>();
    assert!(!text.contains("219099999") && !text.contains("123456789"));
}
both!(returns_are_exported_per_payer_and_recipient);

async fn royalties_are_on_a_form_of_their_own(world: World) {
    let brand = world.paying_partner("Cedar Coffee").await;
    let athlete = world.athlete("Jordan Lake").await;
    world.call("core.tax_form.save_payer", &brand.principal, payer("12-3456789")).await.data();
    hand_in(&world, &athlete, w9("219-09-9999")).await.data();
    paid(&world, &brand, &athlete, 5_000).await;
    world.script("UPDATE job SET kind = 'licensing'").await;
    let files = exported(&world, 2026).await;
    assert!(!files.contains_key("1099-nec-2026-001.csv"));
    let filed = lines(&files["1099-misc-2026-001.csv"]);
    assert_eq!((filed.len(), filed[0]["Box 2 - Royalties"].as_str()), (1, "50.00"));
    assert_eq!(filed[0]["Form Type"], "1099-MISC");
}
both!(royalties_are_on_a_form_of_their_own);

async fn names_longer_than_their_line_are_filed_by_hand(world: World) {
    let brand = world.paying_partner("Cedar Coffee").await;
    let athlete = world.athlete("Jordan Lake").await;
    let mut details = payer("12-3456789");
    let mut form = w9("219-09-9999");
    for (named, first) in [(&mut details, "A"), (&mut form, "J")] {
        named["classification"] = json!("individual");
        named["first_name"] = json!(first.repeat(40));
        named["last_name"] = json!("L".repeat(40));
        named["business_name"] = json!("Lake Lessons");
    }
    world.call("core.tax_form.save_payer", &brand.principal, details).await.data();
    hand_in(&world, &athlete, form.clone()).await.data();
    paid(&world, &brand, &athlete, 200_000).await;
    let files = exported(&world, 2026).await;
    assert!(!files.contains_key("1099-nec-2026-001.csv"));
    let why = lines(&files["not-filed.csv"])[0]["Why not"].clone();
    assert_eq!(why, "payer_name_too_long, recipient_name_too_long");
    // A person without a business has a field for each name.
    form["business_name"] = Value::Null;
    hand_in(&world, &athlete, form).await.data();
    world.call("core.tax_form.save_payer", &brand.principal, payer("12-3456789")).await.data();
    let files = exported(&world, 2026).await;
    let filed = lines(&files["1099-nec-2026-001.csv"]);
    assert_eq!(filed[0]["Recipient Last Name (Surname)"], "L".repeat(40));
    let manifest: Value = serde_json::from_slice(&files["manifest.json"]).unwrap();
    assert!(manifest["note"].as_str().unwrap().contains("were not compared"), "{manifest}");
}
both!(names_longer_than_their_line_are_filed_by_hand);

async fn a_move_to_another_institution_splits_no_return(world: World) {
    let brand = world.paying_partner("Cedar Coffee").await;
    let athlete = world.athlete("Jordan Lake").await;
    world.call("core.tax_form.save_payer", &brand.principal, payer("12-3456789")).await.data();
    hand_in(&world, &athlete, w9("219-09-9999")).await.data();
    paid(&world, &brand, &athlete, 120_000).await;
    let college = world.college().await;
    world.script(&format!("UPDATE athlete SET university_id = {college}")).await;
    paid(&world, &brand, &athlete, 80_001).await;
    let payments = "SELECT COUNT(DISTINCT college_id) FROM payment";
    assert_eq!(world.id(payments).await, 2);
    let files = exported(&world, 2026).await;
    let filed = lines(&files["1099-nec-2026-001.csv"]);
    assert_eq!(filed.len(), 1);
    assert_eq!(filed[0]["Box 1 - Nonemployee Compensation"], "2000.01");
}
both!(a_move_to_another_institution_splits_no_return);

async fn corporations_and_foreign_persons_are_named_apart(world: World) {
    let brand = world.paying_partner("Cedar Coffee").await;
    let [company, foreign] =
        [world.athlete("Jordan Lake").await, world.athlete("Zoe Okafor").await];
    world.call("core.tax_form.save_payer", &brand.principal, payer("12-3456789")).await.data();
    let mut form = w9("98-7654321");
    form["classification"] = json!("s_corporation");
    form["tin_kind"] = json!("ein");
    form["business_name"] = json!("Lake Sports Inc.");
    hand_in(&world, &company, form).await.data();
    let visa = json!({ "status": "f1" });
    world.call("core.athlete.set_visa_status", &foreign.principal, visa).await.data();
    for athlete in [&company, &foreign] {
        paid(&world, &brand, athlete, 200_000).await;
    }
    let files = exported(&world, 2026).await;
    let why: Vec<String> =
        lines(&files["not-filed.csv"]).iter().map(|line| line["Why not"].clone()).collect();
    assert_eq!(why, ["recipient_is_corporation", "recipient_foreign"]);
    let operator = world.operator(&[Permission::Reports]);
    let refused = world.call(EXPORT, &operator, json!({ "year": 2026 })).await;
    assert_eq!(refused.status, 403);
    let finance = world.operator(&[Permission::Finance]);
    for year in [2020, 2101] {
        let refused = world.call(EXPORT, &finance, json!({ "year": year })).await;
        assert_eq!((refused.status, &refused.body["errors"]["year"].is_array()), (422, &true));
    }
    let missing: Value = world.call(EXPORT, &finance, json!({})).await.body;
    assert!(missing["errors"]["year"].is_array());
}
both!(corporations_and_foreign_persons_are_named_apart);
