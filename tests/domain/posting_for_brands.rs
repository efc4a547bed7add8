//! Operators post and change jobs for brands, and decide on jobs with usual reasons.

use nil_core::auth::Permission;
use nil_tests::{World, a_job, both};
use serde_json::json;

const SAVE: &str = "admin.job.save";

async fn an_operator_posts_and_changes_a_job_as_the_brand_would(world: World) {
    let brand = world.partner("Ridge Outfitters").await;
    let other = world.partner("Acme Shoes").await;
    let operator = world.operator(&[Permission::Jobs]);
    let for_brand = |over| {
        let mut job = a_job(over);
        job["partner_id"] = json!(brand.id);
        job
    };
    let posted = world.call(SAVE, &operator, for_brand(json!({}))).await.data();
    assert_eq!((&posted["partner_id"], &posted["status"]), (&json!(brand.id), &json!("pending")));
    nil_core::worker::round(&world.platform).await.unwrap();
    let told = world.mail(&brand.email, "job.changed").await.unwrap();
    assert!(told.contains("posted"), "{told}");

    let changed = json!({ "id": posted["id"], "title": "Another title" });
    let changed = world.call(SAVE, &operator, changed).await.data();
    assert_eq!(changed["title"], "Another title");
    assert_eq!(changed["milestones"], posted["milestones"]);
    let mine = world.call("core.job.posted", &brand.principal, json!({})).await;
    assert_eq!(mine.body["data"][0]["title"], "Another title");
    let trail =
        "SELECT COUNT(*) FROM audit_entry WHERE actor LIKE 'operator:%' AND subject_kind = 'job'";
    assert_eq!(world.id(trail).await, 2);

    let moved = json!({ "id": posted["id"], "partner_id": other.id });
    let nobody = json!({ "id": 999, "title": "A title" });
    let accounts = world.operator(&[Permission::Accounts]);
    let closed = json!({ "id": other.id, "status": "suspended" });
    world.call("admin.partner.save", &accounts, closed).await.data();
    let suspended = a_job(json!({ "partner_id": other.id }));
    let unknown = a_job(json!({ "partner_id": 999 }));
    let nameless = a_job(json!({}));
    for (input, status, field) in [
        (moved, 422, "partner_id"),
        (nobody, 404, ""),
        (suspended, 422, "partner_id"),
        (unknown, 422, "partner_id"),
        (nameless, 422, "partner_id"),
        (for_brand(json!({ "title": null })), 422, "title"),
    ] {
        let answer = world.call(SAVE, &operator, input.clone()).await;
        assert_eq!(answer.status, status, "{input}: {}", answer.body);
        assert!(field.is_empty() || answer.body["errors"][field].is_array(), "{}", answer.body);
    }
    assert_eq!(world.id("SELECT COUNT(*) FROM job").await, 1);
    let others = world.operator(&[Permission::Content]);
    assert_eq!(world.call(SAVE, &others, for_brand(json!({}))).await.status, 403);
}
both!(an_operator_posts_and_changes_a_job_as_the_brand_would);

async fn usual_reasons_are_said_before_the_operators_own(world: World) {
    let brand = world.partner("Ridge Outfitters").await;
    let operator = world.operator(&[Permission::Jobs]);
    let posted = world.call("core.job.save", &brand.principal, a_job(json!({}))).await.data();
    let decide = "admin.job.decide_pending";
    let wanted = json!({
        "job_id": posted["id"], "status": "changes_requested",
        "usual_reasons": ["unclear_work", "rights_too_broad"], "reason": "Name the trail.",
    });
    let decided = world.call(decide, &operator, wanted).await.data();
    let reason = decided["decision_reason"].as_str().unwrap();
    let lines: Vec<&str> = reason.lines().collect();
    assert_eq!(lines[0], "Say exactly what the athlete is to do, where and by when.");
    assert_eq!((lines.len(), lines[2]), (3, "Name the trail."));
    nil_core::worker::round(&world.platform).await.unwrap();
    let told = world.mail(&brand.email, "job.refused").await.unwrap();
    assert!(told.contains(lines[1]), "{told}");

    world.call("core.job.save", &brand.principal, json!({ "id": posted["id"] })).await.data();
    let unknown =
        json!({ "job_id": posted["id"], "status": "rejected", "usual_reasons": ["ugly"] });
    assert_eq!(world.call(decide, &operator, unknown).await.status, 422);
    let usual =
        json!({ "job_id": posted["id"], "status": "rejected", "usual_reasons": ["pay_for_play"] });
    let rejected = world.call(decide, &operator, usual).await.data();
    assert_eq!(rejected["status"], "rejected");
}
both!(usual_reasons_are_said_before_the_operators_own);
