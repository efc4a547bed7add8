//! An institution's settings, as its portal shows them.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use super::rule::{
    AgentNotice, Approval, AutomaticFlags, Blackouts, Categories, DisclosureDeadline, F1,
    HoldPayouts, Marks, RuleKind, SponsorConflicts, Threshold,
};
use super::rules::Dated;
use crate::kernel::{CollegeId, Date, Time};
pub use crate::notifications::Digest;
use crate::operation::Revisable;

/// An institution's entry for a rule; entries are never changed.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct RuleChange {
    /// The rule.
    pub rule: RuleKind,
    /// The first day in force; may be in the future.
    pub effective_on: Date,
    /// The content, in the same form as under the rule's own name.
    pub value: Value,
    /// The author, in the audit trail's notation.
    pub set_by: String,
    /// When it was entered.
    pub created_at: Time,
}

/// An institution's settings: the rules in force today, each with the day it took effect, and all
/// past and future entries.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct CollegeSettings {
    /// The institution's id.
    pub id: CollegeId,
    /// The institution's id, as in `id`.
    pub college_id: CollegeId,
    /// The institution's name.
    pub college_name: String,
    /// The IANA time zone for its days and deadlines.
    pub time_zone: String,
    /// How often notifications are sent.
    pub digest: Digest,
    /// The contact address of its compliance office, for athletes and brands.
    pub contact_email: Option<String>,
    /// Its logo.
    pub logo_url: Option<String>,
    /// The fewest athletes that a figure given to the public stands for (5 to 100).
    pub smallest_group: i64,
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
    /// All entries of the institution, the latest day first (200 at most).
    pub changes: Vec<RuleChange>,
    /// When the settings were first saved; null if never.
    pub created_at: Option<Time>,
    /// When they were last saved.
    pub updated_at: Option<Time>,
}

impl Revisable for CollegeSettings {
    /// All that was entered: which of the rules is in force follows from the day.
    fn content(&self) -> Value {
        json!([
            self.time_zone,
            self.digest,
            self.contact_email,
            self.logo_url,
            self.smallest_group,
            self.changes,
        ])
    }
}
