//! Lists of athletes, brands, agents and universities.

use maud::html;
use nil_core::Result;
use serde_json::Value;

use super::account::of_account;
use crate::console::call::Page;
use crate::console::part::Part as _;
use crate::console::screens::Outcome;
use crate::console::screens::acts::{Act, act};
use crate::console::screens::list::{Column, List, PLAIN, Seen, column, export, link};
use crate::console::texts::{key, say};
use crate::console::{describe, reading, words};

/// What every list of accounts asks for.
const USUAL: &[(&str, &str)] = &[("status", "all"), ("id", "0")];
const TABS: Option<(&str, &[(&str, &str)])> = Some((
    "status",
    &[
        ("", key!("all-of-them")),
        ("active", key!("active")),
        ("onboarding", key!("onboarding")),
        ("suspended", key!("suspended")),
        ("deactivated", key!("deactivated")),
    ],
));
const STATE: Column = column(key!("col-state"), "", |_, row| words::chip(row.text("status")));
const EMAIL: Column = column(key!("email"), "p2", |_, row| {
    html! { span.mono { @match row.part("email").as_str() {
        Some(email) => (email),
        None => "\u{2013}",
    } } }
});
const OPENED: Column =
    column(key!("opened"), "w p3", |seen, row| seen.when(row, "created_at")).sorted("created_at");

static ATHLETES: List = List {
    title: key!("nav-athletes"),
    operation: "athlete.list",
    usual: USUAL,
    tabs: TABS,
    columns: &[
        column(key!("col-athlete"), "", |seen, row| {
            html! {
                (seen.to(&format!("/athletes/{}", row.number("id")), row.text("display_name")))
                small.dim { (say!("number-small", id = row.number("id").to_string())) }
            }
        })
        .sorted("name"),
        STATE,
        column(key!("university"), "p2", |_, row| {
            html! { (row.text("university")) small.dim { (row.text("sport")) } }
        }),
        EMAIL,
        column(
            key!("listed"),
            "p3",
            |_, row| html! { @if row.is_true("listed") { (say!("yes")) } @else { (say!("no")) } },
        ),
        OPENED,
    ],
    says: |seen| html! { (seen.counted(key!("count-athletes"))) "." },
    exports: &[
        export("athlete.export_csv", key!("csv")),
        export("athlete.export_xlsx", key!("spreadsheet")),
    ],
    links: &[link("athlete.save", "/op/athlete.save", key!("add-an-athlete"))],
    menu: Some(|seen, row| acts_of(seen, row, "athlete")),
    ..PLAIN
};

static PARTNERS: List = List {
    title: key!("nav-brands"),
    operation: "partner.list",
    usual: USUAL,
    tabs: TABS,
    columns: &[
        column(key!("brand"), "", |seen, row| {
            html! {
                (seen.to(&format!("/partners/{}", row.number("id")), row.text("company_name")))
                small.dim { (say!("number-small", id = row.number("id").to_string())) }
            }
        })
        .sorted("name"),
        STATE,
        column(key!("business"), "p2", |_, row| {
            let place: Vec<&str> = [row.text("hq_city"), row.text("hq_state")]
                .into_iter()
                .filter(|part| !part.is_empty())
                .collect();
            html! { (row.text("business_category")) small.dim { (place.join(", ")) } }
        }),
        column(key!("jobs-found"), "n", |_, row| html! { (words::number(row.number("jobs"))) }),
        EMAIL,
        OPENED,
    ],
    says: |seen| html! { (seen.counted(key!("count-brands"))) "." },
    exports: &[export("partner.export_xlsx", key!("spreadsheet"))],
    links: &[link("partner.save", "/op/partner.save", key!("add-a-brand"))],
    menu: Some(|seen, row| acts_of(seen, row, "partner")),
    ..PLAIN
};

