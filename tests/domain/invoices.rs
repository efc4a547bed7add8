//! Every month a brand is billed for its fees, each of them once.

use chrono::TimeDelta;
use nil_core::auth::Permission;
use nil_core::{payments, worker};
use nil_tests::{Person, World, both};
use serde_json::{Value, json};

const LIST: &str = "core.partner.invoices";
const PDF: &str = "core.partner.download_invoice";

async fn invoices(world: &World, partner: &Person) -> Value {
    world.call(LIST, &partner.principal, json!({})).await.data()
}

/// A payment of this amount; the fee is a tenth.
async fn payment(world: &World, partner: &Person, athlete: &Person, cents: i64) -> Value {
    let deal = world.approved_deal(partner, athlete, &[cents]).await;
    world.pay(partner, athlete, &deal).await
}

async fn a_month_of_fees_is_one_invoice(world: World) {
    let partner = world.paying_partner("Cedar Coffee").await;
    let athlete = world.athlete("Jordan Lake").await;
    let first = payment(&world, &partner, &athlete, 10_000).await;
    let second = payment(&world, &partner, &athlete, 25_000).await;
    assert_eq!(worker::round(&world.platform).await.unwrap().invoices_issued, 0);
    assert_eq!(invoices(&world, &partner).await, json!([]));
    // To the first of December, an hour after midnight.
    world.pass(TimeDelta::days(10) + TimeDelta::hours(12));
    assert_eq!(worker::round(&world.platform).await.unwrap().invoices_issued, 0);
    world.pass(TimeDelta::hours(1));
    assert_eq!(worker::round(&world.platform).await.unwrap().invoices_issued, 1);
    assert_eq!(worker::round(&world.platform).await.unwrap().invoices_issued, 0);
    let all = invoices(&world, &partner).await;
    assert_eq!(all.as_array().unwrap().len(), 1);
    let invoice = &all[0];
    assert_eq!(invoice["number"], "INV-2026-000001");
    assert_eq!(invoice["owner"], format!("partner:{}", partner.id));
    assert_eq!((&invoice["period"], &invoice["status"]), (&json!("2026-11"), &json!("paid")));
    assert_eq!((&invoice["total_cents"], &invoice["currency"]), (&json!(3_500), &json!("usd")));
    assert_eq!(invoice["customer_name"], "Cedar Coffee");
    let lines = invoice["lines"].as_array().unwrap();
    assert_eq!(lines.len(), 2);
    for (line, payment) in lines.iter().zip([&first, &second]) {
        assert_eq!(line["payment_id"], payment["id"]);
        assert_eq!(line["amount_cents"], payment["fee_cents"]);
        let number = payment["number"].as_str().unwrap();
        assert!(line["description"].as_str().unwrap().contains(number), "{line}");
    }
    let url = format!("http://127.0.0.1:8080/api/partner/processor/invoices/{}/pdf", invoice["id"]);
    assert_eq!(invoice["pdf_url"], url);
    world.books_are_right().await;

    // The next month's, and no other brand's.
    let stranger = world.paying_partner("Acme Shoes").await;
    payment(&world, &partner, &athlete, 100).await;
    world.pass(TimeDelta::days(31));
    assert_eq!(worker::round(&world.platform).await.unwrap().invoices_issued, 1);
    let all = invoices(&world, &partner).await;
    assert_eq!(all.as_array().unwrap().len(), 2);
    assert_eq!((&all[0]["period"], &all[0]["total_cents"]), (&json!("2026-12"), &json!(10)));
    assert_eq!(all[0]["number"], "INV-2027-000001");
    assert_eq!(invoices(&world, &stranger).await, json!([]));
    assert_eq!(world.call(LIST, &athlete.principal, json!({})).await.status, 403);
    world.books_are_right().await;
}
both!(a_month_of_fees_is_one_invoice);

