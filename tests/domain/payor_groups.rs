//! Whose deals are added up for the clearinghouse, and which deals count.

use chrono::TimeDelta;
use nil_core::auth::Permission;
use nil_tests::{Person, World, both};
use serde_json::{Value, json};

use crate::clearing::own;
use crate::disclosing::{SAVE, disclose};

/// Executes a contract of this amount.
async fn sign(world: &World, brand: &Person, athlete: &Person, cents: i64) -> i64 {
    let job = world.open_job(brand, json!({ "amount_cents": cents, "slots": 1 })).await;
    let hire = world.hire(brand, athlete, job).await;
    let confirm = json!({ "job_id": job });
    world.call("core.contract.confirm_availability", &athlete.principal, confirm).await.data();
    hire.contract
}

async fn rename(world: &World, brand: &Person, name: &str) {
    let name = json!({ "company_name": name });
    world.call("core.partner.edit", &brand.principal, name).await.data();
}

/// The states of the athlete's clearances, oldest first.
async fn states(world: &World, athlete: &Person) -> Vec<Value> {
    let mut all = own(world, &athlete.principal).await;
    all.reverse();
    all.into_iter().map(|one| one["status"].clone()).collect()
}

pub(crate) async fn college_in(world: &World, division: &str) -> i64 {
    let college = world.college().await;
    move_to(world, college, division).await;
    college
}

async fn move_to(world: &World, college: i64, division: &str) {
    let operator = world.operator(&[Permission::Accounts]);
    let change = json!({
        "id": college, "name": format!("River College {college}"), "division": division,
        "state": "IL", "time_zone": "America/Chicago",
    });
    world.call("admin.college.save", &operator, change).await.data();
}

async fn a_brand_that_is_renamed_stays_one_payor(world: World) {
    let brand = world.partner("Ridge Outfitters").await;
    let athlete = world.athlete("Zoe Okafor").await;
    sign(&world, &brand, &athlete, 40_000).await;
    rename(&world, &brand, "Summit Gear Collective").await;
    sign(&world, &brand, &athlete, 40_000).await;
    assert_eq!(states(&world, &athlete).await, ["due", "due"]);
    // Deals off the platform with the same brand, under either name, are of the same group.
    for name in ["Ridge Outfitters, Inc.", "summit gear collective"] {
        let told = json!({ "payer_name": name, "amount_cents": 2_000 });
        let told = disclose(&world, &athlete, told).await;
        assert_eq!(told["clearinghouse"]["status"], "due", "{name}");
    }
}
both!(a_brand_that_is_renamed_stays_one_payor);

async fn brands_of_one_name_are_no_group(world: World) {
    let athlete = world.athlete("Zoe Okafor").await;
    for _ in 0..2 {
        let brand = world.partner("Harbor Books").await;
        sign(&world, &brand, &athlete, 35_000).await;
    }
    assert_eq!(states(&world, &athlete).await, ["not_required", "not_required"]);
}
both!(brands_of_one_name_are_no_group);

/// The owner of a payer is named with one deal and left out with the next.
async fn a_payer_is_of_its_owners_group_in_every_deal(world: World) {
    let athlete = world.athlete("Zoe Okafor").await;
    let deals = [
        json!({ "payer_name": "Lake Grill", "payer_parent": "Great Meals Group" }),
        json!({ "payer_name": "Lake Grill" }),
        json!({ "payer_name": "Hill Grill", "payer_parent": "The Great Meals Group Inc." }),
    ];
    for mut deal in deals {
        deal["amount_cents"] = json!(21_000);
        disclose(&world, &athlete, deal).await;
    }
    assert_eq!(states(&world, &athlete).await, ["due", "due", "due"]);
    // Somebody else's grill is none of theirs.
    let other = json!({ "payer_name": "Dune Grill", "amount_cents": 59_999 });
    let other = disclose(&world, &athlete, other).await;
    assert_eq!(other["clearinghouse"]["status"], "not_required");
}
both!(a_payer_is_of_its_owners_group_in_every_deal);

/// The packet of one brand's contract names the owner, who has deals of their own.
async fn the_owner_that_a_packet_names_is_the_contracts_payor_too(world: World) {
    let athlete = world.athlete("Zoe Okafor").await;
    let brand = world.partner("Lake Grill").await;
    sign(&world, &brand, &athlete, 65_000).await;
    let small = json!({ "payer_name": "Great Meals Group", "amount_cents": 1_500 });
    disclose(&world, &athlete, small).await;
    assert_eq!(states(&world, &athlete).await, ["due", "not_required"]);
    let id = own(&world, &athlete.principal).await[1]["id"].clone();
    let owner = json!({ "id": id, "payer_parent": "Great Meals Group LLC" });
    world.call("core.clearance.save_packet", &athlete.principal, owner).await.data();
    assert_eq!(states(&world, &athlete).await, ["due", "due"]);
    let nobody = json!({ "id": id, "payer_parent": null });
    world.call("core.clearance.save_packet", &athlete.principal, nobody).await.data();
    assert_eq!(states(&world, &athlete).await, ["due", "not_required"]);
}
both!(the_owner_that_a_packet_names_is_the_contracts_payor_too);

