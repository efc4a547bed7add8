//! Agents and the law: the draft that an acceptance makes, both notices, the right to cancel, and
//! agents brought along.

use chrono::TimeDelta;
use nil_core::auth::Principal;
use nil_core::notifications::outbox;
use nil_core::{payments, worker};
use nil_tests::{Person, World, both};
use serde_json::{Value, json};

use crate::filings::{list, school};

const NOTICE: &str = "core.athlete.agent_notice";
const AGENTS_NOTICE: &str = "core.agent.notice";
const CANCEL: &str = "core.athlete.cancel_agent_contract";

async fn as_user(world: &World, who: &Person, operation: &str, input: Value) -> Value {
    world.call(operation, &who.principal, input).await.data()
}

/// The recipients of an event, sorted.
async fn told(world: &World, event: &str) -> Vec<String> {
    let rows = outbox::list(&world.platform, 1_000).await.unwrap();
    let rows = rows.into_iter().filter(|row| row.event == event && row.channel.as_str() == "event");
    let mut to: Vec<String> = rows.map(|row| row.to).collect();
    to.sort();
    to
}

fn user(who: &Person) -> String {
    format!("user:{}", who.user_id)
}

fn portal(who: &Principal) -> String {
    let Principal::Portal { id, .. } = who else { panic!("a portal user") };
    format!("portal_user:{id}")
}

/// The filings of the institution, newest first.
async fn filings(world: &World, officer: &Principal) -> Vec<Value> {
    list(world, officer, json!({})).await
}

async fn set_rule(world: &World, college: i64, rule: Value) {
    let owner = world.portal_user(college, "owner").await.0;
    let rule = json!({ "agent_notice": rule });
    world.call("compliance.college.save_settings", &owner, rule).await.data();
}

async fn an_acceptance_drafts_the_institutions_filing(world: World) {
    let (_, officer, athlete) = school(&world).await;
    let agent = world.agent("North Agency").await;
    let licences = json!({ "certifications": [
        { "body": "State of Illinois", "number": "AA-7", "state": "il", "expires_on": "2027-06-30" },
        { "body": "State of Indiana", "number": "B-1", "state": "IN", "expires_on": "2027-01-31" },
        { "body": "Players' association", "number": "77" },
    ] });
    as_user(&world, &agent, "core.agent.edit", licences).await;
    let id = world.represent(&agent, &athlete, 1_250).await;

    let drafts = filings(&world, &officer).await;
    assert_eq!(drafts.len(), 1);
    let draft = &drafts[0];
    assert_eq!((&draft["status"], &draft["kind"]), (&json!("draft"), &json!("nil")));
    assert_eq!((&draft["agent_id"], &draft["representation_id"]), (&json!(agent.id), &json!(id)));
    assert_eq!(draft["agent"]["business"], "North Agency");
    assert_eq!(draft["agent"]["emails"], json!([agent.email]));
    assert_eq!(draft["registration"]["state"], "IL");
    assert_eq!(draft["registration"]["until"], "2027-06-30");
    assert_eq!(draft["other_states"], json!(["IN"]));
    assert_eq!(draft["contract"]["signed_at"], "2026-11-20T12:00:00Z");
    let pay = draft["contract"]["consideration"].as_str().unwrap();
    assert!(pay.starts_with("12.5%"), "{pay}");
    assert_eq!(draft["notice_due_at"], "2026-11-23T12:00:00Z");
    assert_eq!(draft["cancellation_ends_at"], "2026-12-05T05:59:59Z");
    assert_eq!(draft["filed_by"], format!("athlete:{}", athlete.id));
    assert_eq!(told(&world, "agency_contract.drafted").await, [portal(&officer)]);

    let kinds = json!({ "kinds": ["agent_notice"] });
    let due = world.call("compliance.deadline.list", &officer, kinds).await.data();
    assert_eq!(due[0]["items"][0]["id"], draft["id"]);

    let own = as_user(&world, &athlete, "core.athlete.representations", json!({})).await;
    assert_eq!(own[0]["cancellable_until"], "2026-12-05T05:59:59Z");
    assert_eq!(own[0]["transfers_wait_until"], own[0]["cancellable_until"]);
    for (who, operation) in
        [(&athlete, "core.athlete.agent_filings"), (&agent, "core.agent.filings")]
    {
        let due = as_user(&world, who, operation, json!({ "missing": true })).await;
        assert_eq!(due[0]["id"], draft["id"]);
        assert_eq!(due[0]["notice_due_at"], draft["notice_due_at"]);
        assert_eq!(due[0]["cancellable_until"], own[0]["cancellable_until"]);
        let other = json!({ "representation_id": 999_999 });
        assert_eq!(as_user(&world, who, operation, other).await, json!([]));
    }
    // Both sides and the officers are reminded of the missing notices.
    world.pass(TimeDelta::hours(49));
    worker::round(&world.platform).await.unwrap();
    let mut both = vec![user(&athlete), user(&agent)];
    both.sort();
    assert_eq!(told(&world, "agent_notice.due").await, both);
    assert_eq!(told(&world, "disclosure.due").await, [portal(&officer)]);
    let mail = world.mail(&athlete.email, "agent_notice.due").await.unwrap();
    assert!(mail.contains("November 23, 2026") && !mail.contains("{{"), "{mail}");
}
both!(an_acceptance_drafts_the_institutions_filing);

