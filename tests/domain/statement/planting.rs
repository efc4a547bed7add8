//! Differences that are planted at the processor or in our rows: each is found, named, and gone
//! once it is put right.

use chrono::TimeDelta;
use nil_core::auth::Permission;
use nil_core::kernel::PayoutId;
use nil_core::payments::sandbox;
use nil_core::worker;
use nil_tests::{World, both};
use serde_json::json;

use super::{compared, named};

/// A world with every kind of movement, a week old. Charges 1 to 3, refund 1, payout 1 which
/// arrived, payout 2 which came back and is tried again, and a subscription with a charge and a
/// refund.
pub(super) async fn moved(world: &World) {
    let partner = world.paying_partner("Cedar Coffee").await;
    let athlete = world.athlete("Jordan Lake").await;
    world.can_receive(&athlete).await;
    let finance = world.operator(&[Permission::Finance]);
    let mut payments = Vec::new();
    for cents in [10_000, 20_000, 30_000] {
        let deal = world.approved_deal(&partner, &athlete, &[cents]).await;
        payments.push(world.pay(&partner, &athlete, &deal).await);
        if cents == 30_000 {
            continue;
        }
        let sent = world.call("admin.payout.trigger", &finance, json!({ "id": athlete.id })).await;
        let id = PayoutId::new(sent.data()["id"].as_i64().unwrap()).unwrap();
        let ended = match id.get() {
            1 => sandbox::let_arrive(&world.platform, id).await,
            _ => sandbox::return_payout(&world.platform, id).await,
        };
        assert!(ended.unwrap());
    }
    let refund = json!({ "payment_id": payments[2]["id"], "amount_cents": 500, "reason": "Late." });
    world.call("admin.payment.refund", &finance, refund).await.data();
    let plan = world.plan(json!({})).await;
    world.subscribe(&partner, &plan).await.data();
    let invoice = world.invoices(&partner).await[0]["id"].clone();
    let back = json!({ "invoice_id": invoice, "rule": "full", "reason": "Ordered by mistake." });
    world.call("admin.subscription.refund", &finance, back).await.data();
    world.pass(TimeDelta::days(7));
    worker::round(&world.platform).await.unwrap();
    let all = compared(world).await;
    assert_eq!((all.open, all.lines), (0, 10), "{:?}", all.oldest);
}

/// A line of the sandbox's statement, made of the line of a request: its id and kind, and what else
/// is written to it.
fn line(id: &str, kind: &str, (key, cents): (&str, &str), of: &str) -> String {
    format!(
        "INSERT INTO sandbox_line (id, at, kind, key, source, amount_cents, fee_cents, currency) \
         SELECT '{id}', at, '{kind}', {key}, '{id}_source', {cents}, 0, 'usd' FROM sandbox_line \
         WHERE key LIKE '%:{of}'"
    )
}

fn gone(id: &str) -> String {
    format!("DELETE FROM sandbox_line WHERE id = '{id}'")
}

/// A change of one line of the sandbox's, and back.
fn of_line(set: &str, back: &str, key: &str) -> (String, String) {
    let change = |set: &str| {
        format!(
            "UPDATE sandbox_line SET {set} WHERE key LIKE '%:{key}' AND kind <> 'payout_returned'"
        )
    };
    (change(set), change(back))
}

/// A change of our own rows, and back.
fn of_ours(table: &str, set: &str, back: &str, which: &str) -> (String, String) {
    let change = |set: &str| format!("UPDATE {table} SET {set} WHERE {which}");
    (change(set), change(back))
}

/// What is planted and taken away, the kind of the difference, and the end of its key, or its line.
type Planted = ((String, String), &'static str, &'static str);

