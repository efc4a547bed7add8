//! Documents name people and businesses in any script, and are refused where no font has a letter.

use std::path::Path;

use chrono::TimeDelta;
use nil_core::worker;
use nil_tests::{World, both, unpacked};
use serde_json::json;

use crate::invoices::text_of;

async fn a_contract_names_an_athlete_of_any_script(world: World) {
    for name in ["王 小明", "김 민수", "محمد علي", "דוד כהן", "अर्जुन सिंह"]
    {
        let partner = world.partner("Ridge Outfitters").await;
        let athlete = world.athlete(name).await;
        let job = world.open_job(&partner, json!({})).await;
        let hire = world.hire(&partner, &athlete, job).await;
        let asked = json!({ "job_id": hire.job });
        let paper = world.call("core.contract.download", &athlete.principal, asked).await;
        assert_eq!(paper.status, 200, "{}", paper.body);
        let text = text_of(&paper.bytes);
        assert!(text.contains(name), "{name} is missing from\n{text}");
        assert!(!text.contains('□'), "{text}");
    }
}
both!(a_contract_names_an_athlete_of_any_script);

async fn what_no_font_has_is_refused_before_anybody_signs(mut world: World) {
    let college = world.college().await;
    let officer = world.portal_user(college, "finance").await.0;
    let partner = world.partner("Ridge Outfitters").await;
    let athlete = world.athlete_of("𒀀 𒀁", college).await;
    let job = world.open_job(&partner, json!({})).await;
    let application = world.apply(&athlete, job).await;
    let hire = json!({ "id": application });
    let refused = world.call("core.application.hire", &partner.principal, hire.clone()).await;
    assert_eq!((refused.status, refused.code()), (409, "contract_incomplete"));
    let says = refused.body["message"].as_str().expect("a message");
    assert!(says.contains("“Parties”") && says.contains("𒀀 (U+12000)"), "{says}");
    // A folder with a font for it is all it takes.
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("support/fonts");
    world.reopen(|config| config.fonts = Some(folder)).await;
    let hired = world.call("core.application.hire", &partner.principal, hire).await.data();
    assert_eq!(hired["status"], "hired");
    let asked = json!({ "job_id": job });
    let confirm = "core.contract.confirm_availability";
    world.call(confirm, &athlete.principal, asked.clone()).await.data();
    let download = "core.contract.download";
    let paper = world.call(download, &athlete.principal, asked.clone()).await;
    assert!(text_of(&paper.bytes).contains("𒀀 𒀁"));
    // Without the folder the signed contract is not printed as something else.
    world.reopen(|config| config.fonts = None).await;
    let refused = world.call(download, &athlete.principal, asked).await;
    assert_eq!((refused.status, refused.code()), (409, "contract_incomplete"));
    // A takeout goes on, and says what it lacks.
    world.call("core.account.request_takeout", &athlete.principal, json!({})).await.data();
    worker::round(&world.platform).await.expect("a round");
    let taken = world.call("core.athlete.takeout", &athlete.principal, json!({})).await;
    assert_eq!(taken.status, 200, "{}", taken.body);
    let files = unpacked(&taken.bytes);
    let told = files.iter().find(|(name, _)| name.starts_with("contracts/"));
    let (name, bytes) = told.expect("a file for the contract");
    assert!(name.ends_with(".txt"), "{name}");
    assert!(String::from_utf8_lossy(bytes).contains("U+12001"));
    // So does an institution's archive, whose table names the file that is there.
    let asked = json!({ "contracts": true });
    let taken = world.call("compliance.transaction.export", &officer, asked).await;
    let files = unpacked(&taken.bytes);
    let told = files.keys().find(|name| name.starts_with("contracts/")).expect("a file");
    assert!(told.ends_with(".txt"), "{told}");
    let table = String::from_utf8_lossy(&files["contracts.csv"]);
    assert!(table.contains(told), "{told} in\n{table}");
}
both!(what_no_font_has_is_refused_before_anybody_signs);

