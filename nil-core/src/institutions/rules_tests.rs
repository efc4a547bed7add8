//! Which rules are in force on a day.

use proptest::prelude::*;
use serde_json::json;

use super::*;

fn day(text: &str) -> Date {
    text.parse().unwrap()
}

fn hours(on: &str, hours: i64) -> Change {
    Change { kind: RuleKind::AgentNotice, effective_on: day(on), value: json!({ "hours": hours }) }
}

#[test]
fn the_defaults_are_complete_and_prohibit_what_the_field_does() {
    let rules = Rules::in_force(&[], day("2026-11-20")).unwrap();
    for slug in ["gambling", "alcohol_promotion", "tobacco_vaping", "weapons"] {
        let all = &rules.prohibited_categories.rule.categories;
        assert!(all.iter().any(|known| known == slug), "{slug}");
    }
    assert_eq!(rules.deadline.rule.value, 5);
    let agents = rules.agent_notice.rule;
    assert_eq!((agents.hours, agents.enrolment_days, agents.cancel_days), (72, 10, 14));
    assert!(agents.transfers_wait);
    assert_eq!(rules.agent_notice.effective_on, day("2021-07-01"));
    assert!(Rules::in_force(&[], day("2000-01-01")).is_ok());
}

#[test]
fn a_change_holds_from_its_day_on_and_the_past_stays_as_it_was() {
    let own = [hours("2026-01-01", 48), hours("2026-06-01", 24), hours("2026-06-01", 12)];
    let at = |on: &str| Rules::in_force(&own, day(on)).unwrap().agent_notice;
    assert_eq!(at("2025-12-31").rule.hours, 72);
    assert_eq!(at("2026-01-01").rule.hours, 48);
    assert_eq!(at("2026-05-31").rule.hours, 48);
    assert_eq!(at("2026-05-31").rule.cancel_days, 14, "what an entry leaves out is the default");
    // Of two entries for the same day the later one applies.
    assert_eq!(at("2026-06-01").rule.hours, 12);
    assert_eq!(at("2026-06-01").effective_on, day("2026-06-01"));
}

proptest! {
    #[test]
    fn a_later_change_never_touches_an_earlier_day(
        days in prop::collection::vec((0u64..2_000, 1i64..700), 1..12),
        later in (0u64..2_000, 1i64..700),
        asked in 0u64..2_000,
    ) {
        let on = |days: u64| day("2024-01-01") + chrono::Days::new(days);
        let change = |(days, hours): (u64, i64)| Change {
            kind: RuleKind::AgentNotice,
            effective_on: on(days),
            value: json!({ "hours": hours }),
        };
        let mut own: Vec<Change> = days.into_iter().map(change).collect();
        let before = Rules::in_force(&own, on(asked)).unwrap();
        own.push(change(later));
        let after = Rules::in_force(&own, on(asked)).unwrap();
        if later.0 > asked {
            prop_assert_eq!(before, after);
        } else {
            prop_assert!(after.agent_notice.effective_on >= before.agent_notice.effective_on);
        }
    }
}
