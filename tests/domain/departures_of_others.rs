//! Brands, agents and fans leave; operators close accounts; what is written meanwhile is erased as
//! well.

use chrono::TimeDelta;
use nil_core::auth::Permission;
use nil_core::payments::sandbox;
use nil_core::ports::processor::{DisputeKind, DisputeState};
use nil_core::worker;
use nil_tests::{GOOD_CARD, Person, World, a_filing, both};
use serde_json::json;

use crate::departures::{close, left, paid_out};
use crate::disputes::{disputed, taken, turn};
use crate::refunding::paid;

const BY_OPERATOR: &str = "admin.user.close";

async fn a_brand_takes_its_jobs_along_and_keeps_its_name_in_the_books(world: World) {
    let brand = world.paying_partner("Cedar Coffee").await;
    let athlete = world.athlete("Zoe Okafor").await;
    let deal = world.approved_deal(&brand, &athlete, &[5_000]).await;
    world.pay(&brand, &athlete, &deal).await;
    let job = world.open_job(&brand, json!({ "title": "Spring" })).await;
    world.apply(&athlete, job).await;
    let plan = world.plan(json!({})).await;
    world.subscribe(&brand, &plan).await.data();
    close(&world, &brand).await.data();
    let count = async |text: &'static str| world.id(text).await;
    assert_eq!(count("SELECT COUNT(*) FROM job WHERE status = 'cancelled'").await, 1);
    assert_eq!(count("SELECT COUNT(*) FROM application WHERE status = 'rejected'").await, 1);
    assert_eq!(count("SELECT COUNT(*) FROM subscription WHERE cancel_at_period_end").await, 1);
    assert_eq!(count("SELECT COUNT(*) FROM payment_method WHERE removed_at IS NULL").await, 0);
    assert_eq!(count("SELECT COUNT(*) FROM partner WHERE company_name = 'Cedar Coffee'").await, 1);
    assert_eq!(count("SELECT COUNT(*) FROM partner_search").await, 0);
    // The subscription ends with its period; nothing is charged.
    let charged = world.charged().await;
    world.pass(TimeDelta::days(32));
    worker::round(&world.platform).await.unwrap();
    assert_eq!(world.charged().await, charged);
    assert_eq!(count("SELECT COUNT(*) FROM subscription WHERE status = 'ended'").await, 1);
    world.books_are_right().await;
}
both!(a_brand_takes_its_jobs_along_and_keeps_its_name_in_the_books);

async fn an_agent_leaves_when_no_share_is_open(world: World) {
    let brand = world.paying_partner("Cedar Coffee").await;
    let athlete = world.athlete("Zoe Okafor").await;
    let agent = world.agent("Quill Agency").await;
    let deal = world.approved_deal_through(&brand, &athlete, Some((&agent, 1_000)), &[5_000]).await;
    assert_eq!(left(&close(&world, &agent).await), ["contracts", "owed"]);
    world.pay(&brand, &athlete, &deal).await;
    assert_eq!(left(&close(&world, &agent).await), ["wallet"]);
}
both!(an_agent_leaves_when_no_share_is_open);

async fn nobody_leaves_while_a_bank_decides(world: World) {
    let paid = paid(&world, 10_000).await;
    paid_out(&world, &paid.athlete).await;
    // Nobody decides an early warning.
    disputed(&world, &paid, DisputeKind::EarlyWarning, None).await;
    let inquiry = disputed(&world, &paid, DisputeKind::Inquiry, None).await;
    assert_eq!(left(&close(&world, &paid.partner).await), ["disputes"]);
    assert_eq!(left(&close(&world, &paid.athlete).await), ["disputes"]);
    assert_eq!(left(&close(&world, &paid.agent).await), ["disputes", "wallet"]);
    turn(&world, inquiry, DisputeState::Withdrawn).await;
    assert_eq!(left(&close(&world, &paid.agent).await), ["wallet"]);
    let id = taken(&world, &paid).await;
    assert_eq!(left(&close(&world, &paid.partner).await), ["disputes"]);
    let refused = close(&world, &paid.athlete).await;
    let said = refused.body["message"].as_str().unwrap();
    let words = "disputed charges that the bank has not decided about (1)";
    assert!(said.contains(words), "{}", refused.body);
    turn(&world, id, DisputeState::UnderReview).await;
    assert_eq!(left(&close(&world, &paid.athlete).await), ["disputes"]);
    turn(&world, id, DisputeState::Lost).await;
    close(&world, &paid.athlete).await.data();
    close(&world, &paid.partner).await.data();
    // An agent's own card counts as well.
    let plan = world.plan(json!({ "audience": "agent", "fee_basis_points": null })).await;
    let agent = world.agent("Quill Agency").await;
    let card = json!({ "processor_token": GOOD_CARD });
    world.call("core.agent.add_payment_method", &agent.principal, card).await.data();
    world.subscribe(&agent, &plan).await.data();
    let charge = world.text("processor_charge_id", "subscription_charge").await.unwrap();
    let processor = world.platform.processor();
    let bank = processor.sandbox().unwrap();
    bank.open_dispute(&charge, DisputeKind::Chargeback, None).await.unwrap().unwrap();
    sandbox::deliver_events(&world.platform).await.unwrap();
    assert_eq!(left(&close(&world, &agent).await), ["disputes"]);
}
both!(nobody_leaves_while_a_bank_decides);

