//! Payments with their totals, what the platform earns, and tax forms.

use maud::{Markup, html};
use nil_core::Result;
use serde_json::Value;

use crate::console::call::Page;
use crate::console::cells::{cents, figure};
use crate::console::part::Part as _;
use crate::console::screens::Outcome;
use crate::console::screens::acts::{Act, act};
use crate::console::screens::list::{List, PLAIN, Seen, column, export, link};
use crate::console::words;

static PAYMENTS: List = List {
    title: "Payments",
    operation: "payment.list",
    usual: &[("status", "all"), ("id", "0")],
    tabs: Some((
        "status",
        &[
            ("", "All"),
            ("succeeded", "Succeeded"),
            ("partially_refunded", "Partially refunded"),
            ("refunded", "Refunded"),
            ("failed", "Failed"),
            ("processing", "Processing"),
        ],
    )),
    columns: &[
        column("Payment", "w", |seen, row| {
            html! {
                span.mono { (seen.to(&format!("/payments?id={}", row.number("id")), row.text("number"))) }
                small.dim { (seen.when(row, "created_at")) }
            }
        })
        .sorted("created_at"),
        column("Athlete", "", |seen, row| {
            seen.to(&format!("/athletes/{}", row.number("athlete_id")), row.text("athlete_name"))
        }),
        column("Brand", "p2", |seen, row| {
            seen.to(&format!("/partners/{}", row.number("partner_id")), row.text("company_name"))
        }),
        column("Job", "p3", |seen, row| {
            seen.to(&format!("/jobs/{}", row.number("job_id")), row.text("job_title"))
        }),
        column("Amount", "n", |_, row| {
            let refunded = row.number("refunded_cents");
            html! {
                (cents(row, "amount_cents"))
                @if refunded > 0 { small.bad { (words::money(-refunded)) } }
            }
        })
        .sorted("amount_cents"),
        column("Fee", "n p3", |_, row| cents(row, "fee_cents")),
        column("Charged", "n p2", |_, row| cents(row, "total_cents")),
        column("State", "", |_, row| {
            let failure = row.text("failure_code");
            html! {
                (words::chip(row.text("status")))
                @if !failure.is_empty() { small.bad { (words::word(failure)) } }
            }
        }),
    ],
    says: |seen| {
        let totals = seen.answer.part("totals");
        html! {
            (seen.counted("payment", "payments")) ", "
            (words::money(totals.number("amount_cents"))) " to athletes and "
            (words::money(totals.number("fee_cents"))) " in fees"
            @if totals.number("refunded_cents") > 0 {
                ", " (words::money(totals.number("refunded_cents"))) " refunded"
            }
            "."
        }
    },
    exports: &[export("payment.export_csv", "CSV"), export("payment.export_xlsx", "spreadsheet")],
    menu: Some(of_payment),
    ..PLAIN
};

fn of_payment(_: &Seen<'_>, row: &Value) -> Vec<Act> {
    let id = row.number("id");
    let mut acts = vec![
        act("job.view", format!("/jobs/{}", row.number("job_id")), "Job"),
        act("audit.list", format!("/audit?subject_kind=payment&subject_id={id}"), "Audit"),
    ];
    if matches!(row.text("status"), "succeeded" | "partially_refunded") {
        acts.push(act("payment.refund", format!("/payments/{id}/refund"), "Refund…").dangerous());
    }
    acts
}

pub(in crate::console::screens) async fn get(page: &Page<'_>) -> Result<Outcome> {
    Ok(PAYMENTS.get(page).await?.into())
}

