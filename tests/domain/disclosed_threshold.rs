//! Disclosed deals that together reach the clearinghouse's threshold.

use nil_tests::{World, a_disclosure, both};
use serde_json::{Value, json};
use std::sync::Arc;

use crate::disclosing::{SAVE, decide, disclose, own};

async fn the_deal_that_crosses_the_line_makes_the_earlier_ones_reportable(world: World) {
    let athlete = world.athlete("Zoe Okafor").await;
    let first =
        disclose(&world, &athlete, json!({ "signed_on": "2026-11-02", "starts_on": "2026-11-02" }))
            .await;
    let other = disclose(
        &world,
        &athlete,
        json!({ "payer_name": "Valley Sports", "amount_cents": 59_999 }),
    )
    .await;
    assert_eq!(first["clearinghouse"]["status"], "not_required");
    let state = |jobs: &[Value], id: &Value| {
        let job = jobs.iter().find(|job| job["id"] == *id).unwrap();
        (job["clearinghouse"]["status"].clone(), job["clearinghouse"]["due_at"].clone())
    };
    // The same company in another spelling; together it is 600 dollars.
    let crossing = disclose(
        &world,
        &athlete,
        json!({ "payer_name": "HARBOR BOOKS, Inc.", "amount_cents": 20_000 }),
    )
    .await;
    let jobs = own(&world, &athlete).await;
    let due = (json!("due"), json!("2026-12-01T05:59:59Z"));
    assert_eq!(state(&jobs, &crossing["id"]), due);
    assert_eq!(state(&jobs, &first["id"]), due);
    assert_eq!(state(&jobs, &other["id"]), (json!("not_required"), Value::Null));
    nil_core::worker::round(&world.platform).await.unwrap();
    let mail = world.mail(&athlete.email, "disclosure.due").await.unwrap();
    assert!(mail.contains("Reading day") && mail.contains("November 30, 2026"), "{mail}");
}
both!(the_deal_that_crosses_the_line_makes_the_earlier_ones_reportable);

async fn contracts_of_the_platform_count_too(world: World) {
    // 500 dollars in cash here.
    let hire = world.active(json!({})).await;
    let college =
        world.deal(&hire.athlete, hire.job).await["athlete"]["university_id"].as_i64().unwrap();
    let viewer = world.portal_user(college, "viewer").await.0;
    let list = world.call("compliance.clearance.list", &viewer, json!({})).await.data();
    let deal = world.deal(&hire.athlete, hire.job).await;
    assert_eq!(list[0]["athlete_name"], deal["athlete"]["display_name"]);
    assert!(list[0]["athlete_name"].is_string());
    assert_eq!(
        (&list[0]["contract_id"], &list[0]["status"]),
        (&json!(hire.contract), &json!("not_required"))
    );
    assert_eq!(
        (&list[0]["payor"], &list[0]["amount_cents"]),
        (&json!("Ridge Outfitters"), &json!(50_000))
    );
    let draft = json!({ "payer_name": "RO Stores", "payer_parent": "Ridge Outfitters LLC",
            "amount_cents": 10_000, "draft": true });
    let draft = disclose(&world, &hire.athlete, draft).await;
    assert_eq!(draft["clearinghouse"]["status"], "due");
    let list = world.call("compliance.clearance.list", &viewer, json!({})).await.data();
    assert_eq!(list.as_array().unwrap().len(), 1, "drafts are the athlete's");
    assert_eq!(list[0]["status"], "due");
    // A smaller amount is below the threshold again.
    let less = json!({ "id": draft["id"], "amount_cents": 9_999, "draft": true });
    let less = world.call(SAVE, &hire.athlete.principal, less).await.data();
    assert_eq!(less["clearinghouse"]["status"], "not_required");
    let more = json!({ "id": draft["id"], "amount_cents": 10_001, "draft": true });
    world.call(SAVE, &hire.athlete.principal, more).await.data();
    world
        .call("core.disclosed_job.withdraw", &hire.athlete.principal, json!({ "id": draft["id"] }))
        .await
        .data();
    let list = world.call("compliance.clearance.list", &viewer, json!({})).await.data();
    assert_eq!((&list[0]["status"], &list[0]["due_at"]), (&json!("not_required"), &Value::Null));
}
both!(contracts_of_the_platform_count_too);

async fn the_clearinghouse_flags_refuses_and_clears(world: World) {
    let college = world.college().await;
    let officer = world.portal_user(college, "officer").await.0;
    let athlete = world.athlete_of("Zoe Okafor", college).await;
    let job = disclose(&world, &athlete, json!({ "amount_cents": 90_000 })).await;
    let (id, clearance) = (job["id"].clone(), job["clearinghouse"]["id"].clone());
    assert_eq!(job["clearinghouse"]["status"], "due");
    let say = |word: &str| json!({ "clearinghouse": word, "reference": "NG-77" });
    let early = decide(&world, &officer, &id, say("cleared")).await;
    assert_eq!((early.status, early.code()), (409, "illegal_transition"));
    let handed_in = decide(&world, &officer, &id, say("submitted")).await.data();
    assert_eq!(
        (&handed_in["clearinghouse"]["status"], &handed_in["clearinghouse"]["reference"]),
        (&json!("submitted"), &json!("NG-77"))
    );
    let silent = decide(&world, &officer, &id, say("flagged")).await;
    assert!(silent.body["errors"]["note"].is_array(), "{}", silent.body);
    let mut flagged = say("flagged");
    flagged["note"] = json!("What is the business purpose?");
    decide(&world, &officer, &id, flagged).await.data();
    nil_core::worker::round(&world.platform).await.unwrap();
    let mail = world.mail(&athlete.email, "disclosed_job.flagged").await.unwrap();
    assert!(mail.contains("What is the business purpose?"), "{mail}");
    let record = |word: &str| json!({ "id": clearance, "status": word, "note": "As said." });
    let stranger = world.portal_user(world.college().await, "officer").await.0;
    let foreign = world.call("compliance.clearance.record", &stranger, record("cleared")).await;
    assert_eq!(foreign.status, 404);
    for (word, late) in [
        ("not_cleared", false),
        ("arbitration", false),
        ("not_cleared", false),
        ("submitted", false),
        ("cleared", false),
    ] {
        let said = world.call("compliance.clearance.record", &officer, record(word)).await.data();
        assert_eq!((&said["status"], &said["late"]), (&json!(word), &json!(late)));
    }
    let over = world.call("compliance.clearance.record", &officer, record("submitted")).await;
    assert_eq!((over.status, over.code()), (409, "illegal_transition"));
}
both!(the_clearinghouse_flags_refuses_and_clears);

async fn two_deals_at_once_cannot_slip_under_the_line(world: World) {
    let athlete = world.athlete("Zoe Okafor").await;
    let world = Arc::new(world);
    let saves: Vec<_> = (0..8)
        .map(|number| {
            let (world, who) = (world.clone(), athlete.principal.clone());
            tokio::spawn(async move {
                let deal = a_disclosure(
                    json!({ "title": format!("Deal {number}"), "amount_cents": 10_000 }),
                );
                world.call(SAVE, &who, deal).await.status
            })
        })
        .collect();
    for save in saves {
        assert_eq!(save.await.unwrap(), 200);
    }
    let jobs = own(&world, &athlete).await;
    assert_eq!(jobs.len(), 8);
    for job in jobs {
        assert_eq!(job["clearinghouse"]["status"], "due", "{job}");
    }
}
both!(two_deals_at_once_cannot_slip_under_the_line);
