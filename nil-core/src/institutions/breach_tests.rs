use proptest::prelude::*;
use serde_json::{Value, json};

use super::breach::{
    Breach, Category, DealFacts, Moment, PersonFacts, Undertaking, breaches, refuse,
};
use super::rule::{Change, RuleKind};
use super::rules::Rules;
use super::visa_status::VisaStatus;
use crate::kernel::{Activity, Date, SportId};

const MOMENTS: [Moment; 5] =
    [Moment::Publish, Moment::Apply, Moment::Hire, Moment::Pay, Moment::Disclose];

fn day(text: &str) -> Date {
    text.parse().unwrap()
}

fn sport(id: i64) -> SportId {
    SportId::new(id).unwrap()
}

fn rules(kind: RuleKind, value: Value) -> Rules {
    let change = Change { kind, effective_on: day("2026-03-01"), value };
    Rules::in_force(&[change], day("2026-11-20")).unwrap()
}

fn deal(slugs: &[&str]) -> DealFacts {
    let category = |slug: &&str| Category { slug: (*slug).to_owned(), name: slug.to_uppercase() };
    DealFacts {
        categories: slugs.iter().map(category).collect(),
        payer: "Ridge Outfitters, Inc.".into(),
        from: day("2026-11-20"),
        until: day("2026-12-20"),
        undertakings: vec![Undertaking { activity: Activity::SocialPost, on: day("2026-12-10") }],
        uses_marks: false,
        consented: false,
    }
}

fn runner() -> PersonFacts {
    PersonFacts { sports: vec![sport(3)], visa: None }
}

fn of(rules: &Rules, deal: &DealFacts, moment: Moment) -> Vec<Breach> {
    breaches(rules, "Lakeshore", &runner(), deal, moment)
}

fn codes(found: &[Breach]) -> Vec<&str> {
    found.iter().map(|breach| breach.code.as_str()).collect()
}

#[test]
fn a_prohibited_category_is_named_with_its_day_at_every_moment() {
    let rules =
        rules(RuleKind::ProhibitedCategories, json!({ "categories": ["supplement_promotion"] }));
    for moment in MOMENTS {
        let found = of(&rules, &deal(&["supplement_promotion"]), moment);
        assert_eq!(codes(&found), ["category_prohibited"], "{moment:?}");
        let error = refuse(&found).unwrap_err();
        let message = error.message();
        for part in ["Lakeshore", "SUPPLEMENT_PROMOTION", "prohibited_categories", "2026-03-01"] {
            assert!(message.contains(part), "{message}");
        }
        // An institution's own rule replaces the default as a whole.
        assert!(of(&rules, &deal(&["alcohol"]), moment).is_empty());
    }
}

#[test]
fn the_payers_business_counts_as_much_as_the_job() {
    let rules = Rules::in_force(&[], day("2026-11-20")).unwrap();
    let found = of(&rules, &deal(&["social_post", "gambling"]), Moment::Apply);
    assert_eq!(codes(&found), ["category_prohibited"]);
    assert_eq!(found[0].since, day("2021-07-01"));
}

#[test]
fn a_restricted_category_needs_consent_to_hire() {
    let rules =
        rules(RuleKind::RestrictedCategories, json!({ "categories": ["political_campaign"] }));
    let mut deal = deal(&["political_campaign"]);
    assert!(of(&rules, &deal, Moment::Apply).is_empty());
    assert!(of(&rules, &deal, Moment::Pay).is_empty());
    for moment in [Moment::Publish, Moment::Hire] {
        assert_eq!(codes(&of(&rules, &deal, moment)), ["category_restricted"]);
    }
    deal.consented = true;
    assert!(of(&rules, &deal, Moment::Hire).is_empty());
}

#[test]
fn a_sponsor_excludes_its_rivals_in_its_field_its_time_and_its_teams() {
    let sponsor = |over: Value| {
        let mut sponsor = json!({ "sponsor": "Valley Sports", "category": "apparel",
            "from": null, "until": null, "sport_ids": [] });
        for (name, value) in over.as_object().unwrap() {
            sponsor[name] = value.clone();
        }
        rules(RuleKind::SponsorConflicts, json!({ "sponsors": [sponsor] }))
    };
    let deal = deal(&["social_post", "apparel"]);
    let hit = |over: Value| !of(&sponsor(over), &deal, Moment::Hire).is_empty();
    assert!(hit(json!({})));
    assert!(hit(json!({ "sport_ids": [3, 4] })));
    assert!(!hit(json!({ "sport_ids": [4] })));
    assert!(!hit(json!({ "category": "insurance" })));
    assert!(!hit(json!({ "sponsor": "RIDGE OUTFITTERS LLC" })));
    assert!(hit(json!({ "from": "2026-12-20" })) && !hit(json!({ "from": "2026-12-21" })));
    assert!(hit(json!({ "until": "2026-11-20" })) && !hit(json!({ "until": "2026-11-19" })));
    assert!(of(&sponsor(json!({})), &deal, Moment::Pay).is_empty());
}

