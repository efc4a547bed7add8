use serde_json::json;

use super::*;
use crate::contracts::agreement::Agreement;
use crate::contracts::document::{self, Assent, Side};
use crate::contracts::terms::{Terms, sample, sha256};
use crate::document::Paper;
use crate::kernel::{Cents, ContractId, DisputeId, JobId, UserId};
use crate::payments::disputes::dispute::{Dispute, DisputeKind, DisputeStatus};
use crate::payments::store::evidence::{Agreed, Deal, Delivered, Written};
use crate::scratch::{Scratch, text};

/// The fonts of the program only: a test must not depend on those of its machine.
fn own() -> Fonts {
    Fonts::default()
}

fn at(text: &str) -> Time {
    text.parse().unwrap()
}

fn dispute() -> Dispute {
    Dispute {
        id: DisputeId::new(4).unwrap(),
        kind: DisputeKind::Chargeback,
        status: DisputeStatus::NeedsResponse,
        reason: "product_not_received".into(),
        amount_cents: Cents(165_000),
        fee_cents: Cents(1_500),
        borne_by_payees_cents: Cents::ZERO,
        currency: "usd".into(),
        partner_id: None,
        agent_id: None,
        payer_name: "Blue Ridge Outfitters, Inc.".into(),
        charge_id: None,
        subscription_charge_id: None,
        payments: 1,
        payment_number: Some("PAY-2026-000009".into()),
        processor_dispute_id: "du_3xq7".into(),
        evidence_due_at: Some(at("2026-05-20T00:00:00Z")),
        statement: Some("The reel was published as agreed, and approved.".into()),
        answered_by: None,
        answered_at: None,
        opened_at: at("2026-05-06T09:00:00Z"),
        closed_at: None,
        updated_at: at("2026-05-06T09:00:00Z"),
    }
}

fn case(contract: i64, terms: &Terms) -> Case {
    let agreed = |side: &str, name: &str, on: &str| Agreed {
        side: side.into(),
        name: name.into(),
        at: at(on),
        address: Some("198.51.100.17".into()),
        document_sha256: sha256(terms),
    };
    let written = |by_payer, text: &str| Written {
        by_payer,
        at: at("2026-04-01T10:00:00Z"),
        text: text.into(),
    };
    Case {
        deal: Deal {
            payment_number: format!("PAY-2026-00000{contract}"),
            amount_cents: Cents(150_000),
            fee_cents: Cents(15_000),
            paid_at: Some(at("2026-04-20T16:00:00Z")),
            contract_id: ContractId::new(contract).unwrap(),
            contract_number: terms.number.clone(),
            job_id: JobId::new(2).unwrap(),
            job_title: terms.job.title.clone(),
            athlete_name: terms.athlete.legal_name.clone(),
            athlete_user_id: UserId::new(5).unwrap(),
            partner_user_id: UserId::new(6).unwrap(),
            company_name: terms.brand.company.clone(),
        },
        agreed: vec![
            agreed("brand", "Marta Nowak", "2026-03-03T15:04:05Z"),
            agreed("athlete", &terms.athlete.legal_name, "2026-03-04T09:30:00Z"),
        ],
        delivered: vec![Delivered {
            title: "Reel at dawn".into(),
            status: "approved".into(),
            submitted_at: Some(at("2026-04-10T08:00:00Z")),
            reviewed_at: Some(at("2026-04-11T08:00:00Z")),
            post_urls: json!(["https://www.instagram.com/p/C0ffee/"]),
        }],
        written: vec![
            written(true, "Could you post before the weekend?"),
            // No font of the program has a letter of cuneiform.
            written(false, "Yes, Thursday \u{1f3c8}\u{12345}"),
        ],
    }
}

fn agreement(terms: Terms) -> Agreement {
    let assent = |side, name: &str, on: &str| Assent {
        side,
        name: name.into(),
        at: at(on),
        address: "198.51.100.17".into(),
    };
    let assents = vec![
        assent(Side::Brand, "Marta Nowak", "2026-03-03T15:04:05Z"),
        assent(Side::Athlete, &terms.athlete.legal_name, "2026-03-04T09:30:00Z"),
    ];
    Agreement { agreed_sha256: sha256(&terms), terms, assents, amendments: Vec::new() }
}

