//! The books, and whoever checks them.

use nil_core::payments;
use nil_tests::on_both_databases;

on_both_databases! {
    async fn an_empty_platform_has_its_books_in_order(world) {
        let report = world.books_are_right().await;
        assert!(report.checks.len() >= 13, "{}", report.checks.len());
    }

    async fn tampering_is_noticed(world) {
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
                "every payment's entries say what its status says",
            ),
            (
                "UPDATE sandbox_object SET status = 'failed' RETURNING amount_cents",
                "UPDATE sandbox_object SET status = 'succeeded' RETURNING amount_cents",
                "the processor's log says the same",
            ),
            (
                "UPDATE deliverable SET status = 'denied' RETURNING id",
                "UPDATE deliverable SET status = 'approved' RETURNING id",
                "nothing is paid twice, and only what was approved",
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
}
