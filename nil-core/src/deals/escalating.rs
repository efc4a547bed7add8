//! Escalates requests that a brand leaves unanswered to the operators.

use chrono::TimeDelta;

use super::reviewing;
use crate::auth::Service;
use crate::contracts::store::{contract as contracts, request as requests};
use crate::contracts::{ContractRequest, ContractStatus, RequestStatus};
use crate::error::Result;
use crate::kernel::ContractRequestId;
use crate::operation::{Cx, Done};
use crate::platform::Platform;
use crate::schedule::due;

/// How long a brand may leave a cancellation request of an active contract unanswered.
const PATIENCE: TimeDelta = TimeDelta::days(7);

/// Escalates cancellation requests that are seven days old to the operators, each once. Returns
/// their number. For the worker.
pub async fn escalate_unanswered(platform: &Platform) -> Result<usize> {
    let due = |behind| async move {
        let mut session = platform.db().read().await?;
        requests::unanswered(&mut session, platform.now() - PATIENCE, behind).await
    };
    due::each("contract request", due, |id| async move {
        let ours = Service::ourselves();
        Ok(platform.call(ours, escalate, id).await?.into_inner())
    })
    .await
}

async fn escalate(cx: Cx<Service>, id: ContractRequestId) -> Result<Done<bool>> {
    let mut work = cx.begin().await?;
    let Some(request) = requests::find(&mut work, id).await? else {
        return work.done(false).await;
    };
    let contract = contracts::lock(&mut work, request.contract_id).await?;
    let still = |request: &ContractRequest| request.status == RequestStatus::Pending;
    let request = requests::find(&mut work, id).await?.filter(still);
    let active = contract.filter(|contract| contract.status == ContractStatus::Active);
    let (Some(contract), Some(request)) = (active, request) else {
        return work.done(false).await;
    };
    let asked = reviewing::ask_for_silence(
        &mut work,
        contract.job_id,
        contract.athlete_id,
        request.created_at,
    )
    .await?;
    if asked {
        requests::note_escalated(&mut work, id, cx.now()).await?;
    }
    work.done(asked).await
}