static REVENUE: List = List {
    title: "Revenue",
    operation: "payment.revenue",
    usual: &[("status", "all"), ("sort", "-month")],
    tabs: Some((
        "by",
        &[
            ("", "By month"),
            ("partner", "By brand"),
            ("institution", "By university"),
            ("plan", "By plan"),
        ],
    )),
    columns: &[
        column("Of", "", |_, row| {
            let name = row.text("name");
            html! {
                @if name.is_empty() { (row.text("month")) } @else {
                    (name) small.dim { (row.text("month")) }
                }
            }
        })
        .sorted("month"),
        column("Payments", "n p2", |_, row| html! { (words::number(row.number("payments"))) }),
        column("To athletes", "n p3", |_, row| cents(row, "amount_cents")),
        column("Fees", "n p2", |_, row| cents(row, "fee_cents")),
        column("Fees refunded", "n p3", |_, row| cents(row, "refunded_fee_cents")),
        column("Subscriptions", "n p2", |_, row| cents(row, "subscription_cents")),
        column("Revenue", "n", |_, row| cents(row, "revenue_cents")).sorted("revenue_cents"),
    ],
    says: |_| html! { "What the platform keeps: fees less what was refunded of them, and subscriptions." },
    above: revenue_figures,
    ..PLAIN
};

fn revenue_figures(seen: &Seen<'_>) -> Markup {
    let (totals, before) = (seen.answer.part("totals"), seen.answer.part("previous"));
    let change = seen.answer.part("change_basis_points").as_i64();
    let beside = match change {
        Some(change) if change >= 0 => format!("{} more than before", words::rate(change)),
        Some(change) => format!("{} less than before", words::rate(-change)),
        None => format!("before {}", words::money(before.number("revenue_cents"))),
    };
    let row = |title: &str, name: &str| {
        let was = format!("before {}", words::money(before.number(name)));
        figure(title, &words::money(totals.number(name)), &was)
    };
    html! {
        @if !totals.is_null() {
            dl.figs {
                (figure("Revenue", &words::money(totals.number("revenue_cents")), &beside))
                (row("Fees", "fee_cents"))
                (row("Subscriptions", "subscription_cents"))
                (row("To athletes", "amount_cents"))
                (figure("Payments", &words::number(totals.number("payments")),
                    &format!("before {}", words::number(before.number("payments")))))
            }
        }
    }
}

pub(in crate::console::screens) async fn revenue(page: &Page<'_>) -> Result<Outcome> {
    Ok(REVENUE.get(page).await?.into())
}

static TAX_FORMS: List = List {
    title: "Tax forms",
    operation: "tax.list_requests",
    usual: &[("status", "missing")],
    tabs: Some(("status", &[("", "Missing"), ("answered", "Answered"), ("all", "All")])),
    columns: &[
        column("Whose", "", |seen, row| {
            html! {
                (owner(seen, row.text("owner"), row.text("name")))
                @if row.is_true("is_foreign") { small.dim { "outside the United States" } }
            }
        }),
        column("Year", "n", |_, row| html! { (row.number("year")) }),
        column("Asked", "w p2", |seen, row| seen.when(row, "asked_at")).sorted("created_at"),
        column("Answered", "w", |seen, row| seen.when(row, "answered_at")),
        column("Why it matters", "p2", |seen, row| {
            let reasons = [
                ("payout_held_at", "a payout waits for it since"),
                ("tax_withheld_at", "tax is withheld since"),
                ("near_threshold_at", "near the amount to report since"),
                ("returns_due_at", "the returns are due"),
            ];
            html! { @for (name, words) in reasons {
                @if row.moment(name).is_some() { small { (words) " " (seen.when(row, name)) } }
            } }
        }),
    ],
    says: |seen| html! { (seen.counted("request", "requests")) "." },
    links: &[
        link("tax.list_thresholds", "/op/tax.list_thresholds", "Amounts to report"),
        link("tax.export_returns", "/op/tax.export_returns", "Information returns"),
    ],
    menu: Some(|_, row| {
        let Some((kind, id)) = row.text("owner").split_once(':') else { return Vec::new() };
        vec![act(
            "tax.set_withholding",
            format!("/op/tax.set_withholding?{kind}_id={id}"),
            "Backup withholding…",
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
