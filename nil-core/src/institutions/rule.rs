//! An institution's rules: what each one says, and which of them are in force on a day.
//!
//! Rules are dated and never rewritten: a change is a further entry that holds from its own day on, so
//! what held on any day in the past can still be told. Where an institution has said nothing, the
//! defaults of `assets/reference/institution_rules.csv` hold, which are dated too.

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::standard;
use crate::error::{Error, Result, codes};
use crate::kernel::Activity;
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{Cents, Date, SportId};

vocabulary! {
    /// What a rule is about.
    RuleKind {
        /// Until when athletes have to disclose a deal.
        Deadline = "deadline",
        /// From which worth on a deal is looked at.
        Threshold = "threshold",
        /// Which disclosed deals the institution has to approve.
        Approval = "approval",
        /// Whether payouts wait for the clearinghouse.
        HoldPayouts = "hold_payouts",
        /// Categories nobody may work in.
        ProhibitedCategories = "prohibited_categories",
        /// Categories that need the institution's consent.
        RestrictedCategories = "restricted_categories",
        /// Sponsors of the institution whose rivals are excluded.
        SponsorConflicts = "sponsor_conflicts",
        /// The institution's marks and facilities.
        Marks = "marks",
        /// Days on which nothing may take place.
        Blackouts = "blackouts",
        /// Students with an F-1 visa.
        F1 = "f1",
        /// How soon a contract with an agent has to be notified.
        AgentNotice = "agent_notice",
        /// What is flagged without anybody asking.
        AutomaticFlags = "automatic_flags",
    }
}

vocabulary! {
    /// What a deadline is counted in.
    DeadlineUnit {
        /// Days but weekends and US federal holidays.
        BusinessDays = "business_days",
        /// Calendar days.
        Days = "days",
        /// Hours from the end of the day of signing.
        Hours = "hours",
    }
}

vocabulary! {
    /// What is added up before it is held against a threshold.
    ThresholdScope {
        /// Each deal by itself.
        Deal = "deal",
        /// All deals of the athlete with one group of companies.
        PayorGroup = "payor_group",
        /// All deals of the athlete.
        Athlete = "athlete",
    }
}

vocabulary! {
    /// Which disclosed deals need approval.
    ApprovalRequirement {
        /// None.
        None = "none",
        /// Those that reach the threshold.
        AboveThreshold = "above_threshold",
        /// Those with an associated entity.
        AssociatedOnly = "associated_only",
        /// All.
        All = "all",
    }
}

vocabulary! {
    /// Whether athletes may use the institution's marks and facilities.
    MarksPolicy {
        /// Freely.
        Allowed = "allowed",
        /// With the institution's written consent.
        WithConsent = "with_consent",
        /// Never.
        Forbidden = "forbidden",
    }
}

vocabulary! {
    /// What becomes of deals of students with an F-1 visa.
    F1Policy {
        /// Nothing.
        Allow = "allow",
        /// The athlete is warned.
        Warn = "warn",
        /// They are refused.
        Block = "block",
    }
}

vocabulary! {
    /// What can be remarkable about a deal.
    DealFlag {
        /// It was disclosed late, or is overdue.
        Late = "late",
        /// It reaches the institution's threshold.
        OverThreshold = "over_threshold",
        /// Its category is prohibited.
        ProhibitedCategory = "prohibited_category",
        /// It stands against a sponsor of the institution.
        ConflictSponsor = "conflict_sponsor",
        /// Its payer is tied to the institution.
        AssociatedEntity = "associated_entity",
        /// The athlete was under 18 when it was signed.
        Minor = "minor",
    }
}

/// Until when athletes have to disclose a deal, counted from its signing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DisclosureDeadline {
    /// What is counted.
    pub unit: DeadlineUnit,
    /// How many of them.
    pub value: i64,
}

/// From which worth on a deal is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Threshold {
    /// The least worth.
    pub amount_cents: Cents,
    /// What is added up.
    pub scope: ThresholdScope,
}

/// Which disclosed deals need approval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Approval {
    /// Which of them.
    pub requirement: ApprovalRequirement,
}

/// Whether payouts wait for the clearinghouse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HoldPayouts {
    /// Whether they wait until every deal is cleared.
    pub until_cleared: bool,
}

/// Categories of jobs and of businesses.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Categories {
    /// Their slugs; one slug can mean a category of jobs, of businesses, or both.
    pub categories: Vec<String>,
}

/// A sponsor of the institution.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Sponsor {
    /// The company.
    pub sponsor: String,
    /// The slug of the category in which its rivals are excluded.
    pub category: String,
    /// The first day; none for always.
    pub from: Option<Date>,
    /// The last day; none for always.
    pub until: Option<Date>,
    /// The sports it sponsors; none for all.
    pub sport_ids: Vec<SportId>,
}

/// The institution's sponsors.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SponsorConflicts {
    /// One by one.
    pub sponsors: Vec<Sponsor>,
}

/// The institution's marks and facilities.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Marks {
    /// Whether athletes may use them.
    pub policy: MarksPolicy,
}

/// Days on which nothing may take place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Blackout {
    /// What it is called.
    pub name: String,
    /// The first day.
    pub from: Date,
    /// The last day.
    pub until: Date,
    /// The sports it holds for; none for all.
    pub sport_ids: Vec<SportId>,
    /// The activities it holds for; none for all.
    pub activities: Vec<Activity>,
}