async fn a_site_without_a_name_and_an_address_issues_no_invoice(world: World) {
    let dashboard = async || {
        let operator = world.operator(&[Permission::Reports]);
        world.call("admin.dashboard.view", &operator, json!({})).await.data()["unset"].clone()
    };
    assert_eq!(dashboard().await, json!([]));
    world.name_the_site(("nil", "support@example.com")).await;
    assert_eq!(dashboard().await, json!(["name", "support_email"]));
    let partner = world.paying_partner("Cedar Coffee").await;
    let athlete = world.athlete("Jordan Lake").await;
    payment(&world, &partner, &athlete, 10_000).await;
    world.pass(TimeDelta::days(11));
    assert_eq!(worker::round(&world.platform).await.unwrap().invoices_issued, 0);
    let plan = world.plan(json!({})).await;
    let refused = world.subscribe(&partner, &plan).await;
    assert_eq!((refused.status, refused.code()), (409, "site_unnamed"));
    assert!(refused.body["message"].as_str().unwrap().contains("basic settings"), "{refused:?}");
    assert_eq!(world.charged().await.1, 1, "nothing but the payment");
    let operator = world.operator(&[Permission::Site]);
    let save = async |input: Value| {
        world.call("admin.site.save_basic", &operator, input).await.data();
    };
    save(json!({ "name": "Harbor Deals" })).await;
    assert_eq!(dashboard().await, json!(["support_email"]));
    assert_eq!(worker::round(&world.platform).await.unwrap().invoices_issued, 0);
    assert_eq!(world.subscribe(&partner, &plan).await.code(), "site_unnamed");
    save(json!({ "support_email": "help@harbor.example" })).await;
    // What was not billed before follows when the worker looks again.
    world.pass(TimeDelta::hours(1));
    assert_eq!(worker::round(&world.platform).await.unwrap().invoices_issued, 1);
    let all = invoices(&world, &partner).await;
    assert_eq!(
        (&all[0]["period"], &all[0]["issuer_name"]),
        (&json!("2026-11"), &json!("Harbor Deals"))
    );
    assert_eq!(all[0]["issuer_contact"], "help@harbor.example");
    world.subscribe(&partner, &plan).await.data();
    world.books_are_right().await;
}
both!(a_site_without_a_name_and_an_address_issues_no_invoice);

async fn subscriptions_of_a_site_that_lost_its_name_wait(world: World) {
    let partner = world.paying_partner("Cedar Coffee").await;
    let plan = world.plan(json!({})).await;
    world.subscribe(&partner, &plan).await.data();
    world.name_the_site(("NIL", "help@harbor.example")).await;
    // A credit note for money that was given back is issued all the same.
    let first = world.invoices(&partner).await[0]["id"].clone();
    let refund = json!({ "invoice_id": first, "reason": "Booked twice.", "rule": "full" });
    let finance = world.operator(&[Permission::Finance]);
    world.call("admin.subscription.refund", &finance, refund).await.data();
    assert_eq!(world.invoices(&partner).await.len(), 2);
    world.pass(TimeDelta::days(31));
    worker::round(&world.platform).await.unwrap();
    assert_eq!(world.invoices(&partner).await.len(), 2);
    assert_eq!(world.subscription(&partner).await["status"], "active");
    world.name_the_site(("Harbor Deals", "help@harbor.example")).await;
    world.pass(TimeDelta::hours(1));
    worker::round(&world.platform).await.unwrap();
    let renewed = &world.invoices(&partner).await[0];
    assert_eq!(
        (&renewed["status"], &renewed["issuer_name"]),
        (&json!("paid"), &json!("Harbor Deals"))
    );
    world.books_are_right().await;
}
both!(subscriptions_of_a_site_that_lost_its_name_wait);

async fn many_workers_bill_once(world: World) {
    let athlete = world.athlete("Jordan Lake").await;
    let mut partners = Vec::new();
    for name in ["Cedar Coffee", "Harbor Books", "Acme Shoes"] {
        let partner = world.paying_partner(name).await;
        payment(&world, &partner, &athlete, 1_000).await;
        partners.push(partner);
    }
    world.pass(TimeDelta::days(11));
    let workers: Vec<_> = (0..6)
        .map(|_| {
            let platform = world.platform.clone();
            tokio::spawn(async move { payments::issue_invoices(&platform).await.unwrap() })
        })
        .collect();
    let mut issued = 0;
    for worker in workers {
        issued += worker.await.unwrap();
    }
    assert_eq!(issued, 3);
    let mut numbers = Vec::new();
    for partner in &partners {
        let all = invoices(&world, partner).await;
        assert_eq!(all.as_array().unwrap().len(), 1);
        numbers.push(all[0]["number"].as_str().unwrap().to_owned());
    }
    numbers.sort();
    assert_eq!(numbers, ["INV-2026-000001", "INV-2026-000002", "INV-2026-000003"]);
    world.books_are_right().await;
}
both!(many_workers_bill_once);

async fn months_that_were_missed_are_billed_by_month(world: World) {
    let partner = world.paying_partner("Cedar Coffee").await;
    let athlete = world.athlete("Jordan Lake").await;
    payment(&world, &partner, &athlete, 1_000).await;
    world.pass(TimeDelta::days(31));
    payment(&world, &partner, &athlete, 2_000).await;
    world.pass(TimeDelta::days(31));
    assert_eq!(payments::issue_invoices(&world.platform).await.unwrap(), 2);
    let all = invoices(&world, &partner).await;
    let seen: Vec<_> = all
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["period"].as_str().unwrap(), one["total_cents"].as_i64().unwrap()))
        .collect();
    assert_eq!(seen, [("2026-12", 200), ("2026-11", 100)]);
}
both!(months_that_were_missed_are_billed_by_month);

