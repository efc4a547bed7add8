//! The accounts of those whose turn it is. Closed and suspended ones are left out.

use std::collections::BTreeSet;

use sea_query::{Expr, ExprTrait as _, JoinType, Query, SelectStatement};

use crate::error::Result;
use crate::kernel::UserId;
use crate::storage::{Among as _, Session};

/// A record and an account.
type Reader = (i64, UserId);

/// The accounts of a party that rows of a table name: the ids of the rows by this column, and the
/// column with the party.
fn select(
    (table, id): (&'static str, &'static str),
    (party, by): (&'static str, &'static str),
    ids: &BTreeSet<i64>,
) -> SelectStatement {
    Query::select()
        .expr_as(Expr::col(("t", id)), "id")
        .expr_as(Expr::col(("u", "id")), "user_id")
        .from_as(table, "t")
        .join_as(JoinType::InnerJoin, party, "p", Expr::col(("p", "id")).equals(("t", by)))
        .join_as(JoinType::InnerJoin, "app_user", "u", Expr::cust("u.id = p.user_id"))
        .and_where(Expr::col(("t", id)).among(ids.iter().copied()))
        .and_where(Expr::col(("u", "status")).eq("active"))
        .take()
}

/// The athletes and the agents who represent them.
pub async fn sides(session: &mut Session, athletes: &BTreeSet<i64>) -> Result<Vec<Reader>> {
    if athletes.is_empty() {
        return Ok(Vec::new());
    }
    let own = select(("athlete", "id"), ("athlete", "id"), athletes);
    let mut agents = select(("representation", "athlete_id"), ("agent", "agent_id"), athletes);
    agents.and_where(Expr::col(("t", "status")).eq("active"));
    let mut found: Vec<Reader> = session.all(own).await?;
    found.extend(session.all::<Reader>(agents).await?);
    Ok(found)
}

/// The brands of these clearances that were asked to attest and have not.
pub async fn asked_brands(
    session: &mut Session,
    clearances: &BTreeSet<i64>,
) -> Result<Vec<Reader>> {
    if clearances.is_empty() {
        return Ok(Vec::new());
    }
    let asked = ("payor_attestation", "clearance_id");
    let mut brands = select(asked, ("partner", "partner_id"), clearances);
    brands.and_where(Expr::col(("t", "attested_at")).is_null());
    session.all(brands).await
}

/// The sides of these filings' contracts whose notice is missing.
pub async fn silent_sides(session: &mut Session, filings: &BTreeSet<i64>) -> Result<Vec<Reader>> {
    let mut found = Vec::new();
    if filings.is_empty() {
        return Ok(found);
    }
    let sides = [
        ("athlete", "athlete_id", "athlete_noticed_at"),
        ("agent", "agent_id", "agent_noticed_at"),
    ];
    for (party, by, noticed_at) in sides {
        let mut silent = select(("athlete_agent_filing", "id"), (party, by), filings);
        silent.and_where(Expr::col(("t", noticed_at)).is_null());
        found.extend(session.all::<Reader>(silent).await?);
    }
    Ok(found)
}
