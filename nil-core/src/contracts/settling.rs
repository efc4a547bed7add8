//! Completing contracts whose work is done and paid.

use super::contract::{Contract, ContractEvent, ContractStatus};
use super::request::RequestEvent;
use super::store::{contract as contracts, request as requests};
use crate::error::{Error, Result};
use crate::jobs::{ApplicationEvent, places, turning};
use crate::kernel::{ContractId, DeliverableId, Machine as _};
use crate::marketplace::{OrderEvent, following};
use crate::operation::Work;

/// Completes the contract, its application and perhaps its job, if every deliverable is approved (or
/// void) and paid. Does nothing otherwise. To be called after each approval and after each payment
/// that succeeds, in the same transaction; two that meet wait for each other here.
pub(crate) async fn complete_if_settled(work: &mut Work, contract: ContractId) -> Result<()> {
    let contract = contracts::hold(work, contract)
        .await?
        .ok_or_else(|| Error::internal("a deliverable without its contract"))?;
    if contract.status != ContractStatus::Active {
        return Ok(());
    }
    let balance = contracts::balance(work, contract.id).await?;
    if balance.open > 0 || balance.paid_cents < balance.approved_cents {
        return Ok(());
    }
    let now = work.now();
    let application = turning::hold(work, contract.application_id).await?;
    let moved = contract.status.on(ContractEvent::Complete)?;
    contracts::change(work, contract.id, moved, now).await?;
    work.note(contract.subject(), "completed");
    let actor = work.facts().actor.clone();
    for request in requests::pending(work, contract.id).await? {
        let moved = request.status.on(RequestEvent::Dismiss)?;
        requests::change(work, &request, moved, &actor, now).await?;
    }
    let moved = application.status.on(ApplicationEvent::Complete)?;
    turning::change(work, &application, moved, None).await?;
    following::follow(work, contract.id, OrderEvent::Complete).await?;
    places::settle(work, contract.job_id).await
}

/// The contract a deliverable belongs to, held until the transaction ends.
pub(crate) async fn hold_of_deliverable(
    work: &mut Work,
    deliverable: DeliverableId,
) -> Result<Option<Contract>> {
    contracts::hold_of_deliverable(work, deliverable).await
}
