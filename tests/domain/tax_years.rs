//! Tax belongs to a payment: withheld tax, returns, filed years and forms over New Year.

use nil_core::auth::Permission;
use nil_core::kernel::PayoutId;
use nil_core::payments::{self, sandbox};
use nil_tests::{Answer, Person, World, both};
use serde_json::{Value, json};

use crate::tax_forms::{hand_in, payer, w9};
use crate::tax_returns::{exported, lines, paid};

const FILE: &str = "admin.tax.file_returns";
const BOX_1: &str = "Box 1 - Nonemployee Compensation";
const BOX_4: &str = "Box 4 - Federal income tax withheld";

pub async fn call(world: &World, name: &str, input: Value) -> Answer {
    world.call(name, &world.operator(&[Permission::Finance]), input).await
}

/// A brand with a card and its details as a payer, in this state.
pub async fn stated_payer(world: &World, name: &str, state: &str) -> Person {
    let brand = world.paying_partner(name).await;
    let mut details = payer("12-3456789");
    details["business_name"] = json!(name);
    details["state"] = json!(state);
    world.call("core.tax_form.save_payer", &brand.principal, details).await.data();
    brand
}

async fn withhold(world: &World, payee: &str, who: &Person) {
    let input = json!({ payee: who.id, "active": true, "notice": "b_notice", "reason": "CP2100" });
    call(world, "admin.tax.set_withholding", input).await.data();
}

async fn pay_out(world: &World, athlete: &Person) -> Value {
    call(world, "admin.payout.trigger", json!({ "id": athlete.id })).await.data()
}

fn id(payout: &Value) -> PayoutId {
    PayoutId::new(payout["id"].as_i64().unwrap()).unwrap()
}

/// Payer, recipient's last name or business, box 1 and withheld tax of the lines on 1099-NEC.
async fn services(world: &World, year: i64) -> Vec<[String; 4]> {
    let files = exported(world, year).await;
    let Some(file) = files.get(&format!("1099-nec-{year}-001.csv")) else {
        return Vec::new();
    };
    let of = |line: &std::collections::BTreeMap<String, String>| {
        let names = ["Recipient Last Name (Surname)", "Recipient Business or Entity Name Line 1"];
        [
            line["Payer Business or Entity Name Line 1"].clone(),
            names.map(|name| line[name].clone()).concat(),
            line[BOX_1].clone(),
            line[BOX_4].clone(),
        ]
    };
    lines(file).iter().map(of).collect()
}

async fn withheld_tax_stands_with_the_payment_it_was_taken_from(world: World) {
    let early = stated_payer(&world, "Cedar Coffee", "IL").await;
    let late = stated_payer(&world, "Harbor Books", "IL").await;
    let small = stated_payer(&world, "Corner Bakery", "IL").await;
    let athlete = world.athlete("Jordan Lake").await;
    world.can_receive(&athlete).await;
    hand_in(&world, &athlete, w9("219-09-9999")).await.data();
    paid(&world, &early, &athlete, 250_000).await;
    withhold(&world, "athlete_id", &athlete).await;
    paid(&world, &late, &athlete, 400_000).await;
    paid(&world, &small, &athlete, 1_000).await;
    world.books_are_right().await;
    let payout = pay_out(&world, &athlete).await;
    assert_eq!(payout["amount_cents"], 250_000 + 400_000 - 96_000 + 1_000);
    sandbox::let_arrive(&world.platform, id(&payout)).await.unwrap();
    // The bank returns the payout in the next year, and it is sent again: the tax stays where it
    // was taken.
    world.pass_until("2027-01-12T12:00:00Z");
    assert!(sandbox::return_payout(&world.platform, id(&payout)).await.unwrap());
    assert_eq!(world.balance(&athlete).await, 555_000);
    assert_eq!(pay_out(&world, &athlete).await["amount_cents"], 555_000);
    world.books_are_right().await;
    let expected = [
        ["Cedar Coffee", "Lake", "2500.00", "0.00"],
        ["Harbor Books", "Lake", "4000.00", "960.00"],
    ];
    assert_eq!(services(&world, 2026).await, expected.map(|line| line.map(str::to_owned)));
    assert!(services(&world, 2027).await.is_empty());
    let year = json!({ "year": 2026 });
    let summary = world.call("core.payment.tax_summary", &athlete.principal, year).await.data();
    assert_eq!(summary["withheld_cents"], 96_000);
}
both!(withheld_tax_stands_with_the_payment_it_was_taken_from);

