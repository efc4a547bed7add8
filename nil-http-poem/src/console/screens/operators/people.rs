//! Lists of athletes, brands, agents and universities.

use maud::html;
use nil_core::Result;
use serde_json::Value;

use crate::console::call::Page;
use crate::console::part::Part as _;
use crate::console::screens::Outcome;
use crate::console::screens::acts::{Act, act};
use crate::console::screens::list::{Column, List, PLAIN, column, export, link};
use crate::console::{describe, reading, words};

/// What every list of accounts asks for.
const USUAL: &[(&str, &str)] = &[("status", "all"), ("id", "0")];
const TABS: Option<(&str, &[(&str, &str)])> = Some((
    "status",
    &[
        ("", "All"),
        ("active", "Active"),
        ("onboarding", "Onboarding"),
        ("suspended", "Suspended"),
        ("deactivated", "Deactivated"),
    ],
));
const STATE: Column = column("State", "", |_, row| words::chip(row.text("status")));
const EMAIL: Column = column("E-mail", "p2", |_, row| {
    html! { span.mono { @match row.part("email").as_str() {
        Some(email) => (email),
        None => "\u{2013}",
    } } }
});
const OPENED: Column =
    column("Opened", "w p3", |seen, row| seen.when(row, "created_at")).sorted("created_at");

static ATHLETES: List = List {
    title: "Athletes",
    operation: "athlete.list",
    usual: USUAL,
    tabs: TABS,
    columns: &[
        column("Athlete", "", |seen, row| {
            html! {
                (seen.to(&format!("/athletes/{}", row.number("id")), row.text("display_name")))
                small.dim { "number " (row.number("id")) }
            }
        })
        .sorted("name"),
        STATE,
        column("University", "p2", |_, row| {
            html! { (row.text("university")) small.dim { (row.text("sport")) } }
        }),
        EMAIL,
        column(
            "Listed",
            "p3",
            |_, row| html! { @if row.is_true("listed") { "Yes" } @else { "No" } },
        ),
        OPENED,
    ],
    says: |seen| html! { (seen.counted("athlete", "athletes")) "." },
    exports: &[export("athlete.export_csv", "CSV"), export("athlete.export_xlsx", "spreadsheet")],
    links: &[link("athlete.save", "/op/athlete.save", "Add an athlete")],
    menu: Some(|_, row| of_account(row, "athlete")),
    ..PLAIN
};

static PARTNERS: List = List {
    title: "Brands",
    operation: "partner.list",
    usual: USUAL,
    tabs: TABS,
    columns: &[
        column("Brand", "", |seen, row| {
            html! {
                (seen.to(&format!("/partners/{}", row.number("id")), row.text("company_name")))
                small.dim { "number " (row.number("id")) }
            }
        })
        .sorted("name"),
        STATE,
        column("Business", "p2", |_, row| {
            let place: Vec<&str> = [row.text("hq_city"), row.text("hq_state")]
                .into_iter()
                .filter(|part| !part.is_empty())
                .collect();
            html! { (row.text("business_category")) small.dim { (place.join(", ")) } }
        }),
        column("Jobs", "n", |_, row| html! { (words::number(row.number("jobs"))) }),
        EMAIL,
        OPENED,
    ],
    says: |seen| html! { (seen.counted("brand", "brands")) "." },
    exports: &[export("partner.export_xlsx", "spreadsheet")],
    links: &[link("partner.save", "/op/partner.save", "Add a brand")],
    menu: Some(|_, row| of_account(row, "partner")),
    ..PLAIN
};

static AGENTS: List = List {
    title: "Agents",
    operation: "agent.list",
    usual: USUAL,
    tabs: TABS,
    columns: &[
        column("Agency", "", |seen, row| {
            html! {
                (seen.to(&format!("/agents/{}", row.number("id")), row.text("agency_name")))
                small.dim { (row.text("first_name")) " " (row.text("last_name")) }
            }
        })
        .sorted("name"),
        STATE,
        column("Athletes", "n", |_, row| html! { (words::number(row.number("athletes"))) }),
        EMAIL,
        OPENED,
    ],
    says: |seen| html! { (seen.counted("agent", "agents")) "." },
    exports: &[export("agent.export_xlsx", "spreadsheet")],
    links: &[link("agent.save", "/op/agent.save", "Add an agent")],
    menu: Some(|_, row| of_account(row, "agent")),
    ..PLAIN
};

/// What can be done with an account from a list.
fn of_account(row: &Value, kind: &'static str) -> Vec<Act> {
    let (id, user) = (row.number("id"), row.number("user_id"));
    let save = match kind {
        "athlete" => "athlete.save",
        "partner" => "partner.save",
        _ => "agent.save",
    };
    let payments = match kind {
        "agent" => None,
        kind => Some(act("payment.list", format!("/payments?{kind}_id={id}"), "Payments")),
    };
    [
        act(save, format!("/op/{save}?id={id}"), "Edit"),
        act("audit.list", format!("/audit?subject_kind={kind}&subject_id={id}"), "Audit"),
        act("impersonation.start", format!("/op/impersonation.start?user_id={user}"), "Act as…"),
    ]
    .into_iter()
    .chain(payments)
    .collect()
}

static UNIVERSITIES: List = List {
    title: "Universities",
    operation: "college.list",
    usual: USUAL,
    tabs: Some(("status", &[("", "All"), ("listed", "Listed"), ("unlisted", "Not listed")])),
    columns: &[
        column("University", "", |seen, row| {
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
        column("State", "", |_, row| html! { (row.text("state")) }),
        column("Division", "p2", |_, row| {
            html! { (row.text("division")) small.dim { (row.text("conference")) } }
        }),
        column("Domains", "p2", |_, row| {
            let domains = row.list("email_domains").iter().filter_map(Value::as_str);
            html! { @for domain in domains { span.mono { (domain) } " " } }
        }),
        column(
            "Listed",
            "p3",
            |_, row| html! { @if row.is_true("listed") { "Yes" } @else { "No" } },
        ),
        OPENED,
    ],
    says: |seen| html! { (seen.counted("university", "universities")) "." },
    links: &[
        link("college.save", "/op/college.save", "Add a university"),
        link("university_admin.list", "/op/university_admin.list?status=all&id=0", "Portal users"),
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
