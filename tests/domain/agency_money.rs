//! What becomes of commission when a contract with an agent is cancelled while money is on its way.

use chrono::TimeDelta;
use nil_core::auth::Permission;
use nil_core::payments;
use nil_tests::{Deal, Fault, Person, World, both};
use serde_json::json;

async fn cancel(world: &World, athlete: &Person) {
    let cancel = "core.athlete.cancel_agent_contract";
    world.call(cancel, &athlete.principal, json!({})).await.data();
}

/// An athlete with an agent, and a brand with approved work to pay.
async fn owing(world: &World) -> (Person, Person, Person, Deal) {
    let partner = world.paying_partner("Ridge Outfitters").await;
    let athlete = world.athlete("Zoe Okafor").await;
    let agent = world.agent("North Agency").await;
    let through = Some((&agent, 1_000));
    let deal = world.approved_deal_through(&partner, &athlete, through, &[10_000]).await;
    (partner, athlete, agent, deal)
}

async fn a_payment_under_way_settles_without_commission(world: World) {
    let (partner, athlete, agent, deal) = owing(&world).await;
    world.processor.next(&[Fault::Unanswered]);
    let payment = world.pay(&partner, &athlete, &deal).await;
    assert_eq!(
        (&payment["status"], &payment["agent_commission_cents"]),
        (&json!("processing"), &json!(1_000))
    );
    cancel(&world, &athlete).await;
    world.books_are_right().await;
    world.pass(TimeDelta::seconds(11));
    assert_eq!(payments::reconcile(&world.platform).await.unwrap().charges, 1);
    assert_eq!((world.balance(&agent).await, world.balance(&athlete).await), (0, 10_000));
    world.books_are_right().await;
}
both!(a_payment_under_way_settles_without_commission);

async fn what_a_refund_took_back_is_not_given_back_again(world: World) {
    let (partner, athlete, agent, deal) = owing(&world).await;
    let payment = world.pay(&partner, &athlete, &deal).await;
    let finance = world.operator(&[Permission::Finance]);
    let refund = json!({ "payment_id": payment["id"], "amount_cents": 4_000, "reason": "Late." });
    world.call("admin.payment.refund", &finance, refund).await.data();
    assert_eq!((world.balance(&agent).await, world.balance(&athlete).await), (600, 5_400));
    cancel(&world, &athlete).await;
    assert_eq!((world.balance(&agent).await, world.balance(&athlete).await), (0, 6_000));
    world.books_are_right().await;
    let rest = json!({ "payment_id": payment["id"], "reason": "All of it." });
    world.call("admin.payment.refund", &finance, rest).await.data();
    assert_eq!((world.balance(&agent).await, world.balance(&athlete).await), (0, 0));
    world.books_are_right().await;
}
both!(what_a_refund_took_back_is_not_given_back_again);
