//! Agents invite athletes; athletes accept, decline and end representations.

use std::sync::Arc;

use chrono::TimeDelta;
use nil_core::accounts::suspension;
use nil_core::kernel::UserId;
use nil_core::notifications::outbox;
use nil_core::worker;
use nil_tests::{Person, World, both};
use serde_json::{Value, json};

const INVITE: &str = "core.agent.invite_athlete";
const RESPOND: &str = "core.athlete.respond_agent_invitation";
const END: &str = "core.athlete.end_representation";
const PART: &str = "core.agent.end_representation";
const ATHLETES: &str = "core.agent.athletes";
const AGENTS: &str = "core.athlete.representations";

async fn me(world: &World, operation: &str, who: &Person) -> Value {
    world.call(operation, &who.principal, json!({})).await.data()
}

/// The athlete's record in the public view.
async fn seen(world: &World, athlete: &Person) -> Value {
    let input = json!({ "athlete_id": athlete.id });
    world.call("core.athlete.detail", &athlete.principal, input).await.data()
}

/// The recipients of an event, by name or address, each once.
async fn told(world: &World, event: &str) -> Vec<String> {
    let rows = outbox::list(&world.platform, 500).await.unwrap();
    let rows = rows.into_iter().filter(|row| row.event == event);
    let mut to: Vec<String> = rows.map(|row| row.to).collect();
    to.sort();
    to
}

/// The message's values as sent to a recipient.
async fn sent(world: &World, event: &str, to: &str) -> Value {
    let rows = outbox::list(&world.platform, 500).await.unwrap();
    let row = rows.into_iter().find(|row| row.event == event && row.to == to);
    row.unwrap_or_else(|| panic!("no {event} to {to}")).data
}

async fn suspend(world: &World, who: &Person) {
    let id = UserId::new(who.user_id).unwrap();
    suspension::suspend(&world.platform, id).await.unwrap();
}

async fn an_agent_invites_and_the_athlete_accepts(world: World) {
    let agent = world.agent("North Agency").await;
    let athlete = world.athlete("Zoe Okafor").await;
    let invite = json!({
        "athlete_id": athlete.id, "commission_basis_points": 1_250, "message": " Let us talk. ",
    });
    let invited = world.call(INVITE, &agent.principal, invite).await.data();
    assert_eq!(invited["status"], "invited");
    assert_eq!((&invited["athlete_id"], &invited["email"]), (&json!(athlete.id), &Value::Null));
    assert_eq!(invited["message"], "Let us talk.");
    assert_eq!(invited["expires_at"], "2026-12-04T12:00:00Z");
    let theirs = me(&world, AGENTS, &athlete).await;
    assert_eq!(theirs[0]["agent"]["agency_name"], "North Agency");
    assert_eq!(theirs[0]["commission_basis_points"], 1_250);
    assert_eq!(me(&world, ATHLETES, &agent).await, json!([]));
    assert_eq!(me(&world, "core.agent.me", &agent).await["athlete_count"], 0);
    let told_of = sent(&world, "agent.invited", &format!("user:{}", athlete.user_id)).await;
    assert_eq!(told_of["commission"], "12.5%");

    world.pass(TimeDelta::hours(1));
    let id = invited["id"].as_i64().unwrap();
    let active = world.answer_agent(&athlete, id, true).await.data();
    assert_eq!(active["status"], "active");
    assert_eq!(active["accepted_at"], "2026-11-20T13:00:00Z");
    assert_eq!(active["expires_at"], Value::Null);
    assert_eq!(seen(&world, &athlete).await["agent_id"], agent.id);
    assert_eq!(me(&world, "core.agent.me", &agent).await["athlete_count"], 1);
    let own = me(&world, ATHLETES, &agent).await;
    assert_eq!(own[0]["athlete"]["display_name"], "Zoe Okafor");
    assert_eq!(own[0]["athlete"]["date_of_birth"], "2005-03-14");
    let users = [format!("user:{}", agent.user_id), format!("user:{}", athlete.user_id)];
    let mut expected = users.to_vec();
    expected.sort();
    assert_eq!(told(&world, "agent.linked").await, expected);

    let again = world.answer_agent(&athlete, id, true).await;
    assert_eq!((again.status, again.code()), (409, "illegal_transition"));
    let twice = world.call(INVITE, &agent.principal, json!({ "athlete_id": athlete.id })).await;
    assert_eq!((twice.status, twice.code()), (409, "already_represented"));

    worker::round(&world.platform).await.unwrap();
    let mail = world.mail(&athlete.email, "agent.invited").await.unwrap();
    assert!(mail.contains("North Agency") && mail.contains("December 4, 2026"), "{mail}");
    assert!(mail.contains("writes:\n\nLet us talk.\n"), "{mail}");
    let mail = world.mail(&agent.email, "agent.linked").await.unwrap();
    assert!(mail.contains("November 23, 2026"), "{mail}");
    for text in [&mail, &world.mail(&athlete.email, "agent.linked").await.unwrap()] {
        assert!(!text.contains("{{"), "{text}");
    }
}
both!(an_agent_invites_and_the_athlete_accepts);

