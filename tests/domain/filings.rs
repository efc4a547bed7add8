//! Filings about athletes' agents: entered, submitted, decided on, changed, searched, deleted.

use chrono::TimeDelta;
use nil_core::auth::Principal;
use nil_core::storage::sql;
use nil_tests::{Answer, Person, World, a_filing, both};
use serde_json::{Value, json};

pub(crate) const SUBMIT: &str = "compliance.disclosure.submit";
const UPDATE: &str = "compliance.disclosure.update";

pub(crate) async fn update(world: &World, who: &Principal, id: &Value, over: Value) -> Answer {
    let mut input = over;
    input["id"] = id.clone();
    world.call(UPDATE, who, input).await
}

async fn decide(world: &World, who: &Principal, id: &Value, decision: &str) -> Answer {
    let input = json!({ "decision": decision, "note": "Seen." });
    update(world, who, id, input).await
}

async fn detail(world: &World, who: &Principal, id: &Value) -> Answer {
    world.call("compliance.disclosure.detail", who, json!({ "id": id })).await
}

async fn delete(world: &World, who: &Principal, id: &Value) -> Answer {
    world.call("compliance.disclosure.delete", who, json!({ "id": id })).await
}

pub(crate) async fn list(world: &World, who: &Principal, input: Value) -> Vec<Value> {
    let list = world.call("compliance.disclosure.list", who, input).await;
    list.data().as_array().unwrap().clone()
}

/// An institution with an officer and an athlete.
pub(crate) async fn school(world: &World) -> (i64, Principal, Person) {
    let college = world.college().await;
    let officer = world.portal_user(college, "officer").await.0;
    let athlete = world.athlete_of("Zoe Okafor", college).await;
    (college, officer, athlete)
}

fn limited_to(who: &Principal, sport: i64) -> Principal {
    let mut limited = who.clone();
    if let Principal::Portal { sports, .. } = &mut limited {
        *sports = vec![nil_core::kernel::SportId::new(sport).unwrap()];
    }
    limited
}

fn named(answer: &Answer) -> Vec<String> {
    let fields = answer.body["errors"].as_object().cloned().unwrap_or_default();
    fields.keys().cloned().collect()
}

async fn actions(world: &World, id: &Value) -> Vec<String> {
    let mut session = world.platform.db().read().await.unwrap();
    let trail =
        sql("SELECT action FROM audit_entry WHERE subject_kind = 'athlete_agent_disclosure' \
         AND subject_id = $1 ORDER BY id");
    let rows: Vec<(String,)> = session.all(trail.bind(id.as_i64().unwrap())).await.unwrap();
    rows.into_iter().map(|(action,)| action).collect()
}

