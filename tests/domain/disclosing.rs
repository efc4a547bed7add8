//! Deals made off the platform: disclosed, decided on, added up for the clearinghouse.

use chrono::TimeDelta;
use nil_core::auth::Principal;
use nil_core::kernel::SportId;
use nil_tests::{Answer, Person, World, a_disclosure, both};
use serde_json::{Value, json};

pub(crate) const SAVE: &str = "core.disclosed_job.save";
const DECIDE: &str = "compliance.disclosed_job.decide";

pub(crate) async fn disclose(world: &World, athlete: &Person, over: Value) -> Value {
    world.call(SAVE, &athlete.principal, a_disclosure(over)).await.data()
}

pub(crate) async fn own(world: &World, athlete: &Person) -> Vec<Value> {
    let list =
        world.call("core.disclosed_job.list", &athlete.principal, json!({ "per_page": 100 })).await;
    list.data().as_array().unwrap().clone()
}

pub(crate) async fn decide(world: &World, officer: &Principal, id: &Value, over: Value) -> Answer {
    let mut input = json!({ "id": id });
    for (name, value) in over.as_object().unwrap() {
        input[name] = value.clone();
    }
    world.call(DECIDE, officer, input).await
}

async fn asks(world: &World, college: i64, rules: Value) {
    let owner = world.portal_user(college, "owner").await.0;
    world.call("compliance.college.save_settings", &owner, rules).await.data();
}

async fn a_deal_is_disclosed_and_approved_by_itself(world: World) {
    let college = world.college().await;
    let athlete = world.athlete_of("Zoe Okafor", college).await;
    world.portal_user(college, "officer").await;
    let job = disclose(&world, &athlete, json!({})).await;
    assert_eq!((&job["status"], &job["decided_by"]), (&json!("approved"), &json!("platform")));
    assert_eq!(job["submitted_by"], format!("athlete:{}", athlete.id));
    // Thanksgiving and a weekend lie between: five business days end on the 30th in Chicago.
    assert_eq!(job["due_at"], "2026-12-01T05:59:59Z");
    assert_eq!((&job["late"], &job["flags"]), (&json!(false), &json!([])));
    assert_eq!(job["clearinghouse"]["status"], "not_required");
    assert_eq!(job["documents"], json!([]));
    assert_eq!(own(&world, &athlete).await, std::slice::from_ref(&job));
    nil_core::worker::round(&world.platform).await.unwrap();
    let rows = nil_core::notifications::outbox::list(&world.platform, 100).await.unwrap();
    let told = rows.iter().find(|row| row.event == "disclosure.submitted").unwrap();
    assert_eq!(told.data["athlete_name"], "Zoe Okafor");

    let change = json!({ "id": job["id"], "title": "Another" });
    let refused = world.call(SAVE, &athlete.principal, change).await;
    assert_eq!((refused.status, refused.code()), (409, "illegal_transition"));
    let back = world
        .call("core.disclosed_job.withdraw", &athlete.principal, json!({ "id": job["id"] }))
        .await;
    assert_eq!((back.status, back.code()), (409, "illegal_transition"));
}
both!(a_deal_is_disclosed_and_approved_by_itself);

async fn what_is_missing_or_contradicts_itself_is_named_before_it_is_handed_in(world: World) {
    let athlete = world.athlete("Zoe Okafor").await;
    let none = world.call(SAVE, &athlete.principal, json!({})).await;
    assert_eq!(none.status, 422);
    for field in [
        "payer_name",
        "payer_kind",
        "title",
        "category_id",
        "amount_cents",
        "compensation",
        "signed_on",
        "description",
    ] {
        assert!(none.body["errors"][field].is_array(), "{}", none.body);
    }
    let wrong = a_disclosure(json!({
        "starts_on": "2026-11-01", "ends_on": "2026-10-01", "benefits_cents": 50_000,
        "attestations": ["not_for_performance"], "payer_name": "zoe okafor", "payer_kind": "collective",
    }));
    let refused = world.call(SAVE, &athlete.principal, wrong.clone()).await;
    assert_eq!((refused.status, refused.code()), (422, "validation_failed"));
    let mut named: Vec<_> = refused.body["errors"].as_object().unwrap().keys().cloned().collect();
    named.sort();
    assert_eq!(
        named,
        ["amount_cents", "associated_entity", "attestations", "ends_on", "payer_name", "starts_on"]
    );
    assert!(own(&world, &athlete).await.is_empty());

    // A draft may be invalid; a submission may not.
    let mut draft = wrong;
    draft["draft"] = json!(true);
    let draft = world.call(SAVE, &athlete.principal, draft).await.data();
    assert_eq!(draft["status"], "draft");
    let id = json!({ "id": draft["id"] });
    assert_eq!(world.call(SAVE, &athlete.principal, id).await.status, 422);
    let mut right = a_disclosure(json!({ "benefits_cents": 0 }));
    right["id"] = draft["id"].clone();
    let handed_in = world.call(SAVE, &athlete.principal, right).await.data();
    assert_eq!(handed_in["status"], "approved");
    for (field, value) in [
        ("category_id", json!(999)),
        ("signed_on", json!("1999-01-01")),
        ("amount_cents", json!(0)),
        ("contingent_cents", json!(-1)),
        ("payer_kind", json!("friend")),
    ] {
        let mut input = a_disclosure(json!({}));
        input[field] = value;
        let refused = world.call(SAVE, &athlete.principal, input).await;
        assert_eq!(refused.status, 422, "{field}");
        assert!(refused.body["errors"][field].is_array(), "{field}: {}", refused.body);
    }
}
both!(what_is_missing_or_contradicts_itself_is_named_before_it_is_handed_in);