/// Evidence about so many payments, each under a contract of its own.
fn found(count: i64) -> Collected {
    let numbered = |number: i64| Terms { number: format!("NIL-2026-00000{number}"), ..sample() };
    Collected {
        dispute: dispute(),
        cases: (1..=count).map(|number| case(number, &numbered(number))).collect(),
        agreements: (1..=count).map(|number| agreement(numbered(number))).collect(),
        period: None,
    }
}

const CONTRACT: &str = "Name, Image and Likeness Agreement";

/// The lines of a text without its last ones on each page, which say where one is.
fn lines(text: &str) -> Vec<String> {
    let plain = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let lines = text.lines().map(plain);
    lines.filter(|line| !line.is_empty() && !line.contains(" Page ")).collect()
}

#[test]
fn evidence_says_who_agreed_to_what_and_has_the_contract_at_its_end() {
    let found = found(1);
    let pdf = pdf(&own(), &found).unwrap();
    let text = text(&pdf);
    let (before, _) = text.split_once("Contract NIL-2026-000001\n").expect("the contract");
    insta::assert_snapshot!(before.trim_end_matches(['\u{c}', ' ', '\n']));
    // Every line of the contract's own document is there, in its order.
    let agreement = &found.agreements[0];
    let contract =
        document::pdf(&own(), &agreement.terms, &agreement.assents, Paper::Letter).unwrap();
    let (contract, evidence) = (lines(&crate::scratch::text(&contract)), lines(&text));
    assert!(contract.len() > 100, "{}", contract.len());
    assert!(evidence.ends_with(&contract), "{contract:?}\n{evidence:?}");
    assert!(text.contains(&sha256(&agreement.terms)));
}

#[test]
fn the_file_is_sound() {
    let file = Scratch::holding(&pdf(&own(), &found(2)).unwrap());
    let checked = file.seen_by("qpdf", &["--check"], &[]);
    assert!(checked.contains("No syntax or stream encoding errors found"), "{checked}");
    let info = file.seen_by("pdfinfo", &["-isodates"], &[]);
    for expected in ["Evidence on dispute du_3xq7", "Tagged:          yes", "2 payments"] {
        assert!(info.contains(expected), "{expected} is missing from\n{info}");
    }
    let claims = file.seen_by("pdfinfo", &["-meta"], &[]);
    assert!(claims.contains("<pdfuaid:part>1<"), "{claims}");
}

#[test]
fn contracts_for_which_there_is_no_room_are_named() {
    let (fonts, found) = (own(), found(3));
    let whole = with(&fonts, &found, 3).unwrap().len();
    assert!(whole < LARGEST, "{whole}");
    for kept in 0..3 {
        let room = with(&fonts, &found, kept).unwrap().len();
        assert!(room < whole, "{kept}: {room}");
        let pdf = within(&fonts, &found, room).unwrap();
        assert!(pdf.len() <= room, "{kept}");
        let said = text(&pdf);
        assert_eq!(said.matches(CONTRACT).count(), kept, "{kept}");
        assert_eq!(said.matches("left out: the file").count(), 3 - kept, "{kept}");
    }
    let said = text(&within(&fonts, &found, whole).unwrap());
    assert_eq!((said.matches(CONTRACT).count(), said.matches("left out").count()), (3, 0));
}

#[test]
fn a_text_that_was_not_agreed_to_is_no_evidence() {
    let mut found = found(2);
    found.agreements[0].terms.compensation.agreed_amount_cents += 1;
    let said = text(&pdf(&own(), &found).unwrap());
    assert_eq!(said.matches(CONTRACT).count(), 1);
    assert!(said.contains("text on record"), "{said}");
    // A cell has the beginning of a digest on its first line.
    let agreement = &found.agreements[0];
    assert!(said.contains(&agreement.agreed_sha256[..40]), "the digest that was agreed to");
    assert!(!said.contains(&sha256(&agreement.terms)[..40]), "and not the other one");
}

#[test]
fn a_contract_that_no_font_can_print_is_named() {
    let mut found = found(1);
    found.agreements[0] = agreement(Terms {
        job: crate::contracts::terms::JobTerms {
            title: "\u{12345}".into(),
            ..found.agreements[0].terms.job.clone()
        },
        ..found.agreements[0].terms.clone()
    });
    let said = text(&pdf(&own(), &found).unwrap());
    assert_eq!(said.matches(CONTRACT).count(), 0);
    assert!(said.contains("no font has"), "{said}");
}
