//! Disputes and refunds that fail late, on the statement.

use chrono::TimeDelta;
use nil_core::auth::Permission;
use nil_core::kernel::{PaymentId, RefundId};
use nil_core::payments::sandbox;
use nil_core::ports::processor::{DisputeKind, DisputeState};
use nil_core::worker;
use nil_tests::{World, both};
use serde_json::json;

use super::{compared, named};

/// Disputes with every end, each of a charge of its own, in this order: won, lost, withdrawn, an
/// inquiry that came to nothing, lost and decided anew, an inquiry that was escalated and is open.
/// And a refund that failed late.
async fn disputed(world: &World) {
    use DisputeState::{Lost, NeedsResponse, Withdrawn, Won};

    let partner = world.paying_partner("Cedar Coffee").await;
    let athlete = world.athlete("Jordan Lake").await;
    let finance = world.operator(&[Permission::Finance]);
    let terms = json!({ "payee_basis_points": 5_000 });
    world.call("admin.dispute.save_terms", &finance, terms).await.data();
    world.pass(TimeDelta::seconds(1));
    let ends: [(DisputeKind, &[DisputeState]); 6] = [
        (DisputeKind::Chargeback, &[Won]),
        (DisputeKind::Chargeback, &[Lost]),
        (DisputeKind::Chargeback, &[Withdrawn]),
        (DisputeKind::Inquiry, &[Withdrawn]),
        (DisputeKind::Chargeback, &[Lost, Won]),
        (DisputeKind::Inquiry, &[NeedsResponse]),
    ];
    for (kind, states) in ends {
        let deal = world.approved_deal(&partner, &athlete, &[10_000]).await;
        let payment = world.pay(&partner, &athlete, &deal).await["id"].as_i64().unwrap();
        let payment = PaymentId::new(payment).unwrap();
        let id = sandbox::dispute(&world.platform, payment, (kind, None)).await.unwrap().unwrap();
        for state in states {
            world.pass(TimeDelta::hours(30));
            assert!(sandbox::turn_dispute(&world.platform, id, *state).await.unwrap());
        }
    }
    let deal = world.approved_deal(&partner, &athlete, &[10_000]).await;
    let payment = world.pay(&partner, &athlete, &deal).await;
    let refund = json!({ "payment_id": payment["id"], "reason": "Late." });
    let refund = world.call("admin.payment.refund", &finance, refund).await.data();
    let refund = RefundId::new(refund["id"].as_i64().unwrap()).unwrap();
    world.pass(TimeDelta::days(3));
    assert!(sandbox::fail_refund(&world.platform, refund).await.unwrap());
    world.pass(TimeDelta::days(3));
    worker::round(&world.platform).await.unwrap();
}

async fn disputes_agree_with_the_statement_to_the_cent(world: World) {
    disputed(&world).await;
    let all = compared(&world).await;
    assert_eq!((all.open, all.found), (0, 0), "{:?}", all.oldest);
    // Seven charges, five disputes that took money, three that gave it back, a refund and its
    // return.
    assert_eq!(all.lines, 17);
    let outside = "SELECT CAST(-SUM(balance_cents) AS BIGINT) FROM ledger_account \
        WHERE name LIKE '%:card' OR name LIKE 'processor:%'";
    assert_eq!(world.id(outside).await, all.net_cents.get());
    world.books_are_right().await;
}
both!(disputes_agree_with_the_statement_to_the_cent);

async fn disputes_that_differ_are_named(world: World) {
    disputed(&world).await;
    let reference = async |id: i64| {
        let of = format!("dispute WHERE id = {id}");
        world.text("processor_dispute_id", &of).await.unwrap()
    };
    let (won, lost, open) = (reference(1).await, reference(2).await, reference(6).await);
    let line = |of: &str, set: &str| format!("UPDATE sandbox_line SET {set} WHERE id = 'txn_{of}'");
    let ours = |id: i64, set: &str| format!("UPDATE dispute SET {set} WHERE id = {id}");
    let at = world.text("at", &format!("sandbox_line WHERE id = 'txn_{lost}'")).await.unwrap();
    let nobodys = "INSERT INTO sandbox_line (id, at, kind, source, amount_cents, fee_cents, \
        currency) SELECT 'x_1', at, 'dispute', 'du_nobody', amount_cents, 0, currency \
        FROM sandbox_line WHERE id = 'txn_";
    let nobodys = format!("{nobodys}{lost}'");
    for (plant, put_right, kind, about) in [
        (nobodys, "DELETE FROM sandbox_line WHERE id = 'x_1'".into(), "unknown_here", "x_1".into()),
        (
            line(&lost, "at = '2020-01-01T00:00:00.000000Z'"),
            line(&lost, &format!("at = '{at}'")),
            "unknown_there",
            lost.clone(),
        ),
        (
            line(&lost, "amount_cents = amount_cents - 1"),
            line(&lost, "amount_cents = amount_cents + 1"),
            "amount",
            format!("txn_{lost}"),
        ),
        (
            line(&lost, "currency = 'eur'"),
            line(&lost, "currency = 'usd'"),
            "currency",
            format!("txn_{lost}"),
        ),
        (
            line(&lost, "fee_cents = 3000"),
            line(&lost, "fee_cents = 1500"),
            "fee",
            format!("txn_{lost}"),
        ),
        (
            ours(1, "status = 'lost'"),
            ours(1, "status = 'won'"),
            "undone_there",
            format!("txn_{won}_back"),
        ),
        (
            ours(6, "status = 'warning'"),
            ours(6, "status = 'needs_response'"),
            "open_here",
            format!("txn_{open}"),
        ),
    ] {
        world.script(&plant).await;
        world.pass(TimeDelta::minutes(1));
        let found = named(&compared(&world).await);
        assert_eq!(found, [(kind.to_owned(), about)], "{plant}");
        world.script(&put_right).await;
        world.pass(TimeDelta::minutes(1));
        assert_eq!(compared(&world).await.open, 0, "{put_right}");
    }
    world.books_are_right().await;
}
both!(disputes_that_differ_are_named);
