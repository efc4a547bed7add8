//! Operators see what the platform earns, and export payments.

use std::io::Cursor;

use calamine::{Reader as _, Xlsx};
use chrono::TimeDelta;
use nil_core::auth::Permission;
use nil_core::payments::sandbox;
use nil_core::ports::processor::{DisputeKind, DisputeState};
use nil_tests::{World, both};
use serde_json::{Value, json};

use crate::disputes::{held, payees_bear, taken, turn};
use crate::refunding::{Paid, paid};

const REVENUE: &str = "admin.payment.revenue";

/// The revenue of these lines: month, name, cents.
fn lines(answer: &Value) -> Vec<(String, Value, i64)> {
    let lines = answer["data"].as_array().unwrap().iter();
    let text = |line: &Value| line["month"].as_str().unwrap().to_owned();
    lines
        .map(|line| (text(line), line["name"].clone(), line["revenue_cents"].as_i64().unwrap()))
        .collect()
}

fn line(month: &str, name: impl Into<Value>, cents: i64) -> (String, Value, i64) {
    (month.to_owned(), name.into(), cents)
}

async fn fees_less_refunds_and_subscriptions_are_the_revenue_of_a_month(world: World) {
    let cedar = world.paying_partner("Cedar Coffee").await;
    let acme = world.paying_partner("Acme Shoes").await;
    let college = world.college().await;
    let athlete = world.athlete_of("Jordan Lake", college).await;
    let operator = world.operator(&[Permission::Finance]);
    for (brand, cents, days) in [(&cedar, 1_000, 20), (&acme, 50_000, 0), (&cedar, 3_000, 0)] {
        let deal = world.approved_deal(brand, &athlete, &[cents]).await;
        world.pay(brand, &athlete, &deal).await;
        world.pass(TimeDelta::days(days));
    }
    let refund = json!({ "payment_id": 3, "reason": "Not published.", "refund_fee": "all" });
    world.call("admin.payment.refund", &operator, refund).await.data();
    let plan = world.plan(json!({ "price_cents": 4_900 })).await;
    world.subscribe(&acme, &plan).await;

    let revenue = async |input: Value| {
        let mut all = json!({ "status": "all" });
        all.as_object_mut().unwrap().extend(input.as_object().unwrap().clone());
        world.call(REVENUE, &operator, all).await
    };
    let by_brand = revenue(json!({})).await.body;
    let nov = "2026-11";
    let expected = [
        line("2026-12", "Acme Shoes", 5_000 + 4_900),
        line("2026-12", "Cedar Coffee", 0),
        line(nov, "Cedar Coffee", 100),
    ];
    assert_eq!(lines(&by_brand), expected);
    assert_eq!(by_brand["pagination"]["total"], 3);
    let sums = &by_brand["totals"];
    assert_eq!((&sums["payments"], &sums["amount_cents"]), (&json!(3), &json!(54_000)));
    assert_eq!((&sums["fee_cents"], &sums["refunded_fee_cents"]), (&json!(5_400), &json!(300)));
    assert_eq!(
        (&sums["subscription_cents"], &sums["revenue_cents"]),
        (&4_900.into(), &10_000.into())
    );
    assert_eq!(by_brand["change_basis_points"], Value::Null);

    let december = json!({ "from": "2026-12-01", "by": "month" });
    let december = revenue(december).await.body;
    assert_eq!(lines(&december), [line("2026-12", Value::Null, 9_900)]);
    assert_eq!(december["previous"]["revenue_cents"], 100);
    assert_eq!(december["change_basis_points"], 980_000);
    let colleges = revenue(json!({ "by": "institution" })).await.body;
    let cents: Vec<_> = lines(&colleges).iter().map(|line| line.2).collect();
    // The costs are in lines without an institution.
    assert_eq!(cents, [5_000, 0, 100, 0]);
    assert!(colleges["data"][0]["name"].as_str().unwrap().starts_with("Lakeshore"));
    let plans = revenue(json!({ "by": "plan" })).await.body;
    assert_eq!(lines(&plans), [line("2026-12", plan["name"].clone(), 4_900)]);
    let second = revenue(json!({ "page": 2, "per_page": 1 })).await.body;
    assert_eq!(lines(&second), [line("2026-12", "Cedar Coffee", 0)]);
    for (status, cents) in [("succeeded", 5_100), ("refunded", 0), ("failed", 0)] {
        let some = revenue(json!({ "status": status })).await.body;
        assert_eq!(some["totals"]["revenue_cents"], cents, "{status}");
    }
    let none = revenue(json!({ "by": "plan", "status": "succeeded" })).await.body;
    assert_eq!(none["pagination"]["total"], 0);
    assert_eq!(revenue(json!({ "status": "lost" })).await.status, 422);
    assert_eq!(revenue(json!({ "from": "2020-01-01" })).await.status, 422);
    let reports = world.operator(&[Permission::Reports]);
    let all = json!({ "status": "all" });
    assert_eq!(world.call(REVENUE, &reports, all).await.status, 403);
}
both!(fees_less_refunds_and_subscriptions_are_the_revenue_of_a_month);