static AGENTS: List = List {
    title: key!("nav-agents"),
    operation: "agent.list",
    usual: USUAL,
    tabs: TABS,
    columns: &[
        column(key!("agency"), "", |seen, row| {
            html! {
                (seen.to(&format!("/agents/{}", row.number("id")), row.text("agency_name")))
                small.dim { (row.text("first_name")) " " (row.text("last_name")) }
            }
        })
        .sorted("name"),
        STATE,
        column(
            key!("nav-athletes"),
            "n",
            |_, row| html! { (words::number(row.number("athletes"))) },
        ),
        EMAIL,
        OPENED,
    ],
    says: |seen| html! { (seen.counted(key!("count-agents"))) "." },
    exports: &[export("agent.export_xlsx", key!("spreadsheet"))],
    links: &[link("agent.save", "/op/agent.save", key!("add-an-agent"))],
    menu: Some(|seen, row| acts_of(seen, row, "agent")),
    ..PLAIN
};

/// What can be done with an account from a list.
fn acts_of(seen: &Seen<'_>, row: &Value, kind: &'static str) -> Vec<Act> {
    let id = row.number("id");
    let mut acts = of_account(seen.page, kind, row);
    for act in &mut acts {
        match act.needs {
            "athlete.save" | "partner.save" | "agent.save" => act.words = say!("edit"),
            "impersonation.start" => act.words = say!("act-as"),
            _ => {}
        }
    }
    let audit = format!("/audit?subject_kind={kind}&subject_id={id}");
    acts.push(act("audit.list", audit, say!("nav-audit")));
    if kind != "agent" {
        acts.push(act("payment.list", format!("/payments?{kind}_id={id}"), say!("nav-payments")));
    }
    acts
}

static UNIVERSITIES: List = List {
    title: key!("nav-universities"),
    operation: "college.list",
    usual: USUAL,
    tabs: Some((
        "status",
        &[("", key!("all-of-them")), ("listed", key!("listed")), ("unlisted", key!("not-listed"))],
    )),
    columns: &[
        column(key!("university"), "", |seen, row| {
            let name = row.text("name");
            html! {
                @match change(seen.page, row) {
                    Some(path) => (seen.to(&path, name)),
                    None => (name),
                }
                small.dim { (row.text("short_name")) }
            }
        })
        .sorted("name"),
        column(key!("col-state"), "", |_, row| html! { (row.text("state")) }),
        column(key!("division"), "p2", |_, row| {
            html! { (row.text("division")) small.dim { (row.text("conference")) } }
        }),
        column(key!("domains"), "p2", |_, row| {
            let domains = row.list("email_domains").iter().filter_map(Value::as_str);
            html! { @for domain in domains { span.mono { (domain) } " " } }
        }),
        column(
            key!("listed"),
            "p3",
            |_, row| html! { @if row.is_true("listed") { (say!("yes")) } @else { (say!("no")) } },
        ),
        OPENED,
    ],
    says: |seen| html! { (seen.counted(key!("count-universities"))) "." },
    links: &[
        link("college.save", "/op/college.save", key!("add-a-university")),
        link(
            "university_admin.list",
            "/op/university_admin.list?status=all&id=0",
            key!("who-portal"),
        ),
    ],
    ..PLAIN
};

/// The form that changes a university, filled with what its row says.
fn change(page: &Page<'_>, row: &Value) -> Option<String> {
    let entry = page.allowed("college.save")?;
    let filled = reading::filled(&describe::of(entry).fields, row, page.person.zone);
    Some(format!("/op/college.save{}", filled.address()))
}

pub(in crate::console::screens) async fn athletes(page: &Page<'_>) -> Result<Outcome> {
    Ok(ATHLETES.get(page).await?.into())
}

pub(in crate::console::screens) async fn partners(page: &Page<'_>) -> Result<Outcome> {
    Ok(PARTNERS.get(page).await?.into())
}

pub(in crate::console::screens) async fn agents(page: &Page<'_>) -> Result<Outcome> {
    Ok(AGENTS.get(page).await?.into())
}

pub(in crate::console::screens) async fn universities(page: &Page<'_>) -> Result<Outcome> {
    Ok(UNIVERSITIES.get(page).await?.into())
}
