//! A hundred concurrent requests about one order or one offer.

use nil_tests::{World, both, trust};
use serde_json::json;
use std::sync::Arc;

use crate::service_orders::{ACCEPT, CANCEL, PLACE};

async fn a_hundred_acceptances_make_one_contract(world: World) {
    let brand = world.paying_partner("Cedar Coffee").await;
    let zoe = world.athlete("Zoe Okafor").await;
    let id = world.order(&brand, &zoe).await;
    let world = Arc::new(world);
    let clicks: Vec<_> = (0..100)
        .map(|at| {
            // One in ten is the brand, which cancels the order.
            let (operation, who) = match at % 10 {
                9 => (CANCEL, brand.principal.clone()),
                _ => (ACCEPT, zoe.principal.clone()),
            };
            let world = world.clone();
            tokio::spawn(
                async move { world.call(operation, &who, json!({ "id": id })).await.status },
            )
        })
        .collect();
    let mut good = 0;
    for click in clicks {
        match click.await.unwrap() {
            200 => good += 1,
            409 => {}
            other => panic!("{other}"),
        }
    }
    assert_eq!(good, 1);
    let contracts = world.id("SELECT COUNT(*) FROM contract").await;
    let accepted = world.order_as(&zoe, id).await["status"] == "accepted";
    assert_eq!(
        (contracts, world.id("SELECT COUNT(*) FROM job").await),
        if accepted { (1, 1) } else { (0, 0) }
    );
    world.books_are_right().await;
    trust::tried("R6", "calls at once", 100);
}
both!(a_hundred_acceptances_make_one_contract);

async fn a_hundred_orders_of_one_offer_are_one(world: World) {
    let brand = world.paying_partner("Cedar Coffee").await;
    let zoe = world.athlete("Zoe Okafor").await;
    let offer = world.offer(&zoe, json!({})).await["id"].clone();
    let world = Arc::new(world);
    let clicks: Vec<_> = (0..100)
        .map(|_| {
            let (world, who, place) =
                (world.clone(), brand.principal.clone(), json!({ "offer_id": offer }));
            tokio::spawn(async move { world.call(PLACE, &who, place).await.status })
        })
        .collect();
    let mut good = 0;
    for click in clicks {
        match click.await.unwrap() {
            200 => good += 1,
            409 => {}
            other => panic!("{other}"),
        }
    }
    assert_eq!((good, world.id("SELECT COUNT(*) FROM service_order").await), (1, 1));
    trust::tried("R6", "calls at once", 100);
}
both!(a_hundred_orders_of_one_offer_are_one);
