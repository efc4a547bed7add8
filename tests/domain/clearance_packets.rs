//! The packet for the clearinghouse shows what comparable deals paid, and can be had as a PDF.

use nil_core::auth::Principal;
use nil_tests::{ATTESTED, Hire, Person, World, all_no, both};
use serde_json::{Value, json};

use crate::clearing::{own, shown};
use crate::compensation::Market;
use crate::disclosing::disclose;
use crate::requests::text_of;

const OWN: &str = "core.clearance.download_packet";
const OF_COLLEGE: &str = "compliance.clearance.download_packet";

/// An executed contract that must be submitted, with its clearance.
async fn due(world: &World, athlete: &Person) -> (Hire, Value) {
    let brand = world.partner("North Cafe").await;
    let job = world.open_job(&brand, json!({ "amount_cents": 70_000, "slots": 1 })).await;
    let hire = world.hire(&brand, athlete, job).await;
    let confirm = json!({ "job_id": job });
    world.call("core.contract.confirm_availability", &athlete.principal, confirm).await.data();
    let id = own(world, &athlete.principal).await[0]["id"].clone();
    (hire, id)
}

async fn submit(world: &World, athlete: &Person, id: &Value) -> Value {
    let packet = json!({ "id": id, "association": all_no() });
    world.call("core.clearance.save_packet", &athlete.principal, packet).await.data();
    let submit = json!({ "id": id, "attestations": ATTESTED });
    world.call("core.clearance.submit", &athlete.principal, submit).await.data()
}

async fn record(world: &World, officer: &Principal, id: &Value, status: &str) {
    let word = json!({ "id": id, "status": status, "note": "More about the price, please." });
    world.call("compliance.clearance.record", officer, word).await.data();
}

fn count(detail: &Value) -> &Value {
    &detail["packet"]["compensation_range"]["n"]
}

async fn the_range_is_of_today_until_the_packet_is_submitted(world: World) {
    let mut market = Market::new(world, 4).await;
    let college = market.world.college().await;
    let officer = market.world.portal_user(college, "officer").await.0;
    let athlete = market.world.athlete_of("Zoe Okafor", college).await;
    let (_, id) = due(&market.world, &athlete).await;
    let who = &athlete.principal;
    let few = shown(&market.world, who, &id).await;
    let range = &few["packet"]["compensation_range"];
    assert_eq!((&range["n"], &range["quartiles"]), (&Value::Null, &Value::Null), "{range}");
    assert!(range["explanation"].is_string(), "{range}");
    market.agree(5, 50_000).await;
    let five = shown(&market.world, who, &id).await;
    assert_eq!(
        (count(&five), &five["packet"]["compensation_range"]["amount_cents"]),
        (&json!(5), &json!(70_000))
    );
    // Everyone who sees the packet sees the same range, whatever deals they know.
    let detail = json!({ "id": id });
    let seen = market.world.call("compliance.clearance.detail", &officer, detail).await.data();
    assert_eq!(seen["packet"]["compensation_range"], five["packet"]["compensation_range"]);
    let submitted = submit(&market.world, &athlete, &id).await;
    let frozen = submitted["packet"]["compensation_range"].clone();
    assert_eq!(frozen, five["packet"]["compensation_range"]);
    assert_eq!(submitted["steps"][0]["packet"]["compensation_range"], frozen);
    market.agree(6, 60_000).await;
    assert_eq!(count(&shown(&market.world, who, &id).await), 5);
    // A packet that is to be submitted again is of today again; the one that was submitted stays.
    record(&market.world, &officer, &id, "flagged").await;
    let open = shown(&market.world, who, &id).await;
    assert_eq!(
        (count(&open), &open["steps"][0]["packet"]["compensation_range"]),
        (&json!(6), &frozen)
    );
    let again = submit(&market.world, &athlete, &id).await;
    assert_eq!(count(&again), 6);
}
both!(the_range_is_of_today_until_the_packet_is_submitted);

async fn a_deal_that_a_reader_of_the_packet_knows_does_not_count(world: World) {
    let mut market = Market::new(world, 5).await;
    let college = market.world.college().await;
    let athlete = market.world.athlete_of("Zoe Okafor", college).await;
    // A deal of another athlete of the same institution.
    let mate = market.world.athlete_of("Ida Novak", college).await;
    due(&market.world, &mate).await;
    let (_, id) = due(&market.world, &athlete).await;
    assert_eq!(count(&shown(&market.world, &athlete.principal, &id).await), 5);
    // Once a deal was made through the agent who now represents the athlete, it does not count
    // either.
    let agent = market.world.agent("North Agency").await;
    market.agree(6, 60_000).await;
    let through = market.hire_of(5);
    let sql =
        format!("UPDATE comparable_deal SET agent_id = {} WHERE contract_id = {through}", agent.id);
    market.world.script(&sql).await;
    assert_eq!(count(&shown(&market.world, &athlete.principal, &id).await), 6);
    market.world.represent(&agent, &athlete, 1_000).await;
    assert_eq!(count(&shown(&market.world, &athlete.principal, &id).await), 5);
}
both!(a_deal_that_a_reader_of_the_packet_knows_does_not_count);