async fn who_may_be_invited_and_how_often(world: World) {
    let agent = world.agent("North Agency").await;
    let who = &agent.principal;
    let athlete = world.athlete("Zoe Okafor").await;
    let minor = world.minor("Ida Novak").await;
    for (input, status) in [
        (json!({}), 422),
        (json!({ "email": "zoe@example.com", "athlete_id": athlete.id }), 422),
        (json!({ "email": "no address" }), 422),
        (json!({ "athlete_id": athlete.id, "commission_basis_points": 10_001 }), 422),
        (json!({ "athlete_id": 999_999 }), 404),
        // Not listed: the same as an unknown athlete.
        (json!({ "athlete_id": minor.id }), 404),
    ] {
        let refused = world.call(INVITE, who, input.clone()).await;
        assert_eq!(refused.status, status, "{input}: {}", refused.body);
    }
    let wrong_kind = world.call(INVITE, &athlete.principal, json!({ "athlete_id": athlete.id }));
    assert_eq!(wrong_kind.await.status, 403);
    let invite = json!({ "athlete_id": athlete.id });
    let first = world.call_with_key(INVITE, who, invite.clone(), Some("k")).await;
    let again = world.call_with_key(INVITE, who, invite.clone(), Some("k")).await;
    assert_eq!(first.bytes, again.bytes);
    assert_eq!(first.body["data"]["commission_basis_points"], 0, "nobody pays what was not said");
    let twice = world.call(INVITE, who, invite.clone()).await;
    assert_eq!((twice.status, twice.code()), (409, "already_invited"));
    // Withdrawn and sent again: three times in thirty days at most.
    let mut id = first.data()["id"].clone();
    for _ in 0..2 {
        world.call(PART, who, json!({ "representation_id": id })).await.data();
        id = world.call(INVITE, who, invite.clone()).await.data()["id"].clone();
    }
    world.call(PART, who, json!({ "representation_id": id })).await.data();
    let fourth = world.call(INVITE, who, invite.clone()).await;
    assert_eq!((fourth.status, fourth.code()), (409, "invitation_limit"));
    world.pass(TimeDelta::days(31));
    world.call(INVITE, who, invite).await.data();
    for number in 1..50 {
        let email = json!({ "email": format!("athlete-{number}@school.example") });
        world.call(INVITE, who, email).await.data();
    }
    let more = world.call(INVITE, who, json!({ "email": "one-more@school.example" })).await;
    assert_eq!((more.status, more.code()), (409, "invitation_limit"));
    world.pass(TimeDelta::days(1));
    world.call(INVITE, who, json!({ "email": "one-more@school.example" })).await.data();
}
both!(who_may_be_invited_and_how_often);

async fn an_address_does_not_tell_who_is_here(world: World) {
    let agent = world.agent("North Agency").await;
    let athlete = world.athlete("Zoe Okafor").await;
    let partner = world.partner("Ridge Outfitters").await;
    let mut answers = Vec::new();
    for email in [athlete.email.to_uppercase(), partner.email.clone(), "no@body.example".into()] {
        let invited = world.call(INVITE, &agent.principal, json!({ "email": email })).await;
        let mut answer = invited.data();
        assert_eq!(answer["email"], email.to_lowercase());
        for field in ["id", "email"] {
            answer[field] = Value::Null;
        }
        answers.push(answer);
    }
    assert_eq!(answers[0], answers[1]);
    assert_eq!(answers[0], answers[2]);
    let invited = json!({ "statuses": ["invited"] });
    let all = world.call(ATHLETES, &agent.principal, invited).await.data();
    for row in all.as_array().unwrap() {
        assert_eq!((&row["athlete_id"], &row["athlete"]), (&Value::Null, &Value::Null));
    }
    let again = world.call(INVITE, &agent.principal, json!({ "email": partner.email })).await;
    assert_eq!(again.code(), "already_invited");
    // Only the athlete with that address finds the invitation.
    let other = world.athlete("Ida Novak").await;
    assert_eq!(me(&world, AGENTS, &other).await, json!([]));
    let theirs = me(&world, AGENTS, &athlete).await;
    assert_eq!(theirs.as_array().unwrap().len(), 1);
    let id = theirs[0]["id"].as_i64().unwrap();
    assert_eq!(world.answer_agent(&other, id, true).await.status, 404);
    let declined = world.answer_agent(&athlete, id, false).await.data();
    assert_eq!(
        (&declined["status"], &declined["athlete_id"]),
        (&json!("declined"), &json!(athlete.id))
    );
    let declined = json!({ "statuses": ["declined"] });
    let all = world.call(ATHLETES, &agent.principal, declined).await.data();
    assert_eq!((&all[0]["athlete_id"], &all[0]["athlete"]), (&Value::Null, &Value::Null));
}
both!(an_address_does_not_tell_who_is_here);