async fn an_agent_without_money_leaves_at_once(world: World) {
    let athlete = world.athlete("Zoe Okafor").await;
    let other = world.athlete("Pat Rowe").await;
    let agent = world.agent("Quillfeather Agency").await;
    world.represent(&agent, &athlete, 1_000).await;
    world.invite(&agent, &other, 500).await;
    worker::round(&world.platform).await.unwrap();
    close(&world, &agent).await.data();
    let ended = "SELECT COUNT(*) FROM representation WHERE status IN ('ended', 'declined')";
    assert_eq!(world.id(ended).await, 2);
    for days in [1, 8, 33] {
        world.pass(TimeDelta::days(days));
        worker::round(&world.platform).await.unwrap();
    }
    world.fan("Someone Else").await;
    world.pass(TimeDelta::minutes(2));
    worker::round(&world.platform).await.unwrap();
    // The institution keeps its record of the agent, as the law on athlete agents asks.
    let kept = world.places_of(&["quillfeather"]).await;
    let kept: Vec<_> = kept.iter().map(|(table, column, _)| format!("{table}.{column}")).collect();
    let record = [
        "athlete_agent_filing.particulars",
        "athlete_agent_filing.search_text",
        "athlete_agent_filing_version.content",
    ];
    assert_eq!(kept, record);
}
both!(an_agent_without_money_leaves_at_once);

async fn an_operator_closes_an_account_for_a_reason(world: World) {
    let athlete = world.athlete("Zoe Okafor").await;
    let operator = world.operator(&[Permission::Accounts]);
    let ask = json!({ "user_id": athlete.user_id, "reason": "Asked by letter." });
    let others = world.operator(&[Permission::Jobs]);
    assert_eq!(world.call(BY_OPERATOR, &others, ask.clone()).await.status, 403);
    let unreasoned = json!({ "user_id": athlete.user_id });
    assert_eq!(world.call(BY_OPERATOR, &operator, unreasoned).await.status, 422);
    let unknown = json!({ "user_id": 9_999, "reason": "x" });
    assert_eq!(world.call(BY_OPERATOR, &operator, unknown).await.status, 404);
    // The saved status cannot be that: it takes no reason.
    let save = json!({ "id": athlete.id, "status": "deactivated" });
    assert_eq!(world.call("admin.athlete.save", &operator, save).await.status, 422);
    let suspend = json!({ "id": athlete.id, "status": "suspended" });
    world.call("admin.athlete.save", &operator, suspend).await.data();
    let closed = world.call(BY_OPERATOR, &operator, ask.clone()).await.data();
    assert_eq!(closed["status"], "deactivated");
    let again = world.call(BY_OPERATOR, &operator, ask).await;
    assert_eq!((again.status, again.code()), (409, "illegal_transition"));
    let kept = "SELECT COUNT(*) FROM departure WHERE asked_by = 'operator:1' \
        AND reason = 'Asked by letter.'";
    assert_eq!(world.id(kept).await, 1);
    let (_, email) = world.start("fan", "Early Bird").await;
    let early = world.id("SELECT MAX(id) FROM app_user").await;
    let early = json!({ "user_id": early, "reason": "x" });
    let early = world.call(BY_OPERATOR, &operator, early).await;
    assert_eq!((early.status, early.code()), (409, "illegal_transition"), "{email}");
}
both!(an_operator_closes_an_account_for_a_reason);

