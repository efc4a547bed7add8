//! The clocks of athletes who enrol, and of pay that depends on sales.

use chrono::TimeDelta;
use nil_core::auth::Permission;
use nil_core::payments;
use nil_tests::{Hire, Person, World, both};
use serde_json::{Value, json};

use crate::affiliate::{PAY, all_of, commission, link, name_website, sale};
use crate::clearing::own;
use crate::disclosing::disclose;
use crate::payor_groups::college_in;

pub(crate) const ENROL: &str = "core.athlete.set_enrolment";

async fn enrols(world: &World, athlete: &Person, enrolment: Value) {
    world.call(ENROL, &athlete.principal, enrolment).await.data();
}

async fn a_deal_of(world: &World, athlete: &Person, day: &str, over: Value) -> Value {
    let mut deal = json!({ "amount_cents": 90_000, "signed_on": day, "starts_on": day });
    for (name, value) in over.as_object().unwrap() {
        deal[name] = value.clone();
    }
    disclose(world, athlete, deal).await
}

/// Status and deadline of each clearance, oldest first.
async fn clocks(world: &World, athlete: &Person) -> Vec<(String, String)> {
    let mut all = own(world, &athlete.principal).await;
    all.reverse();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    all.iter().map(|one| (text(&one["status"]), text(&one["due_at"]))).collect()
}

fn due(at: &str) -> (String, String) {
    ("due".to_owned(), at.to_owned())
}

fn nothing() -> (String, String) {
    ("not_required".to_owned(), String::new())
}

async fn who_comes_from_high_school_has_fourteen_days_from_enrolment(world: World) {
    let college = world.college().await;
    let athlete = world.athlete_of("Zoe Okafor", college).await;
    a_deal_of(&world, &athlete, "2026-08-03", json!({})).await;
    assert_eq!(clocks(&world, &athlete).await, [due("2026-08-11T04:59:59Z")]);
    let high = json!({
        "kind": "high_school", "enrolled_on": "2026-08-20", "counts_from": "2024-08-12",
    });
    enrols(&world, &athlete, high).await;
    // Midnight of 3 September in Chicago, for the institution too.
    assert_eq!(clocks(&world, &athlete).await, [due("2026-09-04T04:59:59Z")]);
    let list = world.call("core.disclosed_job.list", &athlete.principal, json!({})).await.data();
    assert_eq!(list[0]["due_at"], "2026-09-04T04:59:59Z");
    // The first contest is earlier.
    let contest = json!({ "kind": "high_school", "enrolled_on": "2026-08-20",
        "counts_from": "2024-08-12", "first_contest_on": "2026-08-29" });
    enrols(&world, &athlete, contest).await;
    assert_eq!(clocks(&world, &athlete).await, [due("2026-08-29T04:59:59Z")]);
    // A deal disclosed later has the same clock, and one after enrolment its own.
    a_deal_of(&world, &athlete, "2026-07-20", json!({ "payer_name": "Valley Sports" })).await;
    a_deal_of(&world, &athlete, "2026-09-10", json!({ "payer_name": "Hill Grill" })).await;
    let all = clocks(&world, &athlete).await;
    assert_eq!(all[1..], [due("2026-08-29T04:59:59Z"), due("2026-09-18T04:59:59Z")]);
}
both!(who_comes_from_high_school_has_fourteen_days_from_enrolment);

