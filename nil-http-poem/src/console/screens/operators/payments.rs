//! Payments with their totals, what the platform earns, and tax forms.

use maud::{Markup, html};
use nil_core::Result;
use serde_json::Value;

use crate::console::call::Page;
use crate::console::cells::{cents, figure};
use crate::console::part::Part as _;
use crate::console::screens::Outcome;
use crate::console::screens::acts::{Act, act, of_record};
use crate::console::screens::list::{List, PLAIN, Seen, column, export, link};
use crate::console::texts::{self, key, say};
use crate::console::words;

static PAYMENTS: List = List {
    title: key!("nav-payments"),
    operation: "payment.list",
    usual: &[("status", "all"), ("id", "0")],
    tabs: Some((
        "status",
        &[
            ("", key!("all-of-them")),
            ("succeeded", key!("succeeded")),
            ("partially_refunded", key!("partially-refunded")),
            ("refunded", key!("o-refunded")),
            ("failed", key!("failed")),
            ("processing", key!("processing")),
        ],
    )),
    columns: &[
        column(key!("payment"), "w", |seen, row| {
            html! {
                span.mono { (seen.to(&format!("/payments?id={}", row.number("id")), row.text("number"))) }
                small.dim { (seen.when(row, "created_at")) }
            }
        })
        .sorted("created_at"),
        column(key!("col-athlete"), "", |seen, row| {
            seen.to(&format!("/athletes/{}", row.number("athlete_id")), row.text("athlete_name"))
        }),
        column(key!("brand"), "p2", |seen, row| {
            seen.to(&format!("/partners/{}", row.number("partner_id")), row.text("company_name"))
        }),
        column(key!("job"), "p3", |seen, row| {
            seen.to(&format!("/jobs/{}", row.number("job_id")), row.text("job_title"))
        }),
        column(key!("col-amount"), "n", |_, row| {
            let refunded = row.number("refunded_cents");
            html! {
                (cents(row, "amount_cents"))
                @if refunded > 0 { small.bad { (words::money(-refunded)) } }
            }
        })
        .sorted("amount_cents"),
        column(key!("fee"), "n p3", |_, row| cents(row, "fee_cents")),
        column(key!("charged"), "n p2", |_, row| cents(row, "total_cents")),
        column(key!("col-state"), "", |seen, row| {
            let failure = row.text("failure_code");
            html! {
                (words::chip(row.text("status")))
                @if !failure.is_empty() { small.bad { (words::word(failure)) } }
                @if let Some(state) = row.part("dispute_status").as_str() {
                    small { (seen.to(&disputes_of(row), &say!("dispute-is", state = words::word(state)))) }
                }
            }
        }),
    ],
    says: |seen| {
        let totals = seen.answer.part("totals");
        html! {
            (say!(
                "payments-told",
                payments = seen.counted(key!("count-payments")),
                athletes = words::money(totals.number("amount_cents")),
                fees = words::money(totals.number("fee_cents")),
            ))
            @if totals.number("refunded_cents") > 0 {
                ", " (say!("refunded", amount = words::money(totals.number("refunded_cents"))))
            }
            "."
        }
    },
    exports: &[export("payment.export_csv", key!("csv")), export("payment.export_xlsx", key!("spreadsheet"))],
    menu: Some(of_payment),
    ..PLAIN
};

/// The list of a payment's disputes.
fn disputes_of(payment: &Value) -> String {
    format!("/disputes?payment_id={}", payment.number("id"))
}

fn of_payment(seen: &Seen<'_>, row: &Value) -> Vec<Act> {
    let id = row.number("id");
    let mut acts = vec![
        act("job.view", format!("/jobs/{}", row.number("job_id")), say!("job")),
        act(
            "audit.list",
            format!("/audit?subject_kind=payment&subject_id={id}"),
            say!("nav-audit"),
        ),
    ];
    if !row.part("dispute_status").is_null() {
        acts.push(act("dispute.list", disputes_of(row), say!("nav-disputes")));
    }
    acts.extend(of_record(seen.page, "payment", row, &[]));
    acts
}

pub(in crate::console::screens) async fn get(page: &Page<'_>) -> Result<Outcome> {
    Ok(PAYMENTS.get(page).await?.into())
}