/// All of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Blackouts {
    /// One by one.
    pub windows: Vec<Blackout>,
}

/// Students with an F-1 visa.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct F1 {
    /// What becomes of their deals.
    pub policy: F1Policy,
}

/// How soon a contract with an agent has to be notified.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AgentNotice {
    /// Within how many hours of signing.
    pub hours: i64,
}

/// What is flagged without anybody asking.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AutomaticFlags {
    /// The flags.
    pub flags: Vec<DealFlag>,
}

/// A rule with the day since when it says so.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "Dated{T}")]
pub struct Dated<T> {
    /// What it says.
    #[serde(flatten)]
    pub rule: T,
    /// The day since when it says so, in the institution's time zone.
    pub effective_on: Date,
}

/// What an institution says about one thing from a day on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// What it is about.
    pub kind: RuleKind,
    /// The first day on which it holds.
    pub effective_on: Date,
    /// What it says.
    pub value: Value,
}

/// Everything that is in force on one day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Until when athletes have to disclose.
    pub deadline: Dated<DisclosureDeadline>,
    /// From which worth on a deal is looked at.
    pub threshold: Dated<Threshold>,
    /// Which disclosed deals need approval.
    pub approval: Dated<Approval>,
    /// Whether payouts wait for the clearinghouse.
    pub hold_payouts: Dated<HoldPayouts>,
    /// Categories nobody may work in.
    pub prohibited_categories: Dated<Categories>,
    /// Categories that need consent.
    pub restricted_categories: Dated<Categories>,
    /// Sponsors whose rivals are excluded.
    pub sponsor_conflicts: Dated<SponsorConflicts>,
    /// Marks and facilities.
    pub marks: Dated<Marks>,
    /// Days on which nothing may take place.
    pub blackouts: Dated<Blackouts>,
    /// Students with an F-1 visa.
    pub f1: Dated<F1>,
    /// How soon agents' contracts have to be notified.
    pub agent_notice: Dated<AgentNotice>,
    /// What is flagged.
    pub automatic_flags: Dated<AutomaticFlags>,
}

impl Rules {
    /// What holds on `day` for an institution that has said `own`, oldest first. Its own word goes
    /// before a default, of several the one that took effect last, of one day the later one.
    pub fn in_force(own: &[Change], day: Date) -> Result<Self> {
        let standard = standard::rules()?;
        Ok(Self {
            deadline: read(own, standard, RuleKind::Deadline, day)?,
            threshold: read(own, standard, RuleKind::Threshold, day)?,
            approval: read(own, standard, RuleKind::Approval, day)?,
            hold_payouts: read(own, standard, RuleKind::HoldPayouts, day)?,
            prohibited_categories: read(own, standard, RuleKind::ProhibitedCategories, day)?,
            restricted_categories: read(own, standard, RuleKind::RestrictedCategories, day)?,
            sponsor_conflicts: read(own, standard, RuleKind::SponsorConflicts, day)?,
            marks: read(own, standard, RuleKind::Marks, day)?,
            blackouts: read(own, standard, RuleKind::Blackouts, day)?,
            f1: read(own, standard, RuleKind::F1, day)?,
            agent_notice: read(own, standard, RuleKind::AgentNotice, day)?,
            automatic_flags: read(own, standard, RuleKind::AutomaticFlags, day)?,
        })
    }
}

fn read<T: DeserializeOwned>(
    own: &[Change],
    standard: &[Change],
    kind: RuleKind,
    day: Date,
) -> Result<Dated<T>> {
    let found = latest(own, kind, day)
        .or_else(|| latest(standard, kind, day))
        // Before the first default of its kind was in force, that one is the best there is.
        .or_else(|| standard.iter().find(|change| change.kind == kind))
        .ok_or(codes::INTERNAL)?;
    Ok(Dated {
        rule: serde_json::from_value(found.value.clone()).map_err(Error::internal)?,
        effective_on: found.effective_on,
    })
}

/// The entry that says what holds on `day`: of equal days the last one.
pub(super) fn latest(changes: &[Change], kind: RuleKind, day: Date) -> Option<&Change> {
    changes
        .iter()
        .filter(|change| change.kind == kind && change.effective_on <= day)
        .max_by_key(|change| change.effective_on)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn day(text: &str) -> Date {
        text.parse().unwrap()
    }

    fn hours(on: &str, hours: i64) -> Change {
        Change {
            kind: RuleKind::AgentNotice,
            effective_on: day(on),
            value: json!({ "hours": hours }),
        }
    }

    #[test]
    fn the_defaults_are_complete_and_prohibit_what_the_field_does() {
        let rules = Rules::in_force(&[], day("2026-11-20")).unwrap();
        for slug in ["gambling", "alcohol_promotion", "tobacco_vaping", "weapons"] {
            let all = &rules.prohibited_categories.rule.categories;
            assert!(all.iter().any(|known| known == slug), "{slug}");
        }
        assert_eq!(rules.deadline.rule.value, 5);
        assert_eq!(rules.agent_notice.rule.hours, 72);
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
        // Of two words for one day the later one holds.
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
}
