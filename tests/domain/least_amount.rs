//! The least cash that a job may pay, a service may cost and an athlete may ask for.

use nil_core::auth::Permission;
use nil_tests::{World, a_job, both};
use serde_json::json;

async fn a_small_amount_asks_whether_dollars_were_meant(world: World) {
    let partner = world.partner("Ridge Outfitters").await;
    let post = async |cents: i64| {
        let job = a_job(json!({ "amount_cents": cents }));
        world.call("core.job.save", &partner.principal, job).await
    };
    let told = post(75).await.body["errors"]["amount_cents"][0].clone();
    assert_eq!(
        told,
        "must be at least $1.00 on this site. Amounts are in cents: 75 is $0.75; for $75.00 write 7500"
    );
    post(100).await.data();
    let site = world.operator(&[Permission::Site]);
    for (least, status) in [(-1, 422), (100_001, 422), (70, 200)] {
        let save = json!({ "least_amount_cents": least });
        assert_eq!(world.call("admin.site.save_basic", &site, save).await.status, status);
    }
    let posted = post(75).await.data();
    assert_eq!(post(69).await.status, 422);
    // A change is held to the least amount of its day.
    let raised = json!({ "least_amount_cents": 80 });
    world.call("admin.site.save_basic", &site, raised).await.data();
    let change = json!({ "id": posted["id"], "title": "Another title" });
    assert_eq!(world.call("core.job.save", &partner.principal, change).await.status, 422);
}
both!(a_small_amount_asks_whether_dollars_were_meant);

async fn a_service_and_a_proposal_are_held_to_the_least_amount_too(world: World) {
    let partner = world.partner("Ridge Outfitters").await;
    let athlete = world.athlete("Maya Torres").await;
    let offer = world.offer(&athlete, json!({ "price_cents": 100 })).await;
    let job = world.open_job(&partner, json!({})).await;
    for cents in [1, 45, 99] {
        let cheaper = json!({ "id": offer["id"], "price_cents": cents });
        let refused = world.call("core.service_offer.save", &athlete.principal, cheaper).await;
        let told = refused.body["errors"]["price_cents"][0].as_str().unwrap();
        assert!(told.ends_with(&format!(".00 write {}", cents * 100)), "{told}");
        let apply = json!({ "job_id": job, "proposed_amount_cents": cents });
        let refused = world.call("core.application.apply", &athlete.principal, apply).await;
        assert_eq!(refused.status, 422);
        let told = &refused.body["errors"]["proposed_amount_cents"][0];
        assert!(told.as_str().unwrap().starts_with("must be at least $1.00"), "{told}");
    }
    let apply = json!({ "job_id": job, "proposed_amount_cents": 100 });
    world.call("core.application.apply", &athlete.principal, apply).await.data();
    // A change of something else leaves the price of its day.
    let site = world.operator(&[Permission::Site]);
    let raised = json!({ "least_amount_cents": 500 });
    world.call("admin.site.save_basic", &site, raised).await.data();
    world.offer(&athlete, json!({ "id": offer["id"], "price_cents": null })).await;
}
both!(a_service_and_a_proposal_are_held_to_the_least_amount_too);
