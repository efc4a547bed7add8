//! Lists that are followed by key show the rows of their pages, once each, whatever is added or
//! removed meanwhile.

use std::collections::BTreeSet;

use chrono::{Days, TimeDelta};
use nil_core::auth::{Permission, Principal};
use nil_core::catalog::{Interface, catalog};
use nil_core::kernel::PortalUserId;
use nil_core::seed::{self, Size};
use nil_tests::conforming::documented;
use nil_tests::{Answer, World, a_filing, both};
use serde_json::{Value, json};

use crate::affiliate::{link, on_commission, sale};
use crate::chat::{send, start};
use crate::figures::officer;
use crate::filings::SUBMIT;

const ATHLETES: &str = "compliance.athlete.list";
const TRANSACTIONS: &str = "compliance.transaction.list";
const REQUESTS: &str = "compliance.records_request.list";

/// Two of the seeded institutions.
const HERE: i64 = 1_000_001;
const THERE: i64 = 1_000_002;

/// The seeded portal user of the first one.
pub(crate) fn seeded_officer() -> Principal {
    let mut who = officer(HERE, &[]);
    if let Principal::Portal { id, .. } = &mut who {
        *id = PortalUserId::new(HERE).unwrap();
    }
    who
}

async fn seeded(world: &World, athletes: u32, transactions: u32) {
    let size = Size { athletes, brands: 5, jobs: 5, institutions: 2, transactions, seed: 1 };
    seed::write(&world.platform, size, "none".into(), &mut |_, _| {}).await.expect("a population");
}

pub(crate) fn with(input: &Value, field: &str, value: impl Into<Value>) -> Value {
    let mut input = input.clone();
    input[field] = value.into();
    input
}

/// The first page of a list, or the one after a page.
pub(crate) async fn page(world: &World, name: &str, who: &Principal, input: &Value) -> Answer {
    let answer = world.call(name, who, input.clone()).await;
    assert_eq!(answer.status, 200, "{name} {input}: {}", answer.body);
    answer
}

fn rows(answer: &Answer) -> Vec<Value> {
    answer.body["data"].as_array().expect("rows").clone()
}

pub(crate) fn ids(answer: &Answer) -> Vec<i64> {
    rows(answer).iter().map(|row| row["id"].as_i64().expect("an id")).collect()
}

/// All rows of a list, by its numbers and by what continues it.
pub(crate) async fn both_ways(
    world: &World,
    name: &str,
    who: &Principal,
    input: Value,
) -> [Vec<Value>; 2] {
    let first = page(world, name, who, &input).await;
    let pages = first.body["pagination"]["pages"].as_i64().unwrap();
    let (mut numbered, mut followed) = (rows(&first), rows(&first));
    for number in 2..=pages {
        let there = page(world, name, who, &with(&input, "page", number)).await;
        assert_eq!(there.body["next"].is_string(), number < pages, "{name} {input}, {number}");
        numbered.extend(rows(&there));
    }
    let (mut last, mut number) = (first, 1);
    while let Some(next) = last.body["next"].as_str() {
        last = page(world, name, who, &with(&input, "after", next)).await;
        number += 1;
        let told = json!({
            "page": number, "per_page": input["per_page"], "pages": pages,
            "total": numbered.len(),
        });
        assert_eq!(last.body["pagination"], told, "{name} {input}");
        followed.extend(rows(&last));
    }
    assert_eq!(number, pages, "{name} {input}");
    [numbered, followed]
}

#[test]
fn every_list_of_the_portal_is_followed() {
    let named = |entry| -> Vec<&str> {
        let parameters = documented(entry)["parameters"].as_array().expect("parameters");
        parameters.iter().filter_map(|field| field["name"].as_str()).collect()
    };
    // The preferences of a user and the like are whole answers.
    let missing: Vec<&str> = catalog()
        .iter()
        .filter(|entry| entry.interface == Interface::Compliance)
        .filter(|entry| named(entry).contains(&"per_page") && !named(entry).contains(&"after"))
        .map(|entry| entry.name)
        .collect();
    assert_eq!(missing, Vec::<&str>::new());
}

