//! A transaction: a payment of the platform to an institution's athlete, or a deal that was disclosed.

use schemars::JsonSchema;
use serde::Serialize;
use sqlx::FromRow;

use crate::accounts::Gender;
use crate::institutions::DealFlag;
use crate::jobs::Compensation;
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{
    AthleteId, CategoryId, Cents, ContractId, DisclosedJobId, JobId, PartnerId, PaymentId, SportId,
    Time,
};

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
    /// The state of a transaction: a payment's or a disclosed job's.
    TransactionStatus {
        /// A payment that is being made.
        Pending = "pending",
        /// A payment the processor has not answered yet.
        Processing = "processing",
        /// A payment that was made.
        Succeeded = "succeeded",
        /// A payment that was not made.
        Failed = "failed",
        /// A payment of which a part was given back.
        PartiallyRefunded = "partially_refunded",
        /// A payment that was given back.
        Refunded = "refunded",
        /// A disclosed job that was handed in.
        Submitted = "submitted",
        /// One that an officer looks at.
        UnderReview = "under_review",
        /// One that an officer wants to know more of.
        InfoRequested = "info_requested",
        /// One that the institution has nothing against.
        Approved = "approved",
        /// One that the institution does not accept.
        Rejected = "rejected",
        /// One that was taken back.
        Withdrawn = "withdrawn",
    }
}

/// What is kept of a transaction's flags.
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
    /// The flags that are set.
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
    /// Its number: the payment's, or `DISCLOSED-` and the id of the disclosed job.
    pub number: String,
    /// Where the deal was made.
    pub source: TransactionSource,
    /// The athlete.
    pub athlete_id: AthleteId,
    /// The athlete's name.
    pub athlete: String,
    /// The athlete's sport.
    pub sport_id: Option<SportId>,
    /// What the sport is called.
    pub sport: Option<String>,
    /// The athlete's gender.
    pub gender: Option<Gender>,
    /// The brand; null for a disclosed job.
    pub partner_id: Option<PartnerId>,
    /// Who pays.
    pub payer: String,
    /// The category of the job.
    pub category_id: CategoryId,
    /// What the category is called.
    pub category: String,
    /// What the athlete is given: `cash`, `mixed`, …
    pub payment_type: Compensation,
    /// What the athlete is paid, an agent's commission included; of a disclosed job everything it is
    /// worth.
    pub gross_cents: Cents,
    /// The platform's fee, paid by the brand on top.
    pub fee_cents: Cents,
    /// Gross less the agent's commission.
    pub net_cents: Cents,
    /// How much of the gross was given back.
    pub refunded_cents: Cents,
    /// The currency, `usd`.
    pub currency: String,
    /// Its state.
    pub status: TransactionStatus,
    /// When the card was charged; until then, when the payment was asked for. A disclosed job happens
    /// on the day it was signed, at noon UTC.
    pub occurred_at: Time,
    /// The job; null for a disclosed job.
    pub job_id: Option<JobId>,
    /// The contract; null for a disclosed job.
    pub contract_id: Option<ContractId>,
    /// The payment; null for a disclosed job.
    pub payment_id: Option<PaymentId>,
    /// The disclosed job; null for a payment.
    pub disclosed_job_id: Option<DisclosedJobId>,
    /// What is remarkable about it.
    #[sqlx(skip)]
    pub flags: Vec<DealFlag>,
    #[sqlx(flatten)]
    #[serde(skip)]
    #[schemars(skip)]
    pub(super) marks: Marks,
    /// When it was entered.
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
        // What was never handed in is not shown.
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
