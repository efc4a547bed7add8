//! The rows of requests about contracts.

use sea_query::{Expr, ExprTrait as _, Order, Query, SelectStatement};
use serde_json::Value;

use crate::contracts::request::{ContractRequest, RequestKind, RequestStatus};
use crate::error::Result;
use crate::jobs::ManualReview;
use crate::kernel::{ContractId, ContractRequestId, Date, DeliverableId, Moved, Time};
use crate::schedule::due::{Behind, Page};
use crate::storage::{Among as _, Selected as _, Session, advance, insert, sql, update};

fn select() -> SelectStatement {
    Query::select()
        .columns(ContractRequest::COLUMNS.iter().copied())
        .from("contract_request")
        .take()
}

/// A request to add.
#[derive(Clone, Debug)]
pub struct NewRequest {
    pub contract: ContractId,
    pub kind: RequestKind,
    pub raised_by: String,
    pub reason: Option<String>,
    pub deliverable: Option<(DeliverableId, Date)>,
    pub now: Time,
}

/// Adds a request; a second pending one of its kind is 409 `request_pending`.
pub async fn add(session: &mut Session, new: NewRequest) -> Result<ContractRequest> {
    session
        .one(
            insert("contract_request")
                .set("contract_id", new.contract)
                .set("kind", new.kind)
                .set("status", RequestStatus::Pending)
                .set("raised_by", new.raised_by)
                .set("reason", new.reason)
                .set("deliverable_id", new.deliverable.map(|(id, _)| id))
                .set("proposed_due_on", new.deliverable.map(|(_, on)| on))
                .set("created_at", new.now)
                .set("updated_at", new.now)
                .returning(ContractRequest::COLUMNS),
        )
        .await
}

/// The pending requests of locked contracts.
pub async fn pending(
    session: &mut Session,
    contracts: &[ContractId],
) -> Result<Vec<ContractRequest>> {
    let mut query = select();
    query
        .and_where(Expr::col("contract_id").among(contracts.iter().map(|id| id.get())))
        .and_where(Expr::col("status").eq(RequestStatus::Pending.as_str()))
        .order_by("id", Order::Asc);
    session.all(query).await
}

/// Every request of these contracts, oldest first.
pub async fn of_contracts(
    session: &mut Session,
    contracts: &[ContractId],
) -> Result<Vec<ContractRequest>> {
    if contracts.is_empty() {
        return Ok(Vec::new());
    }
    let mut query = select();
    query
        .and_where(Expr::col("contract_id").among(contracts.iter().map(|id| id.get())))
        .order_by("id", Order::Asc);
    session.all(query).await
}

/// How often a later date was requested for a deliverable, not counting withdrawn requests.
pub async fn extensions(session: &mut Session, deliverable: DeliverableId) -> Result<i64> {
    session
        .value(
            sql("SELECT COUNT(*) FROM contract_request WHERE deliverable_id = $1 \
                 AND kind = 'EDD' AND status <> 'W'")
            .bind(deliverable),
        )
        .await
}

/// Decides a request.
pub async fn change(
    session: &mut Session,
    request: &ContractRequest,
    moved: Moved<RequestStatus>,
    by: &str,
    now: Time,
) -> Result<ContractRequest> {
    let row = advance("contract_request", request.id, moved, now)
        .set("decided_at", now)
        .set("decided_by", by)
        .returning(ContractRequest::COLUMNS);
    session.changed(row).await
}

/// The request.
pub async fn find(session: &mut Session, id: ContractRequestId) -> Result<Option<ContractRequest>> {
    let mut query = select();
    query.and_where(Expr::col("id").eq(id.get()));
    session.first(query).await
}

/// Up to 500 cancellation requests about active contracts that have been pending since before
/// `limit` and were not escalated, oldest first: those whose job no operator has reviewed since
/// they were raised.
pub async fn unanswered(
    session: &mut Session,
    limit: Time,
    behind: Behind,
) -> Result<Page<ContractRequestId>> {
    let rows: Vec<(ContractRequestId, Time, Option<Value>)> = session
        .all(
            sql("SELECT r.id, r.created_at, j.manual_review FROM contract_request r \
                 JOIN contract c ON c.id = r.contract_id JOIN job j ON j.id = c.job_id \
                 WHERE r.kind = 'CC' AND r.status = 'P' AND r.escalated_at IS NULL \
                 AND r.created_at < $1 AND (r.created_at, r.id) > ($2, $3) \
                 AND c.status = 'active' ORDER BY r.created_at, r.id LIMIT 500")
            .bind(limit)
            .bind(behind.at)
            .bind(behind.id),
        )
        .await?;
    let seen_since = |raised: Time, review: Option<Value>| {
        let review: Option<ManualReview> = review.and_then(|it| serde_json::from_value(it).ok());
        review.is_some_and(|review| review.covers(raised))
    };
    let all = rows.into_iter().map(|(id, raised, review)| {
        let unseen = (!seen_since(raised, review)).then_some(id);
        (raised, id, unseen)
    });
    Ok(Page::of(all.collect()))
}

/// Records that a request was escalated to an operator because it was not answered.
pub async fn note_escalated(session: &mut Session, id: ContractRequestId, now: Time) -> Result<()> {
    let row = update("contract_request").set("escalated_at", now).when("id", id);
    session.change(row).await
}