async fn the_payment_that_reaches_the_line_is_withheld_from_whole(world: World) {
    let brand = stated_payer(&world, "Cedar Coffee", "IL").await;
    let athlete = world.athlete("Jordan Lake").await;
    withhold(&world, "athlete_id", &athlete).await;
    paid(&world, &brand, &athlete, 199_999).await;
    assert_eq!(world.balance(&athlete).await, 199_999);
    paid(&world, &brand, &athlete, 1).await;
    assert_eq!(world.balance(&athlete).await, 200_000, "24 percent of a cent is none");
    paid(&world, &brand, &athlete, 1_003).await;
    assert_eq!(world.balance(&athlete).await, 201_003 - 241);
    world.books_are_right().await;
    // A payer who had to report in the year before withholds from the first cent.
    world.pass_until("2027-02-01T12:00:00Z");
    paid(&world, &brand, &athlete, 1_000).await;
    assert_eq!(world.balance(&athlete).await, 201_003 - 241 + 760);
    world.books_are_right().await;
}
both!(the_payment_that_reaches_the_line_is_withheld_from_whole);

async fn agents_stand_on_returns_with_their_share_and_what_was_withheld(world: World) {
    let brand = stated_payer(&world, "Cedar Coffee", "IL").await;
    let athlete = world.athlete("Jordan Lake").await;
    let agent = world.agent("North Agency").await;
    hand_in(&world, &athlete, w9("219-09-9999")).await.data();
    let mut form = w9("98-7654321");
    form["classification"] = json!("llc_partnership");
    form["business_name"] = json!("North Agency LLC");
    form["tin_kind"] = json!("ein");
    hand_in(&world, &agent, form).await.data();
    withhold(&world, "agent_id", &agent).await;
    let deal =
        world.approved_deal_through(&brand, &athlete, Some((&agent, 1_500)), &[3_000_000]).await;
    world.pay(&brand, &athlete, &deal).await;
    assert_eq!(world.balance(&agent).await, 450_000 - 108_000);
    assert_eq!(world.balance(&athlete).await, 2_550_000, "the athlete has no notice");
    world.books_are_right().await;
    let expected = [
        ["Cedar Coffee", "Lake", "30000.00", "0.00"],
        ["Cedar Coffee", "North Agency LLC", "4500.00", "1080.00"],
    ];
    assert_eq!(services(&world, 2026).await, expected.map(|line| line.map(str::to_owned)));
}
both!(agents_stand_on_returns_with_their_share_and_what_was_withheld);

async fn a_refund_of_the_same_year_gives_back_its_part_of_the_tax(world: World) {
    let brand = stated_payer(&world, "Cedar Coffee", "IL").await;
    let athlete = world.athlete("Jordan Lake").await;
    hand_in(&world, &athlete, w9("219-09-9999")).await.data();
    withhold(&world, "athlete_id", &athlete).await;
    paid(&world, &brand, &athlete, 300_001).await;
    assert_eq!(world.balance(&athlete).await, 228_001);
    let part = json!({ "payment_id": 1, "amount_cents": 100_000, "reason": "Agreed." });
    call(&world, "admin.payment.refund", part).await.data();
    assert_eq!(world.balance(&athlete).await, 228_001 - 76_000);
    world.books_are_right().await;
    let line = ["Cedar Coffee", "Lake", "2000.01", "480.00"].map(str::to_owned);
    assert_eq!(services(&world, 2026).await, std::slice::from_ref(&line));
    // In the next year the tax stays with the office: the refund is the athlete's alone.
    world.pass_until("2027-01-05T12:00:00Z");
    let part = json!({ "payment_id": 1, "amount_cents": 1_000, "reason": "Agreed." });
    call(&world, "admin.payment.refund", part).await.data();
    assert_eq!(world.balance(&athlete).await, 228_001 - 77_000);
    assert_eq!(services(&world, 2026).await, [line]);
    world.books_are_right().await;
}
both!(a_refund_of_the_same_year_gives_back_its_part_of_the_tax);

