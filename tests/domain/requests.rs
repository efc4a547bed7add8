//! After the hire: confirmation, expiry, requests to cancel or for a later date.

use chrono::TimeDelta;
use nil_core::auth::Permission;
use nil_core::deals::{escalate_unanswered, expire_unconfirmed};
use nil_tests::{Hire, World, both};
use serde_json::{Value, json};

async fn extend(world: &World, hire: &Hire, deliverable: i64, to: &str) -> nil_tests::Answer {
    let ask = json!({ "job_id": hire.job, "deliverable_id": deliverable,
        "proposed_due_on": to, "reason": "Exams" });
    world.call("core.contract.request_new_due_date", &hire.athlete.principal, ask).await
}

async fn not_available(world: &World, hire: &Hire) -> nil_tests::Answer {
    let ask = json!({ "job_id": hire.job, "reason": "Injured" });
    world.call("core.contract.not_available", &hire.athlete.principal, ask).await
}

async fn dismiss(world: &World, hire: &Hire) -> nil_tests::Answer {
    let which = json!({ "job_id": hire.job, "athlete_id": hire.athlete.id });
    world.call("core.contract.dismiss_request", &hire.partner.principal, which).await
}

async fn accept(world: &World, hire: &Hire, kind: &str) -> nil_tests::Answer {
    let which = json!({ "job_id": hire.job, "athlete_id": hire.athlete.id, "kind": kind });
    world.call("core.contract.accept_request", &hire.partner.principal, which).await
}

fn states(deal: &Value) -> (&str, &str) {
    (deal["status"].as_str().unwrap(), deal["contract"]["status"].as_str().unwrap())
}

