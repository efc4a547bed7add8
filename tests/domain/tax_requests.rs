//! Payees are asked for a tax form: once for each reason and year, and no longer than it is
//! missing.

use chrono::TimeDelta;
use nil_core::auth::Permission;
use nil_core::{payments, worker};
use nil_tests::{Person, World, both};
use serde_json::{Value, json};

use crate::tax_forms::{hand_in, w9};

const LIST: &str = "admin.tax.list_requests";
const EVENT: &str = "tax_form.requested";

/// The site holds payouts for missing forms.
async fn holds(world: &World) {
    let operator = world.operator(&[Permission::Site, Permission::Finance]);
    let on = json!({ "hold_payouts_for_tax_form": true });
    world.call("admin.site.save_basic", &operator, on).await.data();
}

async fn earn(world: &World, partner: &Person, athlete: &Person, cents: i64) {
    let deal = world.approved_deal(partner, athlete, &[cents]).await;
    world.pay(partner, athlete, &deal).await;
}

async fn pay_out(world: &World, athlete: &Person) -> Value {
    let finance = world.operator(&[Permission::Finance]);
    world.call("admin.payout.trigger", &finance, json!({ "id": athlete.id })).await.data()
}

async fn listed(world: &World, status: &str) -> Vec<Value> {
    let finance = world.operator(&[Permission::Finance]);
    let list = world.call(LIST, &finance, json!({ "status": status })).await.data();
    list.as_array().cloned().expect("a list")
}

/// How often anybody was asked.
async fn asked(world: &World) -> i64 {
    let noted = "SELECT COUNT(*) FROM audit_entry \
                 WHERE subject_kind = 'tax_form_request' AND action = 'asked'";
    world.id(noted).await
}

/// The mail that a payee got last.
async fn mail(world: &World, to: &Person) -> String {
    worker::round(&world.platform).await.unwrap();
    world.mail(&to.email, EVENT).await.expect("a mail")
}

async fn earnings_close_to_the_threshold_ask_once(world: World) {
    let brand = world.paying_partner("Cedar Coffee").await;
    let athlete = world.athlete("Jordan Lake").await;
    earn(&world, &brand, &athlete, 159_999).await;
    assert_eq!(asked(&world).await, 0);
    earn(&world, &brand, &athlete, 1).await;
    earn(&world, &brand, &athlete, 100_000).await;
    assert_eq!(world.told("tax_form.requested").await, 1);
    let text = mail(&world, &athlete).await;
    assert!(text.contains("close to the amount that payers report"), "{text}");
    assert!(text.contains("Sign in to Lakeside Deals.\n"), "{text}");
    let notices = json!({ "per_page": 50 });
    let notices =
        world.call("core.notification.list", &athlete.principal, notices).await.data().to_string();
    assert!(notices.contains("Please hand in a W-9 for 2026."), "{notices}");

    let missing = listed(&world, "missing").await;
    assert_eq!(missing.len(), 1);
    let one = &missing[0];
    assert_eq!(one["owner"], json!(format!("athlete:{}", athlete.id)));
    assert_eq!((&one["name"], &one["year"]), (&json!("Jordan Lake"), &json!(2026)));
    assert!(one["near_threshold_at"].is_string() && one["payout_held_at"].is_null());
    hand_in(&world, &athlete, w9("219-09-9999")).await.data();
    assert_eq!(listed(&world, "missing").await, [] as [Value; 0]);
    assert_eq!(listed(&world, "answered").await.len(), 1);
    // The form is there: a new year asks for nothing.
    world.pass_until("2027-01-05T00:00:00Z");
    earn(&world, &brand, &athlete, 300_000).await;
    worker::round(&world.platform).await.unwrap();
    assert_eq!(asked(&world).await, 1);
}
both!(earnings_close_to_the_threshold_ask_once);

async fn a_payout_that_waits_for_the_form_asks_once(world: World) {
    holds(&world).await;
    let athlete = world.earner(250_000).await;
    world.can_receive(&athlete).await;
    assert_eq!(asked(&world).await, 1, "because of the earnings");
    assert_eq!(pay_out(&world, &athlete).await["status"], "on_hold");
    assert_eq!(asked(&world).await, 2);
    let text = mail(&world, &athlete).await;
    assert!(text.contains("Your money waits for a tax form"), "{text}");
    assert_eq!(pay_out(&world, &athlete).await["status"], "on_hold");
    for _ in 0..3 {
        world.pass(TimeDelta::hours(2));
        worker::round(&world.platform).await.unwrap();
    }
    assert_eq!(asked(&world).await, 2);
    let standing = world.call("core.tax_form.standing", &athlete.principal, json!({})).await.data();
    assert_eq!(standing["hold_reason"], "tax_form_missing");
    assert!(standing["what_to_do"].as_str().unwrap().starts_with("Hand in a W-9."));
    hand_in(&world, &athlete, w9("219-09-9999")).await.data();
    let standing = world.call("core.tax_form.standing", &athlete.principal, json!({})).await.data();
    assert_eq!((&standing["hold_reason"], &standing["what_to_do"]), (&Value::Null, &Value::Null));
    world.books_are_right().await;
}
both!(a_payout_that_waits_for_the_form_asks_once);

