//! What the clearinghouse is told: packets of contracts and of disclosed jobs, who may write into
//! them, who is told.

use std::sync::Arc;

use chrono::TimeDelta;
use nil_core::auth::Principal;
use nil_core::notifications::outbox;
use nil_core::worker;
use nil_tests::{ATTESTED, Person, World, all_no, both};
use serde_json::{Value, json};

use crate::disclosing::{decide, disclose};

pub(crate) async fn own(world: &World, who: &Principal) -> Vec<Value> {
    let list = world.call("core.clearance.list", who, json!({ "per_page": 100 })).await;
    list.data().as_array().unwrap().clone()
}

pub(crate) async fn shown(world: &World, who: &Principal, id: &Value) -> Value {
    world.call("core.clearance.detail", who, json!({ "id": id })).await.data()
}

async fn college_of(world: &World, athlete: &Person, job: i64) -> i64 {
    world.deal(athlete, job).await["athlete"]["university_id"].as_i64().unwrap()
}

/// The addresses that a message of this event was sent to by mail, sorted, each as often as it was
/// sent.
pub(crate) async fn mailed(world: &World, event: &str) -> Vec<String> {
    worker::round(&world.platform).await.unwrap();
    let rows = outbox::list(&world.platform, 1_000).await.unwrap();
    let mails =
        rows.into_iter().filter(|row| row.event == event && row.channel.as_str() == "email");
    let mut to: Vec<String> = mails.map(|row| row.to).collect();
    to.sort();
    to
}

async fn the_contract_that_crosses_the_line_brings_the_earlier_ones_packets(world: World) {
    let brand = world.partner("Ridge Outfitters").await;
    let athlete = world.athlete("Zoe Okafor").await;
    let confirm = "core.contract.confirm_availability";
    for title in ["First", "Second"] {
        let job = world.open_job(&brand, json!({ "title": title })).await;
        let hire = world.hire(&brand, &athlete, job).await;
        let which = json!({ "job_id": hire.job });
        world.call(confirm, &athlete.principal, which).await.data();
        let all = own(&world, &athlete.principal).await;
        let wanted = if title == "First" { "not_required" } else { "due" };
        assert!(all.iter().all(|one| one["status"] == wanted), "{all:#?}");
    }
    assert_eq!(world.id("SELECT COUNT(*) FROM clearance_packet").await, 2);
    let all = own(&world, &athlete.principal).await;
    assert_eq!((&all[0]["title"], &all[1]["title"]), (&json!("Second"), &json!("First")));
    for one in all {
        let seen = shown(&world, &athlete.principal, &one["id"]).await;
        assert_eq!(seen["packet"]["title"], one["title"]);
        assert_eq!(seen["packet"]["amount_cents"], 50_000);
        assert_eq!(seen["packet"]["athlete_name"], "Zoe Okafor");
    }
}
both!(the_contract_that_crosses_the_line_brings_the_earlier_ones_packets);

async fn a_deal_in_kind_adds_up_and_keeps_its_agreed_dates(world: World) {
    let over = json!({
        "compensation": "mixed", "amount_cents": 30_000, "product_description": "Two vests",
        "product_value_cents": 40_000, "starts_on": "2026-11-25",
    });
    let hire = world.active(over).await;
    let due = own(&world, &hire.athlete.principal).await;
    let packet = shown(&world, &hire.athlete.principal, &due[0]["id"]).await["packet"].clone();
    let amounts = ["amount_cents", "cash_cents", "benefits_cents", "contingent_cents"];
    assert_eq!(amounts.map(|name| packet[name].as_i64().unwrap()), [70_000, 30_000, 40_000, 0]);
    assert_eq!(
        (&packet["starts_on"], &packet["ends_on"]),
        (&json!("2026-11-25"), &json!("2026-12-20"))
    );
    // A later due date that both agreed to is what the clearinghouse is told.
    let later = json!({ "job_id": hire.job, "deliverable_id": hire.deliverables[1],
        "proposed_due_on": "2026-12-30", "reason": "Finals week." });
    let athlete = &hire.athlete.principal;
    world.call("core.contract.request_new_due_date", athlete, later).await.data();
    let accept = json!({ "job_id": hire.job, "athlete_id": hire.athlete.id, "kind": "EDD" });
    world.call("core.contract.accept_request", &hire.partner.principal, accept).await.data();
    let seen = shown(&world, athlete, &due[0]["id"]).await;
    assert_eq!(seen["packet"]["deliverables"][1]["due_on"], "2026-12-30");
    assert_eq!(seen["packet"]["ends_on"], "2026-12-30");
    let fields: Vec<&Value> =
        seen["missing"].as_array().unwrap().iter().map(|one| &one["field"]).collect();
    assert_eq!(fields, ["association"], "{seen:#}");
}
both!(a_deal_in_kind_adds_up_and_keeps_its_agreed_dates);