async fn an_institutions_threshold_is_of_the_same_group(world: World) {
    let college = world.college().await;
    let owner = world.portal_user(college, "owner").await.0;
    let rules = json!({ "threshold": { "amount_cents": 60_000, "scope": "payor_group" } });
    world.call("compliance.college.save_settings", &owner, rules).await.data();
    let athlete = world.athlete_of("Zoe Okafor", college).await;
    let brand = world.partner("Ridge Outfitters").await;
    sign(&world, &brand, &athlete, 40_000).await;
    rename(&world, &brand, "Summit Gear Collective").await;
    let told = json!({ "payer_name": "Summit Gear Collective", "amount_cents": 20_000 });
    let told = disclose(&world, &athlete, told).await;
    assert_eq!(told["flags"], json!(["over_threshold"]));
}
both!(an_institutions_threshold_is_of_the_same_group);

async fn a_draft_of_a_deal_that_is_not_signed_counts_for_nobody(world: World) {
    let athlete = world.athlete("Zoe Okafor").await;
    let brand = world.partner("Ridge Outfitters").await;
    sign(&world, &brand, &athlete, 40_000).await;
    let planned = json!({ "payer_name": "Ridge Outfitters", "amount_cents": 90_000, "draft": true,
        "signed_on": "2026-11-21", "starts_on": "2026-11-22" });
    let planned = disclose(&world, &athlete, planned).await;
    assert_eq!(states(&world, &athlete).await, ["not_required", "not_required"]);
    // Nor for the institution's threshold.
    let college =
        world.id(&format!("SELECT university_id FROM athlete WHERE id = {}", athlete.id)).await;
    let owner = world.portal_user(college, "owner").await.0;
    let rules = json!({ "threshold": { "amount_cents": 100_000, "scope": "athlete" } });
    world.call("compliance.college.save_settings", &owner, rules).await.data();
    let small = disclose(&world, &athlete, json!({ "amount_cents": 5_000 })).await;
    assert_eq!(small["flags"], json!([]));
    // On the day of signing it counts, from the next deal or reminder on.
    world.clock.advance(TimeDelta::days(1));
    nil_core::worker::round(&world.platform).await.unwrap();
    let signed = json!({ "id": planned["id"], "draft": true, "title": "Signed at last" });
    let signed = world.call(SAVE, &athlete.principal, signed).await.data();
    assert_eq!(signed["clearinghouse"]["status"], "due");
    assert_eq!(states(&world, &athlete).await, ["due", "due", "not_required"]);
}
both!(a_draft_of_a_deal_that_is_not_signed_counts_for_nobody);

/// The evening before is still the day before where the institution is.
async fn a_draft_is_signed_when_its_day_begins_where_the_institution_is(world: World) {
    let athlete = world.athlete("Zoe Okafor").await;
    // 21 November in UTC, 20 November in Chicago.
    world.clock.advance(TimeDelta::hours(14));
    let planned = json!({ "amount_cents": 90_000, "draft": true, "signed_on": "2026-11-21",
        "starts_on": "2026-11-22" });
    let planned = disclose(&world, &athlete, planned).await;
    assert_eq!(planned["clearinghouse"]["status"], "not_required");
}
both!(a_draft_is_signed_when_its_day_begins_where_the_institution_is);

async fn a_planned_deal_becomes_due_with_its_reminder(world: World) {
    let athlete = world.athlete("Zoe Okafor").await;
    let planned = json!({ "amount_cents": 90_000, "draft": true, "signed_on": "2026-11-23",
        "starts_on": "2026-11-24" });
    disclose(&world, &athlete, planned).await;
    nil_core::worker::round(&world.platform).await.unwrap();
    assert_eq!(states(&world, &athlete).await, ["not_required"]);
    // Nobody writes again; the deadline comes near.
    world.clock.advance(TimeDelta::days(10));
    nil_core::worker::round(&world.platform).await.unwrap();
    assert_eq!(states(&world, &athlete).await, ["due"]);
}
both!(a_planned_deal_becomes_due_with_its_reminder);

async fn only_division_one_reports(world: World) {
    for division in ["D2", "D3", "NAIA", "NJCAA", "other", "D1"] {
        let college = college_in(&world, division).await;
        let athlete = world.athlete_of("Zoe Okafor", college).await;
        disclose(&world, &athlete, json!({ "amount_cents": 90_000 })).await;
        let brand = world.partner("Ridge Outfitters").await;
        sign(&world, &brand, &athlete, 70_000).await;
        let wanted = if division == "D1" { "due" } else { "not_required" };
        assert_eq!(states(&world, &athlete).await, [wanted, wanted], "{division}");
    }
}
both!(only_division_one_reports);
