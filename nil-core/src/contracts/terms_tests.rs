use serde_json::Value;

use super::*;

fn date(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

fn milestone(title: &str, platform: &str, media_kind: &str, due: &str) -> MilestoneTerms {
    MilestoneTerms {
        title: title.to_owned(),
        activity: "social_post".to_owned(),
        platform: platform.to_owned(),
        media_kind: media_kind.to_owned(),
        quantity: 1,
        due_on: date(due),
        live_days: Some(90),
        hashtags: vec!["TrailDay".to_owned(), "#ad".to_owned()],
        instructions: None,
        disclosure_required: true,
        amount_cents: 0,
    }
}

/// Complete terms of an ordinary deal between one brand and one adult athlete.
pub(crate) fn sample() -> Terms {
    let mut reel = milestone("Trail reel", "instagram", "reel", "2026-04-15");
    reel.activity = "social_reel_video".to_owned();
    reel.instructions = Some("Thirty seconds or more, filmed outdoors in daylight.".to_owned());
    reel.amount_cents = 90_000;
    let mut story = milestone("Race-week stories", "instagram", "story", "2026-05-02");
    story.quantity = 3;
    story.live_days = Some(1);
    story.amount_cents = 35_000;
    let mut visit = milestone("Store visit, Columbus", "in_person", "appearance", "2026-05-20");
    visit.activity = "appearance".to_owned();
    visit.live_days = None;
    visit.hashtags.clear();
    visit.disclosure_required = false;
    visit.amount_cents = 25_000;
    Terms {
        number: "NIL-2026-000123".to_owned(),
        brand: BrandParty {
            company: "Blue Ridge Outfitters, Inc.".to_owned(),
            hq_city: Some("Asheville".to_owned()),
            hq_state: Some("NC".to_owned()),
            contact: "Marta Nowak".to_owned(),
        },
        athlete: AthleteParty {
            legal_name: "Zoë Amara Okafor".to_owned(),
            institution: "Great Lakes State University".to_owned(),
            sport: "Women's track and field".to_owned(),
            institution_state: None,
            hometown_city: None,
            hometown_state: Some("OH".to_owned()),
            minor: false,
            guardian: None,
        },
        agent: None,
        job: JobTerms {
            title: "Spring trail-running campaign".to_owned(),
            description:
                "We are looking for distance runners who train on trails.\n\nThe campaign \
                          introduces our new lightweight vest to college runners."
                    .to_owned(),
            category: "Outdoor and sporting goods".to_owned(),
            kind: "one_time".to_owned(),
            business_purpose: "introducing the Ridge 5 running vest to runners aged 18 to 25"
                .to_owned(),
        },
        dates: TermDates {
            signed_on: date("2026-03-03"),
            effective_on: Some(date("2026-03-05")),
            term_ends_on: Some(date("2026-06-30")),
            time_zone: Some("America/Chicago".to_owned()),
        },
        milestones: vec![reel, story, visit],
        compensation: CompensationTerms {
            kind: CompensationKind::Cash,
            agreed_amount_cents: 150_000,
            product_description: None,
            product_value_cents: None,
            commission_basis_points: None,
            currency: "usd".to_owned(),
            schedule: "Each amount falls due within seven days after the approval of its \
                       Deliverable."
                .to_owned(),
            condition: "Payment of an amount depends only on the approval of its Deliverable."
                .to_owned(),
        },
        usage: UsageTerms {
            media: vec!["organic_social".to_owned(), "web".to_owned(), "email".to_owned()],
            territory: "US".to_owned(),
            days: Some(90),
            perpetual: false,
            allow_listing: true,
            derivative_works: false,
            sublicensable: false,
        },
        licensed_attributes: ["name", "image", "likeness", "voice"].map(str::to_owned).to_vec(),
        exclusivity: Some(ExclusivityTerms {
            category: "running packs and vests".to_owned(),
            days: 60,
        }),
        marketplace: None,
        fee_basis_points: 1_000,
        governing_law: "OH".to_owned(),
        marks_consent: false,
    }
}

#[test]
fn terms_survive_storage() {
    let terms = sample();
    let stored = serde_json::to_string(&terms).unwrap();
    assert_eq!(serde_json::from_str::<Terms>(&stored).unwrap(), terms);
}

#[test]
fn the_hash_is_that_of_sorted_json_without_white_space() {
    let json = canonical_json(&sample());
    assert!(json.starts_with(r#"{"athlete":{"hometown_state":"OH","institution":"#), "{json}");
    assert!(json.contains(r#""legal_name":"Zoë Amara Okafor","minor":false"#), "{json}");
    assert!(!json.contains("guardian") && !json.contains("null"), "{json}");
    let value: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(serde_json::from_value::<Terms>(value).unwrap(), sample());
}

#[test]
fn every_change_changes_the_hash() {
    let mut changed = sample();
    changed.usage.days = Some(91);
    assert_eq!(sha256(&sample()), sha256(&sample()));
    assert_ne!(sha256(&sample()), sha256(&changed));
    assert_eq!(sha256(&changed).len(), 64);
}