async fn what_the_institution_knows_is_filled_in(world: World) {
    let college = world.college().await;
    let owner = world.portal_user(college, "owner").await.0;
    let sponsors = json!({ "sponsor_conflicts": { "sponsors": [
        { "sponsor": "RIDGE OUTFITTERS, Inc.", "category": "apparel" }] } });
    world.call("compliance.college.save_settings", &owner, sponsors).await.data();
    let brand = world.partner("Ridge Outfitters").await;
    let athlete = world.athlete_of("Zoe Okafor", college).await;
    let job = world.open_job(&brand, json!({ "amount_cents": 90_000 })).await;
    world.hire(&brand, &athlete, job).await;
    let confirm = "core.contract.confirm_availability";
    world.call(confirm, &athlete.principal, json!({ "job_id": job })).await.data();
    let due = own(&world, &athlete.principal).await;
    let seen = shown(&world, &athlete.principal, &due[0]["id"]).await;
    let facts = seen["packet"]["association"].as_array().unwrap();
    let sponsor = facts.iter().find(|fact| fact["question"] == "sponsor").unwrap();
    assert_eq!((&sponsor["answer"], &sponsor["answered_by"]), (&json!(true), &json!("platform")));
    let donor = facts.iter().find(|fact| fact["question"] == "large_donor").unwrap();
    assert_eq!(donor["answer"], Value::Null);
    assert!(donor["asks"].as_str().unwrap().contains("$50,000.00"), "{donor}");
    let no =
        json!({ "id": due[0]["id"], "association": [{ "question": "sponsor", "answer": false }] });
    let refused = world.call("core.clearance.save_packet", &athlete.principal, no.clone()).await;
    assert!(refused.body["errors"]["association.0.answer"].is_array(), "{}", refused.body);
    let answered = world.call("compliance.clearance.answer", &owner, no).await.data();
    let facts = answered["packet"]["association"].as_array().unwrap().clone();
    let sponsor = facts.iter().find(|fact| fact["question"] == "sponsor").unwrap();
    assert_eq!(sponsor["answer"], false);
    assert!(sponsor["answered_by"].as_str().unwrap().starts_with("portal_user:"), "{sponsor}");
}
both!(what_the_institution_knows_is_filled_in);

