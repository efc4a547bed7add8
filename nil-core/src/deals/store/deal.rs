//! Counts of deals, their payments, and deals of an institution.

use std::collections::HashMap;

use sea_query::{Expr, ExprTrait as _, JoinType, Order, Query};

use crate::auth::PortalUser;
use crate::deals::deal::DealPayment;
use crate::error::Result;
use crate::jobs::store::application;
use crate::jobs::store::listing::{Side, of_side, scope};
use crate::jobs::{Application, ApplicationStatus};
use crate::kernel::{AthleteId, ContractId, JobId, Time};
use crate::storage::{Among as _, Session};

/// The number of deals in each state.
pub async fn counts(session: &mut Session, side: &Side) -> Result<HashMap<ApplicationStatus, i64>> {
    let mut query = of_side(side);
    query
        .column(("application", "status"))
        .expr(Expr::cust("COUNT(*)"))
        .group_by_col(("application", "status"));
    let rows: Vec<(ApplicationStatus, i64)> = session.all(query).await?;
    Ok(rows.into_iter().collect())
}

/// The number of deals in which this side must act.
pub async fn waiting(session: &mut Session, side: &Side, now: Time) -> Result<i64> {
    let status = || Expr::col(("application", "status"));
    let work = || Expr::col(("deliverable", "status"));
    let turn = match side {
        Side::Athlete(_) | Side::Agent(_) => {
            let late = Expr::col(("deliverable", "due_at")).lt(now);
            let to_do = work().eq("denied").or(work().eq("pending").and(late));
            status().is_in(["invited", "hired"]).or(has_deliverable(to_do))
        }
        Side::Partner(_) => {
            let unpaid = Expr::cust(
                "deliverable.amount_cents > COALESCE((SELECT SUM(s.amount_cents) \
                 FROM payment_share s JOIN payment p ON p.id = s.payment_id \
                 WHERE s.deliverable_id = deliverable.id AND p.status <> 'failed'), 0)",
            );
            let to_do = work().eq("submitted").or(work().eq("approved").and(unpaid));
            let live = Expr::col(("job", "status")).is_in(["open", "closed"]);
            status()
                .is_in(["extension_requested", "cancellation_requested"])
                .or(status().eq("applicant").and(live))
                .or(has_deliverable(to_do))
        }
    };
    let mut query = of_side(side);
    query.expr(Expr::cust("COUNT(*)")).and_where(turn);
    session.value(query).await
}

/// Whether the application's contract has such a deliverable.
fn has_deliverable(which: Expr) -> Expr {
    let own = Expr::col(("contract", "application_id")).equals(("application", "id"));
    Expr::exists(
        Query::select()
            .expr(Expr::cust("1"))
            .from("deliverable")
            .join(
                JoinType::InnerJoin,
                "contract",
                Expr::col(("contract", "id")).equals(("deliverable", "contract_id")),
            )
            .and_where(own)
            .and_where(which)
            .take(),
    )
}

/// The payments under these contracts, oldest first.
pub async fn payments(session: &mut Session, contracts: &[ContractId]) -> Result<Vec<DealPayment>> {
    if contracts.is_empty() {
        return Ok(Vec::new());
    }
    session
        .all(
            Query::select()
                .columns([
                    "id",
                    "number",
                    "contract_id",
                    "amount_cents",
                    "fee_cents",
                    "total_cents",
                    "refunded_cents",
                    "status",
                    "paid_at",
                    "created_at",
                ])
                .from("payment")
                .and_where(Expr::col("contract_id").among(contracts.iter().map(|id| id.get())))
                .order_by("id", Order::Asc)
                .take(),
        )
        .await
}

/// The applications of this side that led to a contract, newest contract first: at most so many.
pub async fn newest_with_contract(
    session: &mut Session,
    side: &Side,
    most: u64,
) -> Result<Vec<Application>> {
    let columns = application::COLUMNS.iter().map(|column| ("application", *column));
    let whose = Expr::col(("application", "id")).equals(("contract", "application_id"));
    session
        .all(
            Query::select()
                .columns(columns)
                .from("contract")
                .join(JoinType::InnerJoin, "application", whose)
                .and_where(scope(side, "contract"))
                .order_by(("contract", "id"), Order::Desc)
                .limit(most)
                .take(),
        )
        .await
}

/// The newest application of an athlete for a job, if the portal user may see it: a contract
/// belongs to the institution it was made at, an application without one to the athlete's current
/// institution.
pub async fn newest_of_college(
    session: &mut Session,
    caller: &PortalUser,
    athlete: AthleteId,
    job: JobId,
) -> Result<Application> {
    let college = caller.college_id.get();
    let contracts = || Query::select().column("application_id").from("contract").take();
    let ours = contracts().and_where(Expr::col("college_id").eq(college)).take();
    let mut own = Query::select()
        .column("id")
        .from("athlete")
        .and_where(Expr::col("id").eq(athlete.get()))
        .take();
    if !caller.sports.is_empty() {
        let sports = caller.sports.iter().map(|sport| sport.get());
        own.and_where(Expr::col("sport_id").among(sports));
    }
    let here = own.clone().and_where(Expr::col("university_id").eq(college)).take();
    let id = || Expr::col("id");
    let whose = || Expr::col("athlete_id");
    let without = whose().in_subquery(here).and(id().not_in_subquery(contracts()));
    session
        .one(
            Query::select()
                .columns(application::COLUMNS.iter().copied())
                .from("application")
                .and_where(Expr::col("job_id").eq(job.get()))
                .and_where(whose().in_subquery(own))
                .and_where(id().in_subquery(ours).or(without))
                .order_by("id", Order::Desc)
                .limit(1)
                .take(),
        )
        .await
}
