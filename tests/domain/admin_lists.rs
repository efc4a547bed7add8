//! Every list of the back office takes `page`, `per_page`, `sort` and `q`, and does with them what
//! it says.

use std::collections::BTreeSet;

use nil_core::auth::{Permission, Principal};
use nil_core::catalog::{Entry, Interface, catalog};
use nil_core::kernel::{PaymentId, utc_day};
use nil_core::payments::{self, sandbox};
use nil_core::ports::processor::DisputeKind;
use nil_tests::conforming::{document, documented};
use nil_tests::{Answer, Fault, Hire, Person, World, both};
use serde_json::{Value, json};

use crate::announcements;

/// Short lists that are given whole: an operator's sessions, the versions of one file, the dated
/// lines of the tax rules and of what payees bear.
const WHOLE: [&str; 4] = [
    "admin.content.versions",
    "admin.dispute.list_terms",
    "admin.session.list",
    "admin.tax.list_thresholds",
];
/// Continues from a message, like every conversation.
const FEEDS: [&str; 1] = ["admin.support.messages"];

fn resolved<'v>(schema: &'v Value, document: &'v Value) -> &'v Value {
    match schema["$ref"].as_str() {
        Some(name) => resolved(document.pointer(&name[1..]).expect("a schema"), document),
        None => schema,
    }
}

/// The schema of an answer's field.
fn answers(entry: &Entry, field: &str) -> Value {
    let document = document(Interface::Admin);
    let answer = "/responses/200/content/application~1json/schema";
    let schema = documented(entry).pointer(answer).unwrap_or(&Value::Null);
    resolved(&resolved(schema, document)["properties"][field], document).clone()
}

/// The rows of the back office that answer a list in pages.
fn lists() -> BTreeSet<&'static str> {
    let rows = catalog().iter().filter(|entry| entry.interface == Interface::Admin);
    let pages = rows.filter(|entry| answers(entry, "pagination").is_object());
    pages.map(|entry| entry.name).filter(|name| !FEEDS.contains(name)).collect()
}

/// A list, what it is asked with, and a word that some of its rows have and some have not.
pub(crate) struct List {
    pub(crate) name: &'static str,
    pub(crate) input: Value,
    word: &'static str,
}

fn list(name: &'static str, input: Value, word: &'static str) -> List {
    List { name, input, word }
}

async fn paid(world: &World, brand: &str, athlete: &str, cents: i64) -> (Person, Hire) {
    let partner = world.paying_partner(brand).await;
    let athlete = world.athlete(athlete).await;
    let deal = world.approved_deal(&partner, &athlete, &[cents]).await;
    world.pay(&partner, &athlete, &deal).await;
    let hire = Hire {
        partner: partner.clone(),
        athlete,
        job: deal.job_id,
        application: 0,
        contract: deal.contract_id,
        deliverables: deal.deliverable_ids,
    };
    (partner, hire)
}

