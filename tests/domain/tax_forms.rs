//! Tax forms: handing in, sealing, and payouts that wait for one.

use chrono::TimeDelta;
use nil_core::auth::Permission;
use nil_core::kernel::PayoutId;
use nil_core::payments::{self, sandbox};
use nil_tests::{Answer, Person, World, both};
pub use nil_tests::{payer, w9};
use serde_json::{Value, json};

pub const SUBMIT: &str = "core.tax_form.submit";
const STANDING: &str = "core.tax_form.standing";
const SAVE_PAYER: &str = "core.tax_form.save_payer";
const PAYER: &str = "core.tax_form.payer";

pub async fn hand_in(world: &World, who: &Person, form: Value) -> Answer {
    world.call(SUBMIT, &who.principal, form).await
}

async fn standing(world: &World, who: &Person) -> Value {
    world.call(STANDING, &who.principal, json!({})).await.data()
}

async fn holds(world: &World, on: bool) {
    let operator = world.operator(&[Permission::Site, Permission::Finance]);
    let on = json!({ "hold_payouts_for_tax_form": on });
    world.call("admin.site.save_basic", &operator, on).await.data();
}

/// The text of all tables.
async fn dump(world: &World) -> String {
    let tables = world.contents().await;
    tables.into_values().collect::<Vec<String>>().join("\n")
}

async fn a_form_is_kept_in_versions_and_its_number_sealed(world: World) {
    let athlete = world.athlete("Jordan Lake").await;
    let before = standing(&world, &athlete).await;
    assert_eq!((&before["form"], &before["required"]), (&Value::Null, &json!(false)));
    assert_eq!(before["statement_version"], "2026-11");
    assert!(before["statement"].as_str().unwrap().contains("penalties of perjury"));
    let who = &athlete.principal;
    let first = world.call_with_key(SUBMIT, who, w9("219-09-9999"), Some("k")).await.data();
    assert_eq!((&first["version"], &first["tin_last4"]), (&json!(1), &json!("9999")));
    assert_eq!(
        (&first["state"], &first["owner"]),
        (&json!("IL"), &json!(format!("athlete:{}", athlete.id)))
    );
    assert!(first.get("tin").is_none() && first.get("certified_from").is_none());
    let second = hand_in(&world, &athlete, w9("457 55 5462")).await.data();
    assert_eq!((&second["version"], &second["tin_last4"]), (&json!(2), &json!("5462")));
    assert_eq!(standing(&world, &athlete).await["form"], second);
    assert_eq!(world.id("SELECT COUNT(*) FROM tax_form").await, 2, "both are kept");

    // Neither the database nor the audit trail nor a stored answer has a number, in any form.
    let all = dump(&world).await;
    for digits in ["219099999", "219-09-9999", "457555462", "457 55 5462"] {
        assert!(!all.contains(digits), "{digits}");
        let hex: String = digits.bytes().map(|byte| format!("{byte:02x}")).collect();
        assert!(!all.to_lowercase().contains(&hex), "{digits} in hexadecimal");
    }
    let noted = "SELECT COUNT(*) FROM audit_entry WHERE action = 'handed_in'";
    assert_eq!(world.id(noted).await, 2);
}
both!(a_form_is_kept_in_versions_and_its_number_sealed);

async fn the_same_key_hands_in_once(world: World) {
    let athlete = world.athlete("Jordan Lake").await;
    let who = &athlete.principal;
    world.call_with_key(SUBMIT, who, w9("219-09-9999"), Some("k")).await.data();
    let other = world.call_with_key(SUBMIT, who, w9("457-55-5462"), Some("k")).await;
    assert_eq!(other.code(), "idempotency_key_reused");
    let same = world.call_with_key(SUBMIT, who, w9("219-09-9999"), Some("k")).await;
    assert_eq!(same.status, 200);
    assert_eq!(world.id("SELECT COUNT(*) FROM tax_form").await, 1);
}
both!(the_same_key_hands_in_once);