fn strange() -> Vec<Planted> {
    let nobodys = |id: &str, kind: &str, key: &str, cents: &str| {
        (line(id, kind, (key, cents), "charge:1:1"), gone(id))
    };
    let again = |id: &str, kind: &str, cents: &str, of: &str| {
        (line(id, kind, ("key", cents), of), gone(id))
    };
    let back = "-amount_cents";
    vec![
        (nobodys("x_1", "charge", "NULL", "12210"), "unknown_here", "x_1"),
        (nobodys("x_2", "charge", "'abc:charge:1:1'", "12210"), "unknown_here", "abc:charge:1:1"),
        (nobodys("x_3", "other", "NULL", "-5"), "unknown_here", "x_3"),
        (nobodys("x_4", "payout", "NULL", "-700"), "unknown_here", "x_4"),
        (again("x_5", "dispute", back, "charge:1:1"), "unknown_here", ":charge:1:1"),
        (again("x_6", "charge", "amount_cents", "charge:1:1"), "twice", ":charge:1:1"),
        (again("x_7", "payout", "amount_cents", "payout:1:1"), "twice", ":payout:1:1"),
        (again("x_8", "payout_returned", back, "payout:1:1"), "undone_there", ":payout:1:1"),
        (again("x_9", "refund_failed", back, "refund:1:1"), "undone_there", ":refund:1:1"),
        (again("x_10", "charge_failed", back, "charge:1:1"), "undone_there", ":charge:1:1"),
        (again("x_11", "payout", back, "charge:1:1"), "kind", ":charge:1:1"),
    ]
}

fn changed_there() -> Vec<Planted> {
    let more = "amount_cents = amount_cents + 1110";
    let less = "amount_cents = amount_cents - 1110";
    let turned = "amount_cents = -amount_cents";
    vec![
        (of_line("kind = 'refund'", "kind = 'charge'", "charge:2:1"), "kind", ":charge:2:1"),
        (of_line("currency = 'eur'", "currency = 'usd'", "charge:1:1"), "currency", ":charge:1:1"),
        (of_line(more, less, "charge:1:1"), "amount", ":charge:1:1"),
        (of_line(turned, turned, "refund:1:1"), "amount", ":refund:1:1"),
        (
            of_line("fee_cents = fee_cents + 1", "fee_cents = fee_cents - 1", "charge:3:1"),
            "fee",
            ":charge:3:1",
        ),
        (of_line("fee_cents = 25", "fee_cents = 0", "payout:1:1"), "fee", ":payout:1:1"),
        (
            of_line(
                "source = 'c_' || source",
                "source = substr(source, 3)",
                "subscription_charge:1:1",
            ),
            "other_source",
            ":subscription_charge:1:1",
        ),
    ]
}

fn changed_here() -> Vec<Planted> {
    let amount = ("amount_cents = amount_cents + 1", "amount_cents = amount_cents - 1");
    vec![
        (
            of_ours("movement", amount.0, amount.1, "key LIKE '%:subscription_refund:1:1'"),
            "amount",
            ":subscription_refund:1:1",
        ),
        (
            of_ours("charge", "status = 'failed'", "status = 'succeeded'", "id = 1"),
            "failed_here",
            ":charge:1:1",
        ),
        (
            of_ours("payout", "status = 'failed'", "status = 'paid'", "id = 1"),
            "failed_here",
            ":payout:1:1",
        ),
        (
            of_ours("refund", "status = 'pending'", "status = 'succeeded'", "id = 1"),
            "open_here",
            ":refund:1:1",
        ),
        (
            of_ours(
                "charge",
                "processor_charge_id = 'c_' || processor_charge_id",
                "processor_charge_id = substr(processor_charge_id, 3)",
                "id = 2",
            ),
            "other_source",
            ":charge:2:1",
        ),
        (
            of_ours(
                "ledger_transfer",
                "refers_to = 'charge:999'",
                "refers_to = 'charge:2'",
                "reason = 'processor_cost' AND refers_to IN ('charge:2', 'charge:999')",
            ),
            "fee",
            ":charge:2:1",
        ),
        (
            (
                "INSERT INTO movement (key, kind, record_id, attempt, amount_cents, currency, since, \
                 looked_at) SELECT 'later', kind, record_id, 2, amount_cents, currency, \
                 '2099-01-01T00:00:00.000000Z', looked_at FROM movement WHERE key LIKE '%:refund:1:1'"
                    .into(),
                "DELETE FROM movement WHERE key = 'later'".into(),
            ),
            "given_up_here",
            ":refund:1:1",
        ),
    ]
}

/// Lines that the processor does not have: their time is moved away, and back.
async fn lost(world: &World) -> Vec<Planted> {
    let mut all = Vec::new();
    for key in [":charge:1:1", ":payout:1:1", ":refund:1:1", ":subscription_charge:1:1"] {
        let which = format!("sandbox_line WHERE key LIKE '%{key}'");
        let at = world.text("at", &which).await.unwrap();
        let set = |at: &str| format!("UPDATE sandbox_line SET at = '{at}' WHERE key LIKE '%{key}'");
        all.push(((set("2020-01-01T00:00:00.000000Z"), set(&at)), "unknown_there", key));
    }
    all
}