/// A world with at least two rows in each list.
pub(crate) async fn filled(world: &World, chief: &Principal) -> Vec<List> {
    let say = async |name: &str, input: Value| world.call(name, chief, input).await.data();
    let (brand, first) = paid(world, "Cedar Coffee", "Jordan Lake", 170_000).await;
    let (_, second) = paid(world, "Ridge Outfitters", "Zoe Okafor", 180_000).await;
    let athlete = &first.athlete;
    // A second deal of the first athlete.
    let other = world.approved_deal(&brand, athlete, &[5_000]).await;
    world.pay(&brand, athlete, &other).await;
    for payee in [athlete, &second.athlete] {
        world.can_receive(payee).await;
        say("admin.payout.trigger", json!({ "id": payee.id })).await;
    }
    // Two applicants and two hired for one job.
    let job = world.open_job(&brand, json!({ "title": "A tasting", "slots": 3 })).await;
    world.apply(athlete, job).await;
    for name in ["Ada Moss", "Bo Reed"] {
        let athlete = world.athlete(name).await;
        world.hire(&brand, &athlete, job).await;
    }
    let agent = world.agent("North Agency").await;
    world.agent("South Agency").await;
    world.represent(&agent, athlete, 500).await;
    world.represent(&agent, &second.athlete, 700).await;
    for (title, group, price) in
        [("We move house", "Rowing", 4_900), ("A new office", "Everybody", 2_900)]
    {
        announcements::save(world, title, json!({})).await.data();
        say("admin.announcement.save_group", json!({ "name": group })).await;
        say("admin.roster.save", json!({ "title": title })).await;
        world.plan(json!({ "name": title, "price_cents": price })).await;
        say("admin.content.save", json!({ "name": title })).await;
        let policy = json!({ "id": 1, "title": "Privacy", "text": format!("<p>{title}</p>") });
        world.call("core.public.edit_privacy_policy", &Principal::Anonymous, policy).await.data();
    }
    for subject in ["Your job is live", "Open for athletes", "Approved"] {
        let text = json!({ "event": "job.approved", "subject": subject });
        say("admin.email_template.save", text).await;
    }
    for title in ["House rules", "On rowing"] {
        let (body, now) = ("<p>Text</p>", world.platform.now());
        let post = json!({ "user_type": "all", "title": title, "body": body, "published_at": now });
        say("admin.editorial.save_blog_post", post).await;
        say("admin.editorial.save_faq", json!({ "question": title, "answer": body })).await;
        say("admin.editorial.save_testimonial", json!({ "name": title, "text": body })).await;
        say("admin.editorial.save_custom_page", json!({ "title": title, "body": body })).await;
        let terms = json!({ "kind": "terms", "title": title, "body": body });
        say("admin.editorial.save_legal_terms", terms).await;
    }
    for kind in ["jobs", "payments"] {
        say("admin.export.request", json!({ "kind": kind, "format": "csv" })).await;
    }
    let template =
        world.id("SELECT id FROM template WHERE event = 'job.approved' AND channel = 'email'");
    let template = template.await;
    for (person, text) in [(athlete, "Your form is missing."), (&brand, "Your card is declined.")] {
        let reply = json!({ "user_id": person.user_id, "text": text });
        say("admin.support.reply", reply).await;
        let start = json!({ "user_id": person.user_id, "purpose": "support", "reason": text });
        say("admin.impersonation.start", start).await;
    }
    let college = world.college().await;
    world.portal_user(college, "owner").await;
    world.portal_user(college, "viewer").await;
    world.new_operator("second@nil.example", Permission::Finance).await;

    for payment in [1, 2] {
        let payment = PaymentId::new(payment).unwrap();
        let what = (DisputeKind::Chargeback, None);
        sandbox::dispute(&world.platform, payment, what).await.unwrap().unwrap();
    }
    // Money that moved at the processor without a request.
    let at = world.platform.now().to_rfc3339_opts(chrono::SecondsFormat::Micros, true);
    for id in ["txn_stray", "txn_other"] {
        let line = format!(
            "INSERT INTO sandbox_line (id, at, kind, amount_cents, fee_cents, currency) \
             VALUES ('{id}', '{at}', 'charge', 100, 0, 'usd')"
        );
        world.script(&line).await;
    }
    let closed = format!(
        "INSERT INTO undeliverable (channel, address, why, since) VALUES \
         ('email', 'cedar@gone.example', 'bounced', '{at}'), \
         ('sms', '+12175550199', 'opted_out', '{at}')"
    );
    world.script(&closed).await;
    let today = utc_day(world.platform.now());
    payments::compare(&world.platform, Some(today), Some(today)).await.unwrap();
    // Requests that the processor does not answer.
    let unanswered = world.approved_deal(&brand, athlete, &[7_000]).await;
    let plan = world.plan(json!({ "name": "Unanswered", "price_cents": 3_900 })).await;
    world.processor.next(&[Fault::Lost, Fault::Lost]);
    world.pay(&brand, athlete, &unanswered).await;
    world.subscribe(&brand, &plan).await.data();

    let all = || json!({ "status": "all", "id": 0 });
    vec![
        list("admin.agent.athletes", json!({ "id": agent.id }), "okafor"),
        list("admin.agent.list", all(), "north"),
        list("admin.announcement.list", json!({ "id": 0 }), "house"),
        list("admin.announcement.list_groups", json!({ "id": 0 }), "rowing"),
        list("admin.athlete.jobs", json!({ "id": athlete.id, "status": "all" }), "tasting"),
        list("admin.athlete.list", all(), "jordan"),
        list("admin.audit.list", json!({}), "impersonation"),
        list("admin.category.list_business", json!({}), "apparel"),
        list("admin.category.list_job", json!({}), "appearance"),
        list("admin.category.list_sport", json!({}), "baseball"),
        list("admin.college.list", all(), "university 1"),
        list("admin.content.browse", json!({ "parent_id": 0 }), "house"),
        list("admin.dispute.list", json!({ "status": "all" }), "cedar"),
        list("admin.editorial.list_blog_posts", all(), "house"),
        list("admin.editorial.list_custom_pages", all(), "house"),
        list("admin.editorial.list_faq", all(), "house"),
        list("admin.editorial.list_legal_terms", json!({ "kind": "all", "id": 0 }), "on rowing"),
        list("admin.editorial.list_testimonials", all(), "house"),
        list("admin.editorial.privacy_policy_edits", json!({}), "house"),
        list("admin.email_template.list", all(), "job.approved"),
        list("admin.export.list", json!({}), "payments"),
        list("admin.impersonation.list", json!({}), "declined"),
        list("admin.inapp_template.list", json!({ "status": "all" }), "job.approved"),
        list("admin.job.applicants", json!({ "id": job }), "moss"),
        list("admin.job.hired", json!({ "id": job }), "moss"),
        list("admin.job.list", all(), "tasting"),
        list("admin.notification.overview", json!({ "status": "all" }), "job.approved"),
        list("admin.operator.list", json!({}), "second@"),
        list("admin.partner.list", all(), "cedar"),
        list("admin.payment.list", all(), "ridge"),
        list("admin.payment.revenue", json!({ "status": "all" }), "ridge"),
        list("admin.payment.wallet_history", json!({ "id": athlete.user_id }), "payout"),
        list("admin.payout.list", json!({ "status": "all" }), "zoe"),
        list("admin.processor_difference.list", json!({ "status": "all" }), "stray"),
        list("admin.processor_request.list", json!({}), ":subscription_charge:"),
        list("admin.roster.list", all(), "house"),
        list("admin.sms_template.list", all(), "athlete.hired"),
        list("admin.subscription_plan.list", all(), "house"),
        list("admin.support.list", json!({}), "cedar"),
        list("admin.tax.list_requests", json!({ "status": "all" }), "zoe"),
        list("admin.template.versions", json!({ "id": template }), "open for"),
        list("admin.undeliverable.list", json!({}), "gone"),
        list("admin.university_admin.list", all(), "owner-"),
    ]
}