async fn what_cannot_be_right_is_refused_and_not_repeated(world: World) {
    let athlete = world.athlete("Jordan Lake").await;
    for (field, wrong) in [
        ("tin", json!("666-12-3456")),
        ("tin", json!("219-09-99")),
        ("tin", json!(219_099_999)),
        ("tin_kind", json!("passport")),
        ("certified", json!(false)),
        ("statement_version", json!("2018-10")),
        ("postal_code", json!("6270")),
        ("state", json!("ZZ")),
        ("first_name", Value::Null),
        ("classification", json!("c_corporation")),
        ("signature", json!("219 09 9999")),
        ("street", json!("219-09-9999 College Avenue")),
        ("postal_code", json!("21909-9999")),
    ] {
        let mut form = w9("219-09-9999");
        form[field] = wrong.clone();
        let refused = hand_in(&world, &athlete, form).await;
        assert_eq!(refused.status, 422, "{field}: {}", refused.body);
        let text = refused.body.to_string();
        assert!(!text.contains("219") && !text.contains("666-12"), "{text}");
    }
    let partner = world.partner("Cedar Coffee").await;
    assert_eq!(hand_in(&world, &partner, w9("219-09-9999")).await.status, 403);
    let mut details = payer("12-3456789");
    details["phone"] = Value::Null;
    let refused = world.call(SAVE_PAYER, &partner.principal, details).await;
    assert!(refused.body["errors"]["phone"].is_array(), "{}", refused.body);
    assert_eq!(world.id("SELECT COUNT(*) FROM tax_form").await, 0);
}
both!(what_cannot_be_right_is_refused_and_not_repeated);

async fn brands_state_who_they_are_as_payers(world: World) {
    let partner = world.partner("Cedar Coffee").await;
    let other = world.partner("Harbor Books").await;
    let saved = world.call(SAVE_PAYER, &partner.principal, payer("12-3456789")).await.data();
    assert_eq!((&saved["tin_kind"], &saved["tin_last4"]), (&json!("ein"), &json!("6789")));
    let shown = world.call(PAYER, &partner.principal, json!({})).await.data();
    assert_eq!((&shown["form"], &shown["required"]), (&saved, &json!(false)));
    let none = world.call(PAYER, &other.principal, json!({})).await.data();
    assert_eq!((&none["form"], &none["statement_version"]), (&Value::Null, &json!("2026-11")));
    assert!(!dump(&world).await.contains("123456789"));
}
both!(brands_state_who_they_are_as_payers);

async fn payouts_wait_for_a_form_where_the_site_says_so(world: World) {
    let partner = world.paying_partner("Cedar Coffee").await;
    let athlete = world.athlete("Jordan Lake").await;
    world.can_receive(&athlete).await;
    let finance = world.operator(&[Permission::Finance]);
    let pay_out = async || {
        let whom = json!({ "id": athlete.id });
        world.call("admin.payout.trigger", &finance, whom).await.data()
    };
    let earn = async |cents: i64| {
        let deal = world.approved_deal(&partner, &athlete, &[cents]).await;
        world.pay(&partner, &athlete, &deal).await;
    };
    // By default nothing waits; below the amount that payers report, nothing waits either.
    earn(250_000).await;
    let asked = standing(&world, &athlete).await;
    assert_eq!((&asked["required"], &asked["holds_payouts"]), (&json!(true), &json!(false)));
    assert_eq!(asked["earned_cents"], 250_000);
    assert_ne!(pay_out().await["status"], "on_hold");
    let sent = format!("SELECT MAX(id) FROM payout WHERE athlete_id = {}", athlete.id);
    let sent = PayoutId::new(world.id(&sent).await).unwrap();
    sandbox::let_arrive(&world.platform, sent).await.unwrap();
    holds(&world, true).await;
    earn(10_000).await;
    assert_eq!(standing(&world, &athlete).await["holds_payouts"], true);
    let held = pay_out().await;
    assert_eq!(
        (&held["status"], &held["hold_reasons"]),
        (&json!("on_hold"), &json!(["tax_form_missing"]))
    );
    world.books_are_right().await;
    // The form releases it with the worker's next round.
    world.pass(TimeDelta::minutes(2));
    assert_eq!(payments::sweep_payouts(&world.platform).await.unwrap().released, 0);
    hand_in(&world, &athlete, w9("219-09-9999")).await.data();
    assert_eq!(standing(&world, &athlete).await["holds_payouts"], false);
    world.pass(TimeDelta::minutes(2));
    assert_eq!(payments::sweep_payouts(&world.platform).await.unwrap().released, 1);
    world.books_are_right().await;
}
both!(payouts_wait_for_a_form_where_the_site_says_so);

