//! The ledger, and the checks of `verify`.

use nil_core::payments;
use nil_tests::{World, both};

async fn an_empty_platform_has_its_books_in_order(world: World) {
    let report = world.books_are_right().await;
    assert!(report.checks.len() >= 13, "{}", report.checks.len());
}
both!(an_empty_platform_has_its_books_in_order);

async fn tampering_is_noticed(world: World) {
    let partner = world.paying_partner("Cedar Coffee").await;
    let athlete = world.athlete("Jordan Lake").await;
    let deal = world.approved_deal(&partner, &athlete, &[1_000]).await;
    world.pay(&partner, &athlete, &deal).await;
    world.books_are_right().await;
    for (tamper, repair, check) in [
        (
            "UPDATE ledger_account SET balance_cents = balance_cents + 1 \
                 WHERE name = 'platform:fees' RETURNING balance_cents",
            "UPDATE ledger_account SET balance_cents = balance_cents - 1 \
                 WHERE name = 'platform:fees' RETURNING balance_cents",
            "every balance is the sum of its entries",
        ),
        (
            "UPDATE ledger_entry SET amount_cents = amount_cents + 1 \
                 WHERE account = 'platform:fees' RETURNING id",
            "UPDATE ledger_entry SET amount_cents = amount_cents - 1 \
                 WHERE account = 'platform:fees' RETURNING id",
            "every transfer sums to zero",
        ),
        (
            "UPDATE payment SET status = 'failed' RETURNING id",
            "UPDATE payment SET status = 'succeeded' RETURNING id",
            "every payment's entries match its status",
        ),
        (
            "UPDATE sandbox_object SET status = 'failed' RETURNING amount_cents",
            "UPDATE sandbox_object SET status = 'succeeded' RETURNING amount_cents",
            "the processor's log matches our records",
        ),
        (
            "UPDATE deliverable SET status = 'denied' RETURNING id",
            "UPDATE deliverable SET status = 'approved' RETURNING id",
            "nothing is paid twice, and only approved work is paid",
        ),
    ] {
        world.id(tamper).await;
        let report = payments::verify(&world.platform).await.unwrap();
        let problems = report.problems();
        assert!(problems.iter().any(|problem| problem.starts_with(check)), "{problems:?}");
        world.id(repair).await;
        world.books_are_right().await;
    }
}
both!(tampering_is_noticed);

async fn what_the_deals_say_of_the_money_is_checked(world: World) {
    let partner = world.paying_partner("Cedar Coffee").await;
    let athlete = world.athlete("Jordan Lake").await;
    let deal = world.approved_deal(&partner, &athlete, &[600, 400]).await;
    world.pay(&partner, &athlete, &deal).await;
    world.books_are_right().await;
    let (job, contract) = (deal.job_id, deal.contract_id);
    for (tamper, repair, finding) in [
        (
            "UPDATE payment_method SET is_default = FALSE RETURNING id".to_owned(),
            "UPDATE payment_method SET is_default = TRUE RETURNING id".to_owned(),
            format!(
                "every owner of cards has one default card: partner:{} keeps 1 cards, and 0 of \
                     them are charged",
                partner.id
            ),
        ),
        (
            format!("UPDATE job SET filled = 0 WHERE id = {job} RETURNING id"),
            format!("UPDATE job SET filled = 1 WHERE id = {job} RETURNING id"),
            format!(
                "every job's count of filled places is right: job:{job} counts 0 places as taken, \
                     and 1 are"
            ),
        ),
        (
            "UPDATE contract SET agreed_amount_cents = 999 RETURNING id".to_owned(),
            "UPDATE contract SET agreed_amount_cents = 1000 RETURNING id".to_owned(),
            format!(
                "every contract's deliverables add up to the agreed amount: \
                     contract:{contract} agrees on 999 cents, and its deliverables come to 1000"
            ),
        ),
        (
            "UPDATE contract SET status = 'active', completed_at = NULL RETURNING id".to_owned(),
            "UPDATE contract SET status = 'completed', completed_at = updated_at \
                 RETURNING id"
                .to_owned(),
            format!(
                "no contract stays open after all its work is approved and paid: \
                     contract:{contract} is active, and its work is all approved and paid"
            ),
        ),
    ] {
        world.id(&tamper).await;
        let found = payments::verify(&world.platform).await.unwrap().problems();
        assert_eq!(found, [finding]);
        world.id(&repair).await;
        world.books_are_right().await;
    }
}
both!(what_the_deals_say_of_the_money_is_checked);
