//! The statement of a processor behind HTTP.

use chrono::TimeDelta;
use nil_core::auth::Permission;
use nil_core::payments;
use nil_core::ports::processor::{LineKind, Processor as _};
use nil_tests::ledgered::Trouble;
use nil_tests::{World, both};
use serde_json::{Value, json};

use super::{compared, named};
use crate::real_processor::{receives, with_a_processor};

async fn the_statement_behind_http_is_compared(mut world: World) {
    let ledgered = with_a_processor(&mut world).await;
    let partner = world.paying_partner("Cedar Coffee").await;
    let athlete = world.athlete("Jordan Lake").await;
    receives(&world, &ledgered, &athlete).await;
    let finance = world.operator(&[Permission::Finance]);
    let mut payments_made = Vec::new();
    for troubles in [&[][..], &[Trouble::FailsBefore], &[Trouble::Resets], &[Trouble::FailsAfter]] {
        let deal = world.approved_deal(&partner, &athlete, &[10_000]).await;
        ledgered.next(troubles);
        payments_made.push(world.pay(&partner, &athlete, &deal).await);
        world.pass(TimeDelta::minutes(1));
        payments::reconcile(&world.platform).await.unwrap();
    }
    let refund = json!({ "payment_id": payments_made[0]["id"], "amount_cents": 500,
        "reason": "Late." });
    world.call("admin.payment.refund", &finance, refund).await.data();
    let send = async || {
        let trigger = json!({ "id": athlete.id });
        world.call("admin.payout.trigger", &finance, trigger).await.data()
    };
    assert_eq!(send().await["status"], "in_transit");
    // The bank refuses the payout, and its transfer is taken back.
    let payout = ledgered.all("po")[0]["id"].as_str().unwrap().to_owned();
    ledgered.change(&payout, &json!({ "status": "failed", "failure_code": "account_closed" }));
    world.pass(TimeDelta::days(3));
    assert_eq!(payments::reconcile(&world.platform).await.unwrap().payouts, 1);
    assert_eq!(send().await["status"], "in_transit");
    world.pass(TimeDelta::days(3));
    payments::reconcile(&world.platform).await.unwrap();
    let all = compared(&world).await;
    assert_eq!((all.open, all.lines), (0, 8), "{:?}", all.oldest);

    // Each line is on one page, and bears the key of our request.
    let client = ledgered.client();
    let (mut lines, mut after) = (Vec::new(), None::<String>);
    let (from, until) = (world.platform.now() - TimeDelta::days(30), world.platform.now());
    loop {
        let page = client.statement(from, until, after.as_deref()).await.unwrap();
        assert!(page.lines.len() <= 2);
        lines.extend(page.lines);
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    assert!(lines.iter().all(|line| line.key.is_some()), "{lines:?}");
    let kinds = |kind| lines.iter().filter(|line| line.kind == kind).count();
    assert_eq!((kinds(LineKind::Charge), kinds(LineKind::Refund)), (4, 1));
    assert_eq!((kinds(LineKind::Payout), kinds(LineKind::PayoutReturned)), (2, 1));

    // What is made in the processor's own console, and what is changed there.
    let lines = ledgered.all("txn");
    let of = |kind: &str| lines.iter().find(|line| line["type"] == kind).unwrap();
    let id = |line: &Value| line["id"].as_str().unwrap().to_owned();
    let source = |key: &str| json!({ "id": "x_1", "metadata": { "nil_key": key } });
    for (of, name, with, kind) in [
        (of("charge"), "amount", json!(9_999), "amount"),
        (of("charge"), "fee", json!(321), "fee"),
        (of("refund"), "currency", json!("eur"), "currency"),
        (of("refund"), "type", json!("charge"), "kind"),
    ] {
        ledgered.change(&id(of), &json!({ name: with }));
        world.pass(TimeDelta::minutes(1));
        let found = named(&compared(&world).await);
        assert!(found.len() == 1 && found[0].0 == kind, "{kind}: {found:?}");
        ledgered.change(&id(of), &json!({ name: of[name] }));
        world.pass(TimeDelta::minutes(1));
        assert_eq!(compared(&world).await.open, 0, "{kind}");
    }
    let refund = id(of("refund"));
    ledgered.change(&refund, &json!({ "source": source("") }));
    world.pass(TimeDelta::minutes(1));
    let mut found = named(&compared(&world).await);
    found.sort();
    assert_eq!(found[0], ("unknown_here".into(), refund));
    assert!(found[1].0 == "unknown_there" && found[1].1.ends_with(":refund:1:1"), "{found:?}");
    world.books_are_right().await;
}
both!(the_statement_behind_http_is_compared);

async fn a_processor_that_is_silent_is_asked_again(mut world: World) {
    let ledgered = with_a_processor(&mut world).await;
    world.earner(5_000).await;
    world.pass(TimeDelta::days(2));
    drop(ledgered);
    let refused = payments::compare_due(&world.platform).await.unwrap_err();
    assert_eq!(refused.code(), "processor_unavailable");
    assert_eq!(world.text("compared_until", "installation").await, None);
    assert_eq!(world.id("SELECT COUNT(*) FROM statement_line").await, 0);
    let again = with_a_processor(&mut world).await;
    // It has books of its own: the charge is not among them.
    let found = payments::compare_due(&world.platform).await.unwrap();
    assert_eq!((found.lines, found.found), (0, 1));
    drop(again);
}
both!(a_processor_that_is_silent_is_asked_again);