async fn a_filed_year_keeps_what_was_filed(world: World) {
    let brand = stated_payer(&world, "Cedar Coffee", "IL").await;
    let athlete = world.athlete("Jordan Lake").await;
    hand_in(&world, &athlete, w9("219-09-9999")).await.data();
    paid(&world, &brand, &athlete, 200_000).await;
    let year = json!({ "year": 2026 });
    assert_eq!(call(&world, FILE, year.clone()).await.status, 422, "the year is not over");
    world.pass_until("2027-01-20T12:00:00Z");
    let filed = call(&world, FILE, year.clone()).await.data();
    assert_eq!((&filed["filed"], &filed["corrected"]), (&json!(1), &json!(0)));
    let cent = json!({ "payment_id": 1, "amount_cents": 1, "reason": "Agreed." });
    call(&world, "admin.payment.refund", cent).await.data();
    let line = ["Cedar Coffee", "Lake", "2000.00", "0.00"].map(str::to_owned);
    assert_eq!(services(&world, 2026).await, std::slice::from_ref(&line));
    let again = call(&world, FILE, year.clone()).await.data();
    assert_eq!((&again["filed"], &again["corrected"]), (&json!(0), &json!(0)));
    // A form with another number asks for a corrected return; what was filed is kept beside it.
    hand_in(&world, &athlete, w9("457-55-5462")).await.data();
    let open = lines(&exported(&world, 2026).await["not-filed.csv"]);
    assert_eq!(open[0]["Why not"], "correction_due");
    let again = call(&world, FILE, year.clone()).await.data();
    assert_eq!((&again["filed"], &again["corrected"]), (&json!(0), &json!(1)));
    let files = exported(&world, 2026).await;
    let number = |file: &str| lines(&files[file])[0]["Recipient Taxpayer ID Number"].clone();
    assert_eq!(number("1099-nec-2026-001.csv"), "219099999");
    assert_eq!(number("1099-nec-2026-corrected-001.csv"), "457555462");
    assert!(lines(&files["not-filed.csv"]).is_empty());
    let other = world.operator(&[Permission::Accounts]);
    assert_eq!(world.call(FILE, &other, year).await.status, 403);
    world.books_are_right().await;
}
both!(a_filed_year_keeps_what_was_filed);

async fn a_refund_that_fails_after_the_year_was_filed_corrects_the_return(world: World) {
    let brand = stated_payer(&world, "Cedar Coffee", "IL").await;
    let athlete = world.athlete("Jordan Lake").await;
    hand_in(&world, &athlete, w9("219-09-9999")).await.data();
    paid(&world, &brand, &athlete, 300_000).await;
    world.processor.next(&[nil_tests::Fault::Unanswered]);
    let part = json!({ "payment_id": 1, "amount_cents": 50_000, "reason": "Agreed." });
    call(&world, "admin.payment.refund", part).await;
    world.pass_until("2027-01-20T12:00:00Z");
    let year = json!({ "year": 2026 });
    call(&world, FILE, year.clone()).await.data();
    assert_eq!(services(&world, 2026).await[0][2], "2500.00");
    world.pass_until("2027-01-20T13:00:00Z");
    payments::reconcile(&world.platform).await.unwrap();
    let settled = "SELECT COUNT(*) FROM refund WHERE status = 'failed'";
    if world.id(settled).await == 1 {
        let again = call(&world, FILE, year).await.data();
        assert_eq!((&again["filed"], &again["corrected"]), (&json!(0), &json!(1)));
        let files = exported(&world, 2026).await;
        assert_eq!(lines(&files["1099-nec-2026-001.csv"])[0][BOX_1], "2500.00");
        assert_eq!(lines(&files["1099-nec-2026-corrected-001.csv"])[0][BOX_1], "3000.00");
    } else {
        let again = call(&world, FILE, year).await.data();
        assert_eq!((&again["filed"], &again["corrected"]), (&json!(0), &json!(0)));
    }
    world.books_are_right().await;
}
both!(a_refund_that_fails_after_the_year_was_filed_corrects_the_return);

async fn a_year_ends_where_the_payer_is(world: World) {
    let brands = [
        stated_payer(&world, "Cedar Coffee", "NY").await,
        stated_payer(&world, "Harbor Books", "HI").await,
    ];
    let athlete = world.athlete("Jordan Lake").await;
    hand_in(&world, &athlete, w9("219-09-9999")).await.data();
    let mut deals = Vec::new();
    for brand in &brands {
        deals.push(world.approved_deal(brand, &athlete, &[270_000, 280_000]).await);
    }
    // Half past eleven in New York, half past six in Honolulu, on 31 December.
    world.pass_until("2027-01-01T04:30:00Z");
    for (brand, deal) in brands.iter().zip(&deals) {
        let first = json!({ "athlete_id": athlete.id, "contract_id": deal.contract_id,
            "deliverable_ids": [deal.deliverable_ids[0]] });
        world.call("core.payment.pay_with_saved_card", &brand.principal, first).await.data();
    }
    let december = services(&world, 2026).await;
    assert_eq!(december.iter().map(|line| &line[2]).collect::<Vec<_>>(), ["2700.00"; 2]);
    // A new year in New York, not yet in Honolulu.
    world.pass_until("2027-01-01T05:00:00Z");
    for (brand, deal) in brands.iter().zip(&deals) {
        world.pay(brand, &athlete, deal).await;
    }
    let amounts = |lines: Vec<[String; 4]>| {
        lines
            .into_iter()
            .map(|[payer, _, amount, _]| format!("{payer} {amount}"))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        amounts(services(&world, 2026).await),
        ["Cedar Coffee 2700.00", "Harbor Books 5500.00"]
    );
    assert_eq!(amounts(services(&world, 2027).await), ["Cedar Coffee 2800.00"]);
    for (year, net) in [(2026, 820_000), (2027, 280_000)] {
        let year = json!({ "year": year });
        let summary = world.call("core.payment.tax_summary", &athlete.principal, year).await.data();
        assert_eq!(summary["net_cents"], net, "{summary}");
    }
    world.books_are_right().await;
}
both!(a_year_ends_where_the_payer_is);

