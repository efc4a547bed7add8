//! One account: its money, deals, wallet and history on a page, and what can be done with it.

use maud::{Markup, html};
use nil_core::Result;
use serde_json::{Value, json};

use super::history;
use crate::console::call::{Page, Shown, one};
use crate::console::cells::figure;
use crate::console::part::Part as _;
use crate::console::screens::Outcome;
use crate::console::screens::acts::{Act, Record, act, is_possible, menu};
use crate::console::table::rows_of;
use crate::console::texts::{self, key, say};
use crate::console::{icons, words};

/// The entries of the wallet that the page shows.
const ENTRIES: i64 = 15;

/// A kind of account: its word in the interface, its list, and the operations about it.
pub(super) struct About {
    kind: &'static str,
    word: &'static str,
    pub list: (&'static str, &'static str),
    view: &'static str,
    save: &'static str,
    name: &'static str,
}

static ATHLETE: About = About {
    kind: "athlete",
    word: key!("col-athlete"),
    list: ("/athletes", key!("nav-athletes")),
    view: "athlete.view",
    save: "athlete.save",
    name: "display_name",
};
static PARTNER: About = About {
    kind: "partner",
    word: key!("brand"),
    list: ("/partners", key!("nav-brands")),
    view: "partner.view",
    save: "partner.save",
    name: "company_name",
};
static AGENT: About = About {
    kind: "agent",
    word: key!("col-agent"),
    list: ("/agents", key!("nav-agents")),
    view: "agent.view",
    save: "agent.save",
    name: "agency_name",
};

impl About {
    /// The kind of the account at a path of the console.
    pub(super) fn at(path: &str) -> &'static Self {
        let is_at = |about: &&&'static Self| path.starts_with(&format!("{}/", about.list.0));
        [&ATHLETE, &PARTNER, &AGENT].iter().find(is_at).unwrap_or(&&ATHLETE)
    }
}

/// The name of the account that a page is about, and its number among all accounts.
pub(super) async fn named(page: &Page<'_>, about: &About) -> Result<(String, i64)> {
    let answer = page.read(about.view, one("id", page.id())).await?;
    let account = answer.part("data");
    let name = account.part("profile").text(about.name).to_owned();
    Ok((name, account.number("user_id")))
}

pub(in crate::console::screens) async fn athlete(page: &Page<'_>) -> Result<Outcome> {
    show(page, &ATHLETE).await
}

pub(in crate::console::screens) async fn partner(page: &Page<'_>) -> Result<Outcome> {
    show(page, &PARTNER).await
}

pub(in crate::console::screens) async fn agent(page: &Page<'_>) -> Result<Outcome> {
    show(page, &AGENT).await
}

async fn show(page: &Page<'_>, about: &About) -> Result<Outcome> {
    let answer = page.read(about.view, one("id", page.id())).await?;
    let account = answer.part("data");
    let wallet = json!({ "id": account.number("user_id"), "per_page": ENTRIES });
    let wallet = wallet.as_object().cloned().unwrap_or_default();
    let wallet = page.part("payment.wallet_history", wallet).await;
    let name = account.part("profile").text(about.name);
    let content = html! {
        (head(page, about, account, name))
        (figures(account.part("money")))
        div.two {
            div {
                (deals(page, about, account))
                @if let Some(wallet) = &wallet { (money(page, account, wallet)) }
            }
            aside.stack aria-label=(say!("history-and-particulars")) {
                (changes(page, account))
                (particulars(page, account))
            }
        }
    };
    let shown = Shown::new(name, content);
    Ok(shown.below(page.at(about.list.0), texts::plain(about.list.1)).into())
}

fn head(page: &Page<'_>, about: &About, account: &Value, name: &str) -> Markup {
    html! {
        div.head {
            div {
                h1 { (name) }
                p {
                    (texts::plain(about.word)) " · "
                    (say!("account-number", id = account.number("user_id").to_string())) " · "
                    span.mono { (account.text("email")) } " "
                    (words::chip(account.text("status"))) " "
                    @if account.moment("email_verified_at").is_some() {
                        span.chip.good { (say!("e-mail-verified")) }
                    } @else {
                        span.chip.warn { (say!("e-mail-not-verified")) }
                    }
                }
            }
            div.row {
                @if is_possible(page, about.save, account.text("status")) {
                    a.btn href=(page.at(&format!("/op/{}?id={}", about.save, page.id()))) { (say!("edit")) }
                }
                (menu(page, &acts(page, about, account, name), icons::MORE, name))
            }
        }
    }
}

