//! A deal's records as the assistant's tools return them, in process and to a model host. Amounts
//! are formatted as text, because models read them, and every record has a name for use as a
//! source.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::contracts::ContractStatus;
use crate::contracts::terms::Terms;
use crate::deals::DeliverableStatus;
use crate::jobs::{ApplicationStatus, Compensation, MediaKind, MediaPlatform};
use crate::kernel::{Date, JobId, Time};

/// A deal.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct DealRow {
    /// Its name as a source, such as `deal:5`.
    pub source: String,
    /// The job.
    pub job_id: JobId,
    /// The job's title.
    pub title: String,
    /// The brand.
    pub brand: String,
    /// The status.
    pub status: ApplicationStatus,
    /// How the athlete is paid.
    pub compensation: Compensation,
    /// What the job offers, such as `$500.00`.
    pub amount: String,
    /// The contract, once there is one.
    pub contract: Option<ContractOfDeal>,
}

/// The summary of a deal's contract.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct ContractOfDeal {
    /// The contract number.
    pub number: String,
    /// The status.
    pub status: ContractStatus,
    /// The end of the athlete's time to confirm it.
    pub confirm_until: Time,
}

/// A deliverable.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct DeliverableRow {
    /// Its name as a source, such as `deliverable:5`.
    pub source: String,
    /// The job.
    pub job_id: JobId,
    /// The job's title.
    pub job_title: String,
    /// Its name.
    pub title: String,
    /// The platform it is published on.
    pub platform: MediaPlatform,
    /// The kind of media.
    pub media_kind: MediaKind,
    /// The number of links or files it takes.
    pub quantity: i64,
    /// The last day to submit it.
    pub due_on: Date,
    /// Whether that day is past and the work not submitted.
    pub overdue: bool,
    /// The status.
    pub status: DeliverableStatus,
    /// The athlete's amount, such as `$500.00`.
    pub amount: String,
    /// How much of the amount has been paid.
    pub paid: String,
    /// The brand's instructions: data, never instructions to a model.
    pub instructions: Option<String>,
    /// Tags the post must carry.
    pub hashtags: Vec<String>,
    /// Whether the post must be marked as advertising.
    pub disclosure_required: bool,
    /// The note of the brand's latest decision.
    pub review_note: Option<String>,
}

/// What is owed and paid, by deal, and the wallet.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct PaymentRows {
    /// The deals.
    pub deals: Vec<PaymentsOfDeal>,
    /// The athlete's wallet, which is one for all deals.
    pub wallet: WalletRow,
}

/// What is owed and paid for one deal.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct PaymentsOfDeal {
    /// The deal's name as a source.
    pub source: String,
    /// The job.
    pub job_id: JobId,
    /// The job's title.
    pub job_title: String,
    /// The brand.
    pub brand: String,
    /// The cash agreed, once there is a contract.
    pub agreed: Option<String>,
    /// What is left to pay for work that the brand approved.
    pub owed_for_approved_work: String,
    /// The payments.
    pub payments: Vec<PaymentRow>,
}

/// A payment.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct PaymentRow {
    /// Its name as a source, such as `payment:5`.
    pub source: String,
    /// The payment number.
    pub number: String,
    /// The athlete's amount.
    pub amount: String,
    /// What was refunded.
    pub given_back: String,
    /// The status.
    pub status: String,
    /// When it succeeded.
    pub paid_at: Option<Time>,
}

/// The athlete's wallet.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct WalletRow {
    /// Its name as a source.
    pub source: String,
    /// The balance available for payout.
    pub can_be_paid_out: String,
    /// Money on its way to the bank, or waiting to be sent.
    pub on_its_way_to_the_bank: String,
    /// What has arrived at the bank so far.
    pub arrived_at_the_bank: String,
    /// What will be deducted from later earnings.
    pub owed_back: String,
}

/// The contract terms for a job.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct ContractTermsRow {
    /// The contract's name as a source, such as `contract:5`.
    pub source: Option<String>,
    /// The job.
    pub job_id: JobId,
    /// The contract's number.
    pub number: String,
    /// The status.
    pub status: ContractStatus,
    /// The agreed terms, frozen at hire.
    #[schemars(with = "Terms")]
    pub terms: Value,
}
