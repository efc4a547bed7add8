//! An institution's rules: what each one contains. `rules` says which are in force on a day.
//!
//! Rules are dated and never rewritten: a change is a further entry with its own first day, so the
//! rules of any past day can be determined. Without an entry of the institution, the defaults of
//! `assets/reference/institution_rules.csv` apply, which are dated too.

use chrono::{Days, TimeDelta};
use chrono_tz::Tz;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{Activity, Cents, Date, LAST_TIME, SportId, Time, end_of_day};

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

impl DealFlag {
    /// The flags of a deal that is late or not: among the stored ones, `late` means that lateness
    /// is to be flagged.
    #[must_use]
    pub fn shown(mut stored: Vec<Self>, late: bool) -> Vec<Self> {
        stored.retain(|flag| *flag != Self::Late || late);
        stored
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
#[non_exhaustive]
pub struct Threshold {
    /// The lowest value that counts.
    pub amount_cents: Cents,
    /// The amounts that are added up.
    pub scope: ThresholdScope,
}

/// Which disclosed deals need approval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Approval {
    /// The deals that need approval.
    pub requirement: ApprovalRequirement,
}

/// Whether payouts wait for the clearinghouse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct HoldPayouts {
    /// Whether they wait until every deal is cleared.
    pub until_cleared: bool,
}

/// Job categories and business categories.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Categories {
    /// Their slugs; one slug can mean a job category, a business category, or both.
    pub categories: Vec<String>,
}

/// A sponsor of the institution.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
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
#[non_exhaustive]
pub struct SponsorConflicts {
    /// The sponsors.
    pub sponsors: Vec<Sponsor>,
}

/// The institution's marks and facilities.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Marks {
    /// Whether athletes may use them.
    pub policy: MarksPolicy,
}

/// Blackout days, on which no activity may take place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
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
#[non_exhaustive]
pub struct Blackouts {
    /// The windows.
    pub windows: Vec<Blackout>,
}

/// Students with an F-1 visa.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
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

    /// The deadline of the notice of a contract that was signed before the athlete enrolled on this
    /// day.
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
#[non_exhaustive]
pub struct AutomaticFlags {
    /// The flags.
    pub flags: Vec<DealFlag>,
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