#[test]
fn blackouts_forbid_days_not_deals() {
    let window = |from: &str, until: &str, activities: Value| {
        let window = json!({ "name": "Finals", "from": from, "until": until,
            "sport_ids": [], "activities": activities });
        rules(RuleKind::Blackouts, json!({ "windows": [window] }))
    };
    let hit = |rules: Rules| !of(&rules, &deal(&["social_post"]), Moment::Apply).is_empty();
    assert!(hit(window("2026-12-10", "2026-12-10", json!([]))));
    assert!(hit(window("2026-12-01", "2026-12-31", json!(["social_post"]))));
    assert!(!hit(window("2026-12-01", "2026-12-31", json!(["autograph"]))));
    assert!(!hit(window("2026-12-11", "2026-12-31", json!([]))));
    assert!(!hit(window("2026-11-01", "2026-12-09", json!([]))));
}

#[test]
fn a_visa_is_ignored_warned_of_or_blocked() {
    let mut person = runner();
    person.visa = Some(VisaStatus::F1);
    let at = |policy: &str, moment| {
        let rules = rules(RuleKind::F1, json!({ "policy": policy }));
        let found = breaches(&rules, "Lakeshore", &person, &deal(&[]), moment);
        found.first().map(|breach| breach.refuses)
    };
    assert_eq!(at("allow", Moment::Hire), None);
    assert_eq!(at("warn", Moment::Hire), Some(false));
    assert_eq!(at("warn", Moment::Pay), None);
    assert_eq!(at("block", Moment::Pay), Some(true));
    assert_eq!(at("block", Moment::Publish), None);
    let rules = rules(RuleKind::F1, json!({ "policy": "block" }));
    assert!(of(&rules, &deal(&[]), Moment::Hire).is_empty());
}

#[test]
fn marks_are_looked_at_when_a_deal_is_disclosed() {
    let at = |policy: &str, consented: bool| {
        let rules = rules(RuleKind::Marks, json!({ "policy": policy }));
        let mut deal = deal(&[]);
        (deal.uses_marks, deal.consented) = (true, consented);
        let found = of(&rules, &deal, Moment::Disclose);
        found.first().map(|breach| breach.refuses)
    };
    assert_eq!(at("allowed", false), None);
    assert_eq!(at("with_consent", false), Some(false));
    assert_eq!(at("with_consent", true), None);
    assert_eq!(at("forbidden", true), Some(true));
}

proptest! {
    /// Every refusal at payment is also a refusal at hiring: payment never raises a rule that
    /// hiring let pass.
    #[test]
    fn paying_refuses_nothing_that_hiring_does_not(
        slugs in prop::collection::vec("[a-c]", 0..3),
        prohibited in prop::collection::vec("[a-c]", 0..3),
        restricted in prop::collection::vec("[a-c]", 0..3),
        policy in prop::sample::select(vec!["allow", "warn", "block"]),
        visa in prop::sample::select(vec![None, Some(VisaStatus::F1), Some(VisaStatus::None)]),
    ) {
        let change = |kind, value| Change { kind, effective_on: day("2026-03-01"), value };
        let own = [
            change(RuleKind::ProhibitedCategories, json!({ "categories": prohibited })),
            change(RuleKind::RestrictedCategories, json!({ "categories": restricted })),
            change(RuleKind::F1, json!({ "policy": policy })),
        ];
        let rules = Rules::in_force(&own, day("2026-11-20")).unwrap();
        let slugs: Vec<&str> = slugs.iter().map(String::as_str).collect();
        let (person, deal) = (PersonFacts { sports: vec![sport(1)], visa }, deal(&slugs));
        let at = |moment| breaches(&rules, "L", &person, &deal, moment);
        let hire = at(Moment::Hire);
        for breach in at(Moment::Pay) {
            prop_assert!(hire.contains(&breach), "{breach:?}");
        }
        let refused = at(Moment::Hire).iter().any(|breach| breach.refuses);
        prop_assert_eq!(refuse(&hire).is_err(), refused);
        // Without a matching rule there is no breach.
        let nothing = Rules::in_force(&[
            change(RuleKind::ProhibitedCategories, json!({ "categories": [] })),
            change(RuleKind::F1, json!({ "policy": "allow" })),
        ], day("2026-11-20")).unwrap();
        for moment in MOMENTS {
            prop_assert!(breaches(&nothing, "L", &person, &deal, moment).is_empty());
        }
    }
}