async fn the_same_key_discloses_once(world: World) {
    let athlete = world.athlete("Zoe Okafor").await;
    let deal = a_disclosure(json!({}));
    let first = world.call_with_key(SAVE, &athlete.principal, deal.clone(), Some("k")).await;
    let again = world.call_with_key(SAVE, &athlete.principal, deal, Some("k")).await;
    assert_eq!(first.bytes, again.bytes);
    assert_eq!(own(&world, &athlete).await.len(), 1);
}
both!(the_same_key_discloses_once);

async fn an_officer_asks_rejects_and_approves(world: World) {
    let college = world.college().await;
    asks(&world, college, json!({ "approval": { "requirement": "all" } })).await;
    let officer = world.portal_user(college, "officer").await.0;
    let athlete = world.athlete_of("Zoe Okafor", college).await;
    let job = disclose(&world, &athlete, json!({})).await;
    let id = job["id"].clone();
    assert_eq!(job["status"], "submitted");
    let word = |decision: &str| json!({ "decision": decision });
    assert_eq!(decide(&world, &officer, &id, json!({})).await.status, 422);
    assert_eq!(decide(&world, &officer, &id, word("ask")).await.status, 422);
    let early = decide(&world, &officer, &id, json!({ "decision": "reject", "note": "No." })).await;
    assert_eq!((early.status, early.code()), (409, "illegal_transition"));
    let taken = decide(&world, &officer, &id, word("take")).await.data();
    assert_eq!(taken["status"], "under_review");
    // It cannot be changed while it is under review.
    let change = json!({ "id": id, "title": "Another" });
    assert_eq!(world.call(SAVE, &athlete.principal, change.clone()).await.status, 409);
    let asked = decide(&world, &officer, &id, json!({ "decision": "ask", "note": "Who is it?" }))
        .await
        .data();
    assert_eq!(
        (&asked["status"], &asked["decision_note"]),
        (&json!("info_requested"), &json!("Who is it?"))
    );
    let mut kept = change.clone();
    kept["draft"] = json!(true);
    let kept = world.call(SAVE, &athlete.principal, kept).await.data();
    assert_eq!((&kept["status"], &kept["title"]), (&json!("info_requested"), &json!("Another")));
    let again = world.call(SAVE, &athlete.principal, change).await.data();
    assert_eq!(again["status"], "submitted");
    decide(&world, &officer, &id, word("take")).await.data();
    let rejected =
        decide(&world, &officer, &id, json!({ "decision": "reject", "note": "Too vague." }))
            .await
            .data();
    assert_eq!(rejected["status"], "rejected");
    world.call(SAVE, &athlete.principal, json!({ "id": id })).await.data();
    let approved = decide(&world, &officer, &id, word("approve")).await.data();
    assert_eq!(approved["status"], "approved");
    assert!(approved["decided_by"].as_str().unwrap().starts_with("portal_user:"));
}
both!(an_officer_asks_rejects_and_approves);