async fn a_wallet_that_is_not_paid_out_by_itself_asks_once(world: World) {
    holds(&world).await;
    let athlete = world.earner(300_000).await;
    world.can_receive(&athlete).await;
    let instant = json!({ "preference": "instant" });
    world.call("core.payout_account.set_preference", &athlete.principal, instant).await.data();
    for _ in 0..3 {
        assert_eq!(payments::sweep_payouts(&world.platform).await.unwrap().paid_out, 0);
        world.pass(TimeDelta::hours(1));
    }
    assert_eq!(asked(&world).await, 2, "the earnings, and the payout");
    let held = &listed(&world, "missing").await[0];
    assert!(held["payout_held_at"].is_string(), "{held}");
}
both!(a_wallet_that_is_not_paid_out_by_itself_asks_once);

async fn january_asks_those_whom_a_return_is_about(world: World) {
    let [brand, other] =
        [world.paying_partner("Cedar Coffee").await, world.paying_partner("Harbor Books").await];
    let [due, shared, done] = [
        world.athlete("Jordan Lake").await,
        world.athlete("Zoe Okafor").await,
        world.athlete("Kim Park").await,
    ];
    earn(&world, &brand, &due, 200_000).await;
    // No brand alone paid as much as it must report.
    earn(&world, &brand, &shared, 150_000).await;
    earn(&world, &other, &shared, 150_000).await;
    earn(&world, &brand, &done, 200_000).await;
    hand_in(&world, &done, w9("219-09-9999")).await.data();
    assert_eq!(asked(&world).await, 3);
    world.pass_until("2027-01-01T13:59:00Z");
    worker::round(&world.platform).await.unwrap();
    assert_eq!(asked(&world).await, 3);
    // The year is over everywhere.
    world.pass_until("2027-01-01T14:01:00Z");
    for _ in 0..2 {
        worker::round(&world.platform).await.unwrap();
        world.pass(TimeDelta::hours(1));
    }
    assert_eq!(asked(&world).await, 4);
    let text = mail(&world, &due).await;
    assert!(text.contains("Whoever paid you in 2026 reports it"), "{text}");
    let missing = listed(&world, "missing").await;
    let asked: Vec<(&Value, bool)> =
        missing.iter().map(|one| (&one["name"], one["returns_due_at"].is_string())).collect();
    assert_eq!(asked, [(&json!("Zoe Okafor"), false), (&json!("Jordan Lake"), true)]);
    let finance = world.operator(&[Permission::Finance]);
    let none = json!({ "status": "all", "year": 2027 });
    assert_eq!(world.call(LIST, &finance, none).await.data(), json!([]));
}
both!(january_asks_those_whom_a_return_is_about);

async fn royalties_withheld_tax_and_commissions_ask_too(world: World) {
    let brand = world.paying_partner("Cedar Coffee").await;
    let athlete = world.athlete("Jordan Lake").await;
    let deal = world.approved_deal(&brand, &athlete, &[799, 1]).await;
    world.script("UPDATE job SET kind = 'licensing'").await;
    world.pay(&brand, &athlete, &deal).await;
    assert_eq!(asked(&world).await, 1, "eight dollars of the ten that are reported");

    let finance = world.operator(&[Permission::Finance]);
    let zoe = world.athlete("Zoe Okafor").await;
    let begin = json!({ "athlete_id": zoe.id, "active": true, "notice": "no_tin", "reason": "x" });
    world.call("admin.tax.set_withholding", &finance, begin).await.data();
    assert_eq!(asked(&world).await, 2);
    assert!(mail(&world, &zoe).await.contains("Tax is withheld from what you are paid"));

    let agent = world.agent("North Agency").await;
    let kim = world.athlete("Kim Park").await;
    hand_in(&world, &kim, w9("219-09-9999")).await.data();
    let deal = world.approved_deal_through(&brand, &kim, Some((&agent, 2_000)), &[1_000_000]).await;
    world.pay(&brand, &kim, &deal).await;
    assert_eq!(asked(&world).await, 3);
    assert_eq!(listed(&world, "missing").await[0]["name"], "North Agency");
    // The commission comes to the amount that the brand reports for the agent.
    world.pass_until("2027-01-02T00:00:00Z");
    worker::round(&world.platform).await.unwrap();
    assert_eq!(asked(&world).await, 4);
    let reports = world.operator(&[Permission::Reports]);
    assert_eq!(world.call(LIST, &reports, json!({ "status": "all" })).await.status, 403);
    assert_eq!(world.call(LIST, &finance, json!({ "status": "lost" })).await.status, 422);
}
both!(royalties_withheld_tax_and_commissions_ask_too);

async fn who_needs_a_visa_is_told_what_the_platform_does_not_take(world: World) {
    holds(&world).await;
    let athlete = world.athlete("Jordan Lake").await;
    let visa = json!({ "status": "f1" });
    world.call("core.athlete.set_visa_status", &athlete.principal, visa).await.data();
    let brand = world.paying_partner("Cedar Coffee").await;
    earn(&world, &brand, &athlete, 200_000).await;
    let held = pay_out(&world, &athlete).await;
    assert!(held["hold_reasons"].to_string().contains("tax_form_unsupported"), "{held}");
    let text = mail(&world, &athlete).await;
    assert!(text.contains("W-8BEN") && text.contains("please write to us"), "{text}");
    assert!(!text.contains("Please hand in a W-9"), "{text}");
    let standing = world.call("core.tax_form.standing", &athlete.principal, json!({})).await.data();
    assert_eq!(standing["hold_reason"], "tax_form_unsupported");
    assert!(standing["what_to_do"].as_str().unwrap().contains("1042-S"), "{standing}");
    let missing = &listed(&world, "missing").await[0];
    assert_eq!(missing["is_foreign"], true);
}
both!(who_needs_a_visa_is_told_what_the_platform_does_not_take);
