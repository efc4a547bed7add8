//! Lists of contracts.

use schemars::JsonSchema;
use serde::Deserialize;

use super::store::listing::{self, Wanted};
use super::{Contract, ContractStatus, showing};
use crate::error::Result;
use crate::kernel::{AgentId, AthleteId, Listing, Many, PageNumber, Paging, PerPage};
use crate::storage::Session;

/// Which contracts.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct ListContracts {
    /// The page, from 1.
    pub page: Option<PageNumber>,
    /// Records per page.
    pub per_page: Option<PerPage>,
    /// Of these athletes (default: of all whom the agent represents).
    pub athlete_ids: Option<Many<AthleteId, 0, 100>>,
    /// In these states (default: all).
    pub statuses: Option<Many<ContractStatus, 0, 5>>,
}

/// The contracts of the athletes an agent represents now, newest first; others' are left out.
pub(crate) async fn of_agent(
    session: &mut Session,
    agent: AgentId,
    input: ListContracts,
) -> Result<Listing<Contract>> {
    let paging = Paging::new(input.page, input.per_page);
    let wanted = Wanted {
        represented_by: agent,
        athletes: input.athlete_ids.map_or_else(Vec::new, Many::into_vec),
        statuses: input.statuses.map_or_else(Vec::new, Many::into_vec),
    };
    let (found, total) = listing::page(session, &wanted, paging).await?;
    let found = showing::with_amendments(session, found).await?;
    Ok(Listing::new(found, paging, total))
}