async fn a_filing_is_entered_submitted_acknowledged_and_changed(world: World) {
    let (college, officer, athlete) = school(&world).await;
    let draft = json!({ "athlete_id": athlete.id, "agent": { "name": "Dana Summit" } });
    let draft = world.call(SUBMIT, &officer, draft).await.data();
    let id = draft["id"].clone();
    assert_eq!(
        (&draft["status"], &draft["version"], &draft["late"]),
        (&json!("draft"), &json!(1), &json!(false))
    );
    assert_eq!(
        (&draft["college_id"], &draft["athlete_name"]),
        (&json!(college), &json!("Zoe Okafor"))
    );
    assert_eq!(
        (&draft["notice_due_at"], &draft["cancellation_ends_at"]),
        (&Value::Null, &Value::Null)
    );
    let lacking = update(&world, &officer, &id, json!({ "submit": true })).await;
    assert_eq!((lacking.status, lacking.code()), (422, "validation_failed"));
    let mut all = named(&lacking);
    all.sort();
    assert_eq!(
        all,
        [
            "acknowledgement_signed_at",
            "agent.addresses",
            "agent.business",
            "agent.emails",
            "agent.form",
            "agent.phones",
            "contract.consideration",
            "contract.consideration_method",
            "contract.from",
            "contract.services",
            "contract.signed_at",
            "contract.until",
            "kind",
            "registration.from",
            "registration.number",
            "registration.state",
            "registration.until",
            "warning_notice_present",
        ]
    );

    let mut whole = a_filing(athlete.id, json!({ "submit": true, "version": 1 }));
    whole.as_object_mut().unwrap().remove("athlete_id");
    let filed = update(&world, &officer, &id, whole).await.data();
    assert_eq!((&filed["status"], &filed["version"]), (&json!("submitted"), &json!(2)));
    assert_eq!(filed["agent"]["phones"], json!(["+13125550123"]));
    assert_eq!(filed["other_states"], json!(["IN", "WI"]));
    assert_eq!(filed["notice_due_at"], "2026-11-22T12:00:00Z");
    assert_eq!(
        (&filed["signed_on"], &filed["cancellation_ends_at"]),
        (&json!("2026-11-19"), &json!("2026-12-04T05:59:59Z"))
    );
    let early = update(&world, &officer, &id, json!({ "decision": "terminate" })).await;
    assert_eq!((early.status, early.code()), (409, "illegal_transition"));
    let seen = decide(&world, &officer, &id, "acknowledge").await.data();
    assert_eq!(
        (&seen["status"], &seen["version"], &seen["decision_note"]),
        (&json!("acknowledged"), &json!(3), &json!("Seen."))
    );

    // A later change is a new version, and the previous one stays readable.
    let change = json!({ "contract": { "services": "Sponsorships and appearances.", "expenses": "Travel." }, "note": "Amended." });
    let changed = update(&world, &officer, &id, change).await.data();
    assert_eq!((&changed["status"], &changed["version"]), (&json!("acknowledged"), &json!(4)));
    assert_eq!(changed["contract"]["consideration"], "Ten percent.");
    let history = changed["history"].as_array().unwrap();
    let told: Vec<_> = history
        .iter()
        .map(|one| (one["version"].as_i64().unwrap(), one["action"].as_str().unwrap()))
        .collect();
    assert_eq!(told, [(4, "changed"), (3, "acknowledged"), (2, "submitted"), (1, "created")]);
    assert_eq!(
        history[0]["before"],
        json!({ "contract": { "services": "Finds and negotiates sponsorships.", "expenses": null } })
    );
    assert_eq!(
        history[0]["after"],
        json!({ "contract": { "services": "Sponsorships and appearances.", "expenses": "Travel." } })
    );
    assert_eq!((&history[0]["note"], &history[3]["before"]), (&json!("Amended."), &Value::Null));
    assert_eq!(history[1]["before"], json!({ "status": "submitted" }));
    assert!(history[0]["by"].as_str().unwrap().starts_with("portal_user:"));
    // It must stay complete, and an empty change is refused.
    let hollow = update(&world, &officer, &id, json!({ "agent": { "phones": null } })).await;
    assert_eq!((hollow.status, named(&hollow)), (422, vec!["agent.phones".to_owned()]));
    let same = update(&world, &officer, &id, json!({ "kind": "both" })).await.data();
    assert_eq!(same["version"], 4);
    let kept = delete(&world, &officer, &id).await;
    assert_eq!((kept.status, kept.code()), (409, "illegal_transition"));
    let over = decide(&world, &officer, &id, "terminate").await.data();
    assert_eq!((&over["status"], &over["version"]), (&json!("terminated"), &json!(5)));
    assert_eq!(
        update(&world, &officer, &id, json!({ "kind": "nil" })).await.code(),
        "illegal_transition"
    );
    assert_eq!(detail(&world, &officer, &id).await.data()["history"].as_array().unwrap().len(), 5);
    list(&world, &officer, json!({})).await;
    assert_eq!(
        actions(&world, &id).await,
        ["created", "submitted", "acknowledged", "changed", "terminated", "read", "listed"]
    );
}
both!(a_filing_is_entered_submitted_acknowledged_and_changed);

