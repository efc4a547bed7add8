//! What a job says, as operators read it before they decide.

use maud::{Markup, html};
use serde_json::Value;

use crate::console::call::Page;
use crate::console::cells::cents;
use crate::console::part::Part as _;
use crate::console::screens::acts::{menu, of_record};
use crate::console::texts::{self, key, say, tell};
use crate::console::{icons, words};

/// The job: what it asks for, what it pays, who may apply, whose rules refuse it.
pub(super) fn record(page: &Page<'_>, job: &Value) -> Markup {
    let purpose = job.text("business_purpose");
    let brand = job.part("partner");
    let all = job.number("amount_cents").saturating_mul(job.number("slots"));
    html! {
        section.panel.pad aria-labelledby="t" {
            p.row { span.dim { (say!("job-number", id = job.number("id").to_string())) } (words::chip(job.text("status"))) (acts(page, job)) }
            h2 id="t" { (job.text("title")) }
            p { (job.text("description")) }
            dl.facts {
                dt { (say!("brand")) }
                dd { a href=(page.at(&format!("/partners/{}", brand.number("id")))) {
                    (brand.text("company_name"))
                } }
                @if !purpose.is_empty() { dt { (say!("purpose")) } dd { (purpose) } }
                dt { (say!("pay")) }
                dd {
                    (cents(job, "amount_cents")) " " (words::word(job.text("compensation")))
                    ", " (say!("places", count = job.number("slots")))
                    small.dim { (say!("comes-to", amount = words::money(all))) }
                }
                @if !job.part("product_value_cents").is_null() {
                    dt { (say!("product")) }
                    dd {
                        (job.text("product_description"))
                        small.dim { (cents(job, "product_value_cents")) }
                    }
                }
                @for (title, name) in [(say!("starts"), "starts_on"), (say!("ends"), "ends_on")] {
                    @if let Some(day) = job.day(name) { dt { (title) } dd { (words::day(day)) } }
                }
                dt { (say!("who-may-apply")) } dd { (conditions(job.part("eligibility"))) }
                dt { (say!("rights")) } dd { (rights(job.part("usage_rights"))) }
                dt { (say!("applied-hired")) }
                dd { (job.number("applicants")) ", " (job.number("hired")) }
            }
            (work(job))
            (institutions(page, job))
            @if !job.text("decision_reason").is_empty() {
                h3 { (say!("decided-before")) }
                p { (job.text("decision_reason")) }
            }
        }
    }
}

/// What can be done with the job beside the decision, which has a form of its own on the page.
fn acts(page: &Page<'_>, job: &Value) -> Markup {
    let elsewhere = ["job.decide_pending", "job.resolve_manual_review"];
    let acts = of_record(page, "job", job, &elsewhere);
    menu(page, &acts, icons::MORE, job.text("title"))
}

fn conditions(of: &Value) -> String {
    let words = |name: &str| {
        let all: Vec<String> =
            of.list(name).iter().filter_map(Value::as_str).map(words::word).collect();
        (!all.is_empty()).then(|| all.join(", "))
    };
    let counted = |name: &str, key: &str| match of.list(name).len() {
        0 => None,
        count => Some(texts::counted(key, i64::try_from(count).ok())),
    };
    let followers = of.part("min_followers").as_i64();
    let all: Vec<String> = [
        words("class_years"),
        words("genders"),
        words("states"),
        counted("sport_ids", key!("of-sports")),
        counted("university_ids", key!("of-universities")),
        followers.map(|least| say!("least-followers", count = least)),
    ]
    .into_iter()
    .flatten()
    .collect();
    if all.is_empty() { say!("no-conditions") } else { all.join("; ") }
}

fn rights(of: &Value) -> String {
    let media = of.list("media").iter().filter_map(Value::as_str).map(words::word);
    let mut all: Vec<String> = media.collect();
    all.push(of.text("territory").to_owned());
    all.push(match of.part("days").as_i64() {
        _ if of.is_true("perpetual") => say!("for-ever"),
        Some(days) => say!("days", count = days),
        None => String::new(),
    });
    all.retain(|part| !part.is_empty());
    if all.is_empty() { say!("none") } else { all.join(", ") }
}

fn work(job: &Value) -> Markup {
    html! {
        h3 { (say!("work")) }
        ul { @for step in job.list("milestones") {
            li {
                (step.text("title")) ": " (step.number("quantity")) " "
                (words::word(step.text("media_kind"))) ", " (words::word(step.text("platform")))
                @if let Some(day) = step.day("due_on") { ", " (tell!("due-at", at = words::day(day))) }
                @for mark in step.list("hashtags").iter().filter_map(Value::as_str) {
                    " " span.mono { (mark) }
                }
                @if !step.is_true("disclosure_required") { " " span.chip { (say!("not-an-advertisement")) } }
            }
        } }
    }
}

/// Whose rules refuse the job, each with why.
fn institutions(page: &Page<'_>, job: &Value) -> Markup {
    let refusing = job.list("refusing_institutions");
    html! {
        h3 { (say!("institutions")) }
        @if refusing.is_empty() {
            p { (say!("no-institution-refuses-it")) }
        } @else {
            ol.line { @for one in refusing {
                li.bad {
                    b { (one.text("college")) } ": " (one.text("message"))
                    @if let Some(since) = one.day("since") {
                        small.dim {
                            (words::word(one.text("rule"))) ", " (tell!("since", at = words::day(since)))
                            @if page.allowed("college.list").is_some() {
                                " · "
                                a href=(page.at(&format!("/universities?id={}", one.number("college_id")))) {
                                    (say!("the-university"))
                                }
                            }
                        }
                    }
                }
            } }
        }
    }
}