async fn exported_payments_are_those_of_the_list(world: World) {
    let cedar = world.paying_partner("=Cedar Coffee").await;
    let acme = world.paying_partner("Acme Shoes").await;
    let athlete = world.athlete("Jordan Lake").await;
    for (brand, cents) in [(&cedar, 1_000), (&acme, 2_000), (&cedar, 3_000)] {
        let deal = world.approved_deal(brand, &athlete, &[cents]).await;
        world.pay(brand, &athlete, &deal).await;
    }
    let operator = world.operator(&[Permission::Reports]);
    let wanted = json!({ "partner_id": cedar.id, "status": "succeeded", "from": "2026-11-20" });
    let csv = world.call("admin.payment.export_csv", &operator, wanted.clone()).await;
    let text = String::from_utf8(csv.bytes).unwrap();
    let rows: Vec<&str> = text.lines().collect();
    assert!(rows[0].contains("Payment,Status,Brand ID,Company"), "{text}");
    assert_eq!(rows.len(), 3, "{text}");
    assert!(rows[1].contains("'=Cedar Coffee"), "{text}");
    assert!(rows[2].contains("30.00,3.00,0.00,33.00"), "{text}");
    let file = world.call("admin.payment.export_xlsx", &operator, wanted).await;
    assert_eq!(file.body["data"], "payments-2026-11-20.xlsx");
    let mut book: Xlsx<_> = Xlsx::new(Cursor::new(file.bytes)).unwrap();
    assert_eq!(book.worksheet_range("Payments").unwrap().height(), 3);
    let noted = "SELECT COUNT(*) FROM audit_entry WHERE action = 'payments_exported'";
    assert_eq!(world.id(noted).await, 2);
    let backwards = json!({ "from": "2026-11-22", "to": "2026-11-21" });
    let refused = world.call("admin.payment.export_csv", &operator, backwards).await;
    assert_eq!(refused.status, 422);
    let finance = world.operator(&[Permission::Finance]);
    let refused = world.call("admin.payment.export_csv", &finance, json!({})).await;
    assert_eq!(refused.status, 403);
}
both!(exported_payments_are_those_of_the_list);

/// The processor's cost, the fees and the losses of disputes, and what is kept.
fn costs(sums: &Value) -> [i64; 4] {
    ["processor_cost_cents", "dispute_fee_cents", "dispute_loss_cents", "kept_cents"]
        .map(|name| sums[name].as_i64().unwrap())
}