async fn both_give_notice_in_time(world: World) {
    let (_, officer, athlete) = school(&world).await;
    let agent = world.agent("North Agency").await;
    let stranger = world.agent("East Agency").await;
    let id = world.represent(&agent, &athlete, 1_000).await;
    let which = json!({ "representation_id": id });
    world.pass(TimeDelta::hours(72));
    let given = as_user(&world, &athlete, NOTICE, which.clone()).await;
    assert_eq!(given["athlete_notice_at"], "2026-11-23T12:00:00Z");
    assert_eq!((&given["agent_notice_at"], &given["late"]), (&Value::Null, &json!(false)));
    let theirs = world.call(AGENTS_NOTICE, &stranger.principal, which.clone()).await;
    assert_eq!(theirs.status, 404);
    let given = as_user(&world, &agent, AGENTS_NOTICE, which.clone()).await;
    assert_eq!(
        (&given["agent_notice_at"], &given["late"]),
        (&given["notice_due_at"], &json!(false))
    );
    assert_eq!(told(&world, "agent_notice.given").await, [portal(&officer), portal(&officer)]);

    // A second notice changes nothing.
    world.pass(TimeDelta::hours(1));
    let again = as_user(&world, &athlete, NOTICE, which.clone()).await;
    assert_eq!(again, given);
    assert_eq!(told(&world, "agent_notice.given").await.len(), 2);
    let filing = &filings(&world, &officer).await[0];
    assert_eq!((&filing["version"], &filing["late"]), (&json!(3), &json!(false)));
    let detail = json!({ "id": filing["id"] });
    let detail = world.call("compliance.disclosure.detail", &officer, detail).await.data();
    let by: Vec<&Value> =
        detail["history"].as_array().unwrap().iter().map(|one| &one["by"]).collect();
    let (athlete_by, agent_by) = (format!("athlete:{}", athlete.id), format!("agent:{}", agent.id));
    assert_eq!(by, [&json!(agent_by), &json!(athlete_by), &json!(athlete_by)]);
    worker::round(&world.platform).await.unwrap();
    assert_eq!(told(&world, "agent_notice.due").await.len(), 0);
    let due = as_user(&world, &agent, "core.agent.filings", json!({ "missing": true })).await;
    assert_eq!(due, json!([]));
}
both!(both_give_notice_in_time);