async fn a_payout_that_waits_for_a_form_waits_over_new_year(world: World) {
    let operator = world.operator(&[Permission::Site, Permission::Finance]);
    let on = json!({ "hold_payouts_for_tax_form": true });
    world.call("admin.site.save_basic", &operator, on).await.data();
    let athlete = world.earner(250_000).await;
    world.can_receive(&athlete).await;
    let other = world.earner(260_000).await;
    world.can_receive(&other).await;
    let instant = json!({ "preference": "instant" });
    world.call("core.payout_account.set_preference", &other.principal, instant).await.data();
    assert_eq!(pay_out(&world, &athlete).await["hold_reasons"], json!(["tax_form_missing"]));
    for day in ["2027-01-01T12:00:00Z", "2027-06-01T12:00:00Z", "2028-01-02T12:00:00Z"] {
        world.pass_until(day);
        let swept = payments::sweep_payouts(&world.platform).await.unwrap();
        assert_eq!((swept.released, swept.paid_out), (0, 0), "{day}");
        assert_eq!(pay_out(&world, &athlete).await["status"], "on_hold");
        let standing = "core.tax_form.standing";
        let standing = world.call(standing, &athlete.principal, json!({})).await.data();
        assert_eq!(
            (&standing["holds_payouts"], &standing["required"]),
            (&json!(true), &json!(true))
        );
    }
    hand_in(&world, &athlete, w9("219-09-9999")).await.data();
    hand_in(&world, &other, w9("457-55-5462")).await.data();
    world.pass_until("2028-01-02T14:00:00Z");
    let swept = payments::sweep_payouts(&world.platform).await.unwrap();
    assert_eq!((swept.released, swept.paid_out), (1, 1));
    world.books_are_right().await;
}
both!(a_payout_that_waits_for_a_form_waits_over_new_year);

async fn goods_count_on_returns_and_the_summary_agrees(world: World) {
    let brand = stated_payer(&world, "Cedar Coffee", "IL").await;
    let athlete = world.athlete("Jordan Lake").await;
    hand_in(&world, &athlete, w9("219-09-9999")).await.data();
    let due = (world.platform.now() + chrono::TimeDelta::days(20)).date_naive();
    let over = json!({ "slots": 1, "compensation": "product", "amount_cents": 0,
        "product_description": "A kayak", "product_value_cents": 190_000,
        "milestones": [{ "title": "Reel", "platform": "instagram", "media_kind": "reel", "due_on": due }] });
    let job = world.open_job(&brand, over).await;
    let hire = world.hire(&brand, &athlete, job).await;
    let confirm = json!({ "job_id": job });
    world.call("core.contract.confirm_availability", &athlete.principal, confirm).await.data();
    assert!(services(&world, 2026).await.is_empty(), "nothing was given yet");
    world.approve(&hire, hire.deliverables[0]).await;
    let completed = format!(
        "SELECT COUNT(*) FROM contract WHERE id = {} AND status = 'completed'",
        hire.contract
    );
    assert_eq!(world.id(&completed).await, 1);
    paid(&world, &brand, &athlete, 10_001).await;
    let line = ["Cedar Coffee", "Lake", "2000.01", "0.00"].map(str::to_owned);
    assert_eq!(services(&world, 2026).await, [line]);
    let summary =
        world.call("core.payment.tax_summary", &athlete.principal, json!({})).await.data();
    let payer = &summary["payers"][0];
    assert_eq!((&payer["net_cents"], &payer["goods_cents"]), (&json!(200_001), &json!(190_000)));
    assert_eq!(
        payer["forms"],
        json!([{ "form": "1099-NEC", "amount_cents": 200_001,
        "threshold_cents": 200_000, "withheld_cents": 0, "reportable": true }])
    );
}
both!(goods_count_on_returns_and_the_summary_agrees);

