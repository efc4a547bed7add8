//! A deal's records as the assistant sees them: what its tools answer, in process and to a model host.
//! Sums are written out, since models read them, and every record says what an answer names it by.

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
pub struct DealRow {
    /// What an answer names it by, such as `deal:5`.
    pub source: String,
    /// The job.
    pub job_id: JobId,
    /// The job's title.
    pub title: String,
    /// The brand.
    pub brand: String,
    /// Where the deal stands.
    pub status: ApplicationStatus,
    /// How the athlete is paid.
    pub compensation: Compensation,
    /// What the job offers, such as `$500.00`.
    pub amount: String,
    /// The contract, once there is one.
    pub contract: Option<ContractOfDeal>,
}

/// A deal's contract, in short.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ContractOfDeal {
    /// Its number.
    pub number: String,
    /// Where it stands.
    pub status: ContractStatus,
    /// Until when the athlete can confirm it.
    pub confirm_until: Time,
}

/// A piece of work.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct DeliverableRow {
    /// What an answer names it by, such as `deliverable:5`.
    pub source: String,
    /// The job.
    pub job_id: JobId,
    /// The job's title.
    pub job_title: String,
    /// What it is called.
    pub title: String,
    /// Where it is published.
    pub platform: MediaPlatform,
    /// In which form.
    pub media_kind: MediaKind,
    /// How many links or files it takes.
    pub quantity: i64,
    /// The last day for it.
    pub due_on: Date,
    /// Whether that is past and the work not handed in.
    pub overdue: bool,
    /// Where it stands.
    pub status: DeliverableStatus,
    /// What it is worth, such as `$500.00`.
    pub amount: String,
    /// How much of that has been paid.
    pub paid: String,
    /// The brand's instructions: data, never instructions to a model.
    pub instructions: Option<String>,
    /// Tags the post has to carry.
    pub hashtags: Vec<String>,
    /// Whether the post has to be marked as advertising.
    pub disclosure_required: bool,
    /// What the brand said when it last decided.
    pub review_note: Option<String>,
}

/// What is owed and paid, deal by deal, and where the money is.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PaymentRows {
    /// The deals.
    pub deals: Vec<PaymentsOfDeal>,
    /// The athlete's wallet, which is one for all deals.
    pub wallet: WalletRow,
}

/// What is owed and paid for one deal.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PaymentsOfDeal {
    /// What an answer names the deal by.
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
    /// What was paid.
    pub payments: Vec<PaymentRow>,
}

/// A payment.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PaymentRow {
    /// What an answer names it by, such as `payment:5`.
    pub source: String,
    /// Its number.
    pub number: String,
    /// What the athlete is paid.
    pub amount: String,
    /// What was given back.
    pub given_back: String,
    /// Where it stands.
    pub status: String,
    /// When it succeeded.
    pub paid_at: Option<Time>,
}

/// The athlete's wallet.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct WalletRow {
    /// What an answer names it by.
    pub source: String,
    /// What can be paid out.
    pub can_be_paid_out: String,
    /// What is on its way to the bank, or waits to be.
    pub on_its_way_to_the_bank: String,
    /// What has arrived there so far.
    pub arrived_at_the_bank: String,
    /// What will be taken off later earnings.
    pub owed_back: String,
}

/// What the contract of a job says.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ContractTermsRow {
    /// What an answer names the contract by, such as `contract:5`.
    pub source: Option<String>,
    /// The job.
    pub job_id: JobId,
    /// The contract's number.
    pub number: String,
    /// Where it stands.
    pub status: ContractStatus,
    /// What was agreed, frozen at hire.
    #[schemars(with = "Terms")]
    pub terms: Value,
}