async fn deals_count_from_the_junior_year_and_the_first_of_july(world: World) {
    let college = world.college().await;
    let athlete = world.athlete_of("Zoe Okafor", college).await;
    for (payer, day) in [
        ("Alder", "2025-06-20"),
        ("Birch", "2025-07-01"),
        ("Cedar", "2026-01-31"),
        ("Dogwood", "2026-02-01"),
    ] {
        a_deal_of(&world, &athlete, day, json!({ "payer_name": payer, "ends_on": null })).await;
    }
    let early = json!({
        "kind": "high_school", "enrolled_on": "2026-08-20", "counts_from": "2024-08-12",
    });
    enrols(&world, &athlete, early).await;
    let last = due("2026-09-04T04:59:59Z");
    let wanted = [nothing(), last.clone(), last.clone(), last.clone()];
    assert_eq!(clocks(&world, &athlete).await, wanted);
    // At the junior college since February.
    let late = json!({
        "kind": "junior_college", "enrolled_on": "2026-08-20", "counts_from": "2026-02-01",
    });
    enrols(&world, &athlete, late).await;
    let wanted = [nothing(), nothing(), nothing(), last];
    assert_eq!(clocks(&world, &athlete).await, wanted);
}
both!(deals_count_from_the_junior_year_and_the_first_of_july);

/// The deal that crosses the line after enrolment leaves at least the entrant's time to the earlier
/// ones.
async fn a_deal_after_enrolment_brings_the_earlier_ones_along(world: World) {
    let college = world.college().await;
    let athlete = world.athlete_of("Zoe Okafor", college).await;
    let high = json!({
        "kind": "high_school", "enrolled_on": "2026-08-20", "counts_from": "2024-08-12",
    });
    enrols(&world, &athlete, high).await;
    let half = json!({ "amount_cents": 30_000 });
    a_deal_of(&world, &athlete, "2026-08-03", half.clone()).await;
    a_deal_of(&world, &athlete, "2026-08-24", half).await;
    let wanted = [due("2026-09-04T04:59:59Z"), due("2026-09-01T04:59:59Z")];
    assert_eq!(clocks(&world, &athlete).await, wanted);
}
both!(a_deal_after_enrolment_brings_the_earlier_ones_along);

async fn who_comes_from_another_division_counts_from_the_portal(world: World) {
    let small = college_in(&world, "D2").await;
    let large = world.college().await;
    let athlete = world.athlete_of("Zoe Okafor", small).await;
    for (payer, day) in [("Alder", "2026-04-30"), ("Birch", "2026-05-01")] {
        a_deal_of(&world, &athlete, day, json!({ "payer_name": payer })).await;
    }
    assert_eq!(clocks(&world, &athlete).await, [nothing(), nothing()]);
    let edit = json!({ "university_id": large });
    world.call("core.athlete.edit", &athlete.principal, edit).await.data();
    let portal = json!({
        "kind": "other_division", "enrolled_on": "2026-08-20", "counts_from": "2026-05-01",
    });
    enrols(&world, &athlete, portal).await;
    assert_eq!(clocks(&world, &athlete).await, [nothing(), due("2026-05-09T04:59:59Z")]);
}
both!(who_comes_from_another_division_counts_from_the_portal);

/// Of two institutions of Division I, each keeps the deals that were made there.
async fn a_four_year_transfer_changes_nothing(world: World) {
    let athlete = world.athlete("Zoe Okafor").await;
    a_deal_of(&world, &athlete, "2026-04-30", json!({})).await;
    let before = clocks(&world, &athlete).await;
    let next = world.college().await;
    let edit = json!({ "university_id": next });
    world.call("core.athlete.edit", &athlete.principal, edit).await.data();
    let enrolled = json!({ "kind": "four_year", "enrolled_on": "2026-08-20" });
    enrols(&world, &athlete, enrolled).await;
    assert_eq!(clocks(&world, &athlete).await, before);
}
both!(a_four_year_transfer_changes_nothing);

