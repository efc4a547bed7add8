//! Saved cards, with concurrent additions and removals.

use nil_tests::{DECLINED_CARD, GOOD_CARD, Person, World, both};
use serde_json::{Value, json};

const ADD: &str = "core.partner.add_payment_method";
const REMOVE: &str = "core.partner.remove_payment_method";

async fn cards(world: &World, partner: &Person) -> Vec<Value> {
    let list = "core.partner.payment_methods";
    let listed = world.call(list, &partner.principal, json!({})).await.data();
    listed.as_array().unwrap().clone()
}

async fn add(world: &World, partner: &Person, token: &str) -> Value {
    let card = json!({ "processor_token": token });
    world.call(ADD, &partner.principal, card).await.data()
}

async fn remove(world: &World, partner: &Person, card: &Value) -> Value {
    let card = json!({ "payment_method_id": card["id"] });
    world.call(REMOVE, &partner.principal, card).await.data()
}

async fn one_card_added_twice_at_once_is_kept_once(world: World) {
    let partner = world.paying_partner("Cedar Coffee").await;
    for round in 0..50 {
        let twice = (0..2).map(|_| add(&world, &partner, DECLINED_CARD));
        let added = futures::future::join_all(twice).await;
        assert_eq!(added[0]["id"], added[1]["id"], "round {round}");
        assert_eq!(cards(&world, &partner).await.len(), 2, "round {round}");
        remove(&world, &partner, &added[0]).await;
    }
    world.books_are_right().await;
}
both!(one_card_added_twice_at_once_is_kept_once);

async fn a_card_added_while_the_default_goes_is_the_default(world: World) {
    let partner = world.paying_partner("Cedar Coffee").await;
    for round in 0..50 {
        let kept = cards(&world, &partner).await;
        assert_eq!(kept.len(), 1, "round {round}");
        let other = [DECLINED_CARD, GOOD_CARD][round % 2];
        let (removed, added) =
            futures::future::join(remove(&world, &partner, &kept[0]), add(&world, &partner, other))
                .await;
        assert_eq!(removed["is_default"], false);
        let left = cards(&world, &partner).await;
        assert_eq!(left.len(), 1, "round {round}");
        assert_eq!((&left[0]["id"], &left[0]["is_default"]), (&added["id"], &json!(true)));
    }
    world.books_are_right().await;
}
both!(a_card_added_while_the_default_goes_is_the_default);