async fn only_the_athletes_own_institution_looks_and_never_at_drafts(world: World) {
    let college = world.college().await;
    asks(&world, college, json!({ "approval": { "requirement": "all" } })).await;
    let athlete = world.athlete_of("Zoe Okafor", college).await;
    let officer = world.portal_user(college, "officer").await.0;
    let viewer = world.portal_user(college, "viewer").await.0;
    let stranger = world.portal_user(world.college().await, "officer").await.0;
    let draft = disclose(&world, &athlete, json!({ "draft": true })).await;
    let handed_in = disclose(&world, &athlete, json!({ "title": "Second" })).await;
    let seen = world.call("compliance.disclosed_job.list", &viewer, json!({})).await.data();
    assert_eq!(seen.as_array().unwrap().len(), 1);
    assert_eq!(seen[0]["id"], handed_in["id"]);
    assert_eq!(seen[0]["athlete_name"], "Zoe Okafor");
    let detail = json!({ "id": handed_in["id"] });
    let detail = world.call("compliance.disclosed_job.detail", &viewer, detail).await.data();
    assert!(detail["category_name"].is_string());
    assert_eq!(seen[0]["category_name"], detail["category_name"]);
    let none = world.call("compliance.disclosed_job.list", &stranger, json!({})).await.data();
    assert_eq!(none, json!([]));
    let take = json!({ "decision": "take" });
    for (who, job) in [(&officer, &draft), (&stranger, &handed_in)] {
        let refused = decide(&world, who, &job["id"], take.clone()).await;
        assert_eq!((refused.status, refused.code()), (404, "not_found"));
    }
    let refused = decide(&world, &viewer, &handed_in["id"], take).await;
    assert_eq!(refused.status, 403);
    let filtered = json!({ "statuses": ["approved"], "athlete_ids": [athlete.id], "sport_ids": [1],
            "category_ids": [9], "from": "2026-11-01", "to": "2026-11-30" });
    let filtered = world.call("compliance.disclosed_job.list", &viewer, filtered).await.data();
    assert_eq!(filtered, json!([]));

    let other = world.athlete("Ida Novak").await;
    for input in
        [json!({ "id": handed_in["id"] }), a_disclosure(json!({ "athlete_id": athlete.id }))]
    {
        assert_eq!(world.call(SAVE, &other.principal, input).await.status, 404);
    }
    let id = json!({ "id": handed_in["id"] });
    assert_eq!(
        world.call("core.disclosed_job.withdraw", &other.principal, id.clone()).await.status,
        404
    );
    let back = world.call("core.disclosed_job.withdraw", &athlete.principal, id).await.data();
    assert_eq!((&back["status"], &back["late"]), (&json!("withdrawn"), &json!(false)));
}
both!(only_the_athletes_own_institution_looks_and_never_at_drafts);

async fn an_officer_reads_one_deal_with_the_names_and_the_look_is_on_record(world: World) {
    const DETAIL: &str = "compliance.disclosed_job.detail";
    let college = world.college().await;
    asks(&world, college, json!({ "approval": { "requirement": "all" } })).await;
    let athlete = world.athlete_of("Zoe Okafor", college).await;
    let viewer = world.portal_user(college, "viewer").await.0;
    let stranger = world.portal_user(world.college().await, "officer").await.0;
    let draft = disclose(&world, &athlete, json!({ "draft": true })).await;
    let handed_in = disclose(&world, &athlete, json!({ "title": "Second" })).await;
    let which = json!({ "id": handed_in["id"] });
    let mut seen = world.call(DETAIL, &viewer, which.clone()).await.data();
    let fields = seen.as_object_mut().unwrap();
    assert_eq!(fields["athlete_name"], "Zoe Okafor");
    assert!(fields.remove("rules").unwrap().is_array());
    let category = fields["category_name"].clone();
    let named = format!(
        "SELECT id FROM job_category WHERE name = '{}'",
        category.as_str().unwrap().replace('\'', "''")
    );
    assert_eq!(handed_in["category_id"], world.id(&named).await);
    let listed = world.call("compliance.disclosed_job.list", &viewer, json!({})).await.data();
    assert_eq!(seen, listed[0], "the rest is what the list has");

    let noted = "SELECT COUNT(*) FROM audit_entry WHERE subject_kind = 'disclosed_job' \
        AND operation = 'compliance.disclosed_job.detail' AND action = 'read'";
    assert_eq!(world.id(noted).await, 1);
    let mut of_football = viewer.clone();
    if let Principal::Portal { sports, .. } = &mut of_football {
        *sports = vec![SportId::new(3).unwrap()];
    }
    for (who, id) in [
        (&stranger, &handed_in["id"]),
        (&of_football, &handed_in["id"]),
        (&viewer, &draft["id"]),
        (&viewer, &json!(999_999)),
    ] {
        let refused = world.call(DETAIL, who, json!({ "id": id })).await;
        assert_eq!((refused.status, refused.code()), (404, "not_found"), "{id}");
    }
    assert_eq!(world.call(DETAIL, &viewer, json!({ "id": "x" })).await.status, 422);
    assert_eq!(world.call(DETAIL, &athlete.principal, which).await.status, 403);
    assert_eq!(world.id(noted).await, 1, "what is refused was not read");
}
both!(an_officer_reads_one_deal_with_the_names_and_the_look_is_on_record);