async fn an_enrolment_is_complete_and_possible(world: World) {
    let college = world.college().await;
    let athlete = world.athlete_of("Zoe Okafor", college).await;
    for (field, wrong) in [
        ("counts_from", json!({ "counts_from": null })),
        ("counts_from", json!({ "counts_from": "2026-08-21" })),
        ("first_contest_on", json!({ "first_contest_on": "2026-01-01" })),
        ("enrolled_on", json!({ "enrolled_on": "2029-08-20" })),
        ("counts_from", json!({ "kind": "four_year" })),
    ] {
        let mut input = json!({
            "kind": "junior_college", "enrolled_on": "2026-08-20",
            "counts_from": "2026-02-01",
        });
        for (name, value) in wrong.as_object().unwrap() {
            input[name] = value.clone();
        }
        let refused = world.call(ENROL, &athlete.principal, input).await;
        assert_eq!(refused.status, 422, "{field}: {}", refused.body);
        assert!(refused.body["errors"][field].is_array(), "{field}: {}", refused.body);
    }
    assert_eq!(world.id("SELECT COUNT(*) FROM athlete_entry").await, 0);
}
both!(an_enrolment_is_complete_and_possible);

/// A share of sales is nothing until it is received.
async fn a_share_of_sales_is_due_when_what_was_received_reaches_the_line(world: World) {
    let brand = world.paying_partner("Ridge Outfitters").await;
    let athlete = world.athlete("Zoe Okafor").await;
    let mut share = commission();
    share["product_value_cents"] = json!(100_000);
    let job = world.open_job(&brand, share).await;
    let hire = world.hire(&brand, &athlete, job).await;
    let confirm = json!({ "job_id": job });
    world.call("core.contract.confirm_availability", &athlete.principal, confirm).await.data();
    assert_eq!(clocks(&world, &athlete).await, [nothing()]);
    name_website(&world, &hire).await;
    let made = link(&world, &hire).await;
    // 350 dollars on Saturday, 250 on Sunday.
    for (order, cents, wanted) in
        [("1", 350_000, nothing()), ("2", 250_000, due("2026-12-01T05:59:59Z"))]
    {
        sale(&world, &made, order, cents).await;
        world.pass(TimeDelta::days(1));
        assert_eq!(payments::settle_commission(&world.platform).await.unwrap(), 1);
        assert_eq!(clocks(&world, &athlete).await, [wanted]);
    }
    // The packet tells the maximum that was agreed on.
    let all = own(&world, &athlete.principal).await;
    let one = crate::clearing::shown(&world, &athlete.principal, &all[0]["id"]).await;
    assert_eq!(one["packet"]["contingent_cents"], 100_000, "{one:#}");
}
both!(a_share_of_sales_is_due_when_what_was_received_reaches_the_line);

/// A deal with this fixed sum beside a share of sales, confirmed.
async fn with_fixed_sum(world: &World, cents: i64) -> Hire {
    let brand = world.paying_partner("Ridge Outfitters").await;
    let athlete = world.athlete("Zoe Okafor").await;
    let mut share = commission();
    share["product_value_cents"] = json!(100_000);
    share["amount_cents"] = json!(cents);
    let job = world.open_job(&brand, share).await;
    let hire = world.hire(&brand, &athlete, job).await;
    let confirm = json!({ "job_id": job });
    world.call("core.contract.confirm_availability", &athlete.principal, confirm).await.data();
    name_website(world, &hire).await;
    hire
}

/// What is fixed is agreed with the contract, and counts once: not again when it is paid.
async fn a_fixed_sum_beside_a_share_of_sales_counts_when_it_is_signed(world: World) {
    let hire = with_fixed_sum(&world, 60_000).await;
    assert_eq!(clocks(&world, &hire.athlete).await, [due("2026-12-01T05:59:59Z")]);

    let hire = with_fixed_sum(&world, 30_000).await;
    for deliverable in &hire.deliverables {
        world.approve(&hire, *deliverable).await;
    }
    world.call(PAY, &hire.partner.principal, all_of(&hire)).await.data();
    assert_eq!(clocks(&world, &hire.athlete).await, [nothing()]);
    let made = link(&world, &hire).await;
    // On Sunday and on Tuesday.
    for (order, cents, wanted) in
        [("1", 299_990, nothing()), ("2", 10, due("2026-12-03T05:59:59Z"))]
    {
        world.pass(TimeDelta::days(2));
        sale(&world, &made, order, cents).await;
        world.call(PAY, &hire.partner.principal, all_of(&hire)).await.data();
        assert_eq!(clocks(&world, &hire.athlete).await, [wanted]);
    }
}
both!(a_fixed_sum_beside_a_share_of_sales_counts_when_it_is_signed);

