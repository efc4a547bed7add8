//! What sales earn together, however many they are.

use nil_tests::{GOOD_CARD, World, both};
use serde_json::json;

use crate::affiliate::{PAY, all_of, commission, link, name_website, on_commission, sale};

async fn small_sales_earn_the_commission_of_their_sum(world: World) {
    let mut terms = commission();
    terms["commission_basis_points"] = json!(1_250);
    let hire = world.active(terms).await;
    name_website(&world, &hire).await;
    world.card(&hire.partner, GOOD_CARD).await;
    let links = [link(&world, &hire).await, link(&world, &hire).await];
    let mut earned = 0;
    let mut sold = 0;
    for at in 0..40_usize {
        let sale = sale(&world, &links[at % 2], &at.to_string(), 3).await;
        earned += sale["commission_cents"].as_i64().unwrap();
        sold += 3;
        // An eighth of the sum, half to even.
        let exact = sold * 1_250;
        assert!((earned * 10_000 - exact).abs() <= 5_000, "{earned} of {sold}");
    }
    assert_eq!(earned, 15);
    assert_eq!(sale(&world, &links[0], "large", 4_000_000).await["commission_cents"], 49_985);
    assert_eq!(sale(&world, &links[1], "more", 4_000_000).await["commission_cents"], 0);
    let paid = world.call(PAY, &hire.partner.principal, all_of(&hire)).await.data();
    assert_eq!(paid["amount_cents"], 50_000);
    world.books_are_right().await;
}
both!(small_sales_earn_the_commission_of_their_sum);

async fn what_earlier_sales_lost_is_made_good_by_later_ones(world: World) {
    let hire = on_commission(&world).await;
    let made = link(&world, &hire).await;
    for at in 0..9 {
        sale(&world, &made, &at.to_string(), 4).await;
    }
    // As it was recorded before totals were kept: each sale rounded by itself.
    world.script("UPDATE affiliate_conversion SET commission_cents = 0, on_totals = FALSE").await;
    world.books_are_right().await;
    // Of 3.8 cents owed, a sale of 2 bears at most its own amount.
    assert_eq!(sale(&world, &made, "next", 2).await["commission_cents"], 2);
    assert_eq!(sale(&world, &made, "last", 12).await["commission_cents"], 3);
    world.books_are_right().await;
}
both!(what_earlier_sales_lost_is_made_good_by_later_ones);
