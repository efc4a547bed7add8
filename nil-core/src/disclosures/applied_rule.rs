//! Why a disclosed job is marked: the rules that apply to it.

use schemars::JsonSchema;
use serde::Serialize;

use crate::institutions::{DealFlag, RuleKind};
use crate::kernel::{Cents, ContractId, Date, DisclosedJobId};

/// A rule that applies to a disclosed job, as it adds up now.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct AppliedRule {
    /// The institution's rule; null for the clearinghouse's threshold.
    pub rule: Option<RuleKind>,
    /// The flag that the disclosed job has because of it, if it has one.
    pub flag: Option<DealFlag>,
    /// The day the rule took effect.
    pub since: Date,
    /// A sentence for users.
    pub message: String,
    /// What a threshold says; null for other rules.
    pub threshold: Option<ReachedThreshold>,
}

/// A threshold with the deals that are added up.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct ReachedThreshold {
    /// The lowest sum that counts.
    pub limit_cents: Cents,
    /// The sum now.
    pub sum_cents: Cents,
    /// The deals that make it up, in the order of signing; of those only the institution's own that
    /// were submitted to it.
    pub deals: Vec<SummedDeal>,
    /// What other deals of the athlete add to it, which the institution does not see: drafts, and
    /// deals at another institution.
    pub unseen_cents: Cents,
}

/// A deal that is added up.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct SummedDeal {
    /// The disclosed job, if it is one.
    pub disclosed_job_id: Option<DisclosedJobId>,
    /// The contract of the platform, if it is one.
    pub contract_id: Option<ContractId>,
    /// The deal's title.
    pub title: String,
    /// The payer.
    pub payer: String,
    /// The day both sides had agreed.
    pub signed_on: Date,
    /// What it adds.
    pub amount_cents: Cents,
}