async fn a_list_followed_to_its_end_is_the_list(world: World) {
    seeded(&world, 60, 900).await;
    let who = seeded_officer();
    // Rows that nothing but their ids tells apart.
    world
        .script(
            "UPDATE athlete SET display_name = 'Same Name' WHERE id % 3 = 0; \
             UPDATE athlete SET created_at = (SELECT MIN(created_at) FROM athlete) WHERE id % 2 = 0;",
        )
        .await;
    let somebody = format!("SELECT MIN(id) AS id FROM athlete WHERE university_id = {HERE}");
    let athlete = world.id(&somebody).await;
    for signed in ["2026-11-10", "2026-11-10", "2026-11-12"] {
        let signed = format!("{signed}T12:00:00Z");
        let over = json!({
            "submit": false, "contract": { "signed_at": signed, "from": "2026-01-01" },
            "acknowledgement_signed_at": signed,
            "notices": { "agent_at": null, "athlete_at": null },
        });
        world.call(SUBMIT, &who, a_filing(athlete, over)).await.data();
        world.call(SUBMIT, &who, json!({ "athlete_id": athlete })).await.data();
    }
    for _ in 0..5 {
        world.call("compliance.records_request.note", &who, a_request()).await.data();
        world.portal_user(HERE, "viewer").await;
    }
    let lists: [(&str, i64, &[&str]); 12] = [
        (TRANSACTIONS, 40, &["-occurred_at", "occurred_at", "-gross_cents", "gross_cents"]),
        (ATHLETES, 4, &["name", "-gross_cents", "gross_cents", "-created_at"]),
        ("compliance.disclosed_job.list", 40, &[]),
        ("compliance.clearance.list", 40, &[]),
        ("compliance.deadline.list", 2, &[]),
        ("compliance.inbox.list", 40, &[]),
        (
            "compliance.disclosure.list",
            1,
            &[
                "newest",
                "-newest",
                "notice_due_at",
                "-notice_due_at",
                "signed_on",
                "-signed_on",
                "athlete_name",
                "-athlete_name",
            ],
        ),
        (REQUESTS, 2, &[]),
        ("compliance.portal_user.list", 2, &[]),
        ("compliance.college.list", 1, &[]),
        ("admin.athlete.list", 13, &["name", "-name", "created_at", "-created_at"]),
        ("compliance.audit.list", 10, &[]),
    ];
    let operator = world.operator(&[Permission::All]);
    for (name, per_page, sorts) in lists {
        let is_admin = name.starts_with("admin.");
        let all = if is_admin { json!({ "status": "all", "id": 0 }) } else { json!({}) };
        let asked = with(&all, "per_page", per_page);
        let mut inputs: Vec<Value> = sorts.iter().map(|sort| with(&asked, "sort", *sort)).collect();
        if inputs.is_empty() {
            inputs.push(asked);
        }
        for input in inputs {
            // What operators and officers look at may itself be on record: the trail is followed
            // last.
            let caller = if is_admin { &operator } else { &who };
            let [numbered, followed] = both_ways(&world, name, caller, input.clone()).await;
            assert!(i64::try_from(numbered.len()).unwrap() > per_page, "{name} has one page");
            assert_eq!(numbered, followed, "{name} {input}");
        }
    }
}
both!(a_list_followed_to_its_end_is_the_list);