async fn a_notice_is_late_by_the_rule_or_the_next_event(world: World) {
    let (college, officer, athlete) = school(&world).await;
    set_rule(&world, college, json!({ "hours": 24, "cancel_days": 3 })).await;
    let agent = world.agent("North Agency").await;
    let id = world.represent(&agent, &athlete, 1_000).await;
    let which = json!({ "representation_id": id });
    world.pass(TimeDelta::hours(20));
    let before = json!({ "representation_id": id, "next_event_at": "2026-11-20T11:59:59Z" });
    let refused = world.call(NOTICE, &athlete.principal, before).await;
    assert_eq!(refused.status, 422, "{}", refused.body);
    assert!(refused.body["errors"]["next_event_at"].is_array(), "{}", refused.body);
    let event = json!({ "representation_id": id, "next_event_at": "2026-11-21T07:00:00Z" });
    let given = as_user(&world, &athlete, NOTICE, event).await;
    assert_eq!((&given["notice_due_at"], &given["late"]), (&given["next_event_at"], &json!(true)));
    let mail = async || {
        worker::round(&world.platform).await.unwrap();
        let rows = outbox::list(&world.platform, 1_000).await.unwrap();
        let mut mails = rows.into_iter().filter(|row| row.event == "agent_notice.given");
        let mail = mails.find(|row| row.channel.as_str() == "email");
        mail.and_then(|row| row.body).unwrap_or_default()
    };
    assert!(mail().await.contains("The notice is late."));
    world.pass(TimeDelta::hours(5));
    let given = as_user(&world, &agent, AGENTS_NOTICE, which.clone()).await;
    assert_eq!(given["late"], true);
    assert_eq!(given["cancellable_until"], "2026-11-24T05:59:59Z");
    let late = list(&world, &officer, json!({ "late": true })).await;
    assert_eq!(late.len(), 1);
    // The institution closes its filing: nothing more is taken.
    let deleted = json!({ "id": late[0]["id"] });
    world.call("compliance.disclosure.delete", &officer, deleted).await.data();
    assert_eq!(world.call(NOTICE, &athlete.principal, which).await.status, 404);
    for (field, rule) in [
        ("agent_notice.cancel_days", json!({ "hours": 24, "cancel_days": 0 })),
        ("agent_notice.enrolment_days", json!({ "hours": 24, "enrolment_days": 91 })),
    ] {
        let owner = world.portal_user(college, "owner").await.0;
        let rule = json!({ "agent_notice": rule });
        let refused = world.call("compliance.college.save_settings", &owner, rule).await;
        assert!(refused.body["errors"][field].is_array(), "{}", refused.body);
    }
}
both!(a_notice_is_late_by_the_rule_or_the_next_event);

async fn cancelled_on_the_fourteenth_day_and_nothing_is_owed(world: World) {
    let (_, officer, athlete) = school(&world).await;
    let agent = world.agent("North Agency").await;
    let partner = world.paying_partner("Ridge Outfitters").await;
    let id = world.represent(&agent, &athlete, 1_000).await;
    let paid = world.approved_deal(&partner, &athlete, &[10_000]).await;
    let unpaid = world.approved_deal(&partner, &athlete, &[20_000]).await;
    world.pay(&partner, &athlete, &paid).await;
    assert_eq!((world.balance(&agent).await, world.balance(&athlete).await), (1_000, 9_000));

    // The last second of the fourteenth day in Chicago.
    world.pass(TimeDelta::days(14) + TimeDelta::seconds(17 * 3_600 + 3_599));
    let cancelled = as_user(&world, &athlete, CANCEL, json!({})).await;
    assert_eq!(cancelled["status"], "ended");
    assert_eq!(cancelled["end_reason"], "cancelled_in_time");
    assert_eq!((world.balance(&agent).await, world.balance(&athlete).await), (0, 10_000));
    let payment = world.pay(&partner, &athlete, &unpaid).await;
    assert_eq!(payment["agent_commission_cents"], 0);
    assert_eq!((world.balance(&agent).await, world.balance(&athlete).await), (0, 30_000));
    world.books_are_right().await;

    let filing = &filings(&world, &officer).await[0];
    assert_eq!(filing["contract"]["cancelled_at"], "2026-12-05T05:59:59Z");
    assert_eq!(told(&world, "agency_contract.cancelled").await, [portal(&officer)]);
    let mut both = vec![user(&athlete), user(&agent)];
    both.sort();
    assert_eq!(told(&world, "agent.cancelled").await, both);
    let seen = as_user(&world, &athlete, "core.athlete.agent_filings", json!({})).await;
    assert_eq!(seen[0]["cancelled_at"], filing["contract"]["cancelled_at"]);

    let none = world.call(CANCEL, &athlete.principal, json!({})).await;
    assert_eq!(none.status, 404);
    let again = json!({ "representation_id": id });
    let again = world.call(CANCEL, &athlete.principal, again).await;
    assert_eq!((again.status, again.code()), (409, "illegal_transition"));
    // A refund takes everything from the athlete, who has everything.
    let finance = world.operator(&[nil_core::auth::Permission::Finance]);
    let refund = json!({ "payment_id": payment["id"], "amount_cents": 5_000, "reason": "Late." });
    let refund = world.call("admin.payment.refund", &finance, refund).await;
    assert_eq!(refund.status, 200, "{}", refund.body);
    assert_eq!(world.balance(&athlete).await, 25_000);
    world.books_are_right().await;
}
both!(cancelled_on_the_fourteenth_day_and_nothing_is_owed);

