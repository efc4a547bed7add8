use serde_json::json;

use super::*;
use crate::disclosures::ClearanceStatus;
use crate::kernel::{AthleteId, Cents, ClearanceId, CollegeId, ContractId};
use crate::scratch::{Scratch, text};

fn printed() -> Printed {
    let at = "2026-11-20T19:03:00Z".parse().unwrap();
    let on = "2026-11-21".parse().unwrap();
    let clearance = Clearance {
        id: ClearanceId::new(12).unwrap(),
        athlete_id: AthleteId::new(3).unwrap(),
        athlete_name: "Jordan Rivera".into(),
        college_id: CollegeId::new(1).unwrap(),
        contract_id: ContractId::new(7),
        disclosed_job_id: None,
        title: "Trail season".into(),
        payor: "ridge outfitters".into(),
        amount_cents: Cents(90_000),
        signed_on: on,
        status: ClearanceStatus::Due,
        due_at: Some(at),
        late: false,
        reference: None,
        note: None,
        submitted_at: None,
        decided_at: None,
        created_at: at,
        updated_at: at,
    };
    let fact = |question: &str, asks: &str, answer: Option<bool>, by: Option<&str>| {
        json!({
            "question": question, "asks": asks, "answer": answer, "answered_by": by,
            "answered_at": by.map(|_| at),
        })
    };
    let packet = json!({
        "athlete_name": "Zoë Amara Okafor", "institution": "Lakeshore State University",
        "sport": "Soccer",
        "payer": {
            "name": "Ridge Outfitters", "parent": null, "kind": "business", "hq_city": "Boulder",
            "hq_state": "Colorado",
        },
        "agent": {
            "agency": "North Agency", "name": "Lee North", "commission_basis_points": 1_250,
        },
        "contract_number": "NIL-2026-000007",
        "document_sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "title": "Trail season", "description": "Two reels on the trail.\nOne of them at dawn.",
        "activity": "Social media", "category_id": 1,
        "business_purpose": "To sell vests for the winter.", "signed_on": "2026-11-20",
        "starts_on": "2026-11-25", "ends_on": null, "compensation": "mixed",
        "amount_cents": 90_000, "cash_cents": 50_000, "benefits_cents": 40_000,
        "contingent_cents": 0, "benefits": "Two vests", "schedule": "Paid after approval.",
        "condition": null,
        "deliverables": [{
            "title": "Reel at dawn", "activity": "social_post", "platform": "instagram",
            "media_kind": "reel", "quantity": 2, "due_on": "2026-12-20", "live_days": 30,
            "hashtags": [], "disclosure_required": true, "amount_cents": 50_000,
        }],
        "usage_rights": {
            "media": ["organic_social", "web"], "territory": "US", "days": 90, "perpetual": false,
            "allow_listing": false, "derivative_works": false, "sublicensable": false,
        },
        "licensed_attributes": ["name", "likeness"],
        "exclusivity": { "category": "outdoor clothing", "days": 60 },
        "documents": [], "uses_marks": false,
        "association": [
            fact("insider", "Is the payer an owner of the institution?", Some(false), Some("athlete:3")),
            fact("sponsor", "Does the payer sponsor the institution?", Some(true), Some("platform")),
            fact("large_donor", "Has it given more than $50,000.00?", None, None),
        ],
        "payor_attestation": {
            "asked_at": at, "due_at": "2026-12-01T05:59:59Z", "attested_at": null,
            "attested_by": null, "late": false, "associated": null, "presumed_associated": false,
            "answers": [],
        },
        "compensation_range": {
            "explanation": "Half of them paid $200.00 to $400.00; the median is $300.00.",
        },
        "explanation": null, "attestations": [], "prepared_by": "agent:4", "revision": 3,
    });
    let missing = vec![PacketProblem {
        field: "association".into(),
        message: "must answer every question".into(),
    }];
    let packet = serde_json::from_value(packet).unwrap();
    Printed { clearance, packet, submitted: false, on, zone: chrono_tz::America::Chicago, missing }
}

#[test]
fn a_draft_reads_like_this() {
    insta::assert_snapshot!(text(&pdf(&Fonts::default(), &printed()).unwrap()));
}