async fn what_the_processor_and_disputes_cost_is_beside_the_revenue(world: World) {
    let first = paid(&world, 10_000).await;
    let plan = world.plan(json!({ "price_cents": 4_900 })).await;
    world.subscribe(&first.partner, &plan).await.data();
    world.pass_until("2026-12-02T12:00:00Z");
    payees_bear(&world, 2_500).await;
    world.pass(TimeDelta::seconds(1));
    let deal = world.approved_deal(&first.partner, &first.athlete, &[10_000]).await;
    let second = world.pay(&first.partner, &first.athlete, &deal).await;
    let second = Paid { payment: second, ..first };
    let operator = world.operator(&[Permission::Finance, Permission::Reports]);
    let revenue = async |more: Value| {
        let mut all = json!({ "status": "all", "by": "month" });
        all.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        world.call(REVENUE, &operator, all).await.body
    };
    // All months together are what the accounts of the ledger hold.
    let agree = async || {
        let now = revenue(json!({})).await["totals"].clone();
        let [processor, fees, losses, kept] = costs(&now);
        let mut holds = Vec::new();
        for account in ["fees", "subscriptions", "processor_costs", "dispute_costs"] {
            holds.push(held(&world, &format!("platform:{account}")).await);
        }
        let advanced = held(&world, "processor:disputed").await;
        assert_eq!(now["revenue_cents"], holds[0] + holds[1]);
        assert_eq!((processor, fees + losses), (-holds[2], -holds[3] - advanced));
        assert_eq!(kept, holds.iter().sum::<i64>() + advanced);
        for by in ["partner", "institution"] {
            let other = revenue(json!({ "by": by })).await["totals"].clone();
            if by == "partner" {
                assert_eq!(costs(&other), costs(&now));
            } else {
                assert_eq!(costs(&other)[2], losses, "no subscription is disputed yet");
            }
        }
        let board = world.call("admin.dashboard.view", &operator, json!({})).await.data();
        let books = &board["books"];
        assert_eq!(
            (&books["kept_cents"], &books["disputed_cents"]),
            (&kept.into(), &advanced.into())
        );
        assert_eq!(books["processor_costs_cents"], processor);
        assert_eq!(books["dispute_costs_cents"], fees + losses);
        [fees, losses]
    };
    // With the plan, the second fee is five percent.
    let earned = 1_000 + 4_900 + 500;
    assert_eq!(agree().await, [0, 0]);
    assert_eq!(revenue(json!({})).await["totals"]["revenue_cents"], earned);
    let id = taken(&world, &second).await;
    assert_eq!(agree().await, [1_500, 0], "what is advanced is not lost yet");
    turn(&world, id, DisputeState::Lost).await;
    assert_eq!(agree().await, [1_500, 10_500 - 2_500]);
    // They count in the month of the charge.
    let lines = revenue(json!({})).await["data"].clone();
    assert_eq!(costs(&lines[0])[1..3], [1_500, 8_000], "December");
    assert_eq!(costs(&lines[1])[1..3], [0, 0], "November");
    turn(&world, id, DisputeState::Won).await;
    let [fees, losses] = agree().await;
    assert_eq!(losses, 0, "decided anew");
    // With a status of payments, costs do not count; a plan has those of its own charges.
    let some = revenue(json!({ "status": "succeeded" })).await["totals"].clone();
    assert_eq!(costs(&some), [0, 0, 0, some["revenue_cents"].as_i64().unwrap()]);
    let charge = world.text("processor_charge_id", "subscription_charge").await.unwrap();
    let processor = world.platform.processor();
    let bank = processor.sandbox().unwrap();
    let opened = bank.open_dispute(&charge, DisputeKind::Chargeback, None).await.unwrap().unwrap();
    assert!(bank.turn_dispute(&opened, DisputeState::Lost).await.unwrap());
    sandbox::deliver_events(&world.platform).await.unwrap();
    let plans = revenue(json!({ "by": "plan" })).await;
    let [processor, fee, loss, kept] = costs(&plans["totals"]);
    assert_eq!((fee, loss, kept), (1_500, 4_900, -processor - 1_500));
    assert!(processor > 0);
    assert_eq!(costs(&plans["data"][0]), costs(&plans["totals"]));
    let all = revenue(json!({})).await["totals"].clone();
    assert_eq!(costs(&all)[1..3], [fees + 1_500, 4_900]);
    world.books_are_right().await;
}
both!(what_the_processor_and_disputes_cost_is_beside_the_revenue);