async fn fees_given_back_are_credited_and_none_are_not_billed(world: World) {
    let partner = world.paying_partner("Cedar Coffee").await;
    let athlete = world.athlete("Jordan Lake").await;
    let paid = payment(&world, &partner, &athlete, 10_000).await;
    let operator = world.operator(&[Permission::Finance]);
    let refund = |cents: i64| {
        json!({
            "payment_id": paid["id"], "amount_cents": cents, "reason": "Event cancelled",
            "refund_fee": "proportional",
        })
    };
    world.call("admin.payment.refund", &operator, refund(2_500)).await.data();
    world.pass(TimeDelta::days(11));
    worker::round(&world.platform).await.unwrap();
    let november = invoices(&world, &partner).await[0].clone();
    assert_eq!(november["total_cents"], 750);
    assert_eq!(november["lines"][1]["amount_cents"], -250);
    assert!(november["lines"][1]["refund_id"].is_i64());
    // Refunded a month later: a credit of that month.
    world.call("admin.payment.refund", &operator, refund(7_500)).await.data();
    world.pass(TimeDelta::days(31));
    worker::round(&world.platform).await.unwrap();
    let all = invoices(&world, &partner).await;
    assert_eq!((&all[0]["period"], &all[0]["total_cents"]), (&json!("2026-12"), &json!(-750)));
    assert_eq!(all[1], november, "what was issued stays as it was");
    world.books_are_right().await;

    let waived = world.paying_partner("Harbor Books").await;
    world
        .id(&format!(
            "UPDATE partner SET fee_basis_points = 0 WHERE id = {} RETURNING id",
            waived.id
        ))
        .await;
    let free = payment(&world, &waived, &athlete, 10_000).await;
    assert_eq!(free["fee_cents"], 0);
    world.pass(TimeDelta::days(31));
    assert_eq!(worker::round(&world.platform).await.unwrap().invoices_issued, 0);
}
both!(fees_given_back_are_credited_and_none_are_not_billed);

async fn an_invoice_is_a_pdf_for_its_owner(world: World) {
    let partner = world.paying_partner("Cedar Coffee").await;
    let stranger = world.partner("Acme Shoes").await;
    let agent = world.agent("North Agency").await;
    let athlete = world.athlete("Jordan Lake").await;
    payment(&world, &partner, &athlete, 125_000).await;
    world.pass(TimeDelta::days(11));
    worker::round(&world.platform).await.unwrap();
    let which = json!({ "invoice_id": invoices(&world, &partner).await[0]["id"] });
    let file = world.call(PDF, &partner.principal, which.clone()).await;
    assert_eq!((file.status, &file.body["data"]), (200, &json!("INV-2026-000001.pdf")));
    assert!(file.bytes.starts_with(b"%PDF-"));
    let again = world.call(PDF, &partner.principal, which.clone()).await;
    assert_eq!(file.bytes, again.bytes, "the same file each time");
    let text = text_of(&file.bytes);
    for words in [
        "INV-2026-000001",
        "Cedar Coffee",
        "Platform fees, November 2026",
        "$125.00",
        "PAY-2026-000001",
        "Page 1 of 1",
        "Nothing is left to pay.",
    ] {
        assert!(text.contains(words), "{words} is missing from\n{text}");
    }
    assert_eq!(world.call(PDF, &stranger.principal, which.clone()).await.status, 404);
    assert_eq!(world.call(PDF, &agent.principal, which.clone()).await.status, 403);
    let theirs = world.call("core.agent.download_invoice", &agent.principal, which).await;
    assert_eq!(theirs.status, 404);
    let downloads = "SELECT COUNT(*) FROM audit_entry WHERE subject_kind = 'invoice' \
            AND action = 'downloaded'";
    assert_eq!(world.id(downloads).await, 2);
    let none = world.call("core.agent.invoices", &agent.principal, json!({})).await;
    assert_eq!(none.body["pagination"]["total"], 0);
}
both!(an_invoice_is_a_pdf_for_its_owner);

/// The text of the PDF.
pub(crate) fn text_of(pdf: &[u8]) -> String {
    use std::io::Write as _;
    use std::process::{Command, Stdio};
    let mut reader = Command::new("pdftotext")
        .args(["-layout", "-", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("pdftotext");
    reader.stdin.take().unwrap().write_all(pdf).unwrap();
    let output = reader.wait_with_output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}
