//! Operators see what the platform earns, and export payments.

use std::io::Cursor;

use calamine::{Reader as _, Xlsx};
use chrono::TimeDelta;
use nil_core::auth::Permission;
use nil_tests::{World, both};
use serde_json::{Value, json};

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
    assert_eq!(lines(&colleges).iter().map(|line| line.2).collect::<Vec<_>>(), [5_000, 100]);
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