/// The words of a PDF, on one line.
pub(crate) fn text_of(pdf: &[u8]) -> String {
    let mut program = std::process::Command::new("pdftotext")
        .args(["-layout", "-", "-"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("pdftotext");
    let mut input = program.stdin.take().expect("its input");
    let pdf = pdf.to_vec();
    let writing = std::thread::spawn(move || std::io::Write::write_all(&mut input, &pdf));
    let output = program.wait_with_output().expect("its output");
    writing.join().expect("written").expect("taken");
    let text = String::from_utf8(output.stdout).expect("text");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

async fn confirming_executes_the_contract_once(world: World) {
    let hire = world.hired(json!({})).await;
    let job = json!({ "job_id": hire.job });
    let stranger = world.athlete("Ida Novak").await;
    let theirs =
        world.call("core.contract.confirm_availability", &stranger.principal, job.clone()).await;
    // A caller without a relation to the job gets the same response as for an unknown job.
    assert_eq!((theirs.status, theirs.code()), (404, "not_found"));
    let nowhere = world
        .call("core.contract.confirm_availability", &stranger.principal, json!({ "job_id": 999 }))
        .await;
    assert_eq!(nowhere.status, 404);
    let deal = world
        .call("core.contract.confirm_availability", &hire.athlete.principal, job.clone())
        .await
        .data();
    assert_eq!(states(&deal), ("confirmed", "active"));
    assert_eq!(deal["contract"]["executed_at"], "2026-11-20T12:00:00Z");
    let again =
        world.call("core.contract.confirm_availability", &hire.athlete.principal, job).await;
    assert_eq!((again.status, again.code()), (409, "illegal_transition"));
}
both!(confirming_executes_the_contract_once);

async fn an_unconfirmed_contract_runs_out_and_frees_the_place(world: World) {
    let hire = world.hired(json!({ "slots": 1 })).await;
    assert_eq!(world.job(&hire.partner, hire.job).await["status"], "closed");
    world.pass(TimeDelta::hours(71));
    assert_eq!(expire_unconfirmed(&world.platform).await.unwrap(), 0);
    world.pass(TimeDelta::hours(2));
    let job = json!({ "job_id": hire.job });
    let late = world.call("core.contract.confirm_availability", &hire.athlete.principal, job).await;
    assert_eq!(late.status, 409);
    assert_eq!(expire_unconfirmed(&world.platform).await.unwrap(), 1);
    assert_eq!(expire_unconfirmed(&world.platform).await.unwrap(), 0);
    let deal = world.deal(&hire.athlete, hire.job).await;
    assert_eq!(states(&deal), ("expired", "expired"));
    assert_eq!(deal["deliverables"][0]["status"], "void");
    let job = world.job(&hire.partner, hire.job).await;
    assert_eq!((&job["status"], &job["filled"]), (&json!("open"), &json!(0)));
    // The athlete was not rejected and may apply again.
    world.hire(&hire.partner, &hire.athlete, hire.job).await;
}
both!(an_unconfirmed_contract_runs_out_and_frees_the_place);

async fn both_sides_and_the_agent_hear_that_a_contract_has_run_out(world: World) {
    let hire = world.hired(json!({})).await;
    let agent = world.agent("North Agency").await;
    world.represent(&agent, &hire.athlete, 1_000).await;
    world.pass(TimeDelta::hours(73));
    for _ in 0..2 {
        nil_core::worker::round(&world.platform).await.unwrap();
        assert_eq!(world.told("contract.expired").await, 3, "once each");
    }
    for who in [&hire.athlete, &hire.partner, &agent] {
        let mail = world.mail(&who.email, "contract.expired").await.unwrap();
        assert!(mail.contains("November 23, 2026") && !mail.contains("{{"), "{mail}");
    }
}
both!(both_sides_and_the_agent_hear_that_a_contract_has_run_out);

async fn a_dismissal_rejects_everything_and_changes_no_contract(world: World) {
    let hire = world.hired(json!({})).await;
    let none = dismiss(&world, &hire).await;
    assert_eq!((none.status, none.code()), (404, "no_pending_request"));
    let request = not_available(&world, &hire).await.data();
    assert_eq!((&request["kind"], &request["status"]), (&json!("CC"), &json!("P")));
    let twice = not_available(&world, &hire).await;
    assert_eq!((twice.status, twice.code()), (409, "request_pending"));
    assert_eq!(
        states(&world.deal(&hire.athlete, hire.job).await),
        ("cancellation_requested", "generated")
    );
    let confirm = world
        .call(
            "core.contract.confirm_availability",
            &hire.athlete.principal,
            json!({ "job_id": hire.job }),
        )
        .await;
    assert_eq!(confirm.status, 409);

    let other = world.partner("Valley Sports").await;
    let which = json!({ "job_id": hire.job, "athlete_id": hire.athlete.id });
    let theirs = world.call("core.contract.dismiss_request", &other.principal, which).await;
    assert_eq!((theirs.status, theirs.code()), (404, "no_pending_request"));
    let answer = dismiss(&world, &hire).await;
    assert_eq!((answer.status, &answer.body["status"]), (200, &json!("success")));
    let deal = world.deal(&hire.athlete, hire.job).await;
    assert_eq!(states(&deal), ("hired", "generated"));
    assert_eq!(
        (&deal["requests"][0]["status"], &deal["requests"][0]["decided_by"]),
        (&json!("R"), &json!(format!("partner:{}", hire.partner.id)))
    );

    let active = world.active(json!({})).await;
    extend(&world, &active, active.deliverables[0], "2026-12-15").await.data();
    dismiss(&world, &active).await.data();
    let deal = world.deal(&active.athlete, active.job).await;
    assert_eq!(states(&deal), ("confirmed", "active"));
    assert_eq!(deal["deliverables"][0]["due_on"], "2026-12-10");
}
both!(a_dismissal_rejects_everything_and_changes_no_contract);

async fn an_accepted_cancellation_ends_the_contract(world: World) {
    let hire = world.active(json!({ "slots": 1 })).await;
    world.approve(&hire, hire.deliverables[0]).await;
    not_available(&world, &hire).await.data();
    let wrong = accept(&world, &hire, "EDD").await;
    assert_eq!((wrong.status, wrong.code()), (404, "no_pending_request"));
    let deal = accept(&world, &hire, "CC").await.data();
    assert_eq!(states(&deal), ("cancelled", "cancelled"));
    // Approved work stays payable.
    let work: Vec<_> = deal["deliverables"]
        .as_array()
        .unwrap()
        .iter()
        .map(|d| d["status"].as_str().unwrap())
        .collect();
    assert_eq!(work, ["approved", "void"]);
    let job = world.job(&hire.partner, hire.job).await;
    assert_eq!((&job["status"], &job["filled"]), (&json!("open"), &json!(0)));
    nil_core::worker::round(&world.platform).await.unwrap();
    assert!(world.mail(&hire.athlete.email, "contract.cancelled").await.is_some());
}
both!(an_accepted_cancellation_ends_the_contract);

async fn a_later_date_is_an_amendment(world: World) {
    let hire = world.active(json!({})).await;
    let first = hire.deliverables[0];
    for (to, status) in [("2026-12-10", 422), ("2026-12-01", 422)] {
        assert_eq!(extend(&world, &hire, first, to).await.status, status);
    }
    assert_eq!(extend(&world, &hire, 9_999, "2026-12-30").await.status, 404);
    let stranger = world.active(json!({})).await;
    assert_eq!(extend(&world, &hire, stranger.deliverables[0], "2026-12-30").await.status, 404);

    extend(&world, &hire, first, "2026-12-15").await.data();
    let second = extend(&world, &hire, hire.deliverables[1], "2026-12-30").await;
    assert_eq!((second.status, second.code()), (409, "request_pending"));
    let before = world.deal(&hire.athlete, hire.job).await;
    assert_eq!(before["status"], "extension_requested");
    let deal = accept(&world, &hire, "EDD").await.data();
    assert_eq!(states(&deal), ("confirmed", "active"));
    assert_eq!(deal["deliverables"][0]["due_on"], "2026-12-15");
    assert_eq!(deal["deliverables"][0]["due_at"], "2026-12-16T05:59:59Z");
    assert_eq!(deal["contract"]["document_sha256"], before["contract"]["document_sha256"]);

    extend(&world, &hire, first, "2026-12-18").await.data();
    dismiss(&world, &hire).await.data();
    let third = extend(&world, &hire, first, "2026-12-19").await;
    assert_eq!((third.status, third.code()), (409, "extension_limit"));
}
both!(a_later_date_is_an_amendment);

async fn an_amendment_is_a_paper_of_its_own(world: World) {
    let hire = world.active(json!({})).await;
    let (first, second) = (hire.deliverables[0], hire.deliverables[1]);
    let of_job = json!({ "job_id": hire.job });
    let me = &hire.athlete.principal;
    let contract = world.call("core.contract.download", me, of_job.clone()).await;
    let none = world.call("core.contract.download_amendments", me, of_job.clone()).await;
    assert_eq!((none.status, none.code()), (404, "no_amendments"));

    // One requested and accepted, one dismissed, one more accepted.
    extend(&world, &hire, first, "2026-12-15").await.data();
    accept(&world, &hire, "EDD").await.data();
    world.pass(TimeDelta::hours(5));
    extend(&world, &hire, second, "2026-12-28").await.data();
    dismiss(&world, &hire).await.data();
    let deal = world.deal(&hire.athlete, hire.job).await;
    let dues: Vec<_> = deal["deliverables"]
        .as_array()
        .unwrap()
        .iter()
        .map(|d| d["due_on"].as_str().unwrap())
        .collect();
    assert_eq!(dues, ["2026-12-15", "2026-12-20"]);
    assert_eq!(deal["contract"]["amendments"].as_array().unwrap().len(), 1);
    extend(&world, &hire, second, "2026-12-30").await.data();
    accept(&world, &hire, "EDD").await.data();

    let deal = world.deal(&hire.athlete, hire.job).await;
    let amendments = deal["contract"]["amendments"].as_array().unwrap();
    let moved: Vec<_> = amendments
        .iter()
        .map(|a| (a["number"].as_i64().unwrap(), a["change"]["to"].as_str().unwrap()))
        .collect();
    assert_eq!(moved, [(1, "2026-12-15"), (2, "2026-12-30")]);
    let hashes = [
        &deal["contract"]["document_sha256"],
        &amendments[0]["document_sha256"],
        &amendments[1]["document_sha256"],
    ]
    .map(|hash| hash.as_str().unwrap());
    assert!(hashes[0] != hashes[1] && hashes[1] != hashes[2]);

    // The signed document is unchanged, to the byte.
    let again = world.call("core.contract.download", me, of_job.clone()).await;
    assert!(again.bytes == contract.bytes);
    let paper = world
        .call("core.contract.download_amendments", &hire.partner.principal, of_job.clone())
        .await;
    assert_eq!(
        paper.body["data"],
        format!("{}-amendments.pdf", deal["contract"]["number"].as_str().unwrap())
    );
    let text = text_of(&paper.bytes);
    for said in [
        "Amendment No. 1",
        "Amendment No. 2",
        "It is due on December 15, 2026 instead of December 10, 2026.",
        "It is due on December 30, 2026 instead of December 20, 2026.",
        "November 20, 2026, 11:00 am Central",
        "Reel",
        "Story",
        "Zoe Okafor",
        "127.0.0.1",
        hashes[0],
        hashes[1],
        hashes[2],
    ] {
        assert!(text.contains(said), "{said} is missing from\n{text}");
    }
    assert!(!text.contains("December 28"), "{text}");

    let college = deal["athlete"]["university_id"].as_i64().unwrap();
    let (officer, _) = world.portal_user(college, "viewer").await;
    let which = json!({ "job_id": hire.job, "athlete_id": hire.athlete.id });
    let same = world.call("compliance.contract.download_amendments", &officer, which.clone()).await;
    assert!(same.bytes == paper.bytes);
    let (elsewhere, _) = world.portal_user(world.college().await, "owner").await;
    assert_eq!(
        world.call("compliance.contract.download_amendments", &elsewhere, which).await.status,
        404
    );
    let other = world.partner("Valley Sports").await;
    assert_eq!(
        world.call("core.contract.download_amendments", &other.principal, of_job).await.code(),
        "not_found"
    );
    let operator = world.operator(&[Permission::Jobs]);
    let cancel = json!({ "contract_id": hire.contract, "reason": "Both asked for it." });
    let cancelled = world.call("admin.job.cancel_contract", &operator, cancel).await.data();
    assert_eq!(cancelled["amendments"].as_array().unwrap().len(), 2);
}
both!(an_amendment_is_a_paper_of_its_own);

async fn a_request_is_taken_back_or_gives_way(world: World) {
    let hire = world.active(json!({})).await;
    let withdraw = |kind: &str| json!({ "job_id": hire.job, "kind": kind });
    let me = &hire.athlete.principal;
    let none = world.call("core.contract.withdraw_request", me, withdraw("CC")).await;
    assert_eq!((none.status, none.code()), (404, "no_pending_request"));
    extend(&world, &hire, hire.deliverables[0], "2026-12-15").await.data();
    not_available(&world, &hire).await.data();
    let over = extend(&world, &hire, hire.deliverables[0], "2026-12-15").await;
    assert_eq!((over.status, over.code()), (409, "illegal_transition"));
    let deal = world.deal(&hire.athlete, hire.job).await;
    let kinds: Vec<_> = deal["requests"]
        .as_array()
        .unwrap()
        .iter()
        .map(|r| (r["kind"].as_str().unwrap(), r["status"].as_str().unwrap()))
        .collect();
    assert_eq!(kinds, [("EDD", "W"), ("CC", "P")]);
    let back = world.call("core.contract.withdraw_request", me, withdraw("CC")).await.data();
    assert_eq!(back["status"], "W");
    assert_eq!(states(&world.deal(&hire.athlete, hire.job).await), ("confirmed", "active"));
}
both!(a_request_is_taken_back_or_gives_way);

async fn a_silent_brand_is_escalated_after_a_week_once(world: World) {
    let hire = world.active(json!({})).await;
    not_available(&world, &hire).await.data();
    world.pass(TimeDelta::days(6));
    assert_eq!(escalate_unanswered(&world.platform).await.unwrap(), 0);
    world.pass(TimeDelta::days(2));
    assert_eq!(escalate_unanswered(&world.platform).await.unwrap(), 1);
    let job = world.job(&hire.partner, hire.job).await;
    assert_eq!(job["manual_review"]["asked_by"], "platform");
    assert_eq!(job["manual_review"]["athlete_id"], json!(hire.athlete.id));
    let operator = world.operator(&[Permission::Jobs]);
    let resolve = json!({ "job_id": hire.job });
    world.call("admin.job.resolve_manual_review", &operator, resolve).await.data();
    assert_eq!(escalate_unanswered(&world.platform).await.unwrap(), 0);
}
both!(a_silent_brand_is_escalated_after_a_week_once);

async fn an_operator_looks_where_somebody_asks(world: World) {
    let hire = world.active(json!({})).await;
    let ask = json!({ "job_id": hire.job, "reason": "No answer for a week" });
    let stranger = world.athlete("Ida Novak").await;
    let theirs = world
        .call("core.job.request_manual_review_of_deal", &stranger.principal, ask.clone())
        .await;
    assert_eq!(theirs.status, 404);
    let review = world
        .call("core.job.request_manual_review_of_deal", &hire.athlete.principal, ask)
        .await
        .data();
    assert_eq!(review["status"], "open");
    let ask = json!({ "job_id": hire.job, "athlete_id": hire.athlete.id, "reason": "Bad work" });
    let twice = world.call("core.job.request_manual_review", &hire.partner.principal, ask).await;
    assert_eq!((twice.status, twice.code()), (409, "request_pending"));

    world.submit(&hire, hire.deliverables[0]).await;
    let operator = world.operator(&[Permission::Jobs]);
    let resolve = json!({ "job_id": hire.job, "approve_deliverable_id": hire.deliverables[0] });
    let resolved =
        world.call("admin.job.resolve_manual_review", &operator, resolve.clone()).await.data();
    assert_eq!(resolved["status"], "resolved");
    let deal = world.deal(&hire.athlete, hire.job).await;
    assert_eq!(deal["deliverables"][0]["status"], "approved");
    assert_eq!(world.call("admin.job.resolve_manual_review", &operator, resolve).await.status, 409);
    assert_eq!(world.job(&hire.partner, hire.job).await["manual_review"]["status"], "resolved");
}
both!(an_operator_looks_where_somebody_asks);