/// What can be done with an account; each act has its own form, which tells what happens.
fn acts(page: &Page<'_>, about: &About, account: &Value, name: &str) -> Vec<Act> {
    let (id, kind) = (page.id(), about.kind);
    let mut acts = of_account(page, kind, account);
    // The button beside the menu does it.
    acts.retain(|act| act.needs != about.save);
    for act in &mut acts {
        match act.needs {
            "payout.trigger" => {
                let pays = account.part("money").number("available_cents");
                act.words = say!("pay-out", amount = words::money(pays));
            }
            "impersonation.start" => act.words = say!("act-as-one", name = name),
            _ => {}
        }
    }
    if kind != "agent" {
        acts.push(act("payment.list", format!("/payments?{kind}_id={id}"), say!("nav-payments")));
    }
    let audit = format!("/audit?subject_kind={kind}&subject_id={id}");
    acts.push(act("audit.list", audit, say!("audit-of-this-account")));
    acts
}

/// What the catalog has for an account: for the athlete, brand or agent, and for its user.
pub(super) fn of_account(page: &Page<'_>, kind: &str, account: &Value) -> Vec<Act> {
    let records = [Record::of(kind, "id", account), Record::of("user", "user_id", account)];
    let records = records.into_iter().flatten();
    let mut acts: Vec<Act> = records.flat_map(|record| record.acts(page, None)).collect();
    for act in acts.iter_mut().filter(|act| act.needs == "user.close") {
        act.path = format!("/{kind}s/{}/close", account.number("id"));
    }
    acts
}

fn figures(money: &Value) -> Markup {
    let of = |name: &str| words::money(money.number(name));
    html! {
        dl.figs {
            (figure(&say!("available"), &of("available_cents"),
                &say!("in-the-wallet", amount = of("balance_cents"))))
            (figure(&say!("earned"), &of("earned_cents"), &say!("all-time-small")))
            (figure(&say!("paid-out"), &of("paid_out_cents"),
                &say!("under-way", amount = of("under_way_cents"))))
            (figure(&say!("charged"), &of("charged_cents"), &say!("as-a-payer")))
            (figure(&say!("owed-back-sum"), &of("owed_back_cents"), &say!("owed-back-about")))
            (figure(&say!("tax-withheld"), &of("withheld_cents"), &say!("backup-withholding-small")))
        }
    }
}

fn deals(page: &Page<'_>, about: &About, account: &Value) -> Markup {
    let deals = account.list("deals");
    let with_athlete = about.kind != "athlete";
    html! {
        section.panel {
            header { h2 id="d" { (say!("col-deals")) } }
            @if deals.is_empty() {
                div.empty { p { (say!("there-is-no-deal-with-a-contract")) } }
            } @else {
                div.scroll role="region" aria-labelledby="d" tabindex="0" { table {
                    thead { tr {
                        th scope="col" { (say!("job")) }
                        th.p2 scope="col" { @if with_athlete { (say!("col-athlete")) } @else { (say!("brand")) } }
                        th.n scope="col" { (say!("agreed")) }
                        th scope="col" { (say!("col-state")) }
                        th.p3 scope="col" { (say!("contract")) }
                    } }
                    tbody { @for deal in deals {
                        @let job = page.at(&format!("/jobs/{}", deal.number("job_id")));
                        @let contract = deal.part("contract");
                        tr {
                            th scope="row" {
                                a href=(job) { (deal.part("job").text("title")) }
                                @if let Some(at) = deal.moment("created_at") {
                                    small.dim { (words::short_moment(at, page.person.zone)) }
                                }
                            }
                            td.p2 { (counterparty(page, deal, with_athlete)) }
                            td.n { (words::money(contract.number("agreed_amount_cents"))) }
                            td { (words::chip(deal.text("status"))) }
                            td.p3.mono { (contract.text("number")) }
                        }
                    } }
                } }
            }
        }
    }
}

fn counterparty(page: &Page<'_>, deal: &Value, with_athlete: bool) -> Markup {
    let (path, name) = if with_athlete {
        let athlete = deal.part("athlete");
        (format!("/athletes/{}", athlete.number("id")), athlete.text("display_name"))
    } else {
        let partner = deal.part("partner");
        (format!("/partners/{}", partner.number("id")), partner.text("company_name"))
    };
    html! { a href=(page.at(&path)) { (name) } }
}

