//! Changes an application and its deliverables when their contract changes: called by `contracts`,
//! within its transaction.

use super::deliverable::{Deliverable, DeliverableEvent, DeliverableStatus};
use super::store::deliverable as deliverables;
use crate::error::{Error, Result, codes};
use crate::jobs::store::application as applications;
use crate::jobs::{Application, ApplicationEvent, ApplicationStatus};
use crate::kernel::{
    ApplicationId, AthleteId, ContractId, Date, DeliverableId, JobId, Machine as _, Moved, Time,
};
use crate::operation::Work;

/// The application of a contract, locked.
pub(crate) async fn lock(work: &mut Work, id: ApplicationId) -> Result<Application> {
    applications::lock(work, id)
        .await?
        .ok_or_else(|| Error::internal("a contract without its application"))
}

/// The applications of these contracts, locked.
pub(crate) async fn lock_all(work: &mut Work, ids: &[ApplicationId]) -> Result<Vec<Application>> {
    applications::lock_all(work, ids).await
}

/// Completes locked applications.
pub(crate) async fn complete(work: &mut Work, held: &[Application]) -> Result<()> {
    let now = work.now();
    let mut left: Vec<&Application> = held.iter().collect();
    while let Some(status) = left.first().map(|application| application.status) {
        let moved = status.on(ApplicationEvent::Complete)?;
        let (these, others) = left.into_iter().partition(|other| other.status == status);
        let these: Vec<&Application> = these;
        left = others;
        let ids: Vec<_> = these.iter().map(|application| application.id).collect();
        applications::change_these(work, &ids, moved, now).await?;
        for application in these {
            work.note(application.id, moved.to().as_str());
        }
    }
    Ok(())
}

/// Changes the application's state.
pub(crate) async fn change(
    work: &mut Work,
    application: &Application,
    moved: Moved<ApplicationStatus>,
    reason: Option<String>,
) -> Result<Application> {
    let now = work.now();
    let state = moved.to().as_str();
    let application = applications::change(work, application.id, moved, reason, now).await?;
    work.note(application.id, state);
    Ok(application)
}

/// Whether the athlete has ever applied or been invited to the job.
pub(crate) async fn has_applied(work: &mut Work, job: JobId, athlete: AthleteId) -> Result<bool> {
    applications::has_applied(work, job, athlete).await
}

/// A deliverable of a locked contract.
pub(crate) async fn deliverable(
    work: &mut Work,
    id: DeliverableId,
    contract: ContractId,
) -> Result<Deliverable> {
    let deliverable = deliverables::find(work, id).await?;
    if deliverable.contract_id != contract {
        return Err(codes::NOT_FOUND.into());
    }
    Ok(deliverable)
}

/// Moves a due date.
pub(crate) async fn move_due(
    work: &mut Work,
    deliverable: &Deliverable,
    on: Date,
    at: Time,
) -> Result<()> {
    let now = work.now();
    deliverables::set_due(work, deliverable, on, at, now).await
}

/// Voids unapproved work: the contract has ended. Approved work remains payable.
pub(crate) async fn void(work: &mut Work, contract: ContractId) -> Result<()> {
    let now = work.now();
    let from =
        [DeliverableStatus::Pending, DeliverableStatus::Submitted, DeliverableStatus::Denied];
    for status in from {
        let moved = status.on(DeliverableEvent::Void)?;
        deliverables::change_all(work, contract, moved, now).await?;
    }
    Ok(())
}
