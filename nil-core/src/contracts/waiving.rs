//! Contracts whose agent gets no commission, because the athlete cancelled the contract with the
//! agent in time.
//!
//! Agent and rate stay in the terms, which never change; the date says that they do not apply.

use super::store::contract as store;
use crate::error::Result;
use crate::kernel::{AgentId, AthleteId, ContractId, Time};
use crate::operation::Work;

/// Waives the agent's commission on the athlete's contracts written at this time or later; returns
/// these contracts, which stay locked.
pub(crate) async fn waive(
    work: &mut Work,
    agent: AgentId,
    athlete: AthleteId,
    since: Time,
) -> Result<Vec<ContractId>> {
    let ids = store::lock_of_agent(work, agent, athlete, since).await?;
    let now = work.now();
    for id in &ids {
        store::waive_commission(work, *id, now).await?;
        work.note(*id, "commission_waived");
    }
    Ok(ids)
}