static REVENUE: List = List {
    title: key!("nav-revenue"),
    operation: "payment.revenue",
    usual: &[("status", "all"), ("sort", "-month")],
    tabs: Some((
        "by",
        &[
            ("", key!("by-month")),
            ("partner", key!("by-brand")),
            ("institution", key!("by-university")),
            ("plan", key!("by-plan")),
        ],
    )),
    columns: &[
        column(key!("of"), "", |_, row| {
            let name = row.text("name");
            html! {
                @if name.is_empty() { (row.text("month")) } @else {
                    (name) small.dim { (row.text("month")) }
                }
            }
        })
        .sorted("month"),
        column(
            key!("nav-payments"),
            "n p2",
            |_, row| html! { (words::number(row.number("payments"))) },
        ),
        column(key!("to-athletes"), "n p3", |_, row| cents(row, "amount_cents")),
        column(key!("fees"), "n p2", |_, row| cents(row, "fee_cents")),
        column(key!("fees-refunded"), "n p3", |_, row| cents(row, "refunded_fee_cents")),
        column(key!("subscriptions"), "n p2", |_, row| cents(row, "subscription_cents")),
        column(key!("nav-revenue"), "n", |_, row| cents(row, "revenue_cents"))
            .sorted("revenue_cents"),
        column(key!("processor-costs"), "n p3", |_, row| cents(row, "processor_cost_cents")),
        column(key!("dispute-fees"), "n p3", |_, row| cents(row, "dispute_fee_cents")),
        column(key!("dispute-losses"), "n p3", |_, row| cents(row, "dispute_loss_cents")),
        column(key!("kept"), "n p2", |_, row| cents(row, "kept_cents")),
    ],
    says: |seen| {
        let totals = seen.answer.part("totals");
        html! {
            (say!("what-the-platform-keeps-fees-less")) " "
            (say!(
                "revenue-told",
                revenue = words::money(totals.number("revenue_cents")),
                processor = words::money(totals.number("processor_cost_cents")),
                fees = words::money(totals.number("dispute_fee_cents")),
                losses = words::money(totals.number("dispute_loss_cents")),
                kept = words::money(totals.number("kept_cents")),
            ))
        }
    },
    above: revenue_figures,
    ..PLAIN
};

fn revenue_figures(seen: &Seen<'_>) -> Markup {
    let (totals, before) = (seen.answer.part("totals"), seen.answer.part("previous"));
    let change = seen.answer.part("change_basis_points").as_i64();
    let beside = match change {
        Some(change) if change >= 0 => say!("more-than-before", rate = words::rate(change)),
        Some(change) => say!("less-than-before", rate = words::rate(-change)),
        None => say!("before-was", was = words::money(before.number("revenue_cents"))),
    };
    let row = |title: &str, name: &str| {
        let was = say!("before-was", was = words::money(before.number(name)));
        figure(title, &words::money(totals.number(name)), &was)
    };
    html! {
        @if !totals.is_null() {
            dl.figs {
                (figure(&say!("nav-revenue"), &words::money(totals.number("revenue_cents")), &beside))
                (row(&say!("fees"), "fee_cents"))
                (row(&say!("subscriptions"), "subscription_cents"))
                (row(&say!("to-athletes"), "amount_cents"))
                (figure(&say!("nav-payments"), &words::number(totals.number("payments")),
                    &say!("before-was", was = words::number(before.number("payments")))))
            }
        }
    }
}

pub(in crate::console::screens) async fn revenue(page: &Page<'_>) -> Result<Outcome> {
    Ok(REVENUE.get(page).await?.into())
}

static TAX_FORMS: List = List {
    title: key!("nav-tax-forms"),
    operation: "tax.list_requests",
    usual: &[("status", "missing")],
    tabs: Some((
        "status",
        &[("", key!("missing")), ("answered", key!("answered")), ("all", key!("all-of-them"))],
    )),
    columns: &[
        column(key!("whose"), "", |seen, row| {
            html! {
                (owner(seen, row.text("owner"), row.text("name")))
                @if row.is_true("is_foreign") { small.dim { (say!("outside-the-united-states")) } }
            }
        }),
        column(key!("col-year"), "n", |_, row| html! { (row.number("year")) }),
        column(key!("asked"), "w p2", |seen, row| seen.when(row, "asked_at")).sorted("created_at"),
        column(key!("answered"), "w", |seen, row| seen.when(row, "answered_at")),
        column(key!("why-it-matters"), "p2", |seen, row| {
            let reasons = [
                ("payout_held_at", key!("a-payout-waits-for-it-since")),
                ("tax_withheld_at", key!("tax-is-withheld-since")),
                ("near_threshold_at", key!("near-the-amount-to-report-since")),
                ("returns_due_at", key!("the-returns-are-due")),
            ];
            html! { @for (name, words) in reasons {
                @if row.moment(name).is_some() { small { (texts::plain(words)) " " (seen.when(row, name)) } }
            } }
        }),
    ],
    says: |seen| html! { (seen.counted(key!("count-requests"))) "." },
    links: &[
        link("tax.list_thresholds", "/op/tax.list_thresholds", key!("amounts-to-report")),
        link("tax.export_returns", "/op/tax.export_returns", key!("information-returns")),
    ],
    menu: Some(|_, row| {
        let Some((kind, id)) = row.text("owner").split_once(':') else { return Vec::new() };
        vec![act(
            "tax.set_withholding",
            format!("/op/tax.set_withholding?{kind}_id={id}"),
            say!("backup-withholding"),
        )]
    }),
    ..PLAIN
};

/// A party by its name, with a link to its account.
pub(super) fn owner(seen: &Seen<'_>, owner: &str, name: &str) -> Markup {
    let (kind, id) = owner.split_once(':').unwrap_or((owner, ""));
    let plural = match kind {
        "athlete" => "athletes",
        "agent" => "agents",
        "partner" => "partners",
        _ => "",
    };
    let words =
        if name.is_empty() { format!("{} {id}", words::word(kind)) } else { name.to_owned() };
    html! {
        @if plural.is_empty() { (words) } @else { (seen.to(&format!("/{plural}/{id}"), &words)) }
    }
}

pub(in crate::console::screens) async fn tax_forms(page: &Page<'_>) -> Result<Outcome> {
    Ok(TAX_FORMS.get(page).await?.into())
}