async fn an_address_may_come_first_and_the_account_after(world: World) {
    let agent = world.agent("North Agency").await;
    // The next athlete's college takes one number, the address the one after it.
    let email = format!("zoe-{}@example.com", world.number() + 2);
    let invited = world.call(INVITE, &agent.principal, json!({ "email": email })).await.data();
    worker::round(&world.platform).await.unwrap();
    assert!(world.mail(&email, "agent.invited").await.unwrap().contains("North Agency"));
    let athlete = world.athlete("Zoe Okafor").await;
    assert_eq!(athlete.email, email);
    let id = invited["id"].as_i64().unwrap();
    let active = world.answer_agent(&athlete, id, true).await.data();
    assert_eq!(active["athlete_id"], athlete.id);
    let own = me(&world, ATHLETES, &agent).await;
    assert_eq!(own[0]["athlete"]["id"], athlete.id);
}
both!(an_address_may_come_first_and_the_account_after);

async fn an_athlete_has_one_agent_at_a_time(world: World) {
    let (north, south) = (world.agent("North Agency").await, world.agent("South Agency").await);
    let athlete = world.athlete("Zoe Okafor").await;
    let first = world.invite(&north, &athlete, 1_000).await;
    let second = world.invite(&south, &athlete, 500).await;
    let world = Arc::new(world);
    let answers = [first, second].map(|id| {
        let (world, athlete) = (world.clone(), athlete.clone());
        tokio::spawn(async move {
            let answer = world.answer_agent(&athlete, id, true).await;
            (answer.status, answer.body["code"].clone())
        })
    });
    let mut got = Vec::new();
    for answer in answers {
        got.push(answer.await.unwrap());
    }
    got.sort_by_key(|(status, _)| *status);
    assert_eq!(got[0].0, 200);
    assert_eq!(got[1], (409, json!("already_represented")));
    let all = me(&world, AGENTS, &athlete).await;
    let all = all.as_array().unwrap();
    assert_eq!(all.iter().filter(|row| row["status"] == "active").count(), 1);
    // The other invitation stays open: after the end of the representation it can be accepted.
    let waiting = all.iter().find(|row| row["status"] == "invited").unwrap()["id"].as_i64();
    world.call(END, &athlete.principal, json!({})).await.data();
    world.answer_agent(&athlete, waiting.unwrap(), true).await.data();
}
both!(an_athlete_has_one_agent_at_a_time);

async fn ten_yeses_are_one_yes(world: World) {
    let agent = world.agent("North Agency").await;
    let athlete = world.athlete("Zoe Okafor").await;
    let id = world.invite(&agent, &athlete, 1_000).await;
    let world = Arc::new(world);
    let taps: Vec<_> = (0..10)
        .map(|_| {
            let (world, athlete) = (world.clone(), athlete.clone());
            tokio::spawn(async move { world.answer_agent(&athlete, id, true).await.status })
        })
        .collect();
    let mut good = 0;
    for tap in taps {
        match tap.await.unwrap() {
            200 => good += 1,
            409 => {}
            other => panic!("{other}"),
        }
    }
    assert_eq!(good, 1);
    assert_eq!(told(&world, "agent.linked").await.len(), 2);
}
both!(ten_yeses_are_one_yes);

async fn invitations_sent_at_once_are_one(world: World) {
    let agent = world.agent("North Agency").await;
    let athlete = world.athlete("Zoe Okafor").await;
    let world = Arc::new(world);
    let inputs = [json!({ "athlete_id": athlete.id }), json!({ "email": "no@body.example" })];
    for input in inputs {
        let sent: Vec<_> = (0..8)
            .map(|_| {
                let (world, who, input) = (world.clone(), agent.principal.clone(), input.clone());
                tokio::spawn(async move { world.call(INVITE, &who, input).await.status })
            })
            .collect();
        let mut good = 0;
        for one in sent {
            match one.await.unwrap() {
                200 => good += 1,
                409 => {}
                other => panic!("{other}"),
            }
        }
        assert_eq!(good, 1, "{input}");
    }
}
both!(invitations_sent_at_once_are_one);

