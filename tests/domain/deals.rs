//! The view of a deal from either side.

use nil_tests::{World, both};
use serde_json::json;

async fn both_sides_see_the_same_deal_and_whose_turn_it_is(world: World) {
    let hire = world.hired(json!({})).await;
    let other = world.athlete("Ida Novak").await;
    world.apply(&other, hire.job).await;
    let mine = world.call("core.deal.list", &hire.athlete.principal, json!({})).await.data();
    let theirs = world.call("core.deal.list", &hire.partner.principal, json!({})).await.data();
    assert_eq!(mine.as_array().unwrap().len(), 1);
    assert_eq!(theirs.as_array().unwrap().len(), 1);
    assert_eq!(mine[0]["contract"], theirs[0]["contract"]);
    assert_eq!(mine[0]["deliverables"], theirs[0]["deliverables"]);
    assert_eq!(
        (&mine[0]["action_needed"], &theirs[0]["action_needed"]),
        (&json!(true), &json!(false))
    );
    assert_eq!(mine[0]["partner"]["company_name"], "Ridge Outfitters");
    assert_eq!(theirs[0]["athlete"]["display_name"], mine[0]["athlete"]["display_name"]);

    let count = world.call("core.deal.count", &hire.partner.principal, json!({})).await.data();
    assert_eq!(
        (&count["hired"], &count["applicant"], &count["action_needed"]),
        (&json!(1), &json!(1), &json!(1))
    );
    let count = world.call("core.deal.count", &hire.athlete.principal, json!({})).await.data();
    assert_eq!((&count["hired"], &count["action_needed"]), (&json!(1), &json!(1)));
    let agent = world.agent("Agency").await;
    let none = world.call("core.deal.list", &agent.principal, json!({})).await;
    assert_eq!(none.body["pagination"]["total"], 0);
    let fan = world.fan("Fay Fan").await;
    assert_eq!(world.call("core.deal.list", &fan.principal, json!({})).await.status, 403);
}
both!(both_sides_see_the_same_deal_and_whose_turn_it_is);

async fn deals_are_chosen_by_state_and_day(world: World) {
    let hire = world.active(json!({})).await;
    let me = &hire.athlete.principal;
    for (wanted, expected) in [
        (json!({ "statuses": ["completed"] }), 0),
        (json!({ "statuses": ["confirmed", "hired"] }), 1),
        (json!({ "from": "2026-11-20", "to": "2026-11-20" }), 1),
        (json!({ "to": "2026-11-19" }), 0),
        (json!({ "from": "2026-11-21" }), 0),
        (json!({ "job_id": hire.job + 1 }), 0),
    ] {
        let page = world.call("core.deal.list", me, wanted.clone()).await;
        assert_eq!(page.body["pagination"]["total"], expected, "{wanted}");
    }
    assert_eq!(
        world.call("core.deal.list", me, json!({ "statuses": ["nonsense"] })).await.status,
        422
    );
    world.submit(&hire, hire.deliverables[0]).await;
    let theirs = world.call("core.deal.list", &hire.partner.principal, json!({})).await.data();
    assert_eq!(theirs[0]["action_needed"], true);
    let count = world.call("core.deal.count", &hire.partner.principal, json!({})).await.data();
    assert_eq!(count["action_needed"], 1);
}
both!(deals_are_chosen_by_state_and_day);
