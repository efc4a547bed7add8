//! A transaction: a payment on the platform to an institution's athlete, or a disclosed deal.

use schemars::JsonSchema;
use serde::Serialize;

use crate::accounts::Gender;
use crate::institutions::DealFlag;
use crate::jobs::Compensation;
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{
    AthleteId, CategoryId, Cents, ContractId, DisclosedJobId, JobId, PartnerId, PaymentId, SportId,
    Time,
};
use crate::storage::FromRow;

vocabulary! {
    /// Where a deal was made.
    TransactionSource {
        /// On this platform.
        Platform = "platform",
        /// Elsewhere, and disclosed here.
        Disclosed = "disclosed",
    }
}

vocabulary! {
    /// The status of a transaction: a payment's or a disclosed job's.
    TransactionStatus {
        /// A payment in preparation.
        Pending = "pending",
        /// A payment the processor has not answered yet.
        Processing = "processing",
        /// A payment that succeeded.
        Succeeded = "succeeded",
        /// A payment that failed.
        Failed = "failed",
        /// A partly refunded payment.
        PartiallyRefunded = "partially_refunded",
        /// A fully refunded payment.
        Refunded = "refunded",
        /// A submitted disclosed job.
        Submitted = "submitted",
        /// A disclosed job under review by an officer.
        UnderReview = "under_review",
        /// A disclosed job for which an officer requested information.
        InfoRequested = "info_requested",
        /// A disclosed job that the institution approved.
        Approved = "approved",
        /// A disclosed job that the institution rejected.
        Rejected = "rejected",
        /// A disclosed job that was withdrawn.
        Withdrawn = "withdrawn",
    }
}

/// The stored flags of a transaction.
#[derive(Clone, Copy, Debug, FromRow)]
#[expect(clippy::struct_excessive_bools, reason = "a column each, as they are filtered by")]
pub(super) struct Marks {
    pub(super) over_threshold: bool,
    pub(super) prohibited_category: bool,
    pub(super) conflict_sponsor: bool,
    pub(super) associated_entity: bool,
    pub(super) minor: bool,
    pub(super) late: bool,
}

impl Marks {
    /// The set flags.
    pub(super) fn flags(self) -> Vec<DealFlag> {
        let set = |flag: &DealFlag| match flag {
            DealFlag::Late => self.late,
            DealFlag::OverThreshold => self.over_threshold,
            DealFlag::ProhibitedCategory => self.prohibited_category,
            DealFlag::ConflictSponsor => self.conflict_sponsor,
            DealFlag::AssociatedEntity => self.associated_entity,
            DealFlag::Minor => self.minor,
        };
        DealFlag::ALL.iter().copied().filter(set).collect()
    }
}

/// A transaction of an institution's athlete.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
pub struct Transaction {
    /// The id of the payment or of the disclosed job: unique together with `source`.
    pub id: i64,
    /// The number: the payment's, or `DISCLOSED-` and the id of the disclosed job.
    pub number: String,
    /// Where the deal was made.
    pub source: TransactionSource,
    /// The athlete.
    pub athlete_id: AthleteId,
    /// The athlete's name.
    pub athlete: String,
    /// The athlete's sport.
    pub sport_id: Option<SportId>,
    /// The sport's name.
    pub sport: Option<String>,
    /// The athlete's gender.
    pub gender: Option<Gender>,
    /// The brand; null for a disclosed job.
    pub partner_id: Option<PartnerId>,
    /// The payer's name.
    pub payer: String,
    /// The category of the job.
    pub category_id: CategoryId,
    /// The category's name.
    pub category: String,
    /// The kind of compensation: `cash`, `mixed`, …
    pub payment_type: Compensation,
    /// The athlete's amount, an agent's commission included; for a disclosed job its total value.
    pub gross_cents: Cents,
    /// The platform's fee, paid by the brand on top.
    pub fee_cents: Cents,
    /// Gross less the agent's commission.
    pub net_cents: Cents,
    /// How much of the gross was refunded.
    pub refunded_cents: Cents,
    /// The currency, `usd`.
    pub currency: String,
    /// The status.
    pub status: TransactionStatus,
    /// When the card was charged; until then, when the payment was requested. A disclosed job
    /// occurs on the day it was signed, at noon UTC.
    pub occurred_at: Time,
    /// The job; null for a disclosed job.
    pub job_id: Option<JobId>,
    /// The contract; null for a disclosed job.
    pub contract_id: Option<ContractId>,
    /// The payment; null for a disclosed job.
    pub payment_id: Option<PaymentId>,
    /// The disclosed job; null for a payment.
    pub disclosed_job_id: Option<DisclosedJobId>,
    /// The flags.
    #[row(skip)]
    pub flags: Vec<DealFlag>,
    #[row(flatten)]
    #[serde(skip)]
    #[schemars(skip)]
    pub(super) marks: Marks,
    /// When it was created.
    pub created_at: Time,
    /// When it was last changed.
    pub updated_at: Time,
}

impl Transaction {
    /// Fills in the flags.
    #[must_use]
    pub(super) fn flagged(mut self) -> Self {
        self.flags = self.marks.flags();
        self
    }
}

vocabulary! {
    /// The order of transactions.
    TransactionSort {
        /// Newest first.
        Newest = "-occurred_at",
        /// Oldest first.
        Oldest = "occurred_at",
        /// Highest amounts first.
        Greatest = "-gross_cents",
        /// Lowest amounts first.
        Least = "gross_cents",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::disclosures::DisclosedJobStatus;
    use crate::payments::PaymentStatus;

    #[test]
    fn a_transaction_has_every_state_of_what_it_shows() {
        let payments = PaymentStatus::ALL.iter().map(|status| status.as_str());
        let disclosed = DisclosedJobStatus::ALL.iter().map(|status| status.as_str());
        let mut words: Vec<_> = payments.chain(disclosed).collect();
        // Drafts were never submitted and are not shown.
        words.retain(|word| *word != "draft");
        let own = TransactionStatus::ALL.iter().map(|status| status.as_str());
        assert_eq!(own.collect::<Vec<_>>(), words);
    }

    #[test]
    fn flags_come_in_the_order_of_the_documents() {
        let marks = Marks {
            over_threshold: true,
            prohibited_category: false,
            conflict_sponsor: false,
            associated_entity: false,
            minor: true,
            late: true,
        };
        let flags = [DealFlag::Late, DealFlag::OverThreshold, DealFlag::Minor];
        assert_eq!(marks.flags(), flags);
    }
}