async fn athlete_agent_and_officer_download_the_packet(world: World) {
    let college = world.college().await;
    let officer = world.portal_user(college, "viewer").await.0;
    let athlete = world.athlete_of("Zoe Okafor", college).await;
    let (hire, id) = due(&world, &athlete).await;
    let which = json!({ "id": id });
    let agent = world.agent("North Agency").await;
    let stranger = world.athlete("Ida Novak").await;
    let elsewhere = world.portal_user(world.college().await, "officer").await.0;
    for (operation, who) in
        [(OWN, &agent.principal), (OWN, &stranger.principal), (OF_COLLEGE, &elsewhere)]
    {
        let answer = world.call(operation, who, which.clone()).await;
        assert_eq!((answer.status, answer.code()), (404, "not_found"));
    }
    let brand = world.call(OWN, &hire.partner.principal, which.clone()).await;
    assert_eq!(brand.status, 403);
    world.represent(&agent, &athlete, 1_000).await;
    let mut files = Vec::new();
    for (operation, who) in
        [(OWN, &athlete.principal), (OWN, &agent.principal), (OF_COLLEGE, &officer)]
    {
        let answer = world.call(operation, who, which.clone()).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
        assert!(answer.bytes.starts_with(b"%PDF"));
        files.push(answer.bytes);
    }
    assert!(files.iter().all(|file| *file == files[0]), "all see the same packet");
    let text = text_of(&files[0]);
    for said in
        ["This is a draft", "Missing or contradictory", "North Cafe", "Zoe Okafor", "$700.00"]
    {
        assert!(text.contains(said), "{said}: {text}");
    }
    let of_agent = "SELECT COUNT(*) FROM audit_entry WHERE action = 'packet_downloaded' \
        AND on_behalf_of IS NOT NULL";
    assert_eq!(world.id(of_agent).await, 1);
    let all = "SELECT COUNT(*) FROM audit_entry WHERE action = 'packet_downloaded'";
    assert_eq!(world.id(all).await, 3);

    submit(&world, &athlete, &id).await;
    let text = text_of(&world.call(OF_COLLEGE, &officer, which.clone()).await.bytes);
    assert!(text.contains("as it was submitted on") && !text.contains("draft"), "{text}");
    assert!(text.contains("What comparable deals paid"), "{text}");
}
both!(athlete_agent_and_officer_download_the_packet);

async fn the_packet_shows_what_the_payer_attests(world: World) {
    let college = world.college().await;
    let officer = world.portal_user(college, "officer").await.0;
    let athlete = world.athlete_of("Zoe Okafor", college).await;
    let (hire, id) = due(&world, &athlete).await;
    let which = json!({ "id": id });
    let printed = async |operation: &str, who: &Principal| {
        let bytes = world.call(operation, who, which.clone()).await.bytes;
        let text = text_of(&bytes);
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let open = shown(&world, &athlete.principal, &id).await;
    let asked = &open["packet"]["payor_attestation"];
    assert_eq!(asked, &open["payor_attestation"], "the packet's and the clearance's are one");
    assert_eq!(
        (&asked["asked_at"], &asked["due_at"], &asked["attested_by"], &asked["associated"]),
        (
            &json!("2026-11-20T12:00:00Z"),
            &json!("2026-12-01T05:59:59Z"),
            &Value::Null,
            &Value::Null
        )
    );
    let text = printed(OWN, &athlete.principal).await;
    assert!(text.contains("Asked November 20, 2026, 6:00 am Central"), "{text}");
    assert!(text.contains("Not yet answered (due November 30, 2026)"), "{text}");

    world.pass(chrono::TimeDelta::days(1));
    let attest = async |answer: bool| {
        let mut answers = all_no();
        answers[1]["answer"] = json!(answer);
        let give = json!({ "id": id, "association": answers });
        world.call("core.attestation.give", &hire.partner.principal, give).await.data();
    };
    attest(true).await;
    for (operation, who) in [(OWN, &athlete.principal), (OF_COLLEGE, &officer)] {
        let text = printed(operation, who).await;
        for said in [
            "First answered November 21, 2026, 6:00 am Central, by North Cafe",
            "Answer Associated with the institution",
            "To the questions As above",
            "Yes The payer",
        ] {
            assert!(text.contains(said), "{said}: {text}");
        }
        assert!(!text.contains("Not yet answered") && !text.contains("An operator"), "{text}");
    }
    // What is submitted keeps what the payer had said.
    let submit = json!({ "id": id, "attestations": ATTESTED });
    let sent = world.call("core.clearance.submit", &athlete.principal, submit).await.data();
    let kept = sent["steps"][0]["packet"]["payor_attestation"].clone();
    let by = json!(format!("partner:{}", hire.partner.id));
    assert_eq!((&kept["associated"], &kept["attested_by"]), (&json!(true), &by), "{kept}");
    attest(false).await;
    let seen = shown(&world, &athlete.principal, &id).await;
    assert_eq!(seen["payor_attestation"]["associated"], false);
    assert_eq!(seen["steps"][0]["packet"]["payor_attestation"], kept);
    let text = printed(OF_COLLEGE, &officer).await;
    assert!(text.contains("Answer Associated with the institution"), "{text}");
}
both!(the_packet_shows_what_the_payer_attests);

async fn nobody_attests_for_the_payer_of_a_disclosed_job(world: World) {
    let athlete = world.athlete("Zoe Okafor").await;
    disclose(&world, &athlete, json!({ "amount_cents": 90_000 })).await;
    let id = own(&world, &athlete.principal).await[0]["id"].clone();
    let seen = shown(&world, &athlete.principal, &id).await;
    assert_eq!(seen["payor_attestation"], Value::Null);
    assert_eq!(seen["packet"].get("payor_attestation"), None);
    let which = json!({ "id": id });
    let text = text_of(&world.call(OWN, &athlete.principal, which).await.bytes);
    assert!(text.contains("Association of the payer"), "{text}");
    assert!(!text.contains("Attestation of the payer"), "{text}");
}
both!(nobody_attests_for_the_payer_of_a_disclosed_job);