async fn an_invoice_names_its_customer_or_is_refused(world: World) {
    for (company, printed) in [("北京山地 Outfitters", true), ("𒀀 Outfitters", false)] {
        let partner = world.paying_partner("Ridge Outfitters").await;
        let athlete = world.athlete("Jordan Lake").await;
        let deal = world.approved_deal(&partner, &athlete, &[10_000]).await;
        world.pay(&partner, &athlete, &deal).await;
        let renamed =
            format!("UPDATE partner SET company_name = '{company}' WHERE id = {}", partner.id);
        world.script(&renamed).await;
        world.pass(TimeDelta::days(31));
        worker::round(&world.platform).await.expect("a round");
        let listed = world.call("core.partner.invoices", &partner.principal, json!({})).await;
        let invoice = json!({ "invoice_id": listed.data()[0]["id"] });
        let download = "core.partner.download_invoice";
        let paper = world.call(download, &partner.principal, invoice).await;
        if printed {
            assert!(text_of(&paper.bytes).contains(company));
        } else {
            assert_eq!((paper.status, paper.code()), (409, "contract_incomplete"));
        }
    }
}
both!(an_invoice_names_its_customer_or_is_refused);

async fn documents_name_the_marketplace_and_where_the_parties_are(world: World) {
    let college = world.college().await;
    let athlete = world.athlete_of("Zoe Okafor", college).await;
    let partner = world.paying_partner("North Cafe").await;
    world
        .script(&format!(
            "UPDATE athlete SET hometown_city = 'Duluth', hometown_state = 'MN' WHERE id = {}; \
             UPDATE partner SET hq_city = 'Fargo', hq_state = 'ND' WHERE id = {}; \
             UPDATE college SET state = 'WI' WHERE id = {college}",
            athlete.id, partner.id
        ))
        .await;
    let terms = json!({ "amount_cents": 123_450, "slots": 1 });
    let job = world.open_job(&partner, terms).await;
    world.hire(&partner, &athlete, job).await;
    let one = json!({ "job_id": job });
    let confirm = "core.contract.confirm_availability";
    world.call(confirm, &athlete.principal, one.clone()).await.data();
    let paper = world.call("core.contract.download", &athlete.principal, one.clone()).await;
    let contract = one_line(&text_of(&paper.bytes));
    for expected in [
        "Lakeside Deals",
        "help@lakeside.example",
        "Headquarters: Fargo, North Dakota",
        "Hometown: Duluth, Minnesota",
        "Wisconsin",
        "neither is Lakeside Deals, the marketplace through which it was concluded",
        "Agreed cash $1,234.50",
    ] {
        assert!(contract.contains(expected), "{expected} is missing from\n{contract}");
    }
    assert!(!contract.contains("USD"), "{contract}");
    let clearances = world.call("core.clearance.list", &athlete.principal, json!({})).await.data();
    let id = json!({ "id": clearances[0]["id"] });
    let paper = world.call("core.clearance.download_packet", &athlete.principal, id).await;
    let packet = one_line(&text_of(&paper.bytes));
    for expected in
        ["Lakeside Deals, help@lakeside.example", "Fargo, North Dakota", "Duluth, Minnesota"]
    {
        assert!(packet.contains(expected), "{expected} is missing from\n{packet}");
    }
    // A site without a name is not called after the program.
    world.name_the_site(("nil", "support@example.com")).await;
    let job = world.open_job(&partner, json!({ "amount_cents": 70_000, "slots": 1 })).await;
    let other = world.athlete_of("Pat Rowe", college).await;
    world.hire(&partner, &other, job).await;
    let one = json!({ "job_id": job });
    world.call(confirm, &other.principal, one.clone()).await.data();
    let paper = world.call("core.contract.download", &other.principal, one).await;
    let contract = one_line(&text_of(&paper.bytes));
    assert!(contract.contains("neither is the marketplace through which"), "{contract}");
    assert!(!contract.contains("support@example.com"), "{contract}");
    // What was signed stays as it was signed.
    let again =
        world.call("core.contract.download", &athlete.principal, json!({ "job_id": 1 })).await;
    assert!(text_of(&again.bytes).contains("Lakeside Deals"));
}
both!(documents_name_the_marketplace_and_where_the_parties_are);

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