async fn a_disclosed_job_has_a_packet_too(world: World) {
    let college = world.college().await;
    let officer = world.portal_user(college, "officer").await.0;
    let athlete = world.athlete_of("Zoe Okafor", college).await;
    let draft = disclose(&world, &athlete, json!({ "amount_cents": 90_000, "draft": true })).await;
    let clearance = draft["clearinghouse"]["id"].clone();
    let who = &athlete.principal;
    let kind = json!({ "id": clearance, "payer_kind": "booster", "uses_marks": true });
    let refused = world.call("core.clearance.save_packet", who, kind).await;
    let named: Vec<&String> = refused.body["errors"].as_object().unwrap().keys().collect();
    assert_eq!(refused.status, 422);
    assert_eq!(named, ["payer_kind", "uses_marks"]);
    let seen = shown(&world, who, &clearance).await;
    let missing = seen["missing"].as_array().unwrap();
    let fields: Vec<&Value> = missing.iter().map(|one| &one["field"]).collect();
    assert_eq!(fields, ["business_purpose", "association"]);
    let packet = json!({ "id": clearance, "business_purpose": "Fill the shop in winter.",
        "association": all_no() });
    let prepared = world.call("core.clearance.save_packet", who, packet).await.data();
    assert_eq!(prepared["missing"], json!([]));
    // What the officer cannot see is not submitted to the clearinghouse.
    let submit = json!({ "id": clearance, "attestations": ATTESTED });
    let early = world.call("core.clearance.submit", who, submit.clone()).await;
    assert_eq!((early.status, early.code()), (409, "illegal_transition"));
    let hidden = json!({ "id": clearance });
    let hidden = world.call("compliance.clearance.detail", &officer, hidden.clone()).await;
    assert_eq!(hidden.status, 404);
    let whole = json!({ "id": draft["id"] });
    world.call("core.disclosed_job.save", who, whole).await.data();
    let submitted = world.call("core.clearance.submit", who, submit).await.data();
    assert_eq!(submitted["status"], "submitted");
    assert_eq!(submitted["steps"][0]["recorded_by"], format!("athlete:{}", athlete.id));
    let say = json!({ "clearinghouse": "cleared", "reference": "NG-1" });
    let cleared = decide(&world, &officer, &draft["id"], say).await.data();
    assert_eq!(cleared["clearinghouse"]["status"], "cleared");
    let over = json!({ "id": clearance, "explanation": "More." });
    let over = world.call("core.clearance.save_packet", who, over).await;
    assert_eq!((over.status, over.code()), (409, "illegal_transition"));
    // A disclosure that names the payer as associated contradicts answers that deny it.
    let tied =
        json!({ "amount_cents": 70_000, "payer_name": "Lake Club", "associated_entity": true });
    let tied = disclose(&world, &athlete, tied).await;
    let packet = json!({ "id": tied["clearinghouse"]["id"], "business_purpose": "A fair.",
        "association": all_no() });
    let prepared = world.call("core.clearance.save_packet", who, packet).await.data();
    assert_eq!(prepared["missing"][0]["field"], "association");
}
both!(a_disclosed_job_has_a_packet_too);

async fn an_agents_look_is_on_record_and_ends_with_the_representation(world: World) {
    let hire = world.active(json!({ "amount_cents": 70_000 })).await;
    let agent = world.agent("North Agency").await;
    let id = own(&world, &hire.athlete.principal).await[0]["id"].clone();
    let one = json!({ "id": id });
    let foreign = world.call("core.clearance.detail", &agent.principal, one.clone()).await;
    assert_eq!(foreign.status, 404);
    let representation = world.represent(&agent, &hire.athlete, 1_000).await;
    assert_eq!(own(&world, &agent.principal).await.len(), 1);
    shown(&world, &agent.principal, &id).await;
    let purpose = json!({ "id": id, "business_purpose": "Sell vests." });
    world.call("core.clearance.save_packet", &agent.principal, purpose.clone()).await.data();
    for action in ["clearances_listed", "clearance_read"] {
        let count =
            "SELECT COUNT(*) FROM audit_entry WHERE on_behalf_of IS NOT NULL AND action = '";
        assert_eq!(world.id(&format!("{count}{action}'")).await, 1, "{action}");
    }
    let end = json!({ "representation_id": representation });
    world.call("core.agent.end_representation", &agent.principal, end).await.data();
    for operation in ["core.clearance.detail", "core.clearance.save_packet"] {
        let gone = world.call(operation, &agent.principal, purpose.clone()).await;
        assert_eq!(gone.status, 404, "{operation}");
    }
    assert!(own(&world, &agent.principal).await.is_empty());
}
both!(an_agents_look_is_on_record_and_ends_with_the_representation);

