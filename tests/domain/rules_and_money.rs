//! Institutions' rules and money that is already owed.

use chrono::TimeDelta;
use nil_core::auth::Permission;
use nil_core::payments;
use nil_tests::{World, both};
use serde_json::json;

use crate::institution_rules::{owner_of, prohibits, set};

async fn a_rule_that_comes_later_strands_no_money(world: World) {
    let partner = world.paying_partner("Ridge Outfitters").await;
    let college = world.college().await;
    let owner = owner_of(&world, college).await;
    let athlete = world.athlete_of("Zoe Okafor", college).await;
    let first = world.approved_deal(&partner, &athlete, &[20_000]).await;
    let second = world.approved_deal(&partner, &athlete, &[30_000]).await;
    world.pass(TimeDelta::days(1));
    set(&world, &owner, prohibits(&["social_post", "restaurants", "gambling"])).await;
    let line = json!({ "athlete_id": athlete.id, "contract_id": first.contract_id });
    let paid =
        world.call("core.payment.pay_with_saved_card", &partner.principal, line).await.data();
    assert_eq!(paid["status"], "succeeded");

    // But a brand that changes into a category prohibited at execution is stopped.
    let partner_id = partner.id;
    world
        .id(&format!(
            "UPDATE partner SET business_category_id = 28 WHERE id = {partner_id} RETURNING id"
        ))
        .await;
    let line = json!({ "athlete_id": athlete.id, "contract_id": second.contract_id });
    let refused =
        world.call("core.payment.pay_with_saved_card", &partner.principal, line.clone()).await;
    assert_eq!((refused.status, refused.code()), (409, "category_prohibited"));
    assert!(refused.body["message"].as_str().unwrap().contains("2021-07-01"), "{}", refused.body);
    let preview = json!({ "payments": [line] });
    let summary = world.call("core.payment.bulk_summary", &partner.principal, preview).await.data();
    assert_eq!(summary["lines"][0]["reason"], "category_prohibited");
    let bulk = json!({ "payments": [line], "expected_total_cents": 33_000 });
    let refused = world.call("core.payment.pay_bulk", &partner.principal, bulk).await;
    assert_eq!((refused.status, refused.code()), (422, "line_not_payable"));
    assert!(
        refused.body["errors"]["payments.0"][0]
            .as_str()
            .unwrap()
            .starts_with("category_prohibited")
    );
    // And continues once the institution no longer forbids it.
    set(&world, &owner, prohibits(&["social_post"])).await;
    let line = json!({ "athlete_id": athlete.id, "contract_id": second.contract_id });
    let paid =
        world.call("core.payment.pay_with_saved_card", &partner.principal, line).await.data();
    assert_eq!(paid["status"], "succeeded");
    world.books_are_right().await;
}
both!(a_rule_that_comes_later_strands_no_money);

async fn payouts_wait_for_the_clearinghouse_where_the_institution_says_so(world: World) {
    let partner = world.paying_partner("Ridge Outfitters").await;
    let college = world.college().await;
    let (owner, officer) =
        (owner_of(&world, college).await, world.portal_user(college, "officer").await.0);
    let athlete = world.athlete_of("Zoe Okafor", college).await;
    world.can_receive(&athlete).await;
    let finance = world.operator(&[Permission::Finance]);
    let pay_out = json!({ "id": athlete.id });

    // Executed before the rule: not held.
    let before = world.approved_deal(&partner, &athlete, &[70_000]).await;
    world.pass(TimeDelta::days(1));
    set(&world, &owner, json!({ "hold_payouts": { "until_cleared": true } })).await;
    world.pay(&partner, &athlete, &before).await;
    let payout = world.call("admin.payout.trigger", &finance, pay_out.clone()).await.data();
    assert_ne!(payout["status"], "on_hold");
    world.pass(TimeDelta::days(3));
    payments::reconcile(&world.platform).await.unwrap();

    let after = world.approved_deal(&partner, &athlete, &[80_000]).await;
    world.pay(&partner, &athlete, &after).await;
    let held = world.call("admin.payout.trigger", &finance, pay_out).await.data();
    assert_eq!(held["status"], "on_hold");
    assert_eq!(held["hold_reasons"], json!(["institution_clearance"]));
    world.pass(TimeDelta::minutes(2));
    assert_eq!(payments::sweep_payouts(&world.platform).await.unwrap().released, 0);

    let list = json!({ "statuses": ["due"] });
    let due = world.call("compliance.clearance.list", &officer, list).await.data();
    let due = due.as_array().unwrap();
    assert_eq!(due.len(), 2);
    let id =
        due.iter().find(|c| c["contract_id"] == json!(after.contract_id)).unwrap()["id"].clone();
    for status in ["submitted", "cleared"] {
        let word = json!({ "id": id, "status": status, "reference": "NG-1" });
        world.call("compliance.clearance.record", &officer, word).await.data();
    }
    world.pass(TimeDelta::minutes(2));
    assert_eq!(payments::sweep_payouts(&world.platform).await.unwrap().released, 1);
    world.books_are_right().await;
}
both!(payouts_wait_for_the_clearinghouse_where_the_institution_says_so);