async fn the_summary_says_which_form_reports_what(world: World) {
    let brand = stated_payer(&world, "Cedar Coffee", "IL").await;
    let athlete = world.athlete("Jordan Lake").await;
    hand_in(&world, &athlete, w9("219-09-9999")).await.data();
    paid(&world, &brand, &athlete, 1_000).await;
    world.script("UPDATE job SET kind = 'licensing'").await;
    paid(&world, &brand, &athlete, 199_999).await;
    let summary =
        world.call("core.payment.tax_summary", &athlete.principal, json!({})).await.data();
    let payer = &summary["payers"][0];
    assert_eq!((&payer["reportable"], &payer["net_cents"]), (&json!(true), &json!(200_999)));
    let said: Vec<(Value, Value, Value)> = payer["forms"]
        .as_array()
        .expect("forms")
        .iter()
        .map(|row| (row["form"].clone(), row["amount_cents"].clone(), row["reportable"].clone()))
        .collect();
    assert_eq!(
        said,
        [
            (json!("1099-NEC"), json!(199_999), json!(false)),
            (json!("1099-MISC"), json!(1_000), json!(true)),
        ]
    );
    let files = exported(&world, 2026).await;
    assert!(!files.contains_key("1099-nec-2026-001.csv"));
    assert_eq!(lines(&files["1099-misc-2026-001.csv"])[0]["Box 2 - Royalties"], "10.00");
}
both!(the_summary_says_which_form_reports_what);

async fn an_operator_adds_the_line_of_a_year(world: World) {
    let brand = stated_payer(&world, "Cedar Coffee", "IL").await;
    let athlete = world.athlete("Jordan Lake").await;
    hand_in(&world, &athlete, w9("219-09-9999")).await.data();
    let save = "admin.tax.save_threshold";
    let line = json!({ "form": "1099-NEC", "from_year": 2027, "threshold_cents": 205_000 });
    let saved = call(&world, save, line.clone()).await.data();
    assert_eq!((&saved["from_year"], &saved["threshold_cents"]), (&json!(2027), &json!(205_000)));
    assert_eq!(
        call(&world, save, line.clone()).await.data(),
        saved,
        "repeating it changes nothing"
    );
    let listed = call(&world, "admin.tax.list_thresholds", json!({})).await.data();
    assert_eq!(listed.as_array().expect("a list").len(), 4);
    paid(&world, &brand, &athlete, 204_999).await;
    world.pass_until("2027-02-01T12:00:00Z");
    paid(&world, &brand, &athlete, 204_999).await;
    assert_eq!(services(&world, 2026).await.len(), 1);
    assert!(services(&world, 2027).await.is_empty());
    paid(&world, &brand, &athlete, 1).await;
    assert_eq!(services(&world, 2027).await[0][2], "2050.00");
    // A filed year keeps its line.
    call(&world, FILE, json!({ "year": 2026 })).await.data();
    let late = json!({ "form": "1099-NEC", "from_year": 2026, "threshold_cents": 1 });
    assert_eq!(call(&world, save, late).await.code(), "year_filed");
    for wrong in [
        json!({ "form": "1099-K", "from_year": 2027, "threshold_cents": 1 }),
        json!({ "form": "1099-NEC", "from_year": 2101, "threshold_cents": 1 }),
        json!({ "form": "1099-NEC", "from_year": 2027, "threshold_cents": 0 }),
    ] {
        assert_eq!(call(&world, save, wrong).await.status, 422);
    }
    let other = world.operator(&[Permission::Accounts]);
    assert_eq!(world.call(save, &other, line).await.status, 403);
}
both!(an_operator_adds_the_line_of_a_year);

async fn an_itin_has_a_group_that_the_office_gives_out(world: World) {
    let athlete = world.athlete("Jordan Lake").await;
    for (group, fine) in [
        ("10", false),
        ("49", false),
        ("50", true),
        ("65", true),
        ("66", false),
        ("69", false),
        ("70", true),
        ("88", true),
        ("89", false),
        ("90", true),
        ("92", true),
        ("93", false),
        ("94", true),
        ("99", true),
    ] {
        let mut form = w9(&format!("912-{group}-1234"));
        form["tin_kind"] = json!("itin");
        assert_eq!(
            hand_in(&world, &athlete, form).await.status,
            if fine { 200 } else { 422 },
            "{group}"
        );
    }
}
both!(an_itin_has_a_group_that_the_office_gives_out);
