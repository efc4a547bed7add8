//! Lists of contracts.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::store::listing::{self, Wanted};
use super::{Contract, ContractStatus, showing};
use crate::error::Result;
use crate::kernel::{AgentId, AthleteId, FollowedPage, Listing, Many};
use crate::storage::Session;

/// The contracts to list.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ListContracts {
    /// Of these athletes (default: all whom the agent represents).
    pub athlete_ids: Option<Many<AthleteId, 0, 100>>,
    /// In these states (default: all).
    pub statuses: Option<Many<ContractStatus, 0, 5>>,
}

/// The contracts of the athletes an agent currently represents, newest first; other athletes are
/// left out.
pub(crate) async fn of_agent(
    session: &mut Session,
    agent: AgentId,
    input: ListContracts,
    place: FollowedPage,
) -> Result<Listing<Contract>> {
    let wanted = Wanted {
        represented_by: agent,
        athletes: Many::or_none(input.athlete_ids),
        statuses: Many::or_none(input.statuses),
    };
    let (found, place) = listing::page(session, &wanted, place).await?.split();
    Ok(place.of(showing::with_amendments(session, found).await?))
}
