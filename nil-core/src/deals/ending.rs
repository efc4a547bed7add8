//! Contracts that end early: cancelled, or not confirmed in time.

use schemars::JsonSchema;
use serde::Deserialize;

use super::transition;
use crate::auth::{Operator, Service};
use crate::contracts::store::{contract as contracts, request as requests};
use crate::contracts::{Contract, ContractEvent, ContractStatus, RequestEvent, showing};
use crate::error::{Result, codes};
use crate::feed::Concerned;
use crate::jobs::{ApplicationEvent, places};
use crate::kernel::{ApplicationId, ContractId, Machine as _, Text};
use crate::notifications::Event;
use crate::notifications::outbox::{Message, Recipient};
use crate::operation::{Cx, Done, Work};
use crate::orders::{OrderEvent, order_sync};
use crate::people::{facts, partner};
use crate::platform::Platform;
use crate::schedule::due;
use crate::storage::first_of;
use crate::wording;

/// The contract to cancel.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct CancelContract {
    /// The contract.
    pub contract_id: ContractId,
    /// The reason; both sides see it.
    pub reason: Text<1, 2000>,
}

/// An operator cancels a contract. Approved work remains payable.
pub async fn cancel(cx: Cx<Operator>, input: CancelContract) -> Result<Done<Contract>> {
    let mut work = cx.begin().await?;
    let contract = contracts::lock(&mut work, input.contract_id).await?.ok_or(codes::NOT_FOUND)?;
    let contract = call_off(&mut work, &contract, &input.reason).await?;
    let whole = showing::with_amendments(&mut work, vec![contract]).await?;
    let contract = first_of(whole)?;
    work.done(contract).await
}

/// The contract of an application, locked.
pub(crate) async fn lock_of_application(
    work: &mut Work,
    application: ApplicationId,
) -> Result<Option<Contract>> {
    let found = contracts::of_applications(work, &[application]).await?;
    match found.first() {
        Some(contract) => contracts::lock(work, contract.id).await,
        None => Ok(None),
    }
}

/// Cancels a locked contract for an operator.
pub(crate) async fn call_off(
    work: &mut Work,
    contract: &Contract,
    reason: &str,
) -> Result<Contract> {
    let contract = cancelled(work, contract, Some(reason.trim())).await?;
    let application = transition::lock(work, contract.application_id).await?;
    let moved = application.status.on(ApplicationEvent::Cancel)?;
    transition::change(work, &application, moved, Some(reason.trim().to_owned())).await?;
    places::free(work, contract.job_id).await?;
    Ok(contract)
}

/// Cancels a locked contract and tells both sides and the agent why; the caller updates the
/// application and the place.
pub(super) async fn cancelled(
    work: &mut Work,
    contract: &Contract,
    reason: Option<&str>,
) -> Result<Contract> {
    let moved = contract.status.on(ContractEvent::Cancel)?;
    let now = work.now();
    let contract = contracts::change(work, contract.id, moved, now).await?;
    work.note(contract.id, "cancelled");
    transition::void(work, contract.id).await?;
    close_requests(work, &contract).await?;
    order_sync::follow(work, contract.id, OrderEvent::CallOff).await?;
    tell(work, Event::ContractCancelled, &contract, reason).await?;
    Ok(contract)
}

/// Tells both sides and the athlete's agent that a contract has ended.
async fn tell(
    work: &mut Work,
    event: Event,
    contract: &Contract,
    reason: Option<&str>,
) -> Result<()> {
    // The institution has heard of a contract only if it was executed.
    let concerned = match contract.executed_at {
        Some(_) => Concerned::Contract(contract.id),
        None => Concerned::Brand(contract.partner_id),
    };
    work.publish(contract.publishes(event, concerned));
    let brand = partner(work, contract.partner_id).await?;
    let Some(athlete) = facts(work, contract.athlete_id).await? else {
        return Ok(());
    };
    let title = contract.job_title();
    let told = [Some(athlete.user_id), Some(brand.user_id), athlete.agent_user_id];
    for user in told.into_iter().flatten() {
        work.send(
            Message::new(event, Recipient::User(user))
                .with("athlete_name", athlete.display_name.clone())
                .with("company_name", brand.company_name.clone())
                .with("contract_number", contract.number.clone())
                .with("confirm_by", wording::moment(contract.expires_at, athlete.zone()))
                .with("job_title", title.clone())
                .with("reason", reason)
                .with("job_id", contract.job_id.get())
                .with("contract_id", contract.id.get()),
        );
    }
    Ok(())
}

/// Dismisses the pending requests of a contract that has ended.
async fn close_requests(work: &mut Work, contract: &Contract) -> Result<()> {
    let (now, actor) = (work.now(), work.facts().actor.clone());
    for request in requests::pending(work, &[contract.id]).await? {
        let moved = request.status.on(RequestEvent::Dismiss)?;
        requests::change(work, &request, moved, &actor, now).await?;
    }
    Ok(())
}

/// Ends contracts that the athlete has not confirmed in time, with their applications, frees the
/// places, and tells both sides; each in its own transaction. Returns their number. For the worker.
pub async fn expire_unconfirmed(platform: &Platform) -> Result<usize> {
    let due = |behind| async move {
        let mut session = platform.db().read().await?;
        contracts::overdue(&mut session, platform.now(), behind).await
    };
    due::each("contract", due, |id| async move {
        let ours = Service::ourselves();
        Ok(platform.call(ours, expire, id).await?.into_inner())
    })
    .await
}

/// Ends one contract if it is still unconfirmed and the time is over.
async fn expire(cx: Cx<Service>, id: ContractId) -> Result<Done<bool>> {
    let mut work = cx.begin().await?;
    let due = contracts::lock(&mut work, id).await?.filter(|contract| {
        contract.status == ContractStatus::Generated && contract.expires_at < cx.now()
    });
    let Some(contract) = due else {
        return work.done(false).await;
    };
    let moved = contract.status.on(ContractEvent::Expire)?;
    contracts::change(&mut work, id, moved, cx.now()).await?;
    work.note(contract.id, "expired");
    transition::void(&mut work, id).await?;
    close_requests(&mut work, &contract).await?;
    let application = transition::lock(&mut work, contract.application_id).await?;
    let moved = application.status.on(ApplicationEvent::Expire)?;
    transition::change(&mut work, &application, moved, None).await?;
    places::free(&mut work, contract.job_id).await?;
    tell(&mut work, Event::ContractExpired, &contract, None).await?;
    work.done(true).await
}