/// Lists of the parties of deals and of operators, with the input beside the page, and the orders.
async fn what_parties_and_operators_list_is_followed(world: World) {
    let hire = on_commission(&world).await;
    for order in ["A-1", "A-2", "A-3"] {
        let link = link(&world, &hire).await;
        sale(&world, &link, order, 1_000).await;
    }
    // Work that nobody hands in.
    let milestones: Vec<Value> = (0..3)
        .map(|n| {
            json!({
                "title": format!("Post {n}"), "platform": "instagram", "media_kind": "post",
                "due_on": world.platform.now().date_naive() + Days::new(20 + n / 2),
                "amount_cents": 10_000,
            })
        })
        .collect();
    let late = json!({ "amount_cents": 30_000, "slots": 3, "milestones": milestones });
    let late = world.active(late).await;
    let partner = world.paying_partner("Cedar Coffee").await;
    let athlete = world.athlete("Jordan Lake").await;
    for applicant in [&athlete, &hire.athlete] {
        world.apply(applicant, late.job).await;
    }
    world.can_receive(&athlete).await;
    let operator = world.operator(&[Permission::All]);
    for cents in [30_000, 10_000, 10_000] {
        let deal = world.approved_deal(&partner, &athlete, &[cents]).await;
        world.pay(&partner, &athlete, &deal).await;
        world.call("admin.payout.trigger", &operator, json!({ "id": athlete.id })).await.data();
        let talk = start(&world, &partner, &athlete, Some(deal.job_id)).await;
        if cents == 30_000 {
            // Unread, and so before the later ones.
            send(&world, &partner, &talk, "Welcome").await;
        }
        world.order(&partner, &athlete).await;
        // The fees of each month are an invoice.
        world.pass(TimeDelta::days(31));
        nil_core::worker::round(&world.platform).await.expect("a round");
    }
    let agent = world.agent("North Agency").await;
    for represented in [&athlete, &hire.athlete, &late.athlete] {
        world.represent(&agent, represented, 500).await;
    }
    let (brand, me, seller) = (&partner.principal, &athlete.principal, &hire.athlete.principal);
    let (lagging, agent) = (&late.partner.principal, &agent.principal);
    let ages: &[&str] = &["created_at", "-created_at"];
    let payouts: &[&str] = &["created_at", "-created_at", "amount_cents", "-amount_cents"];
    let of_all = json!({ "status": "all", "id": 0 });
    let words = json!({ "status": "all", "id": 0, "q": "campaign" });
    let deals = json!({ "statuses": ["hired", "confirmed", "completed"] });
    let job = json!({ "job_id": late.job });
    let lists: [(&str, &Principal, &Value, &[&str]); 23] = [
        ("core.deal.list", brand, &deals, &[]),
        ("core.deal.list", me, &deals, &[]),
        ("core.job.posted", brand, &json!({}), &[]),
        ("admin.job.list", &operator, &of_all, ages),
        ("admin.job.list", &operator, &words, ages),
        ("admin.payout.list", &operator, &json!({ "status": "all" }), payouts),
        ("core.affiliate.links", seller, &json!({}), &[]),
        ("core.affiliate.sales", seller, &json!({}), &[]),
        ("core.partner.invoices", brand, &json!({}), &[]),
        ("core.chat.conversations", me, &json!({}), &[]),
        ("core.service_order.list", brand, &json!({}), &[]),
        ("core.content_library.list", brand, &json!({}), &[]),
        ("core.payment.history_of_athlete", me, &json!({}), &[]),
        ("core.payment.history_of_partner", brand, &json!({}), &[]),
        ("admin.payment.list", &operator, &of_all, payouts),
        ("core.agent.athletes", agent, &json!({}), &[]),
        ("core.agent.contracts", agent, &json!({}), &[]),
        ("core.application.list", lagging, &job, &[]),
        ("core.deliverable.outstanding", lagging, &json!({}), &[]),
        ("core.deliverable.outstanding", agent, &job, &[]),
        ("core.deliverable.overdue", lagging, &json!({}), &[]),
        ("core.deliverable.overdue", agent, &job, &[]),
        ("core.deliverable.overdue", &late.athlete.principal, &json!({}), &[]),
    ];
    for (name, caller, input, sorts) in lists {
        let asked = with(input, "per_page", 1);
        let mut inputs: Vec<Value> = sorts.iter().map(|sort| with(&asked, "sort", *sort)).collect();
        if inputs.is_empty() {
            inputs.push(asked);
        }
        for input in inputs {
            let [numbered, followed] = both_ways(&world, name, caller, input.clone()).await;
            assert!(numbered.len() > 2, "{name} {input} has {} rows", numbered.len());
            assert_eq!(numbered, followed, "{name} {input}");
        }
    }
    // The best matches are ranked: their pages have numbers only.
    let best = with(&words, "per_page", 1);
    let first = page(&world, "admin.job.list", &operator, &best).await;
    assert!(first.body["pagination"]["pages"].as_i64().unwrap() > 1, "{}", first.body);
    assert!(first.body.get("next").is_none(), "{}", first.body);
}
both!(what_parties_and_operators_list_is_followed);

fn a_request() -> Value {
    json!({
        "requester": "Dana Ortiz", "legal_basis": "Open Records Act, section 4",
        "received_on": "2026-11-19",
    })
}

async fn what_is_added_and_removed_meanwhile_moves_no_other_row(world: World) {
    let college = world.college().await;
    let who = world.portal_user(college, "officer").await.0;
    let note = async || {
        let noted = world.call("compliance.records_request.note", &who, a_request()).await.data();
        noted["id"].as_i64().unwrap()
    };
    let mut noted = Vec::new();
    for _ in 0..9 {
        noted.push(note().await);
    }
    let input = json!({ "per_page": 3 });
    let first = page(&world, REQUESTS, &who, &input).await;
    assert_eq!(ids(&first), [noted[8], noted[7], noted[6]]);
    note().await;
    // One that was shown, the one that the next page begins after, and one that was not shown yet.
    for gone in [noted[7], noted[6], noted[4]] {
        world.script(&format!("DELETE FROM public_records_request WHERE id = {gone}")).await;
    }
    let after = |answer: &Answer| with(&input, "after", answer.body["next"].clone());
    let second = page(&world, REQUESTS, &who, &after(&first)).await;
    assert_eq!(ids(&second), [noted[5], noted[3], noted[2]]);
    note().await;
    let third = page(&world, REQUESTS, &who, &after(&second)).await;
    assert_eq!(ids(&third), [noted[1], noted[0]]);
    let told = json!({ "page": 3, "per_page": 3, "total": 9, "pages": 3 });
    assert_eq!((&third.body["pagination"], &third.body["next"]), (&told, &Value::Null));
    // A page can be read again: nothing about it is kept.
    let again = page(&world, REQUESTS, &who, &after(&first)).await;
    assert_eq!(ids(&again), ids(&second));
}
both!(what_is_added_and_removed_meanwhile_moves_no_other_row);