async fn every_edge_of_the_machine_and_no_other(world: World) {
    let (_, officer, athlete) = school(&world).await;
    let steps = ["submit", "acknowledge", "return", "terminate", "delete"];
    let paths: [(&str, &[&str], &[&str]); 5] = [
        ("draft", &[], &["submit", "delete"]),
        ("submitted", &["submit"], &["acknowledge", "return", "delete"]),
        ("returned", &["submit", "return"], &["submit", "delete"]),
        ("acknowledged", &["submit", "acknowledge"], &["terminate"]),
        ("terminated", &["submit", "acknowledge", "terminate"], &[]),
    ];
    for (state, path, open) in paths {
        for step in steps {
            let filing = a_filing(athlete.id, json!({}));
            let id = world.call(SUBMIT, &officer, filing).await.data()["id"].clone();
            let mut last = None;
            for step in path.iter().chain([&step]) {
                let answer = match *step {
                    "submit" => update(&world, &officer, &id, json!({ "submit": true })).await,
                    "delete" => delete(&world, &officer, &id).await,
                    decision => decide(&world, &officer, &id, decision).await,
                };
                last = Some(answer);
            }
            let last = last.unwrap();
            if open.contains(&step) {
                assert_eq!(last.status, 200, "{step} of one that is {state}: {}", last.body);
            } else {
                assert_eq!(
                    (last.status, last.code()),
                    (409, "illegal_transition"),
                    "{step} of {state}"
                );
                assert_eq!(detail(&world, &officer, &id).await.data()["status"], state);
            }
        }
    }
}
both!(every_edge_of_the_machine_and_no_other);

async fn what_contradicts_itself_is_refused_in_a_draft_too(world: World) {
    let (_, officer, athlete) = school(&world).await;
    for (over, field) in [
        (json!({ "contract": { "until": "2026-11-18" } }), "contract.until"),
        (json!({ "registration": { "until": "2025-12-31" } }), "registration.until"),
        (json!({ "notices": { "agent_at": "2026-11-19T11:59:59Z" } }), "notices.agent_at"),
        (json!({ "notices": { "athlete_at": "2026-11-20T12:00:01Z" } }), "notices.athlete_at"),
        (
            json!({ "notices": { "next_event_at": "2026-11-01T12:00:00Z" } }),
            "notices.next_event_at",
        ),
        (json!({ "contract": { "signed_at": "2026-11-21T12:00:00Z" } }), "contract.signed_at"),
        (json!({ "contract": { "signed_at": "0001-01-01T00:00:00Z" } }), "contract.signed_at"),
        (json!({ "notices": { "enrolled_on": "9999-12-31" } }), "notices.enrolled_on"),
        (json!({ "registration": { "state": "ZZ" } }), "registration.state"),
        (json!({ "other_states": ["QQ"] }), "other_states"),
        (json!({ "other_states": ["il"] }), "other_states"),
        (json!({ "agent_id": 999_999 }), "agent_id"),
        (json!({ "kind": "friendly" }), "kind"),
        (json!({ "agent": { "name": " " } }), "agent.name"),
        (json!({ "agent": { "emails": ["nobody"] } }), "agent.emails.0"),
        (json!({ "contract": 7 }), "contract"),
    ] {
        let refused = world.call(SUBMIT, &officer, a_filing(athlete.id, over.clone())).await;
        assert_eq!(refused.status, 422, "{over}: {}", refused.body);
        assert!(named(&refused).contains(&field.to_owned()), "{over}: {}", refused.body);
    }
    assert!(list(&world, &officer, json!({})).await.is_empty());
    let draft = world.call(SUBMIT, &officer, a_filing(athlete.id, json!({}))).await.data();
    let refused =
        update(&world, &officer, &draft["id"], json!({ "contract": { "from": "2028-01-01" } }))
            .await;
    assert_eq!((refused.status, named(&refused)), (422, vec!["contract.until".to_owned()]));
    for (input, field) in [
        (json!({}), "decision"),
        (json!({ "submit": true, "decision": "acknowledge" }), "decision"),
        (json!({ "kind": "nil", "decision": "terminate" }), "decision"),
        (json!({ "decision": "return" }), "note"),
        (json!({ "decision": "approve" }), "decision"),
    ] {
        let refused = update(&world, &officer, &draft["id"], input.clone()).await;
        assert_eq!((refused.status, named(&refused)), (422, vec![field.to_owned()]), "{input}");
    }
}
both!(what_contradicts_itself_is_refused_in_a_draft_too);