async fn every_verdict_of_the_institution_is_told_with_its_reason(world: World) {
    let college = world.college().await;
    let owner = world.portal_user(college, "owner").await.0;
    let all = json!({ "approval": { "requirement": "all" } });
    world.call("compliance.college.save_settings", &owner, all).await.data();
    let athlete = world.athlete_of("Zoe Okafor", college).await;
    let agent = world.agent("North Agency").await;
    world.represent(&agent, &athlete, 1_000).await;
    let job =
        disclose(&world, &athlete, json!({ "signed_on": "2026-11-02", "starts_on": null })).await;
    let both = {
        let mut both = vec![athlete.email.clone(), agent.email.clone()];
        both.sort();
        both
    };
    let again = json!({ "id": job["id"] });
    let verdicts = [
        ("ask", "disclosed_job.info_requested", "Who is it?"),
        ("reject", "disclosed_job.rejected", "Not that shop."),
        ("approve", "disclosed_job.approved", "Have fun."),
    ];
    for (decision, event, note) in verdicts {
        let word = |decision: &str| json!({ "decision": decision, "note": note });
        decide(&world, &owner, &job["id"], word("take")).await.data();
        decide(&world, &owner, &job["id"], word(decision)).await.data();
        assert_eq!(mailed(&world, event).await, both, "{event}");
        let mail = world.mail(&athlete.email, event).await.unwrap();
        assert!(mail.contains(note) && mail.contains("Harbor Books"), "{mail}");
        if decision != "approve" {
            world.call("core.disclosed_job.save", &athlete.principal, again.clone()).await.data();
        }
    }
    // It was signed eighteen days before it was disclosed: the officers hear that it was late,
    // once.
    assert_eq!(mailed(&world, "disclosure.late").await.len(), 1);
    assert_eq!(mailed(&world, "disclosure.submitted").await.len(), 3);
}
both!(every_verdict_of_the_institution_is_told_with_its_reason);

async fn officers_hear_of_what_happens_and_not_of_what_they_did(world: World) {
    let hired = world.hired(json!({ "amount_cents": 70_000 })).await;
    let college = college_of(&world, &hired.athlete, hired.job).await;
    let first = world.portal_user(college, "officer").await.0;
    world.portal_user(college, "officer").await;
    world.portal_user(college, "viewer").await;
    let confirm = json!({ "job_id": hired.job });
    let who = &hired.athlete.principal;
    world.call("core.contract.confirm_availability", who, confirm).await.data();
    let executed = mailed(&world, "contract.executed").await;
    let officers = |to: &[String]| to.iter().filter(|to| to.ends_with("@portal.example")).count();
    assert_eq!((officers(&executed), executed.len()), (2, 4), "{executed:?}");
    let id = own(&world, who).await[0]["id"].clone();
    let say = |word: &str| json!({ "id": id, "status": word, "note": "As said." });
    for word in ["submitted", "flagged"] {
        world.call("compliance.clearance.record", &first, say(word)).await.data();
    }
    let flagged = mailed(&world, "disclosed_job.flagged").await;
    assert_eq!((officers(&flagged), flagged.len()), (1, 3), "{flagged:?}");
    // A switch that reaches nobody is no switch.
    let list = world.call("compliance.notification.preferences", &first, json!({})).await;
    let events: Vec<Value> =
        list.data().as_array().unwrap().iter().map(|one| one["event"].clone()).collect();
    assert!(!events.contains(&json!("export.ready")), "{events:?}");
    assert!(events.contains(&json!("contract.executed")), "{events:?}");
}
both!(officers_hear_of_what_happens_and_not_of_what_they_did);

async fn deadlines_are_reminded_of_once_before_and_once_after(world: World) {
    let hire = world.active(json!({ "amount_cents": 70_000 })).await;
    let college = college_of(&world, &hire.athlete, hire.job).await;
    world.portal_user(college, "officer").await;
    let draft = disclose(&world, &hire.athlete, json!({ "draft": true })).await;
    assert_eq!(draft["due_at"], "2026-12-01T05:59:59Z");
    for event in ["clearance.due_soon", "disclosure.due_soon"] {
        assert!(mailed(&world, event).await.is_empty(), "{event}: ten days are not soon");
    }
    world.pass(TimeDelta::days(8));
    for _ in 0..2 {
        assert_eq!(mailed(&world, "clearance.due_soon").await.len(), 2, "athlete and officer");
        assert_eq!(
            mailed(&world, "disclosure.due_soon").await,
            std::slice::from_ref(&hire.athlete.email)
        );
        world.pass(TimeDelta::minutes(5));
    }
    world.pass(TimeDelta::days(3));
    for _ in 0..2 {
        assert_eq!(mailed(&world, "clearance.overdue").await.len(), 2, "athlete and officer");
        assert_eq!(
            mailed(&world, "disclosure.overdue").await,
            std::slice::from_ref(&hire.athlete.email)
        );
        world.pass(TimeDelta::minutes(5));
    }
    let mail = world.mail(&hire.athlete.email, "clearance.overdue").await.unwrap();
    assert!(mail.contains("November 30, 2026"), "{mail}");
}
both!(deadlines_are_reminded_of_once_before_and_once_after);