async fn fourteen_days_to_answer(world: World) {
    let agent = world.agent("North Agency").await;
    let athlete = world.athlete("Zoe Okafor").await;
    let id = world.invite(&agent, &athlete, 1_000).await;
    world.pass(TimeDelta::days(14) - TimeDelta::seconds(1));
    assert_eq!(worker::round(&world.platform).await.unwrap().invitations_expired, 0);
    world.pass(TimeDelta::seconds(1));
    // Expired, whether the worker has run or not.
    for accept in [true, false] {
        let late = world.answer_agent(&athlete, id, accept).await;
        assert_eq!((late.status, late.code()), (409, "illegal_transition"));
    }
    assert_eq!(worker::round(&world.platform).await.unwrap().invitations_expired, 1);
    assert_eq!(worker::round(&world.platform).await.unwrap().invitations_expired, 0);
    assert_eq!(me(&world, AGENTS, &athlete).await[0]["status"], "expired");
    assert_eq!(world.answer_agent(&athlete, id, true).await.code(), "illegal_transition");
    let back = world.call(PART, &agent.principal, json!({ "representation_id": id })).await;
    assert_eq!((back.status, back.code()), (409, "illegal_transition"));
    // A new one can be sent, and two workers expire it once.
    world.invite(&agent, &athlete, 1_000).await;
    world.pass(TimeDelta::days(14));
    let (one, two) = tokio::join!(
        nil_core::agents::expire_unanswered(&world.platform),
        nil_core::agents::expire_unanswered(&world.platform),
    );
    assert_eq!(one.unwrap() + two.unwrap(), 1);
}
both!(fourteen_days_to_answer);

async fn either_side_ends_it(world: World) {
    let agent = world.agent("North Agency").await;
    let stranger = world.agent("South Agency").await;
    let athlete = world.athlete("Zoe Okafor").await;
    let none = world.call(END, &athlete.principal, json!({})).await;
    assert_eq!((none.status, none.code()), (404, "not_found"));
    let id = world.represent(&agent, &athlete, 1_000).await;
    let which = json!({ "representation_id": id });
    assert_eq!(world.call(PART, &stranger.principal, which.clone()).await.status, 404);
    let other = world.athlete("Ida Novak").await;
    assert_eq!(world.call(END, &other.principal, which.clone()).await.status, 404);
    world.pass(TimeDelta::days(2));
    let ended = world.call(PART, &agent.principal, which.clone()).await.data();
    assert_eq!(
        (&ended["status"], &ended["ended_at"]),
        (&json!("ended"), &json!("2026-11-22T12:00:00Z"))
    );
    for (operation, who) in [(PART, &agent), (END, &athlete)] {
        let again = world.call(operation, &who.principal, which.clone()).await;
        assert_eq!((again.status, again.code()), (409, "illegal_transition"));
    }
    assert_eq!(seen(&world, &athlete).await["agent_id"], Value::Null);
    assert_eq!(me(&world, "core.agent.me", &agent).await["athlete_count"], 0);
    assert_eq!(told(&world, "agent.unlinked").await.len(), 2);
    let id = world.represent(&stranger, &athlete, 700).await;
    let which = json!({ "representation_id": id });
    let ended = world.call(END, &athlete.principal, which).await.data();
    assert_eq!((&ended["id"], &ended["status"]), (&json!(id), &json!("ended")));
    worker::round(&world.platform).await.unwrap();
    let mail = world.mail(&athlete.email, "agent.unlinked").await.unwrap();
    assert!(mail.contains("November 22, 2026") && !mail.contains("{{"), "{mail}");
    // Declined by the athlete: no representation, and a stranger's invitation is not found.
    let id = world.invite(&agent, &other, 0).await;
    assert_eq!(world.answer_agent(&athlete, id, false).await.status, 404);
    assert_eq!(world.answer_agent(&other, id, false).await.data()["status"], "declined");
    assert!(!world.is_represented(&other).await);
}
both!(either_side_ends_it);