async fn a_wallet_that_is_paid_out_by_itself_waits_and_goes_on_with_the_form(world: World) {
    holds(&world, true).await;
    let athlete = world.earner(300_000).await;
    world.can_receive(&athlete).await;
    let instant = json!({ "preference": "instant" });
    world.call("core.payout_account.set_preference", &athlete.principal, instant).await.data();
    assert_eq!(payments::sweep_payouts(&world.platform).await.unwrap().paid_out, 0);
    hand_in(&world, &athlete, w9("219-09-9999")).await.data();
    assert_eq!(payments::sweep_payouts(&world.platform).await.unwrap().paid_out, 1);
    world.books_are_right().await;
}
both!(a_wallet_that_is_paid_out_by_itself_waits_and_goes_on_with_the_form);

async fn a_foreign_athlete_waits_for_a_form_that_is_not_supported(world: World) {
    holds(&world, true).await;
    let athlete = world.earner(200_000).await;
    world.can_receive(&athlete).await;
    let visa = json!({ "status": "f1" });
    world.call("core.athlete.set_visa_status", &athlete.principal, visa).await.data();
    let finance = world.operator(&[Permission::Finance]);
    let held = json!({ "id": athlete.id });
    let held = world.call("admin.payout.trigger", &finance, held).await.data();
    assert_eq!(held["hold_reasons"], json!(["tax_form_unsupported"]));
    // The next year changes nothing. An athlete who counts as a U.S. person hands in a W-9.
    world.pass_until("2027-01-02T00:00:00Z");
    assert_eq!(payments::sweep_payouts(&world.platform).await.unwrap().released, 0);
    hand_in(&world, &athlete, w9("219-09-9999")).await.data();
    world.pass(TimeDelta::minutes(2));
    assert_eq!(payments::sweep_payouts(&world.platform).await.unwrap().released, 1);
    world.books_are_right().await;
}
both!(a_foreign_athlete_waits_for_a_form_that_is_not_supported);

async fn agents_hand_in_theirs(world: World) {
    holds(&world, true).await;
    let agent = world.agent("North Agency").await;
    let athlete = world.athlete("Jordan Lake").await;
    let partner = world.paying_partner("Cedar Coffee").await;
    let deal =
        world.approved_deal_through(&partner, &athlete, Some((&agent, 2_000)), &[1_000_000]).await;
    world.pay(&partner, &athlete, &deal).await;
    let asked = standing(&world, &agent).await;
    assert_eq!((&asked["earned_cents"], &asked["required"]), (&json!(200_000), &json!(true)));
    assert_eq!(asked["holds_payouts"], true);
    let mut form = w9("12-3456789");
    form["classification"] = json!("s_corporation");
    form["business_name"] = json!("North Agency Inc.");
    form["tin_kind"] = json!("ein");
    hand_in(&world, &agent, form).await.data();
    assert_eq!(standing(&world, &agent).await["holds_payouts"], false);
}
both!(agents_hand_in_theirs);
