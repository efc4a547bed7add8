//! Completes contracts whose work is done and paid.

use std::collections::BTreeSet;

use super::transition;
use crate::contracts::store::{contract as contracts, request as requests};
use crate::contracts::{Contract, ContractEvent, ContractStatus, RequestEvent};
use crate::error::Result;
use crate::jobs::places;
use crate::kernel::{ContractId, DeliverableId, Machine as _};
use crate::operation::Work;
use crate::orders::{OrderEvent, order_sync};

/// Completes those of these contracts whose deliverables are all approved (or void) and paid, with
/// their applications and possibly their jobs. Call it after each approval and each successful
/// payment, in the same transaction; the locks here serialise concurrent calls. A bulk payment
/// needs as many statements as a single contract.
pub(crate) async fn complete_settled(work: &mut Work, ids: &[ContractId]) -> Result<()> {
    let mut held = contracts::lock_all(work, ids).await?;
    held.retain(|contract| contract.status == ContractStatus::Active);
    let settled = contracts::settled(work, &ids_of(&held)).await?;
    held.retain(|contract| settled.contains(&contract.id));
    if held.is_empty() {
        return Ok(());
    }
    let now = work.now();
    let applications: Vec<_> = held.iter().map(|contract| contract.application_id).collect();
    let applications = transition::lock_all(work, &applications).await?;
    let moved = ContractStatus::Active.on(ContractEvent::Complete)?;
    contracts::change_all(work, &ids_of(&held), moved, now).await?;
    for contract in &held {
        work.note(contract.id, "completed");
    }
    let actor = work.facts().actor.clone();
    for request in requests::pending(work, &ids_of(&held)).await? {
        let moved = request.status.on(RequestEvent::Dismiss)?;
        requests::change(work, &request, moved, &actor, now).await?;
    }
    transition::complete(work, &applications).await?;
    order_sync::follow_all(work, &ids_of(&held), OrderEvent::Complete).await?;
    let jobs: BTreeSet<_> = held.iter().map(|contract| contract.job_id).collect();
    for job in jobs {
        places::settle(work, job).await?;
    }
    Ok(())
}

fn ids_of(contracts: &[Contract]) -> Vec<ContractId> {
    contracts.iter().map(|contract| contract.id).collect()
}

/// The contract of a deliverable, locked until the transaction ends.
pub(crate) async fn lock_of_deliverable(
    work: &mut Work,
    deliverable: DeliverableId,
) -> Result<Contract> {
    contracts::lock_of_deliverable(work, deliverable).await
}
