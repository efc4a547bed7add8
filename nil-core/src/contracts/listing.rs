//! Lists of contracts.

use schemars::JsonSchema;
use serde::Deserialize;

use super::store::listing::{self, Wanted};
use super::{Contract, ContractStatus, showing};
use crate::error::Result;
use crate::kernel::{AgentId, AthleteId, Listing, Many, Paged};
use crate::storage::Session;

/// The contracts to list.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct ListContracts {
    /// Of these athletes (default: all whom the agent represents).
    pub athlete_ids: Option<Many<AthleteId, 0, 100>>,
    /// In these states (default: all).
    pub statuses: Option<Many<ContractStatus, 0, 5>>,
}

/// The contracts of the athletes an agent currently represents, newest first; other athletes are left out.
pub(crate) async fn of_agent(
    session: &mut Session,
    agent: AgentId,
    input: Paged<ListContracts>,
) -> Result<Listing<Contract>> {
    let (input, paging) = input.parts();
    let wanted = Wanted {
        represented_by: agent,
        athletes: Many::or_none(input.athlete_ids),
        statuses: Many::or_none(input.statuses),
    };
    let (found, place) = listing::page(session, &wanted, paging).await?.split();
    Ok(place.of(showing::with_amendments(session, found).await?))
}
