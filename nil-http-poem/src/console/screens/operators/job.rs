//! What a job says, as operators read it before they decide.

use maud::{Markup, html};
use serde_json::Value;

use crate::console::call::Page;
use crate::console::cells::cents;
use crate::console::part::Part as _;
use crate::console::words;

/// The job: what it asks for, what it pays, who may apply, whose rules refuse it.
pub(super) fn record(page: &Page<'_>, job: &Value) -> Markup {
    let purpose = job.text("business_purpose");
    let brand = job.part("partner");
    let all = job.number("amount_cents").saturating_mul(job.number("slots"));
    html! {
        section.panel.pad aria-labelledby="t" {
            p.row { span.dim { "Job " (job.number("id")) } (words::chip(job.text("status"))) }
            h2 id="t" { (job.text("title")) }
            p { (job.text("description")) }
            dl.facts {
                dt { "Brand" }
                dd { a href=(page.at(&format!("/partners/{}", brand.number("id")))) {
                    (brand.text("company_name"))
                } }
                @if !purpose.is_empty() { dt { "Purpose" } dd { (purpose) } }
                dt { "Pay" }
                dd {
                    (cents(job, "amount_cents")) " " (words::word(job.text("compensation")))
                    ", " (job.number("slots")) " places"
                    small.dim { "comes to " (words::money(all)) }
                }
                @if !job.part("product_value_cents").is_null() {
                    dt { "Product" }
                    dd {
                        (job.text("product_description"))
                        small.dim { (cents(job, "product_value_cents")) }
                    }
                }
                @for (title, name) in [("Starts", "starts_on"), ("Ends", "ends_on")] {
                    @if let Some(day) = job.day(name) { dt { (title) } dd { (words::day(day)) } }
                }
                dt { "Who may apply" } dd { (conditions(job.part("eligibility"))) }
                dt { "Rights" } dd { (rights(job.part("usage_rights"))) }
                dt { "Applied, hired" }
                dd { (job.number("applicants")) ", " (job.number("hired")) }
            }
            (work(job))
            (institutions(page, job))
            @if !job.text("decision_reason").is_empty() {
                h3 { "Decided before" }
                p { (job.text("decision_reason")) }
            }
        }
    }
}

fn conditions(of: &Value) -> String {
    let words = |name: &str| {
        let all: Vec<String> =
            of.list(name).iter().filter_map(Value::as_str).map(words::word).collect();
        (!all.is_empty()).then(|| all.join(", "))
    };
    let counted = |name: &str, what: &str| match of.list(name).len() {
        0 => None,
        count => Some(format!("{count} {what}")),
    };
    let followers = of.part("min_followers").as_i64();
    let all: Vec<String> = [
        words("class_years"),
        words("genders"),
        words("states"),
        counted("sport_ids", "sports"),
        counted("university_ids", "universities"),
        followers.map(|least| format!("at least {} followers", words::number(least))),
    ]
    .into_iter()
    .flatten()
    .collect();
    if all.is_empty() { "Everybody: no conditions".into() } else { all.join("; ") }
}

fn rights(of: &Value) -> String {
    let media = of.list("media").iter().filter_map(Value::as_str).map(words::word);
    let mut all: Vec<String> = media.collect();
    all.push(of.text("territory").to_owned());
    all.push(match of.part("days").as_i64() {
        _ if of.is_true("perpetual") => "for ever".into(),
        Some(days) => format!("{days} days"),
        None => String::new(),
    });
    all.retain(|part| !part.is_empty());
    if all.is_empty() { "None".into() } else { all.join(", ") }
}

fn work(job: &Value) -> Markup {
    html! {
        h3 { "Work" }
        ul { @for step in job.list("milestones") {
            li {
                (step.text("title")) ": " (step.number("quantity")) " "
                (words::word(step.text("media_kind"))) ", " (words::word(step.text("platform")))
                @if let Some(day) = step.day("due_on") { ", due " (words::day(day)) }
                @for mark in step.list("hashtags").iter().filter_map(Value::as_str) {
                    " " span.mono { (mark) }
                }
                @if !step.is_true("disclosure_required") { " " span.chip { "Not an advertisement" } }
            }
        } }
    }
}

/// Whose rules refuse the job, each with why.
fn institutions(page: &Page<'_>, job: &Value) -> Markup {
    let refusing = job.list("refusing_institutions");
    html! {
        h3 { "Institutions" }
        @if refusing.is_empty() {
            p { "No institution refuses it." }
        } @else {
            ol.line { @for one in refusing {
                li.bad {
                    b { (one.text("college")) } ": " (one.text("message"))
                    @if let Some(since) = one.day("since") {
                        small.dim {
                            (words::word(one.text("rule"))) ", since " (words::day(since))
                            @if page.allowed("college.list").is_some() {
                                " · "
                                a href=(page.at(&format!("/universities?id={}", one.number("college_id")))) {
                                    "the university"
                                }
                            }
                        }
                    }
                }
            } }
        }
    }
}
