//! What brands owe: contracts, approved work and payments under them.

use std::collections::{BTreeMap, BTreeSet};

use sea_query::{Cond, Expr, ExprTrait as _, JoinType, LockType, Order, Query};

use super::commission;
use super::earnings::{Earnings, left_to_pay};
use crate::error::Result;
use crate::kernel::{Cents, ContractId, DeliverableId, JobId, PartnerId};
use crate::payments::charges::amount_owed::{Earned, Owing, Payable, WantedPayment};
use crate::payments::charges::fee::LineCents;
use crate::payments::charges::payment::PaymentStatus;
use crate::storage::{Among as _, Session};

/// The contracts of a brand that a request can refer to; with `lock`, locked in the order of their
/// ids.
pub async fn contracts(
    session: &mut Session,
    partner: PartnerId,
    wanted: &[WantedPayment],
    lock: bool,
) -> Result<Vec<Payable>> {
    let named: BTreeSet<i64> =
        wanted.iter().filter_map(|wanted| wanted.contract_id.map(ContractId::get)).collect();
    let by_job = || wanted.iter().filter(|wanted| wanted.contract_id.is_none());
    let jobs: BTreeSet<i64> = by_job().filter_map(|wanted| wanted.job_id.map(JobId::get)).collect();
    let athletes: BTreeSet<i64> = by_job().map(|wanted| wanted.athlete_id.get()).collect();
    let mut which = Cond::any();
    if !named.is_empty() {
        which = which.add(Expr::col(("c", "id")).among(named));
    }
    if !jobs.is_empty() {
        which = which.add(
            Cond::all()
                .add(Expr::col(("c", "job_id")).among(jobs))
                .add(Expr::col(("c", "athlete_id")).among(athletes)),
        );
    }
    if which.is_empty() {
        return Ok(Vec::new());
    }
    let mut query = Query::select()
        .expr(Expr::cust(
            "c.id, c.job_id, c.athlete_id, c.college_id, c.agent_id, c.fee_basis_points, \
             CASE WHEN c.commission_waived_at IS NULL THEN c.commission_basis_points END \
             AS commission_basis_points, a.display_name AS athlete_name, j.title AS job_title, \
             u.time_zone, \
             CASE WHEN c.status IN ('generated', 'active') THEN TRUE ELSE FALSE END AS live",
        ))
        .from_as("contract", "c")
        .join_as(
            JoinType::InnerJoin,
            "athlete",
            "a",
            Expr::col(("a", "id")).equals(("c", "athlete_id")),
        )
        .join_as(JoinType::InnerJoin, "job", "j", Expr::col(("j", "id")).equals(("c", "job_id")))
        .join_as(
            JoinType::LeftJoin,
            "college",
            "u",
            Expr::col(("u", "id")).equals(("c", "college_id")),
        )
        .and_where(Expr::col(("c", "partner_id")).eq(partner.get()))
        .cond_where(which)
        .order_by(("c", "id"), Order::Asc)
        .take();
    if lock {
        query.lock_with_tables(LockType::Update, ["c"]);
    }
    session.all(query).await
}

const DELIVERABLES: Earnings = Earnings {
    table: "deliverable",
    amount: "amount_cents",
    shares: "payment_share",
    named: "deliverable_id",
};

/// What is left to pay under contracts: approved deliverables, earliest first, then the commission
/// on sales.
pub async fn owing(session: &mut Session, contracts: &[Payable]) -> Result<Vec<Owing>> {
    if contracts.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<ContractId> = contracts.iter().map(|contract| contract.id).collect();
    let query = left_to_pay(&DELIVERABLES, &ids)
        .and_where(Expr::col(("w", "status")).eq("approved"))
        .order_by(("w", "due_at"), Order::Asc)
        .order_by(("w", "id"), Order::Asc)
        .take();
    let work: Vec<(ContractId, DeliverableId, Cents)> = session.all(query).await?;
    let work = work.into_iter().map(|(contract_id, id, left_cents)| Owing {
        contract_id,
        by: Earned::Deliverable(id),
        left_cents,
    });
    let mut owing: Vec<Owing> = work.collect();
    owing.extend(commission::owing(session, &ids, None).await?);
    Ok(owing)
}

/// What was paid under contracts so far, payments under way included. Runs after the statement that
/// locks the contracts, so that it sees what other transactions committed before.
pub async fn paid(
    session: &mut Session,
    contracts: &[ContractId],
) -> Result<BTreeMap<ContractId, LineCents>> {
    if contracts.is_empty() {
        return Ok(BTreeMap::new());
    }
    let query = Query::select()
        .expr(Expr::cust(
            "contract_id, CAST(SUM(amount_cents) AS BIGINT), CAST(SUM(fee_cents) AS BIGINT), \
             CAST(SUM(agent_commission_cents) AS BIGINT)",
        ))
        .from("payment")
        .and_where(Expr::col("contract_id").among(contracts.iter().map(|id| id.get())))
        .and_where(Expr::col("status").ne(PaymentStatus::Failed.as_str()))
        .group_by_col("contract_id")
        .take();
    let rows: Vec<(ContractId, Cents, Cents, Cents)> = session.all(query).await?;
    let paid = rows.into_iter().map(|(contract, amount, fee, commission)| {
        let cents = LineCents { amount, fee, commission };
        (contract, cents)
    });
    Ok(paid.collect())
}

/// The deliverables with these ids under contracts of a brand, with their status.
pub async fn deliverables(
    session: &mut Session,
    partner: PartnerId,
    ids: &[DeliverableId],
) -> Result<BTreeMap<DeliverableId, (ContractId, String)>> {
    let query = Query::select()
        .expr(Expr::cust("d.id, d.contract_id, d.status"))
        .from_as("deliverable", "d")
        .join_as(
            JoinType::InnerJoin,
            "contract",
            "c",
            Expr::col(("c", "id")).equals(("d", "contract_id")),
        )
        .and_where(Expr::col(("c", "partner_id")).eq(partner.get()))
        .and_where(Expr::col(("d", "id")).among(ids.iter().map(|id| id.get())))
        .take();
    let rows: Vec<(DeliverableId, ContractId, String)> = session.all(query).await?;
    let found = rows.into_iter().map(|(id, contract, status)| (id, (contract, status)));
    Ok(found.collect())
}
