//! Events of a deal that no other scenario names: who is told.

use nil_core::worker;
use nil_tests::{World, both};
use serde_json::json;

async fn work_and_requests_are_told_to_the_other_side(world: World) {
    let hire = world.active(json!({})).await;
    let (athlete, brand) = (&hire.athlete, &hire.partner);
    world.approve(&hire, hire.deliverables[0]).await;
    let later = json!({ "job_id": hire.job, "deliverable_id": hire.deliverables[1],
        "proposed_due_on": "2026-12-30", "reason": "Finals week." });
    world.call("core.contract.request_new_due_date", &athlete.principal, later).await.data();
    let accept = json!({ "job_id": hire.job, "athlete_id": athlete.id, "kind": "EDD" });
    world.call("core.contract.accept_request", &brand.principal, accept).await.data();
    worker::round(&world.platform).await.unwrap();
    for (event, told, other) in [
        ("deliverable.submitted", brand, athlete),
        ("deliverable.approved", athlete, brand),
        ("contract.request_raised", brand, athlete),
        ("contract.request_decided", athlete, brand),
    ] {
        let mail = world.mail(&told.email, event).await;
        assert!(mail.is_some_and(|mail| mail.contains("Winter trail campaign")), "{event}");
        assert_eq!(world.mail(&other.email, event).await, None, "{event}");
    }
}
both!(work_and_requests_are_told_to_the_other_side);