async fn athletes_who_come_and_go_meanwhile_hide_nobody(world: World) {
    seeded(&world, 80, 0).await;
    let who = seeded_officer();
    world.script("UPDATE athlete SET display_name = 'Same Name'").await;
    let input = json!({ "sort": "name", "per_page": 5 });
    let first = page(&world, ATHLETES, &who, &input).await;
    let everybody = json!({ "sort": "name", "per_page": 100 });
    let there_all_along: BTreeSet<i64> =
        ids(&page(&world, ATHLETES, &who, &everybody).await).into_iter().collect();
    let left = ids(&first)[3..].to_vec();
    let (mut seen, mut last) = (ids(&first), first);
    while let Some(next) = last.body["next"].as_str() {
        let input = with(&input, "after", next);
        // Those of the other institution who sort before and behind come, two who were shown leave.
        let place = last.body["pagination"]["page"].as_i64().unwrap();
        world
            .script(&format!(
                "UPDATE athlete SET university_id = {HERE} WHERE university_id = {THERE} \
                 AND id % 7 = {place}; \
                 UPDATE athlete SET university_id = NULL WHERE id IN ({}, {})",
                left[0], left[1]
            ))
            .await;
        last = page(&world, ATHLETES, &who, &input).await;
        seen.extend(ids(&last));
    }
    let once: BTreeSet<i64> = seen.iter().copied().collect();
    assert_eq!(once.len(), seen.len(), "shown twice: {seen:?}");
    assert!(there_all_along.is_subset(&once), "{there_all_along:?} {seen:?}");
}
both!(athletes_who_come_and_go_meanwhile_hide_nobody);

async fn what_did_not_come_from_this_list_is_refused(world: World) {
    seeded(&world, 60, 300).await;
    let who = seeded_officer();
    let input = json!({ "per_page": 5, "sport_ids": [], "sort": "name" });
    let next = page(&world, ATHLETES, &who, &input).await.body["next"].clone();
    let text = next.as_str().unwrap().to_owned();
    let other = page(&world, TRANSACTIONS, &who, &json!({ "per_page": 5 })).await;
    let mut changed = text.clone().into_bytes();
    changed[30] = if changed[30] == b'A' { b'B' } else { b'A' };
    let refused = [
        with(&input, "after", &text[..text.len() - 4]),
        with(&input, "after", String::from_utf8(changed).unwrap()),
        with(&input, "after", format!("{text}AAAA")),
        with(&input, "after", "A".repeat(2_001)),
        with(&input, "after", "A".repeat(2_000)),
        with(&input, "after", "not base64!"),
        with(&input, "after", ""),
        with(&input, "after", other.body["next"].clone()),
        // The same list with other fields.
        with(&with(&input, "after", text.as_str()), "sort", "-created_at"),
        with(&with(&input, "after", text.as_str()), "q", "a"),
        with(&with(&input, "after", text.as_str()), "sport_ids", json!([3])),
        with(&with(&input, "after", text.as_str()), "genders", json!(["female"])),
        with(&with(&input, "after", text.as_str()), "per_page", 6),
        // Two places.
        with(&with(&input, "after", text.as_str()), "page", 2),
    ];
    for input in refused {
        let answer = world.call(ATHLETES, &who, input.clone()).await;
        assert_eq!((answer.status, answer.code()), (422, "validation_failed"), "{input}");
        assert!(answer.body["errors"]["after"].is_array(), "{input}: {}", answer.body);
    }
    let mine = with(&input, "after", text.as_str());
    for stranger in [officer(HERE, &[]), officer(THERE, &[])] {
        let answer = world.call(ATHLETES, &stranger, mine.clone()).await;
        assert_eq!(answer.status, 422, "{}", answer.body);
        assert!(answer.body["errors"]["after"].is_array(), "{}", answer.body);
    }
    // A page that is null is no page, and a field that nobody knows no filter.
    let same = with(&with(&mine, "page", Value::Null), "q", Value::Null);
    assert_eq!(page(&world, ATHLETES, &who, &same).await.status, 200);
}
both!(what_did_not_come_from_this_list_is_refused);