#[test]
fn what_was_submitted_says_so_and_repeats_byte_for_byte() {
    let mut printed = Printed { submitted: true, missing: Vec::new(), ..printed() };
    printed.packet.attestations = super::super::Attestation::ALL.to_vec();
    let file = pdf(&Fonts::default(), &printed).unwrap();
    assert_eq!(file, pdf(&Fonts::default(), &printed).unwrap());
    let text = text(&file);
    assert!(text.contains("as it was submitted on November 21, 2026"), "{text}");
    assert!(!text.contains("draft") && !text.contains("Missing"), "{text}");
    assert!(text.contains("Not for performance"), "{text}");
    printed.packet.attestations.clear();
    let bare = crate::scratch::text(&pdf(&Fonts::default(), &printed).unwrap());
    assert!(bare.contains("None were recorded") && !bare.contains("None yet"), "{bare}");
    let checked = Scratch::holding(&file).seen_by("qpdf", &["--check"], &[]);
    assert!(checked.contains("No syntax or stream encoding errors"), "{checked}");
}

#[test]
fn long_texts_and_every_letter_find_a_place() {
    let mut printed = printed();
    printed.packet.description = "A reel \u{1f3d4} <b>on</b> the trail. ".repeat(200);
    printed.packet.title = "T".repeat(200);
    let model = printed.packet.deliverables[0].clone();
    printed.packet.deliverables = vec![model; 60];
    let text = text(&pdf(&Fonts::default(), &printed).unwrap());
    assert_eq!(text.matches("Reel at dawn").count(), 60);
    assert!(text.contains("<b>on</b>"), "markup is text");
}

#[test]
fn the_payers_attestation_says_when_who_and_what() {
    let printed_as = |change: &dyn Fn(&mut PayorAttestation)| {
        let mut printed = printed();
        change(printed.packet.payor_attestation.as_mut().unwrap());
        let text = text(&pdf(&Fonts::default(), &printed).unwrap());
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let open = printed_as(&|_| ());
    assert!(open.contains("November 20, 2026, 1:03 pm Central"), "{open}");
    assert!(open.contains("Not yet answered (due November 30, 2026)"), "{open}");
    assert!(!open.contains("Counts as") && !open.contains("The payer's answer"), "{open}");
    let presumed = printed_as(&|one| (one.late, one.presumed_associated) = (true, true));
    assert!(presumed.contains("Not yet answered (due November 30, 2026)"), "{presumed}");
    assert!(presumed.contains("because the time to answer is over"), "{presumed}");
    let given = |question: &str, answer: bool| {
        serde_json::from_value(json!({ "question": question, "answer": answer })).unwrap()
    };
    let late = |one: &mut PayorAttestation| {
        one.attested_at = Some("2026-12-02T15:30:00Z".parse().unwrap());
        (one.late, one.associated) = (true, Some(true));
        one.answers = vec![given("insider", true), given("sponsor", false)];
    };
    let late = printed_as(&late);
    for said in [
        "December 2, 2026, 9:30 am Central, by Ridge Outfitters (late; due November 30, 2026)",
        "Associated with the institution",
        "The payer's answer",
    ] {
        assert!(late.contains(said), "{said}: {late}");
    }
    for wrong in ["Not associated", "Not yet answered", "As above"] {
        assert!(!late.contains(wrong), "{wrong}: {late}");
    }
    let same = printed_as(&|one| {
        one.attested_at = Some("2026-11-30T15:30:00Z".parse().unwrap());
        one.associated = Some(false);
        one.answers = vec![given("insider", false), given("sponsor", true)];
    });
    assert!(same.contains("Not associated") && same.contains("As above"), "{same}");
    assert!(!same.contains("The payer's answer") && !same.contains("late"), "{same}");
}

#[test]
fn a_packet_that_was_submitted_before_it_was_kept_has_no_attestation() {
    let mut printed = printed();
    let mut packet = serde_json::to_value(&printed.packet).unwrap();
    packet.as_object_mut().unwrap().remove("payor_attestation").unwrap();
    printed.packet = serde_json::from_value(packet).unwrap();
    let text = text(&pdf(&Fonts::default(), &printed).unwrap());
    assert!(!text.contains("Attestation of the payer"), "{text}");
}