/// What went back to the brand is not received.
async fn a_refunded_share_of_sales_counts_no_more(world: World) {
    let hire = with_fixed_sum(&world, 0).await;
    let made = link(&world, &hire).await;
    sale(&world, &made, "1", 700_000).await;
    let paid = world.call(PAY, &hire.partner.principal, all_of(&hire)).await.data();
    assert_eq!(clocks(&world, &hire.athlete).await, [due("2026-12-01T05:59:59Z")]);
    let operator = world.operator(&[Permission::Finance]);
    for (cents, wanted) in [(10_000, due("2026-12-01T05:59:59Z")), (1, nothing())] {
        let part = json!({
            "payment_id": paid["id"], "amount_cents": cents, "reason": "Returned goods",
        });
        world.call("admin.payment.refund", &operator, part).await.data();
        assert_eq!(clocks(&world, &hire.athlete).await, [wanted], "{cents}");
    }
}
both!(a_refunded_share_of_sales_counts_no_more);

/// An athlete is asked once for each institution.
async fn an_athlete_is_asked_for_the_enrolment(world: World) {
    let college = world.college().await;
    let athlete = world.athlete_of("Zoe Okafor", college).await;
    let state = async || world.call("core.athlete.enrolment", &athlete.principal, json!({})).await;
    let step = async || {
        let shown = world.call("core.tutorial.show", &athlete.principal, json!({})).await.data();
        let mut steps = shown["steps"].as_array().unwrap().iter();
        steps.find(|step| step["step"] == "state_enrolment").unwrap()["done"].clone()
    };
    let asked = state().await.data();
    assert_eq!((&asked["is_asked_for"], &asked["enrolment"]), (&json!(true), &Value::Null));
    assert_eq!(step().await, false);
    let high = json!({
        "kind": "high_school", "enrolled_on": "2026-08-20", "counts_from": "2024-08-12",
    });
    enrols(&world, &athlete, high).await;
    let stated = state().await.data();
    assert_eq!(stated["is_asked_for"], false);
    assert_eq!(stated["enrolment"]["kind"], "high_school");
    assert_eq!(step().await, true);
    let next = world.college().await;
    let edit = json!({ "university_id": next });
    world.call("core.athlete.edit", &athlete.principal, edit).await.data();
    let moved = state().await.data();
    assert_eq!((&moved["is_asked_for"], &moved["college_id"]), (&json!(true), &json!(next)));
    assert_eq!(moved["earlier"][0]["college_id"], college);
    assert_eq!(step().await, false);
}
both!(an_athlete_is_asked_for_the_enrolment);

/// A site that goes by the maximum.
async fn a_stated_maximum_counts_where_the_site_says_so(world: World) {
    let operator = world.operator(&[Permission::Site]);
    let maximum = json!({ "contingent_pay": "maximum" });
    world.call("admin.site.save_basic", &operator, maximum).await.data();
    let brand = world.partner("Ridge Outfitters").await;
    let athlete = world.athlete("Zoe Okafor").await;
    let mut share = commission();
    share["product_value_cents"] = json!(60_000);
    let job = world.open_job(&brand, share).await;
    world.hire(&brand, &athlete, job).await;
    let confirm = json!({ "job_id": job });
    world.call("core.contract.confirm_availability", &athlete.principal, confirm).await.data();
    assert_eq!(clocks(&world, &athlete).await, [due("2026-12-01T05:59:59Z")]);
}
both!(a_stated_maximum_counts_where_the_site_says_so);