async fn an_agent_prepares_and_the_athlete_hands_in(world: World) {
    let athlete = world.athlete("Zoe Okafor").await;
    let agent = world.agent("Summit Agency").await;
    let deal = a_disclosure(json!({ "athlete_id": athlete.id }));
    assert_eq!(world.call(SAVE, &agent.principal, deal.clone()).await.status, 404);
    world.represent(&agent, &athlete, 1_000).await;
    assert_eq!(world.call(SAVE, &agent.principal, a_disclosure(json!({}))).await.status, 422);
    let mut handed_in = deal.clone();
    handed_in["draft"] = json!(false);
    let refused = world.call(SAVE, &agent.principal, handed_in).await;
    assert_eq!(refused.status, 422);
    assert!(refused.body["errors"]["draft"].is_array());
    let draft = world.call(SAVE, &agent.principal, deal).await.data();
    assert_eq!(draft["status"], "draft");
    assert_eq!(draft["prepared_by"], format!("agent:{}", agent.id));
    let id = json!({ "id": draft["id"], "title": "By the agent" });
    world.call(SAVE, &agent.principal, id).await.data();
    assert_eq!(own(&world, &agent).await.len(), 1);
    let done = world.call(SAVE, &athlete.principal, json!({ "id": draft["id"] })).await.data();
    assert_eq!((&done["status"], &done["title"]), (&json!("approved"), &json!("By the agent")));
    let late = json!({ "id": draft["id"], "title": "Too late" });
    assert_eq!(world.call(SAVE, &agent.principal, late).await.status, 409);
    let fan = world.fan("Fay Fan").await;
    assert_eq!(world.call(SAVE, &fan.principal, json!({})).await.status, 403);
}
both!(an_agent_prepares_and_the_athlete_hands_in);

async fn rules_decide_who_looks_and_what_is_flagged(world: World) {
    let college = world.college().await;
    let athlete = world.athlete_of("Zoe Okafor", college).await;
    asks(
        &world,
        college,
        json!({ "approval": { "requirement": "above_threshold" },
            "threshold": { "amount_cents": 50_000, "scope": "athlete" } }),
    )
    .await;
    let small = disclose(&world, &athlete, json!({})).await;
    assert_eq!(small["status"], "approved");
    // With the existing ones it reaches the institution's threshold.
    let second = disclose(
        &world,
        &athlete,
        json!({ "payer_name": "Valley Sports", "amount_cents": 10_000 }),
    )
    .await;
    assert_eq!(
        (&second["status"], &second["flags"]),
        (&json!("submitted"), &json!(["over_threshold"]))
    );
    asks(
        &world,
        college,
        json!({ "approval": { "requirement": "associated_only" },
            "automatic_flags": { "flags": ["associated_entity", "prohibited_category"] } }),
    )
    .await;
    let free = disclose(&world, &athlete, json!({ "amount_cents": 90_000 })).await;
    assert_eq!((&free["status"], &free["flags"]), (&json!("approved"), &json!([])));
    let tied = disclose(
        &world,
        &athlete,
        json!({ "payer_kind": "collective", "associated_entity": true,
            "payer_name": "Lake Fund" }),
    )
    .await;
    assert_eq!(
        (&tied["status"], &tied["flags"]),
        (&json!("submitted"), &json!(["associated_entity"]))
    );
    // A deal that breaks a rule is still disclosed and reviewed.
    asks(
        &world,
        college,
        json!({ "approval": { "requirement": "none" }, "marks": { "policy": "forbidden" } }),
    )
    .await;
    let bad = disclose(&world, &athlete, json!({ "category_id": 28, "uses_marks": true })).await;
    assert_eq!(bad["status"], "submitted");
    assert_eq!(bad["flags"], json!(["prohibited_category"]));
    let codes: Vec<_> =
        bad["breaches"].as_array().unwrap().iter().map(|b| b["code"].as_str().unwrap()).collect();
    assert_eq!(codes, ["category_prohibited", "institution_rule"]);
    assert_eq!(bad["breaches"][0]["since"], "2021-07-01");
}
both!(rules_decide_who_looks_and_what_is_flagged);

async fn a_deal_disclosed_late_is_late(world: World) {
    let athlete = world.athlete("Zoe Okafor").await;
    let draft = disclose(&world, &athlete, json!({ "draft": true })).await;
    assert_eq!(draft["late"], false);
    // The last second of 30 November in Chicago, and the one after it.
    world.pass(
        TimeDelta::days(10)
            + TimeDelta::hours(17)
            + TimeDelta::minutes(59)
            + TimeDelta::seconds(59),
    );
    assert_eq!(own(&world, &athlete).await[0]["late"], false);
    world.pass(TimeDelta::seconds(1));
    assert_eq!(own(&world, &athlete).await[0]["late"], true);
    let done = world.call(SAVE, &athlete.principal, json!({ "id": draft["id"] })).await.data();
    assert_eq!((&done["late"], &done["flags"]), (&json!(true), &json!(["late"])));
}
both!(a_deal_disclosed_late_is_late);