async fn every_planted_difference_is_found_and_named(world: World) {
    moved(&world).await;
    let mut all = [strange(), changed_there(), changed_here()].concat();
    all.extend(lost(&world).await);
    assert!(all.len() > 25, "{}", all.len());
    for ((plant, put_right), kind, about) in all {
        world.script(&plant).await;
        world.pass(TimeDelta::minutes(1));
        let found = compared(&world).await;
        let named = named(&found);
        assert!(
            named.len() == 1 && named[0].0 == kind && named[0].1.ends_with(about),
            "{kind} of {about}: {named:?} {plant}"
        );
        assert_eq!((found.found, found.gone), (1, 0), "{plant}");
        // It is reported once.
        world.pass(TimeDelta::minutes(1));
        let again = compared(&world).await;
        assert_eq!((again.found, again.gone, again.open), (0, 0, 1), "{plant}");
        assert_eq!(again.oldest[0].found_at, found.oldest[0].found_at);
        world.script(&put_right).await;
        world.pass(TimeDelta::minutes(1));
        let right = compared(&world).await;
        assert_eq!((right.found, right.gone, right.open), (0, 1, 0), "{:?} {plant}", right.oldest);
    }
    world.books_are_right().await;
}
both!(every_planted_difference_is_found_and_named);

async fn lines_with_texts_that_do_not_fit_are_differences(world: World) {
    moved(&world).await;
    let long = "x".repeat(300);
    let other = format!("{long}y");
    let nobodys = |id: &str, key: &str| line(id, "charge", (key, "12210"), "charge:1:1");
    for script in [nobodys(&long, "NULL"), nobodys(&other, &format!("'{long}'"))] {
        world.script(&script).await;
    }
    // Databases and processors differ in what letters they take.
    if world.is_sqlite() {
        world.script(&nobodys("a' || char(0) || 'b", "NULL")).await;
    }
    let strange = "UPDATE sandbox_line SET currency = 'florins' WHERE key LIKE '%:charge:2:1'";
    world.script(strange).await;
    let count = if world.is_sqlite() { 4 } else { 3 };
    for found in [count, 0] {
        world.pass(TimeDelta::minutes(1));
        let all = compared(&world).await;
        assert_eq!(
            (all.found, all.open),
            (found, i64::try_from(count).unwrap()),
            "{:?}",
            all.oldest
        );
        let kinds: Vec<_> = all.oldest.iter().map(|one| one.kind.to_string()).collect();
        assert_eq!(kinds.iter().filter(|kind| *kind == "unknown_here").count(), count - 1);
        assert!(kinds.contains(&"currency".to_owned()), "{kinds:?}");
        for one in all.oldest.iter().filter(|one| one.kind.to_string() == "unknown_here") {
            let id = one.line_id.as_deref().unwrap();
            assert!(id.len() <= 250 && !id.contains('\0'), "{id}");
        }
    }
}
both!(lines_with_texts_that_do_not_fit_are_differences);

async fn what_is_young_is_left_time(world: World) {
    moved(&world).await;
    let partner = world.paying_partner("Summit Sports").await;
    let athlete = world.athlete("Zoe Okafor").await;
    let deal = world.approved_deal(&partner, &athlete, &[40_000]).await;
    world.pay(&partner, &athlete, &deal).await;
    let key = "key LIKE '%:charge:4:1'";
    world.script(&format!("DELETE FROM sandbox_line WHERE {key}")).await;
    world.script("UPDATE refund SET status = 'pending'").await;
    world
        .script(&format!(
            "UPDATE sandbox_line SET at = '{}' WHERE key LIKE '%:refund:1:1'",
            world.platform.now().to_rfc3339_opts(chrono::SecondsFormat::Micros, true)
        ))
        .await;
    for (hours, open) in [(23, 0), (3, 2)] {
        world.pass(TimeDelta::hours(hours));
        let found = named(&compared(&world).await);
        assert_eq!(found.len(), open, "{found:?}");
    }
    // The platform's own money, and fees that are no charge's, were never requested.
    for kind in ["fee", "own_payout"] {
        world.script(&line(kind, kind, ("NULL", "-100"), "charge:1:1")).await;
    }
    world.pass(TimeDelta::minutes(1));
    assert_eq!(compared(&world).await.open, 2);
}
both!(what_is_young_is_left_time);