fn money(page: &Page<'_>, account: &Value, wallet: &Value) -> Markup {
    let whole = format!("/op/payment.wallet_history?id={}", account.number("user_id"));
    let entries = rows_of(wallet);
    html! {
        section.panel {
            header { h2 id="m" { (say!("nav-section-money")) } a href=(page.at(&whole)) { (say!("whole-wallet")) } }
            @if entries.is_empty() {
                div.empty { p { (say!("no-money-has-moved")) } }
            } @else {
                div.scroll role="region" aria-labelledby="m" tabindex="0" { table {
                    thead { tr {
                        th scope="col" { (say!("col-what")) }
                        th scope="col" { (say!("col-when")) }
                        th.n scope="col" { (say!("col-amount")) }
                        th.n.p2 scope="col" { (say!("balance")) }
                    } }
                    tbody { @for entry in entries {
                        @let amount = entry.number("amount_cents");
                        tr {
                            th scope="row" {
                                (words::word(entry.text("reason")))
                                small.dim.mono { (entry.text("refers_to")) }
                            }
                            td.w { @if let Some(at) = entry.moment("at") {
                                (words::short_moment(at, page.person.zone))
                            } }
                            td class=(if amount > 0 { "n good" } else { "n" }) { (words::money(amount)) }
                            td.n.p2 { (words::money(entry.number("balance_after_cents"))) }
                        }
                    } }
                } }
            }
        }
    }
}

/// The newest entries of the audit trail about the account. Who only looked at it is in the trail.
fn changes(page: &Page<'_>, account: &Value) -> Markup {
    let changes = account.list("history").iter().filter(|entry| entry.text("action") != "viewed");
    html! {
        section.panel.pad {
            h2 { (say!("history")) }
            (history::lines(page, changes, words::deed))
        }
    }
}

/// The particulars that a profile of any kind has, with what people call them.
const PARTICULARS: [(&str, &str); 17] = [
    (key!("phone"), "phone"),
    (key!("first-name"), "first_name"),
    (key!("last-name"), "last_name"),
    (key!("class"), "class_year"),
    (key!("birth-date"), "date_of_birth"),
    (key!("position"), "position"),
    (key!("home-town"), "hometown_city"),
    (key!("city"), "hq_city"),
    (key!("state-of-address"), "hq_state"),
    (key!("website"), "website"),
    (key!("nav-athletes"), "athlete_count"),
    (key!("payout-account"), "processor_account_status"),
    (key!("terms-accepted"), "terms_accepted_at"),
    (key!("onboarding"), "onboarding_step"),
    (key!("e-mail-verified"), "email_verified_at"),
    (key!("last-sign-in"), "last_login_at"),
    (key!("opened"), "created_at"),
];

fn particulars(page: &Page<'_>, account: &Value) -> Markup {
    let profile = account.part("profile");
    let zone = page.person.zone;
    let of = |name: &str| {
        let own = account.part(name);
        if own.is_null() { profile.part(name) } else { own }
    };
    let shown = |value: &Value| -> Markup {
        if let Some(at) = value.as_str().and_then(|text| text.parse().ok()) {
            return words::moment(at, zone);
        }
        match value {
            Value::String(text) if text.contains('_') => html! { (words::word(text)) },
            Value::String(text) => html! { (text) },
            other => html! { (other.to_string()) },
        }
    };
    let agent = profile.part("agent_id").as_i64();
    html! {
        section.panel.pad {
            h2 { (say!("particulars")) }
            dl.facts {
                @for (title, name) in PARTICULARS {
                    @if !of(name).is_null() { dt { (texts::plain(title)) } dd { (shown(of(name))) } }
                }
                @if let Some(agent) = agent {
                    dt { (say!("col-agent")) }
                    dd { a href=(page.at(&format!("/agents/{agent}"))) { (say!("agent-number", id = agent.to_string())) } }
                }
                @if let Some(payout) = profile.part("payout_account").part("status").as_str() {
                    dt { (say!("payout-account")) } dd { (words::word(payout)) }
                }
                @if let Some(reason) = account.part("payout_account").part("restriction").as_str() {
                    dt { (say!("no-payouts-because")) } dd { (words::word(reason)) }
                }
                @if let Some(listed) = profile.part("listed").as_bool() {
                    dt { (say!("public-profile")) }
                    dd { @if listed { (say!("listed")) } @else { (say!("not-listed")) } }
                }
            }
        }
    }
}
