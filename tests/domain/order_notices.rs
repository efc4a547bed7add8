//! What ends an order is told to both sides and the athlete's agent, with the reason.

use std::collections::BTreeSet;

use chrono::TimeDelta;
use nil_core::auth::Permission;
use nil_core::kernel::Machine as _;
use nil_core::notifications::outbox::{self, Channel};
use nil_core::orders::{OrderEvent, OrderStatus};
use nil_tests::{Person, World, both};
use serde_json::{Value, json};

/// Who was told of an event about the newest order or contract, and the reasons that they were
/// given.
async fn told(world: &World, event: &str) -> (BTreeSet<String>, BTreeSet<String>) {
    let rows = outbox::list(&world.platform, 1_000).await.unwrap().into_iter();
    let of = rows.filter(|row| row.channel == Channel::Event && row.event == event);
    let of = of.map(|row| (row.to, row.data["reason"].as_str().unwrap_or("none").to_owned()));
    of.unzip()
}

async fn end_of(world: &World, event: OrderEvent, brand: &Person, athlete: &Person) {
    let call = async |name: &str, who: &Person, input: Value| {
        world.call(&format!("core.service_order.{name}"), &who.principal, input).await.data()
    };
    match event {
        OrderEvent::Decline => {
            let id = world.order(brand, athlete).await;
            call("decline", athlete, json!({ "id": id, "reason": "Exams." })).await;
        }
        OrderEvent::Cancel => {
            let id = world.order(brand, athlete).await;
            call("cancel", brand, json!({ "id": id, "reason": "Too late." })).await;
        }
        OrderEvent::Expire => {
            world.order(brand, athlete).await;
            world.pass(TimeDelta::days(8));
            nil_core::worker::round(&world.platform).await.unwrap();
        }
        OrderEvent::Complete => {
            let id = world.delivered_order(brand, athlete).await;
            call("complete", brand, json!({ "id": id })).await;
        }
        OrderEvent::CallOff => {
            let id = world.accepted_order(brand, athlete).await;
            let contract = world.order_as(brand, id).await["contract_id"].clone();
            let operator = world.operator(&[Permission::Jobs]);
            let input = json!({ "contract_id": contract, "reason": "The season is off." });
            world.call("admin.job.cancel_contract", &operator, input).await.data();
        }
        OrderEvent::Accept | OrderEvent::Deliver | OrderEvent::Return => {
            unreachable!("{event:?} ends no order");
        }
    }
}

async fn every_end_of_an_order_is_told_to_both_sides(world: World) {
    // Each transition that ends an order, and what both sides hear.
    let table = [
        (OrderEvent::Decline, "order.declined", "Exams."),
        (OrderEvent::Cancel, "order.cancelled", "Too late."),
        (OrderEvent::CallOff, "contract.cancelled", "The season is off."),
        (OrderEvent::Complete, "order.completed", "none"),
        (OrderEvent::Expire, "order.expired", "none"),
    ];
    for (_, event, to) in OrderStatus::MOVES {
        let named = table.iter().any(|(named, ..)| named == event);
        assert_eq!(named, OrderStatus::TERMINAL.contains(to), "{event:?}");
    }
    for (number, (event, told_by, reason)) in (1..).zip(table) {
        let brand = world.paying_partner(&format!("Brand {number}")).await;
        let athlete = world.athlete("Ana Reyes").await;
        end_of(&world, event, &brand, &athlete).await;
        let both = [brand.user_id, athlete.user_id].map(|user| format!("user:{user}"));
        let (whom, why) = told(&world, told_by).await;
        assert_eq!(whom, both.into(), "{event:?}");
        assert_eq!(why, [reason.to_owned()].into(), "{event:?}");
    }
    // An order that is not answered has no contract, and the contract of an accepted one does not
    // expire.
    world.pass(TimeDelta::days(8));
    nil_core::worker::round(&world.platform).await.unwrap();
    assert_eq!(told(&world, "contract.expired").await.0, BTreeSet::new());
}
both!(every_end_of_an_order_is_told_to_both_sides);

async fn the_agent_who_represents_the_athlete_hears_of_it_once(world: World) {
    let (former, agent) = (world.agent("East Agency").await, world.agent("North Agency").await);
    let athlete = world.athlete("Ana Reyes").await;
    let id = world.represent(&former, &athlete, 1_000).await;
    let end = json!({ "representation_id": id });
    let ended = world.call("core.athlete.end_representation", &athlete.principal, end);
    ended.await.data();
    world.represent(&agent, &athlete, 1_000).await;
    let ends = [
        (OrderEvent::Decline, "order.declined"),
        (OrderEvent::Cancel, "order.cancelled"),
        (OrderEvent::CallOff, "contract.cancelled"),
        (OrderEvent::Complete, "order.completed"),
        (OrderEvent::Expire, "order.expired"),
    ];
    for (number, (event, told_by)) in (1..).zip(ends) {
        let brand = world.paying_partner(&format!("Brand {number}")).await;
        end_of(&world, event, &brand, &athlete).await;
        let users = [brand.user_id, athlete.user_id, agent.user_id];
        let mut wanted = users.map(|user| format!("user:{user}"));
        wanted.sort();
        let rows = outbox::list(&world.platform, 1_000).await.unwrap().into_iter();
        let of = rows.filter(|row| row.channel == Channel::Event && row.event == told_by);
        let mut whom: Vec<String> = of.map(|row| row.to).collect();
        whom.sort();
        assert_eq!(whom, wanted, "{event:?}: each once");
    }
}
both!(the_agent_who_represents_the_athlete_hears_of_it_once);

async fn a_refund_of_an_order_is_told_to_both_sides(world: World) {
    let brand = world.paying_partner("Cedar Coffee").await;
    let athlete = world.athlete("Ana Reyes").await;
    let id = world.delivered_order(&brand, &athlete).await;
    let done =
        world.call("core.service_order.complete", &brand.principal, json!({ "id": id })).await;
    let payment = done.data()["payment"]["id"].clone();
    let operator = world.operator(&[Permission::Finance]);
    let input = json!({ "payment_id": payment, "reason": "The wrong colour." });
    world.call("admin.payment.refund", &operator, input).await.data();
    let both = [brand.user_id, athlete.user_id].map(|user| format!("user:{user}"));
    let (whom, why) = told(&world, "refund.issued").await;
    assert_eq!((whom, why), (both.into(), ["The wrong colour.".to_owned()].into()));
}
both!(a_refund_of_an_order_is_told_to_both_sides);
