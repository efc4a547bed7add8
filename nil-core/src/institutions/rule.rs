//! An institution's rules: what each one contains, and which are in force on a day.
//!
//! Rules are dated and never rewritten: a change is a further entry with its own first day, so the rules of
//! any past day can be determined. Without an entry of the institution, the defaults of
//! `assets/reference/institution_rules.csv` apply, which are dated too.

use chrono::{Days, TimeDelta};
use chrono_tz::Tz;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::standard;
use crate::error::{Error, Result, codes};
use crate::kernel::Activity;
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{Cents, Date, LAST_TIME, SportId, Time, end_of_day};

vocabulary! {
    /// The subject of a rule.
    RuleKind {
        /// The deadline for athletes to disclose a deal.
        Deadline = "deadline",
        /// The value threshold from which deals are reviewed.
        Threshold = "threshold",
        /// Which disclosed deals the institution has to approve.
        Approval = "approval",
        /// Whether payouts wait for the clearinghouse.
        HoldPayouts = "hold_payouts",
        /// Prohibited categories.
        ProhibitedCategories = "prohibited_categories",
        /// Restricted categories: deals need the institution's consent.
        RestrictedCategories = "restricted_categories",
        /// Sponsors of the institution whose rivals are excluded.
        SponsorConflicts = "sponsor_conflicts",
        /// The institution's marks and facilities.
        Marks = "marks",
        /// Blackout days, on which no activity may take place.
        Blackouts = "blackouts",
        /// Students with an F-1 visa.
        F1 = "f1",
        /// The deadline for the notice of a contract with an agent.
        AgentNotice = "agent_notice",
        /// The flags that are set automatically.
        AutomaticFlags = "automatic_flags",
    }
}

vocabulary! {
    /// The unit of a deadline.
    DeadlineUnit {
        /// Days except weekends and US federal holidays.
        BusinessDays = "business_days",
        /// Calendar days.
        Days = "days",
        /// Hours from the end of the day of signing.
        Hours = "hours",
    }
}

vocabulary! {
    /// The amounts that are added up and compared with a threshold.
    ThresholdScope {
        /// Each deal separately.
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
        /// Deals that reach the threshold.
        AboveThreshold = "above_threshold",
        /// Deals with an associated entity.
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
    /// How deals of students with an F-1 visa are treated.
    F1Policy {
        /// They are allowed.
        Allow = "allow",
        /// The athlete is warned.
        Warn = "warn",
        /// The deal is refused.
        Block = "block",
    }
}

vocabulary! {
    /// A remarkable fact about a deal.
    DealFlag {
        /// It was disclosed late, or is overdue.
        Late = "late",
        /// It reaches the institution's threshold.
        OverThreshold = "over_threshold",
        /// Its category is prohibited.
        ProhibitedCategory = "prohibited_category",
        /// It conflicts with a sponsor of the institution.
        ConflictSponsor = "conflict_sponsor",
        /// Its payer is an associated entity of the institution.
        AssociatedEntity = "associated_entity",
        /// The athlete was under 18 when it was signed.
        Minor = "minor",
    }
}

/// The deadline for athletes to disclose a deal, counted from its signing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DisclosureDeadline {
    /// The unit.
    pub unit: DeadlineUnit,
    /// The number of units.
    pub value: i64,
}

/// The value threshold from which deals are reviewed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Threshold {
    /// The lowest value that counts.
    pub amount_cents: Cents,
    /// The amounts that are added up.
    pub scope: ThresholdScope,
}

/// Which disclosed deals need approval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Approval {
    /// The deals that need approval.
    pub requirement: ApprovalRequirement,
}

/// Whether payouts wait for the clearinghouse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HoldPayouts {
    /// Whether they wait until every deal is cleared.
    pub until_cleared: bool,
}

/// Job categories and business categories.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Categories {
    /// Their slugs; one slug can mean a job category, a business category, or both.
    pub categories: Vec<String>,
}

/// A sponsor of the institution.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Sponsor {
    /// The company.
    pub sponsor: String,
    /// The slug of the category in which its rivals are excluded.
    pub category: String,
    /// The first day; null if unlimited.
    pub from: Option<Date>,
    /// The last day; null if unlimited.
    pub until: Option<Date>,
    /// The sports it sponsors; empty means all.
    pub sport_ids: Vec<SportId>,
}

/// The institution's sponsors.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SponsorConflicts {
    /// The sponsors.
    pub sponsors: Vec<Sponsor>,
}

/// The institution's marks and facilities.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Marks {
    /// Whether athletes may use them.
    pub policy: MarksPolicy,
}

/// Blackout days, on which no activity may take place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Blackout {
    /// Its name.
    pub name: String,
    /// The first day.
    pub from: Date,
    /// The last day.
    pub until: Date,
    /// The sports it applies to; empty means all.
    pub sport_ids: Vec<SportId>,
    /// The activities it applies to; empty means all.
    pub activities: Vec<Activity>,
}

/// The blackout windows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Blackouts {
    /// The windows.
    pub windows: Vec<Blackout>,
}