async fn what_was_written_meanwhile_is_erased_an_hour_later(world: World) {
    let brand = world.partner("Ridge Outfitters").await;
    let job = world.open_job(&brand, json!({})).await;
    let athlete = world.athlete("Zoe Okafor").await;
    close(&world, &athlete).await.data();
    world.script("UPDATE athlete SET bio = 'marmalade', display_name = 'marmalade'").await;
    world
        .script(&format!(
            "INSERT INTO application (job_id, athlete_id, source, pitch, status, created_at, updated_at) \
             SELECT {job}, {}, 'applied', 'marmalade', 'applicant', left_at, left_at FROM departure",
            athlete.id
        ))
        .await;
    world.pass(TimeDelta::minutes(59));
    worker::round(&world.platform).await.unwrap();
    assert_eq!(world.places_of(&["marmalade"]).await.len(), 3);
    world.pass(TimeDelta::minutes(2));
    worker::round(&world.platform).await.unwrap();
    assert_eq!(world.places_of(&["marmalade"]).await, []);
    assert_eq!(world.id("SELECT COUNT(*) FROM application WHERE status = 'withdrawn'").await, 1);
    assert_eq!(world.id("SELECT COUNT(*) FROM departure WHERE due_at IS NOT NULL").await, 0);
    // The next round has nothing to do.
    let trail = "SELECT COUNT(*) FROM audit_entry WHERE action = 'withdrawn'";
    let noted = world.id(trail).await;
    world.pass(TimeDelta::hours(2));
    worker::round(&world.platform).await.unwrap();
    assert_eq!(world.id(trail).await, noted);
}
both!(what_was_written_meanwhile_is_erased_an_hour_later);

async fn a_hire_and_a_departure_exclude_each_other(world: World) {
    let brand = world.partner("Ridge Outfitters").await;
    for _ in 0..6 {
        let athlete = world.athlete("Zoe Okafor").await;
        let job = world.open_job(&brand, json!({})).await;
        let application = world.apply(&athlete, job).await;
        let hire = json!({ "id": application });
        let (hired, closed) = tokio::join!(
            world.call("core.application.hire", &brand.principal, hire),
            close(&world, &athlete)
        );
        assert_ne!(hired.status == 200, closed.status == 200, "{} {}", hired.body, closed.body);
        let open = format!(
            "SELECT COUNT(*) FROM contract c JOIN athlete a ON a.id = c.athlete_id \
             JOIN app_user u ON u.id = a.user_id WHERE u.status = 'deactivated' AND a.id = {}",
            athlete.id
        );
        assert_eq!(world.id(&open).await, 0);
    }
}
both!(a_hire_and_a_departure_exclude_each_other);

async fn two_who_wrote_to_each_other_are_both_forgotten(world: World) {
    let brand = world.paying_partner("Cedar Coffee").await;
    let athlete = world.athlete("Zoe Okafor").await;
    let deal = world.approved_deal(&brand, &athlete, &[5_000]).await;
    world.pay(&brand, &athlete, &deal).await;
    paid_out(&world, &athlete).await;
    let say = async |from: &Person, to: &Person, text: &str| {
        let file = world.file(from, "shot.png").await;
        let message = json!({ "user_id": to.user_id, "text": text, "file_ids": [file] });
        world.call("core.chat.send", &from.principal, message).await.data();
    };
    say(&athlete, &brand, "I like marmalade.").await;
    say(&brand, &athlete, "Marmalade it is.").await;
    close(&world, &athlete).await.data();
    let texts = "SELECT COUNT(*) FROM message WHERE text <> ''";
    let files = "SELECT COUNT(*) FROM stored_file WHERE status = 'stored'";
    assert_eq!((world.id(texts).await, world.id(files).await), (2, 2));
    assert_eq!(world.id("SELECT COUNT(*) FROM stored_file WHERE name = 'shot.png'").await, 1);
    close(&world, &brand).await.data();
    assert_eq!((world.id(texts).await, world.id(files).await), (0, 0));
}
both!(two_who_wrote_to_each_other_are_both_forgotten);

async fn filings_are_removed_five_years_after_they_ended(world: World) {
    let college = world.college().await;
    let officer = world.portal_user(college, "officer").await.0;
    let athlete = world.athlete_of("Zoe Okafor", college).await;
    let paper =
        json!({ "submit": true, "documents": [nil_tests::a_file("paper.txt", b"A contract.")] });
    let submit = "compliance.disclosure.submit";
    let filed = world.call(submit, &officer, a_filing(athlete.id, paper)).await.data();
    let remove = json!({ "id": filed["id"] });
    world.call("compliance.disclosure.delete", &officer, remove).await.data();
    let there = "SELECT COUNT(*) FROM athlete_agent_filing";
    let files = "SELECT COUNT(*) FROM stored_file WHERE status = 'stored'";
    // The contract ends on 18 November 2027: five years later is 18 November 2032.
    world.pass_until("2032-11-17T12:00:00Z");
    worker::round(&world.platform).await.unwrap();
    assert_eq!((world.id(there).await, world.id(files).await), (1, 1));
    world.pass_until("2032-11-19T12:00:00Z");
    worker::round(&world.platform).await.unwrap();
    assert_eq!((world.id(there).await, world.id(files).await), (0, 0));
    assert_eq!(world.id("SELECT COUNT(*) FROM athlete_agent_filing_version").await, 0);
    assert_eq!(world.id("SELECT COUNT(*) FROM audit_entry WHERE action = 'purged'").await, 1);
}
both!(filings_are_removed_five_years_after_they_ended);