async fn the_fifteenth_day_is_too_late(world: World) {
    let (_, _, athlete) = school(&world).await;
    let agent = world.agent("North Agency").await;
    let id = world.represent(&agent, &athlete, 1_000).await;
    world.pass(TimeDelta::days(14) + TimeDelta::hours(18));
    let late = world.call(CANCEL, &athlete.principal, json!({})).await;
    assert_eq!((late.status, late.code()), (409, "cancellation_over"));
    let invited = world.invite(&world.agent("East Agency").await, &athlete, 500).await;
    for (id, code) in [(invited, "illegal_transition"), (id, "cancellation_over")] {
        let which = json!({ "representation_id": id });
        let refused = world.call(CANCEL, &athlete.principal, which).await;
        assert_eq!((refused.status, refused.code()), (409, code));
    }
    let other = world.athlete("Ida Novak").await;
    let theirs = json!({ "representation_id": id });
    assert_eq!(world.call(CANCEL, &other.principal, theirs).await.status, 404);
    let end = json!({ "representation_id": id });
    let ended = as_user(&world, &athlete, "core.athlete.end_representation", end).await;
    assert_eq!(ended["end_reason"], "athlete");
}
both!(the_fifteenth_day_is_too_late);

async fn an_agent_who_ends_it_does_not_take_the_right_away(world: World) {
    let (_, _, athlete) = school(&world).await;
    let agent = world.agent("North Agency").await;
    let partner = world.paying_partner("Ridge Outfitters").await;
    let id = world.represent(&agent, &athlete, 1_000).await;
    let deal = world.approved_deal(&partner, &athlete, &[10_000]).await;
    world.pay(&partner, &athlete, &deal).await;
    let which = json!({ "representation_id": id });
    let ended = as_user(&world, &agent, "core.agent.end_representation", which.clone()).await;
    assert_eq!(ended["end_reason"], "agent");
    let cancelled = as_user(&world, &athlete, CANCEL, which.clone()).await;
    assert_eq!(cancelled["end_reason"], "cancelled_in_time");
    assert_eq!((world.balance(&agent).await, world.balance(&athlete).await), (0, 10_000));
    let again = world.call(CANCEL, &athlete.principal, which).await;
    assert_eq!((again.status, again.code()), (409, "illegal_transition"));
    world.books_are_right().await;
}
both!(an_agent_who_ends_it_does_not_take_the_right_away);

/// An agent who wants to be paid out at once, after the athlete was paid 100 dollars and the
/// wallets were looked at.
async fn paid_through_an_agent(world: &World, athlete: &Person) -> Person {
    let agent = world.agent("North Agency").await;
    let partner = world.paying_partner("Ridge Outfitters").await;
    world.can_receive(&agent).await;
    let instant = json!({ "preference": "instant" });
    as_user(world, &agent, "core.payout_account.set_preference", instant).await;
    world.represent(&agent, athlete, 1_000).await;
    let deal = world.approved_deal(&partner, athlete, &[10_000]).await;
    world.pay(&partner, athlete, &deal).await;
    payments::sweep_payouts(&world.platform).await.unwrap();
    agent
}