/// Students with an F-1 visa.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct F1 {
    /// How their deals are treated.
    pub policy: F1Policy,
}

/// Contracts with agents: the deadlines of the notice, and the athlete's right to cancel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AgentNotice {
    /// The maximum hours from signing to notice.
    pub hours: i64,
    /// The maximum days from enrolment to notice, for a contract signed before enrolment.
    pub enrolment_days: i64,
    /// The number of days after signing in which the athlete can cancel.
    pub cancel_days: i64,
    /// Whether money due to the agent waits until the athlete can no longer cancel.
    pub transfers_wait: bool,
}

impl AgentNotice {
    /// The deadline of the notice: elapsed hours after signing, regardless of daylight saving.
    #[must_use]
    pub fn due_after_signing(&self, signed_at: Time) -> Option<Time> {
        let due =
            TimeDelta::try_hours(self.hours).and_then(|time| signed_at.checked_add_signed(time));
        due.map(|at| at.min(LAST_TIME))
    }

    /// The deadline of the notice of a contract that was signed before the athlete enrolled on this day.
    #[must_use]
    pub fn due_after_enrolment(&self, enrolled_on: Date, zone: Tz) -> Option<Time> {
        end_after(enrolled_on, self.enrolment_days, zone)
    }

    /// The end of the athlete's right to cancel a contract signed on this day.
    #[must_use]
    pub fn cancellable_until(&self, signed_on: Date, zone: Tz) -> Option<Time> {
        end_after(signed_on, self.cancel_days, zone)
    }
}

/// The end of the last of some days after a day.
fn end_after(day: Date, days: i64, zone: Tz) -> Option<Time> {
    let days = Days::new(u64::try_from(days).ok()?);
    day.checked_add_days(days).map(|last| end_of_day(last, zone))
}

/// The flags that are set automatically.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AutomaticFlags {
    /// The flags.
    pub flags: Vec<DealFlag>,
}

/// A rule with the day it took effect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "Dated{T}")]
pub struct Dated<T> {
    /// The rule.
    #[serde(flatten)]
    pub rule: T,
    /// The day it took effect, in the institution's time zone.
    pub effective_on: Date,
}

/// An institution's entry for one rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The rule.
    pub kind: RuleKind,
    /// The first day in force.
    pub effective_on: Date,
    /// The content of the rule.
    pub value: Value,
}

/// All rules in force on one day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    /// The deadline for athletes to disclose a deal.
    pub deadline: Dated<DisclosureDeadline>,
    /// The value threshold from which deals are reviewed.
    pub threshold: Dated<Threshold>,
    /// Which disclosed deals need approval.
    pub approval: Dated<Approval>,
    /// Whether payouts wait for the clearinghouse.
    pub hold_payouts: Dated<HoldPayouts>,
    /// Prohibited categories.
    pub prohibited_categories: Dated<Categories>,
    /// Restricted categories: deals need the institution's consent.
    pub restricted_categories: Dated<Categories>,
    /// Sponsors whose rivals are excluded.
    pub sponsor_conflicts: Dated<SponsorConflicts>,
    /// Marks and facilities.
    pub marks: Dated<Marks>,
    /// Blackout days, on which no activity may take place.
    pub blackouts: Dated<Blackouts>,
    /// Students with an F-1 visa.
    pub f1: Dated<F1>,
    /// The deadline for notices of agents' contracts.
    pub agent_notice: Dated<AgentNotice>,
    /// The flags that are set automatically.
    pub automatic_flags: Dated<AutomaticFlags>,
}

impl Rules {
    /// The rules on `day` for an institution with the entries `own`, oldest first. Its own entries take
    /// precedence over defaults; of several the one that took effect last wins, of the same day the later
    /// one.
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
    let default = latest(standard, kind, day)
        // Before the first default of a kind took effect, that default applies.
        .or_else(|| standard.iter().find(|change| change.kind == kind))
        .ok_or(codes::INTERNAL)?;
    let (value, effective_on) = match latest(own, kind, day) {
        Some(entry) => (completed(&entry.value, &default.value), entry.effective_on),
        None => (default.value.clone(), default.effective_on),
    };
    Ok(Dated { rule: serde_json::from_value(value).map_err(Error::internal)?, effective_on })
}

/// An institution's entry; the fields that it does not name are those of the default.
fn completed(entry: &Value, default: &Value) -> Value {
    let mut value = default.clone();
    match (&mut value, entry) {
        (Value::Object(all), Value::Object(named)) => {
            all.extend(named.iter().map(|(field, value)| (field.clone(), value.clone())));
            value
        }
        _ => entry.clone(),
    }
}

/// The entry in force on `day`: of equal days the last one.
pub(super) fn latest(changes: &[Change], kind: RuleKind, day: Date) -> Option<&Change> {
    changes
        .iter()
        .filter(|change| change.kind == kind && change.effective_on <= day)
        .max_by_key(|change| change.effective_on)
}

#[cfg(test)]
#[path = "rule_tests.rs"]
mod tests;