async fn a_guardian_signs_for_a_minor(world: World) {
    let minor = world.minor("Ida Novak").await;
    let college = {
        let mut session = world.platform.db().read().await.unwrap();
        let own = sql("SELECT university_id FROM athlete WHERE id = $1").bind(minor.id);
        session.value::<i64>(own).await.unwrap()
    };
    let officer = world.portal_user(college, "officer").await.0;
    let submit = json!({ "submit": true });
    let refused = world.call(SUBMIT, &officer, a_filing(minor.id, submit.clone())).await;
    assert_eq!((refused.status, named(&refused)), (422, vec!["guardian_signed_at".to_owned()]));
    let signed = json!({ "submit": true, "guardian_signed_at": "2026-11-19T13:00:00Z" });
    let filed = world.call(SUBMIT, &officer, a_filing(minor.id, signed)).await.data();
    assert_eq!((&filed["status"], &filed["version"]), (&json!("submitted"), &json!(1)));
}
both!(a_guardian_signs_for_a_minor);

async fn another_institution_another_sport_and_lesser_roles(world: World) {
    let (college, officer, athlete) = school(&world).await;
    let filed =
        world.call(SUBMIT, &officer, a_filing(athlete.id, json!({ "submit": true }))).await.data();
    let id = &filed["id"];
    let elsewhere = world.portal_user(world.college().await, "owner").await.0;
    let other_sport = limited_to(&officer, 2);
    for stranger in [&elsewhere, &other_sport] {
        assert!(list(&world, stranger, json!({ "athlete_ids": [athlete.id] })).await.is_empty());
        let zip = world
            .call("compliance.disclosure.download_documents", stranger, json!({ "id": id }))
            .await;
        for answer in [
            detail(&world, stranger, id).await,
            zip,
            delete(&world, stranger, id).await,
            decide(&world, stranger, id, "acknowledge").await,
            update(&world, stranger, id, json!({ "kind": "nil" })).await,
            update(
                &world,
                stranger,
                id,
                json!({ "documents": [nil_tests::a_file("a.pdf", b"%PDF-1.7\n")] }),
            )
            .await,
            world.call(SUBMIT, stranger, a_filing(athlete.id, json!({}))).await,
        ] {
            assert_eq!((answer.status, answer.code()), (404, "not_found"), "{}", answer.body);
        }
    }
    assert_eq!(detail(&world, &limited_to(&officer, 1), id).await.status, 200);
    for role in ["viewer", "finance"] {
        let lesser = world.portal_user(college, role).await.0;
        assert_eq!(detail(&world, &lesser, id).await.status, 200);
        assert_eq!(list(&world, &lesser, json!({})).await.len(), 1);
        assert_eq!(world.call(SUBMIT, &lesser, a_filing(athlete.id, json!({}))).await.status, 403);
        assert_eq!(decide(&world, &lesser, id, "acknowledge").await.status, 403);
        assert_eq!(delete(&world, &lesser, id).await.status, 403);
    }
    assert_eq!(detail(&world, &athlete.principal, id).await.status, 403);
    assert_eq!(detail(&world, id_of_nobody(), id).await.status, 401);
    assert_eq!(detail(&world, &officer, id).await.data()["version"], 1, "nothing has come of it");
}
both!(another_institution_another_sport_and_lesser_roles);

