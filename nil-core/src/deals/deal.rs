//! A deal: an application with all its related records, and whom it waits for.

use schemars::JsonSchema;
use serde::Serialize;

use super::deliverable::{Deliverable, DeliverableStatus};
use crate::contracts::{Contract, ContractRequest};
use crate::jobs::store::listing::Side;
use crate::jobs::{Application, ApplicationStatus, AthleteCard, Job, JobStatus, PartnerCard};
use crate::kernel::{Cents, ContractId, PaymentId, Time};
use crate::storage::FromRow;

/// A payment of a deal.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct DealPayment {
    /// Its id.
    pub id: PaymentId,
    /// Its number.
    pub number: String,
    /// The contract it is for.
    pub contract_id: ContractId,
    /// The amount for the athlete.
    pub amount_cents: Cents,
    /// The platform's fee, paid by the brand on top.
    pub fee_cents: Cents,
    /// The amount charged to the brand.
    pub total_cents: Cents,
    /// The refunded amount.
    pub refunded_cents: Cents,
    /// Its state.
    pub status: String,
    /// When it succeeded.
    pub paid_at: Option<Time>,
    /// When it was created.
    pub created_at: Time,
}

/// A deal.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Deal {
    /// The application.
    #[serde(flatten)]
    pub application: Application,
    /// The job.
    pub job: Job,
    /// The brand.
    pub partner: PartnerCard,
    /// The athlete.
    pub athlete: AthleteCard,
    /// The contract, once there is one.
    pub contract: Option<Contract>,
    /// The deliverables, by due date.
    pub deliverables: Vec<Deliverable>,
    /// The payments.
    pub payments: Vec<DealPayment>,
    /// The athlete's requests since then.
    pub requests: Vec<ContractRequest>,
    /// Whether the caller must act.
    pub action_needed: bool,
}

impl Deal {
    /// Whether this side must act.
    pub(super) fn waits_for(&self, side: &Side) -> bool {
        let status = self.application.status;
        let any = |test: &dyn Fn(&Deliverable) -> bool| self.deliverables.iter().any(test);
        match side {
            Side::Athlete(_) | Side::Agent(_) => {
                matches!(status, ApplicationStatus::Invited | ApplicationStatus::Hired)
                    || any(&|d| d.status == DeliverableStatus::Denied || d.overdue)
            }
            Side::Partner(_) => {
                let asked = matches!(
                    status,
                    ApplicationStatus::ExtensionRequested
                        | ApplicationStatus::CancellationRequested
                );
                let live = matches!(self.job.status, JobStatus::Open | JobStatus::Closed);
                asked
                    || (live && status == ApplicationStatus::Applicant)
                    || any(&|d| d.status == DeliverableStatus::Submitted)
                    || any(&|d| {
                        d.status == DeliverableStatus::Approved && d.paid_cents < d.amount_cents
                    })
            }
        }
    }
}