async fn money_due_to_the_agent_waits_and_then_goes_by_itself(world: World) {
    let (_, _, athlete) = school(&world).await;
    let agent = paid_through_an_agent(&world, &athlete).await;
    assert_eq!(world.balance(&agent).await, 1_000, "it waits");
    world.pass(TimeDelta::days(15));
    let swept = payments::sweep_payouts(&world.platform).await.unwrap();
    assert_eq!((swept.paid_out, world.balance(&agent).await), (1, 0));
    world.books_are_right().await;
}
both!(money_due_to_the_agent_waits_and_then_goes_by_itself);

async fn an_institution_may_let_the_money_go_at_once(world: World) {
    let (college, _, athlete) = school(&world).await;
    set_rule(&world, college, json!({ "hours": 72, "transfers_wait": false })).await;
    let agent = paid_through_an_agent(&world, &athlete).await;
    assert_eq!(world.balance(&agent).await, 0);
    // What was paid out is owed back, and the athlete has it at once.
    as_user(&world, &athlete, CANCEL, json!({})).await;
    assert_eq!(world.balance(&athlete).await, 10_000);
    let owed = format!(
        "SELECT balance_cents FROM ledger_account WHERE name = 'agent:{}:receivable'",
        agent.id
    );
    assert_eq!(world.id(&owed).await, -1_000);
    world.books_are_right().await;
}
both!(an_institution_may_let_the_money_go_at_once);

async fn an_agent_brought_along_is_filed_at_enrolment(world: World) {
    let (_, before, athlete) = school(&world).await;
    let agent = world.agent("North Agency").await;
    let id = world.represent(&agent, &athlete, 1_000).await;
    world.pass(TimeDelta::days(40));
    let college = world.college().await;
    let officer = world.portal_user(college, "officer").await.0;
    let transfer = json!({ "university_id": college });
    as_user(&world, &athlete, "core.athlete.edit", transfer).await;
    assert_eq!(filings(&world, &officer).await.len(), 0);
    assert_eq!(worker::round(&world.platform).await.unwrap().filings_drafted, 1);
    assert_eq!(worker::round(&world.platform).await.unwrap().filings_drafted, 0, "once");
    let draft = &filings(&world, &officer).await[0];
    assert_eq!(draft["notices"]["enrolled_on"], "2026-12-30");
    // The end of the tenth day after enrolment.
    assert_eq!(draft["notice_due_at"], "2027-01-10T05:59:59Z");
    assert_eq!(draft["contract"]["signed_at"], "2026-11-20T12:00:00Z");
    assert_eq!(told(&world, "agency_contract.drafted").await.last(), Some(&portal(&officer)));
    assert_eq!(filings(&world, &before).await.len(), 1, "the former institution keeps its own");
    // A notice goes to the institution of today.
    let which = json!({ "representation_id": id });
    world.pass(TimeDelta::days(10));
    let given = as_user(&world, &agent, AGENTS_NOTICE, which).await;
    assert_eq!((&given["college_id"], &given["late"]), (&json!(college), &json!(false)));
    // Without an agent nobody is listed.
    let free = world.athlete("Ida Novak").await;
    as_user(&world, &free, "core.athlete.edit", json!({ "university_id": college })).await;
    assert_eq!(world.id("SELECT COUNT(*) FROM athlete_enrolment").await, 0);
}
both!(an_agent_brought_along_is_filed_at_enrolment);

async fn acceptance_and_cancellation_happen_once(world: World) {
    let (_, officer, athlete) = school(&world).await;
    let agent = world.agent("North Agency").await;
    world.represent(&agent, &athlete, 1_000).await;
    let tries = (0..8).map(|_| world.call(CANCEL, &athlete.principal, json!({})));
    let answers = futures::future::join_all(tries).await;
    let done = answers.iter().filter(|answer| answer.status == 200).count();
    assert_eq!(done, 1);
    assert_eq!(told(&world, "agency_contract.cancelled").await, [portal(&officer)]);
    assert_eq!(filings(&world, &officer).await[0]["version"], 2);
}
both!(acceptance_and_cancellation_happen_once);
