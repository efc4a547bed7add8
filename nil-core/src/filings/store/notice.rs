//! Filings as the athlete and the agent of a representation see them.

use sea_query::{Expr, ExprTrait as _, JoinType, Order, Query, SelectStatement};

use super::filing;
use crate::error::Result;
use crate::filings::agency_notice::{AgencyNotice, ListNotices, Whose};
use crate::filings::filing::Filing;
use crate::kernel::{FilingId, Listing, Paging, RepresentationId};
use crate::storage::{Narrow as _, Session};

fn own(column: &'static str) -> Expr {
    Expr::col(("f", column))
}

fn select() -> SelectStatement {
    const COLUMNS: &[&str] = &[
        "id",
        "representation_id",
        "college_id",
        "athlete_id",
        "agent_id",
        "status",
        "particulars",
        "notice_due_at",
        "created_at",
    ];
    Query::select()
        .columns(COLUMNS.iter().map(|column| ("f", *column)))
        .expr_as(Expr::col(("c", "name")), "college_name")
        .expr_as(Expr::col(("a", "display_name")), "athlete_name")
        .expr_as(Expr::col(("g", "agency_name")), "agency_name")
        .expr_as(Expr::col(("r", "cancellable_until")), "cancellable_until")
        .from_as("athlete_agent_filing", "f")
        .join_as(JoinType::InnerJoin, "college", "c", Expr::cust("c.id = f.college_id"))
        .join_as(JoinType::InnerJoin, "athlete", "a", Expr::cust("a.id = f.athlete_id"))
        .join_as(JoinType::InnerJoin, "agent", "g", Expr::cust("g.id = f.agent_id"))
        .join_as(
            JoinType::InnerJoin,
            "representation",
            "r",
            Expr::cust("r.id = f.representation_id"),
        )
        .take()
}

/// A page of the filings drafted for an athlete's or an agent's representations, newest first.
pub async fn page(
    session: &mut Session,
    whose: Whose,
    wanted: &ListNotices,
    paging: Paging,
) -> Result<Listing<AgencyNotice>> {
    let mut rows = select();
    rows.and_where(match whose {
        Whose::Athlete(athlete) => own("athlete_id").eq(athlete.get()),
        Whose::Agent(agent) => own("agent_id").eq(agent.get()),
    })
    .and_where(own("status").ne("deleted"))
    .only(("f", "representation_id"), wanted.representation_id)
    .order_by(("f", "id"), Order::Desc);
    let missing = || own("agent_noticed_at").is_null().or(own("athlete_noticed_at").is_null());
    match wanted.missing {
        Some(true) => rows.and_where(missing()),
        Some(false) => rows.and_where(missing().not()),
        None => &mut rows,
    };
    session.page(rows, paging).await
}

/// One of them.
pub async fn find(session: &mut Session, id: FilingId) -> Result<AgencyNotice> {
    let mut query = select();
    query.and_where(own("id").eq(id.get()));
    session.one(query).await
}

/// The newest filing about a representation of the athlete or the agent, locked.
pub async fn lock(
    session: &mut Session,
    representation: RepresentationId,
    whose: Whose,
) -> Result<Filing> {
    let condition = match whose {
        Whose::Athlete(athlete) => Expr::col((filing::TABLE, "athlete_id")).eq(athlete.get()),
        Whose::Agent(agent) => Expr::col((filing::TABLE, "agent_id")).eq(agent.get()),
    };
    filing::lock_newest(session, representation, condition).await
}
