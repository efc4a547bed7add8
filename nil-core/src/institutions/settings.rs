//! An institution's settings, as its portal sees them.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::rule::{
    AgentNotice, Approval, AutomaticFlags, Blackouts, Categories, Dated, DisclosureDeadline, F1,
    HoldPayouts, Marks, RuleKind, SponsorConflicts, Threshold,
};
use crate::kernel::{CollegeId, Date, Time};
pub use crate::notifications::Digest;

/// Something an institution has said about a rule. What was said is never changed afterwards.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RuleChange {
    /// The rule.
    pub rule: RuleKind,
    /// The first day on which it holds; in the future where it does not hold yet.
    pub effective_on: Date,
    /// What it says, as under the rule's own name.
    pub value: Value,
    /// Who said so, as the audit trail words it.
    pub set_by: String,
    /// When it was said.
    pub created_at: Time,
}

/// An institution's settings: the rules in force today, each with the day since when, and what was and
/// will be.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CollegeSettings {
    /// The institution's id.
    pub id: CollegeId,
    /// The same id.
    pub college_id: CollegeId,
    /// Its IANA time zone; days and deadlines end by it.
    pub time_zone: String,
    /// How often it hears of what happened.
    pub digest: Digest,
    /// Where athletes and brands reach its compliance office.
    pub contact_email: Option<String>,
    /// Its logo.
    pub logo_url: Option<String>,
    /// Until when athletes have to disclose a deal.
    pub deadline: Dated<DisclosureDeadline>,
    /// From which worth on a deal is looked at.
    pub threshold: Dated<Threshold>,
    /// Which disclosed deals need approval.
    pub approval: Dated<Approval>,
    /// Whether payouts wait for the clearinghouse.
    pub hold_payouts: Dated<HoldPayouts>,
    /// Categories nobody may work in.
    pub prohibited_categories: Dated<Categories>,
    /// Categories that need the institution's consent.
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
    /// What is flagged without anybody asking.
    pub automatic_flags: Dated<AutomaticFlags>,
    /// Everything the institution has said, the latest day first (200 at most).
    pub changes: Vec<RuleChange>,
    /// When the settings were first saved; none where nothing was.
    pub created_at: Option<Time>,
    /// When they were last saved.
    pub updated_at: Option<Time>,
}