async fn a_guardian_is_told_of_a_minors_agent(world: World) {
    let agent = world.agent("North Agency").await;
    let minor = world.minor("Ida Novak").await;
    let rows = outbox::list(&world.platform, 100).await.unwrap();
    let guardian = rows.into_iter().find(|row| row.event == "guardian.consent").unwrap().to;
    let invited =
        world.call(INVITE, &agent.principal, json!({ "email": minor.email })).await.data();
    let id = invited["id"].as_i64().unwrap();
    world.answer_agent(&minor, id, true).await.data();
    world.call(END, &minor.principal, json!({})).await.data();
    worker::round(&world.platform).await.unwrap();
    for event in ["agent.linked", "agent.unlinked"] {
        let mail = world.mail(&guardian, event).await.unwrap();
        assert!(mail.contains("Robin Parent") && mail.contains("Ida Novak"), "{mail}");
    }
}
both!(a_guardian_is_told_of_a_minors_agent);

async fn nobody_is_bound_to_an_agent_who_was_barred(world: World) {
    let agent = world.agent("North Agency").await;
    let athlete = world.athlete("Zoe Okafor").await;
    let id = world.invite(&agent, &athlete, 1_000).await;
    suspend(&world, &agent).await;
    let refused = world.answer_agent(&athlete, id, true).await;
    assert_eq!((refused.status, refused.code()), (409, "agent_unavailable"));
    world.answer_agent(&athlete, id, false).await.data();
    let gone = world.athlete("Ida Novak").await;
    suspend(&world, &gone).await;
    let other = world.agent("South Agency").await;
    let missing = world.call(INVITE, &other.principal, json!({ "athlete_id": gone.id })).await;
    assert_eq!(missing.status, 404);
    let wrong = json!({ "representation_id": id, "accept": "yes" });
    assert_eq!(world.call(RESPOND, &athlete.principal, wrong).await.status, 422);
}
both!(nobody_is_bound_to_an_agent_who_was_barred);

async fn agents_keep_their_record_and_accept_the_terms(world: World) {
    let agent = world.agent("North Agency").await;
    let who = &agent.principal;
    let own = me(&world, "core.agent.me", &agent).await;
    assert_eq!(
        (&own["terms_version"], &own["processor_account_status"]),
        (&Value::Null, &json!("none"))
    );
    assert_eq!(own["email"], agent.email);
    let edit = json!({
        "agency_name": "Northern Lights", "first_name": "Kim", "phone": "+1 217 555 0199",
        "certifications": [{ "body": "NFLPA", "number": "A-17", "state": "IL" }],
    });
    let edited = world.call("core.agent.edit", who, edit).await.data();
    assert_eq!(edited["agency_name"], "Northern Lights");
    assert_eq!((&edited["first_name"], &edited["phone"]), (&json!("Kim"), &json!("+12175550199")));
    assert_eq!(edited["certifications"][0]["number"], "A-17");
    assert_eq!(edited["network_profile_url"], own["network_profile_url"]);
    let nothing = world.call("core.agent.edit", who, json!({})).await.data();
    assert_eq!(nothing["agency_name"], "Northern Lights");
    for bad in [
        json!({ "agency_name": "" }),
        json!({ "phone": "12" }),
        json!({ "network_profile_url": "javascript:alert(1)" }),
        json!({ "certifications": [{}] }),
    ] {
        assert_eq!(world.call("core.agent.edit", who, bad).await.status, 422);
    }

    let accept = "core.agent.accept_contract";
    for version in [0, 2] {
        let wrong = world.call(accept, who, json!({ "terms_version": version })).await;
        assert_eq!(wrong.status, 422);
        assert!(wrong.body["errors"]["terms_version"][0].as_str().unwrap().contains("must be 1"));
    }
    let accepted = world.accept_terms(&agent).await;
    assert_eq!(accepted["terms_version"], 1);
    assert_eq!(accepted["terms_accepted_at"], "2026-11-20T12:00:00Z");
    world.pass(TimeDelta::days(1));
    let again = world.accept_terms(&agent).await;
    assert_eq!(again["terms_accepted_at"], "2026-11-20T12:00:00Z", "the first time counts");
    // A new version cannot be accepted before it is in force; then it can.
    world
        .id("INSERT INTO legal_document (kind, version, body, effective_at) \
             VALUES ('agent_terms', 2, 'New', '2026-11-23T00:00:00+00:00') RETURNING id")
        .await;
    let early = world.call(accept, who, json!({ "terms_version": 2 })).await;
    assert_eq!(early.status, 422);
    world.pass(TimeDelta::days(3));
    let now = world.call(accept, who, json!({ "terms_version": 2 })).await.data();
    assert_eq!(
        (&now["terms_version"], &now["terms_accepted_at"]),
        (&json!(2), &json!("2026-11-24T12:00:00Z"))
    );
    world.can_receive(&agent).await;
    let own = me(&world, "core.agent.me", &agent).await;
    assert_eq!(own["processor_account_status"], "enabled");
}
both!(agents_keep_their_record_and_accept_the_terms);
