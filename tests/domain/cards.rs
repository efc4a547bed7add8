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

async fn cards_that_were_saved_twice_are_kept_once_after_the_migration(world: World) {
    let partner = world.paying_partner("Cedar Coffee").await;
    add(&world, &partner, DECLINED_CARD).await;
    let agent = world.agent("North Agency").await;
    let card = json!({ "processor_token": GOOD_CARD });
    world.call("core.agent.add_payment_method", &agent.principal, card).await.data();
    let again = "INSERT INTO payment_method (owner, brand, last4, exp_month, exp_year, is_default, \
            processor_ref, created_at, updated_at) SELECT owner, brand, last4, exp_month, exp_year, \
            FALSE, processor_ref, created_at, updated_at FROM payment_method;";
    let undefault = "UPDATE payment_method SET is_default = FALSE WHERE owner LIKE 'agent:%'";
    let before = format!("DROP INDEX payment_method_reference_key; {again} {again} {undefault}");
    world.script(&before).await;
    let migration = if world.is_sqlite() {
        include_str!("../../nil-core/migrations/sqlite/0027_exact_money.sql")
    } else {
        include_str!("../../nil-core/migrations/postgres/0027_exact_money.sql")
    };
    let (_, of_cards) = migration.split_once("-- Of cards").unwrap();
    world.script(&format!("-- Of cards{of_cards}")).await;
    let kept = cards(&world, &partner).await;
    let kept: Vec<_> = kept.iter().map(|card| (&card["id"], &card["is_default"])).collect();
    assert_eq!(kept, [(&json!(1), &json!(true)), (&json!(2), &json!(false))]);
    let agents = "core.agent.payment_methods";
    let agents = world.call(agents, &agent.principal, json!({})).await.data();
    assert_eq!(agents.as_array().unwrap().len(), 1);
    assert_eq!((&agents[0]["id"], &agents[0]["is_default"]), (&json!(3), &json!(true)));
    world.books_are_right().await;
}
both!(cards_that_were_saved_twice_are_kept_once_after_the_migration);