fn with(list: &List, over: &Value) -> Value {
    let mut input = list.input.clone();
    input.as_object_mut().unwrap().extend(over.as_object().unwrap().clone());
    input
}

async fn every_list_takes_page_per_page_sort_and_q(world: World) {
    let email = world.chief_operator().await;
    let input = json!({ "email": email, "password": nil_tests::PASSWORD });
    let answer = world.call("admin.auth.log_in", &Principal::Anonymous, input).await;
    let chief = world.platform.authenticate_admin(&answer.session_cookie()).await.unwrap();
    let lists_filled = filled(&world, &chief).await;
    let tried: BTreeSet<_> = lists_filled.iter().map(|list| list.name).collect();
    assert_eq!(tried, lists(), "every list is tried");

    let mut wrong = Vec::new();
    for list in &lists_filled {
        if let Err(why) = try_list(&world, &chief, list).await {
            wrong.push(format!("{}: {why}", list.name));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
both!(every_list_takes_page_per_page_sort_and_q);

/// Tries a list; says what does not hold.
async fn try_list(world: &World, chief: &Principal, list: &List) -> Result<(), String> {
    let entry = catalog().named(list.name).expect("a row");
    let mut generator = nil_core::catalog::openapi::Generator::default();
    let schema = (entry.input)(&mut generator).to_value();
    for field in ["page", "per_page", "sort", "q"] {
        let known = schema["properties"].get(field).is_some();
        known.then_some(()).ok_or_else(|| format!("takes no {field}"))?;
    }
    let ask = async |over: Value| world.call(list.name, chief, with(list, &over)).await;
    let items = |answer: &Answer| answer.body["data"].as_array().cloned().unwrap_or_default();
    let hold = |holds: bool, why: &str, answer: &Answer| {
        holds.then_some(()).ok_or_else(|| format!("{why}: {} {}", answer.status, answer.body))
    };
    let whole = ask(json!({ "per_page": 100 })).await;
    let total = whole.body["pagination"]["total"].as_i64().unwrap_or_default();
    hold(total >= 2, "has fewer than two rows", &whole)?;
    for (over, field) in [
        (json!({ "sort": "nonsense" }), "sort"),
        (json!({ "page": 0 }), "page"),
        (json!({ "per_page": 101 }), "per_page"),
        (json!({ "per_page": 0 }), "per_page"),
        (json!({ "q": "x".repeat(201) }), "q"),
    ] {
        let refused = ask(over).await;
        let named = refused.body["errors"].get(field).is_some();
        hold(refused.status == 422 && named, "does not name what is wrong", &refused)?;
    }
    // Pages of one row are the rows of the whole list, unless asking adds to it.
    let first = ask(json!({ "per_page": 1, "page": 1 })).await;
    let page = &first.body["pagination"];
    hold(items(&first).len() == 1 && page["per_page"] == 1, "gives more than one row", &first)?;
    if list.name != "admin.audit.list" {
        let second = ask(json!({ "per_page": 1, "page": 2 })).await;
        let same = items(&second)[..] == items(&whole)[1..2];
        hold(same, "has another second page", &second)?;
    }
    // A word leaves some rows, and one that is nowhere leaves none.
    let none = ask(json!({ "q": "no such words" })).await;
    hold(none.status == 200 && items(&none).is_empty(), "finds what is not there", &none)?;
    hold(none.body["pagination"]["total"] == 0, "counts what is not there", &none)?;
    let some = ask(json!({ "q": list.word, "per_page": 100 })).await;
    let found = some.body["pagination"]["total"].as_i64().unwrap_or_default();
    hold(found >= 1 && found < total, "finds too few or too many", &some)?;
    // Each order has an opposite one, with the rows the other way round.
    let sorts = sorts(&schema["properties"]["sort"], &generator);
    hold(sorts.len() >= 2, "has no two orders", &whole)?;
    for sort in sorts.iter().filter(|sort| !sort.starts_with('-')) {
        let opposite = format!("-{sort}");
        if *sort == "relevance" {
            continue;
        }
        hold(sorts.contains(&opposite), &format!("has no {opposite}"), &whole)?;
        if total > 100 || list.name == "admin.audit.list" {
            continue;
        }
        let up = ask(json!({ "sort": sort, "per_page": 100 })).await;
        let down = ask(json!({ "sort": opposite, "per_page": 100 })).await;
        let mut turned = items(&down);
        turned.reverse();
        let holds = up.status == 200 && items(&up) == turned;
        hold(holds, &format!("is not turned round by {sort}"), &up)?;
    }
    Ok(())
}

/// The orders that a schema allows.
fn sorts(schema: &Value, generator: &nil_core::catalog::openapi::Generator) -> Vec<String> {
    let mut found = Vec::new();
    if let Some(name) = schema["$ref"].as_str() {
        let name = name.rsplit('/').next().unwrap_or_default();
        let definition = generator.definitions().get(name).cloned().unwrap_or_default();
        found.extend(sorts(&definition, generator));
    }
    for word in ["anyOf", "oneOf", "allOf"] {
        for option in schema[word].as_array().into_iter().flatten() {
            found.extend(sorts(option, generator));
        }
    }
    let words = schema["enum"].as_array().into_iter().flatten();
    found.extend(words.filter_map(Value::as_str).map(str::to_owned));
    found.extend(schema["const"].as_str().map(str::to_owned));
    found
}

#[test]
fn lists_that_are_given_whole_are_named() {
    let rows = catalog().iter().filter(|entry| entry.interface == Interface::Admin);
    let whole = rows.filter(|entry| {
        entry.method == nil_core::catalog::Method::Get
            && answers(entry, "data")["type"] == "array"
            && !answers(entry, "pagination").is_object()
    });
    let whole: BTreeSet<_> = whole.map(|entry| entry.name).collect();
    assert_eq!(whole, BTreeSet::from(WHOLE));
}