async fn of_two_who_change_one_version_one_comes_too_late(world: World) {
    let (college, officer, athlete) = school(&world).await;
    let colleague = world.portal_user(college, "owner").await.0;
    let filed =
        world.call(SUBMIT, &officer, a_filing(athlete.id, json!({ "submit": true }))).await.data();
    let id = &filed["id"];
    let stale = update(&world, &officer, id, json!({ "kind": "nil", "version": 7 })).await;
    assert_eq!((stale.status, stale.code()), (409, "state_changed"));
    let change = |kind: &str| json!({ "kind": kind, "version": 1 });
    let (one, other) = tokio::join!(
        update(&world, &officer, id, change("nil")),
        update(&world, &colleague, id, change("professional")),
    );
    let mut both = [one.status, other.status];
    both.sort_unstable();
    assert_eq!(both, [200, 409]);
    let decision = json!({ "decision": "acknowledge", "version": 1 });
    assert_eq!(update(&world, &officer, id, decision).await.code(), "state_changed");
    assert_eq!(detail(&world, &officer, id).await.data()["version"], 2);
    let (one, other) = tokio::join!(
        decide(&world, &officer, id, "acknowledge"),
        decide(&world, &colleague, id, "return"),
    );
    let mut both = [one.status, other.status];
    both.sort_unstable();
    assert_eq!(both, [200, 409]);
}
both!(of_two_who_change_one_version_one_comes_too_late);

async fn the_same_key_files_once(world: World) {
    let (_, officer, athlete) = school(&world).await;
    let filing = a_filing(
        athlete.id,
        json!({ "submit": true, "documents": [nil_tests::a_file("a.pdf", b"%PDF-1.7\n")] }),
    );
    let first = world.call_with_key(SUBMIT, &officer, filing.clone(), Some("k")).await;
    let again = world.call_with_key(SUBMIT, &officer, filing, Some("k")).await;
    assert_eq!((first.status, &first.bytes), (200, &again.bytes));
    assert_eq!(list(&world, &officer, json!({})).await.len(), 1);
}
both!(the_same_key_files_once);

async fn what_is_deleted_is_gone_and_kept(world: World) {
    let (_, officer, athlete) = school(&world).await;
    let filed =
        world.call(SUBMIT, &officer, a_filing(athlete.id, json!({ "submit": true }))).await.data();
    let id = &filed["id"];
    delete(&world, &officer, id).await.data();
    assert!(list(&world, &officer, json!({ "statuses": ["deleted"] })).await.is_empty());
    assert_eq!(detail(&world, &officer, id).await.status, 404);
    assert_eq!(delete(&world, &officer, id).await.status, 404);
    world.pass(TimeDelta::days(5 * 366));
    nil_core::worker::round(&world.platform).await.unwrap();
    let mut session = world.platform.db().read().await.unwrap();
    let kept = sql("SELECT COUNT(*) FROM athlete_agent_filing WHERE status = 'deleted'");
    assert_eq!(session.value::<i64>(kept).await.unwrap(), 1);
    let versions = sql("SELECT COUNT(*) FROM athlete_agent_filing_version");
    assert_eq!(session.value::<i64>(versions).await.unwrap(), 2);
}
both!(what_is_deleted_is_gone_and_kept);

async fn an_agent_on_the_platform_can_be_named(world: World) {
    let (_, officer, athlete) = school(&world).await;
    let agent = world.agent("Summit Agency").await;
    let with = json!({ "agent_id": agent.id });
    let stranger = world.call(SUBMIT, &officer, a_filing(athlete.id, with.clone())).await;
    assert_eq!((stranger.status, named(&stranger)), (422, vec!["agent_id".to_owned()]));
    world.represent(&agent, &athlete, 1_000).await;
    let filed = world.call(SUBMIT, &officer, a_filing(athlete.id, with)).await.data();
    assert_eq!(filed["agent_id"], agent.id);
    let cleared = update(&world, &officer, &filed["id"], json!({ "agent_id": null })).await.data();
    assert_eq!((&cleared["agent_id"], &cleared["version"]), (&Value::Null, &json!(2)));
}
both!(an_agent_on_the_platform_can_be_named);

fn id_of_nobody() -> &'static Principal {
    &Principal::Anonymous
}
