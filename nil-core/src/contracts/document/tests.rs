use proptest::prelude::*;

use super::*;
use crate::contracts::terms::{
    AgentParty, CompensationKind, GuardianParty, MilestoneTerms, sample,
};
use crate::contracts::{Amendment, AmendmentKind, DueDateChange};
use crate::kernel::{ContractId, DeliverableId};
use crate::scratch::{Scratch, text};

fn assent(side: Side, name: &str, at: &str, address: &str) -> Assent {
    Assent { side, name: name.to_owned(), at: at.parse().unwrap(), address: address.to_owned() }
}

/// The fonts of the program only: a test must not depend on those of its machine.
fn own() -> Fonts {
    Fonts::default()
}

fn both() -> [Assent; 2] {
    [
        assent(Side::Brand, "Marta Nowak", "2026-03-03T15:04:05Z", "198.51.100.17"),
        assent(Side::Athlete, "Zoë Amara Okafor", "2026-03-04T09:30:00Z", "2001:db8::4a:17"),
    ]
}

/// The text as one line, in reading order.
fn prose(pdf: &[u8]) -> String {
    let text = Scratch::holding(pdf).seen_by("pdftotext", &[], &["-"]);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn pages(text: &str) -> Vec<&str> {
    text.split_terminator('\u{c}').collect()
}

fn many_milestones(count: usize) -> Terms {
    let mut terms = sample();
    let model = terms.milestones[0].clone();
    let milestone = |number| MilestoneTerms {
        title: format!("Weekly reel {number}"),
        amount_cents: 2_500,
        ..model.clone()
    };
    terms.milestones = (1..=count).map(milestone).collect();
    terms.compensation.agreed_amount_cents = 2_500 * i64::try_from(count).unwrap();
    terms
}

#[test]
fn an_ordinary_contract_reads_like_this() {
    let pdf = pdf(&own(), &sample(), &both(), Paper::Letter).unwrap();
    insta::assert_snapshot!(text(&pdf));
}

#[test]
fn a_minors_contract_names_guardian_agent_and_goods() {
    let mut terms = sample();
    terms.athlete.minor = true;
    terms.athlete.guardian = Some(GuardianParty {
        name: "Dana Okafor".to_owned(),
        consented_at: "2026-03-01T18:20:00Z".parse().unwrap(),
    });
    terms.agent = Some(AgentParty {
        agency: "Lane & Partners LLC".to_owned(),
        name: "Kim Lane".to_owned(),
        commission_basis_points: 1_250,
    });
    terms.compensation.kind = CompensationKind::Mixed;
    terms.compensation.product_description = Some("two Ridge 5 vests.".to_owned());
    terms.compensation.product_value_cents = Some(24_000);
    terms.marks_consent = true;
    terms.usage.days = None;
    terms.usage.perpetual = true;
    let text = prose(&pdf(&own(), &terms, &[], Paper::A4).unwrap());
    for expected in [
        "Dana Okafor",
        "Kim Lane of Lane & Partners LLC",
        "12.5%",
        "$1,500.00 in cash and in addition: two Ridge 5 vests (fair value $240.00).",
        "$1,740.00",
        "PERPETUAL",
        "Consent of the guardian",
        "Awaited",
    ] {
        assert!(text.contains(expected), "{expected} is missing from\n{text}");
    }
}

#[test]
fn equal_input_gives_equal_bytes() {
    for paper in [Paper::A4, Paper::Letter] {
        let first = pdf(&own(), &sample(), &both(), paper).unwrap();
        assert_eq!(first, pdf(&own(), &sample(), &both(), paper).unwrap());
    }
    let unsigned = pdf(&own(), &sample(), &[], Paper::A4).unwrap();
    assert_ne!(unsigned, pdf(&own(), &sample(), &both(), Paper::A4).unwrap());
}

#[test]
fn the_file_is_sound_and_says_what_it_is() {
    let terms = sample();
    let file = Scratch::holding(&pdf(&own(), &terms, &both(), Paper::A4).unwrap());
    let checked = file.seen_by("qpdf", &["--check"], &[]);
    assert!(checked.contains("No syntax or stream encoding errors found"), "{checked}");
    let info = file.seen_by("pdfinfo", &["-isodates"], &[]);
    for expected in [
        "Name, Image and Likeness Agreement NIL-2026-000123",
        "Blue Ridge Outfitters, Inc., Zoë Amara Okafor",
        "2026-03-03T00:00:00Z",
        "PDF version:     1.7",
        "Tagged:          yes",
        "A4",
    ] {
        assert!(info.contains(expected), "{expected} is missing from\n{info}");
    }
    let claims = file.seen_by("pdfinfo", &["-meta"], &[]);
    for expected in ["<pdfaid:part>2<", "<pdfaid:conformance>A<", "<pdfuaid:part>1<", ">en-US<"] {
        assert!(claims.contains(expected), "{expected} is missing from\n{claims}");
    }
}

fn agreed(number: i64, title: &str) -> SignedAmendment {
    let amendment = Amendment {
        contract_id: ContractId::new(1).unwrap(),
        number,
        kind: AmendmentKind::DueDate,
        change: DueDateChange {
            deliverable_id: DeliverableId::new(number).unwrap(),
            title: title.to_owned(),
            from: "2026-04-10".parse().unwrap(),
            to: "2026-04-24".parse().unwrap(),
        },
        document_sha256: format!("{number:064x}"),
        at: "2026-04-02T08:00:00Z".parse().unwrap(),
    };
    SignedAmendment { amendment, assents: both().to_vec() }
}

#[test]
fn amendments_are_a_sound_document_of_their_own() {
    let terms = sample();
    let all: Vec<_> = (1..=9).map(|number| agreed(number, "Race-week stories")).collect();
    let file = amendments(&own(), &terms, &all, Paper::Letter).unwrap();
    assert_eq!(file, amendments(&own(), &terms, &all, Paper::Letter).unwrap());
    assert_ne!(file, amendments(&own(), &terms, &all[..8], Paper::Letter).unwrap());
    let said = prose(&file);
    for number in 1..=9 {
        assert!(said.contains(&format!("Amendment No. {number} ")), "{said}");
        assert!(said.contains(&format!("{number:064x}")), "{said}");
    }
    assert!(said.contains("It is due on April 24, 2026 instead of April 10, 2026."));
    assert!(said.contains(&sha256(&terms)), "the chain begins with the terms");
    assert!(said.contains("2001:db8::4a:17"));
    let scratch = Scratch::holding(&file);
    let checked = scratch.seen_by("qpdf", &["--check"], &[]);
    assert!(checked.contains("No syntax or stream encoding errors found"), "{checked}");
    let info = scratch.seen_by("pdfinfo", &["-isodates"], &[]);
    for expected in
        ["Amendments to Agreement NIL-2026-000123", "2026-04-02T00:00:00Z", "Tagged:          yes"]
    {
        assert!(info.contains(expected), "{expected} is missing from\n{info}");
    }
}

#[test]
fn any_title_can_be_amended() {
    for title in ["", "W\u{0}大谷", &"x".repeat(4_000), "a\n\nb"] {
        assert!(amendments(&own(), &sample(), &[agreed(1, title)], Paper::A4).is_ok(), "{title:?}");
    }
    assert!(amendments(&own(), &sample(), &[], Paper::A4).is_ok());
}

#[test]
fn every_page_names_the_contract_its_place_and_the_hash() {
    let terms = many_milestones(60);
    let text = text(&pdf(&own(), &terms, &both(), Paper::Letter).unwrap());
    let pages = pages(&text);
    let hash = sha256(&terms);
    for (page, number) in pages.iter().zip(1..) {
        assert!(page.contains(&format!("NIL-2026-000123 · SHA-256 {hash}")), "{page}");
        assert!(page.contains(&format!("Page {number} of {}", pages.len())), "{page}");
    }
}

#[test]
fn sixty_deliverables_repeat_the_headings_on_each_page() {
    let text = text(&pdf(&own(), &many_milestones(60), &both(), Paper::A4).unwrap());
    for number in 1..=60 {
        assert!(text.contains(&format!("Weekly reel {number} ")), "row {number} is missing");
    }
    let with_rows = pages(&text).into_iter().filter(|page| page.contains("Weekly reel"));
    let headings = with_rows.map(|page| page.matches("Platform and format").count());
    let headings: Vec<usize> = headings.collect();
    assert!(headings.len() > 3 && headings.iter().all(|count| *count == 1), "{headings:?}");
}

#[test]
fn a_screen_reader_meets_titles_rows_and_cells() {
    let file = Scratch::holding(&pdf(&own(), &sample(), &both(), Paper::Letter).unwrap());
    let tree = file.seen_by("pdfinfo", &["-struct-text"], &[]);
    let outline = tree.lines().filter_map(|line| line.trim().split_once(' ')).count();
    assert!(outline > 100, "{tree}");
    insta::assert_snapshot!(tree.lines().take(60).collect::<Vec<_>>().join("\n"));
}

#[test]
fn a_row_longer_than_a_page_is_continued() {
    let mut terms = sample();
    terms.milestones[0].instructions =
        Some((1..=4_000).map(|number| format!("step{number}")).collect::<Vec<_>>().join(" "));
    let text = text(&pdf(&own(), &terms, &both(), Paper::Letter).unwrap());
    for number in [1, 1_999, 4_000] {
        assert!(text.contains(&format!("step{number}")), "step {number} is missing");
    }
    assert!(text.contains("Race-week stories"));
}

#[test]
fn long_descriptions_and_endless_words_find_their_pages() {
    let mut terms = sample();
    let long = "An honest day on the trail, filmed by the runner. ".repeat(1_500);
    terms.job.description = format!("{long}\n\nThe last words.");
    terms.brand.company = "Donaudampfschifffahrt".repeat(40);
    terms.job.title = "W".repeat(2_000);
    let text = text(&pdf(&own(), &terms, &both(), Paper::A4).unwrap());
    assert!(pages(&text).len() > 15);
    assert!(text.contains("The last words."));
    // No part of the company's name is lost where it is cut.
    let letters: String = text.split_whitespace().collect();
    assert!(letters.contains("Donaudampfschifffahrt"));
}

#[test]
fn names_of_many_alphabets_can_be_read_back() {
    let mut terms = sample();
    terms.athlete.legal_name = "Дарья Королёва".to_owned();
    terms.brand.company = "Αφοί Παπαδόπουλοι Α.Ε.".to_owned();
    terms.brand.contact = "Łucja Żółć-Þórsdóttir".to_owned();
    let text = text(&pdf(&own(), &terms, &[], Paper::Letter).unwrap());
    for name in ["Дарья Королёва", "Αφοί Παπαδόπουλοι Α.Ε.", "Łucja Żółć-Þórsdóttir"]
    {
        assert!(text.contains(name), "{name} is missing from\n{text}");
    }
}

const SCRIPTS: [&str; 9] = [
    "王小明",
    "김민수",
    "محمد علي",
    "דוד כהן",
    "अर्जुन सिंह",
    "สมชาย ใจดี",
    "大谷 翔平",
    "முருகன்",
    "علی\u{200c}رضا",
];

#[test]
fn a_name_in_any_script_is_printed_and_can_be_read_back() {
    for name in SCRIPTS {
        let mut terms = sample();
        name.clone_into(&mut terms.athlete.legal_name);
        terms.brand.contact = format!("{name} Ridge");
        let assents = [assent(Side::Athlete, name, "2026-03-04T09:30:00Z", "198.51.100.17")];
        let file = pdf(&own(), &terms, &assents, Paper::Letter).unwrap();
        let text = prose(&file);
        // The party and the contact, both again in the first clause, where lines may end within
        // them, and the one who assented.
        let whole = |text: &str| -> String {
            let unseen =
                |letter| matches!(letter, '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}');
            text.chars().filter(|letter| !letter.is_whitespace() && !unseen(*letter)).collect()
        };
        assert_eq!(whole(&text).matches(&whole(name)).count(), 5, "{name} in\n{text}");
        assert!(!text.contains('□'), "{text}");
        let title = format!("{name}: spring");
        let amended = amendments(&own(), &terms, &[agreed(1, &title)], Paper::Letter).unwrap();
        assert!(whole(&prose(&amended)).contains(&whole(name)), "{name} in\n{}", prose(&amended));
    }
}

#[test]
fn documents_with_other_scripts_meet_the_standards_too() {
    let mut terms = sample();
    terms.job.description = SCRIPTS.join("\n\n");
    let file = Scratch::holding(&pdf(&own(), &terms, &[], Paper::Letter).unwrap());
    let fonts = file.seen_by("pdffonts", &[], &[]);
    let embedded = fonts.lines().skip(2).map(|line| line.split_whitespace().rev().nth(4));
    assert!(embedded.clone().count() >= 7, "{fonts}");
    assert!(embedded.into_iter().all(|embedded| embedded == Some("yes")), "{fonts}");
}

#[test]
fn what_no_font_has_is_refused_with_its_clause() {
    type Change = fn(&mut Terms);
    let cases: [(Change, &str); 5] = [
        (|terms| terms.athlete.legal_name = "𒀀𒀁".to_owned(), "Parties"),
        (|terms| terms.job.title = "𒀀𒀁".to_owned(), "Title"),
        (|terms| terms.job.description = "one\n𒀀 two 𒀁".to_owned(), "Engagement"),
        (|terms| terms.milestones[0].title = "𒀀𒀁".to_owned(), "Deliverables and their approval"),
        (|terms| terms.governing_law = "𒀀𒀁".to_owned(), "Governing law"),
    ];
    for (change, section) in cases {
        let mut terms = sample();
        assert_eq!(check(&own(), &terms), Ok(()));
        change(&mut terms);
        let lacking =
            DocumentError::Lacking { letters: "𒀀𒀁".to_owned(), section: section.to_owned() };
        assert_eq!(check(&own(), &terms), Err(lacking.clone()));
        assert_eq!(pdf(&own(), &terms, &[], Paper::Letter), Err(lacking));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// For any user text there is a document that meets both standards, or its letters are named.
    #[test]
    fn no_text_stops_the_document(any in "\\PC{0,80}", wild in any::<String>()) {
        let shown = |text: &str| -> String {
            let lacking = own().lacking(text);
            text.chars().filter(|letter| !lacking.contains(*letter)).collect()
        };
        for (any, wild) in [(shown(&any), shown(&wild)), (any, wild)] {
            let mut terms = sample();
            terms.job.description = format!("{wild}\n{any}");
            terms.job.title = any.clone();
            terms.athlete.legal_name = wild.clone();
            terms.brand.company = any.clone();
            terms.number = wild.clone();
            terms.milestones[0].instructions = Some(wild.clone());
            terms.milestones[0].hashtags = vec![any.clone()];
            let written = pdf(&own(), &terms, &[], Paper::A4);
            let lacking = own().lacking(&format!("{any}{wild}"));
            match written {
                Ok(_) => prop_assert_eq!(lacking, ""),
                Err(DocumentError::Lacking { letters, .. }) => {
                    prop_assert!(letters.chars().all(|letter| lacking.contains(letter)));
                }
                Err(other) => prop_assert!(false, "{}", other),
            }
        }
    }
}
