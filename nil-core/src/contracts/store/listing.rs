//! Pages of contracts.

use sea_query::{Expr, ExprTrait as _, Query};

use crate::contracts::contract::{Contract, ContractStatus};
use crate::error::Result;
use crate::kernel::{AgentId, AthleteId, FollowedPage, Listing};
use crate::storage::{Key, Narrow as _, Selected as _, Session, sorted};

/// The contracts to list.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// Of athletes whom this agent currently represents.
    pub represented_by: AgentId,
    /// Of these athletes; empty means all.
    pub athletes: Vec<AthleteId>,
    /// In these states; empty means all.
    pub statuses: Vec<ContractStatus>,
}

/// A page of contracts, newest first.
pub async fn page(
    session: &mut Session,
    wanted: &Wanted,
    place: FollowedPage,
) -> Result<Listing<Contract>> {
    let represented = Query::select()
        .column("athlete_id")
        .from("representation")
        .and_where(Expr::col("agent_id").eq(wanted.represented_by.get()))
        .and_where(Expr::col("status").eq("active"))
        .take();
    let mut rows = Query::select();
    rows.columns(Contract::COLUMNS.iter().copied())
        .from("contract")
        .and_where(Expr::col("athlete_id").in_subquery(represented))
        .only_among("athlete_id", wanted.athletes.iter().copied())
        .only_among("status", wanted.statuses.iter().copied());
    session.follow(sorted(rows, [Key::down(Expr::col("id"))]), place).await
}