async fn what_was_submitted_in_time_is_not_reminded_of(world: World) {
    let hire = world.active(json!({ "amount_cents": 70_000 })).await;
    let who = &hire.athlete.principal;
    let id = own(&world, who).await[0]["id"].clone();
    let packet = json!({ "id": id, "association": all_no() });
    world.call("core.clearance.save_packet", who, packet).await.data();
    let submit = json!({ "id": id, "attestations": ATTESTED });
    let key = Some("once");
    let first = world.call_with_key("core.clearance.submit", who, submit.clone(), key).await;
    let again = world.call_with_key("core.clearance.submit", who, submit, key).await;
    assert_eq!((first.status, &first.bytes), (200, &again.bytes));
    world.pass(TimeDelta::days(8));
    assert!(mailed(&world, "clearance.due_soon").await.is_empty());
    world.pass(TimeDelta::days(4));
    assert!(mailed(&world, "clearance.overdue").await.is_empty());
    assert_eq!(mailed(&world, "clearance.submitted").await.len(), 2, "athlete and brand");
}
both!(what_was_submitted_in_time_is_not_reminded_of);

async fn arbitration_is_told_to_the_brand_too(world: World) {
    let hire = world.active(json!({ "amount_cents": 70_000 })).await;
    let officer =
        world.portal_user(college_of(&world, &hire.athlete, hire.job).await, "officer").await.0;
    let id = own(&world, &hire.athlete.principal).await[0]["id"].clone();
    for word in ["submitted", "not_cleared", "arbitration"] {
        let said = json!({ "id": id, "status": word, "note": "Too much." });
        world.call("compliance.clearance.record", &officer, said).await.data();
    }
    let mut both = vec![hire.athlete.email.clone(), hire.partner.email.clone()];
    both.sort();
    assert_eq!(mailed(&world, "clearance.arbitration").await, both);
    assert_eq!(mailed(&world, "clearance.not_cleared").await, both);
    let mail = world.mail(&hire.partner.email, "clearance.not_cleared").await.unwrap();
    assert!(mail.contains("Too much."), "{mail}");
}
both!(arbitration_is_told_to_the_brand_too);

async fn a_deal_that_was_due_before_there_were_packets_has_one(world: World) {
    let hire = world.active(json!({ "amount_cents": 70_000 })).await;
    let who = &hire.athlete.principal;
    let id = own(&world, who).await[0]["id"].clone();
    let made = shown(&world, who, &id).await;
    world.script("DELETE FROM clearance_packet").await;
    assert_eq!(shown(&world, who, &id).await, made);
    let packet = json!({ "id": id, "association": all_no() });
    let saved = world.call("core.clearance.save_packet", who, packet).await.data();
    assert_eq!(
        (&saved["missing"], &saved["packet"]["prepared_by"]),
        (&json!([]), &json!(format!("athlete:{}", hire.athlete.id)))
    );
}
both!(a_deal_that_was_due_before_there_were_packets_has_one);

async fn of_many_submissions_at_once_one_counts(world: World) {
    let hire = world.active(json!({ "amount_cents": 70_000 })).await;
    let who = hire.athlete.principal.clone();
    let id = own(&world, &who).await[0]["id"].clone();
    let packet = json!({ "id": id, "association": all_no() });
    world.call("core.clearance.save_packet", &who, packet).await.data();
    let world = Arc::new(world);
    let calls = (0..6).map(|_| {
        let (world, who, id) = (world.clone(), who.clone(), id.clone());
        tokio::spawn(async move {
            let submit = json!({ "id": id, "attestations": ATTESTED });
            world.call("core.clearance.submit", &who, submit).await.status
        })
    });
    let calls: Vec<_> = calls.collect();
    let mut done = Vec::new();
    for call in calls {
        done.push(call.await.unwrap());
    }
    done.sort_unstable();
    assert_eq!(done, [200, 409, 409, 409, 409, 409]);
    assert_eq!(world.id("SELECT COUNT(*) FROM clearance_step").await, 1);
    assert_eq!(mailed(&world, "clearance.submitted").await.len(), 2, "athlete and brand");
}
both!(of_many_submissions_at_once_one_counts);
