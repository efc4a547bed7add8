//! The rows of deliveries.

use sea_query::{Expr, ExprTrait as _, Query, SelectStatement};

use crate::error::Result;
use crate::kernel::{FollowedPage, Listing, Time, WebhookDeliveryId, WebhookEndpointId};
use crate::storage::{
    FromRow, Insert, Key, Narrow as _, Selected as _, Session, sorted, sql, update,
};
use crate::webhooks::delivery::{DeliveryStatus, WebhookDelivery};
use crate::webhooks::endpoint::Owner;

fn select() -> SelectStatement {
    Query::select()
        .columns(WebhookDelivery::COLUMNS.iter().copied())
        .from("webhook_delivery")
        .take()
}

/// A page of the deliveries to an endpoint, newest first.
pub async fn page(
    session: &mut Session,
    endpoint: WebhookEndpointId,
    status: Option<DeliveryStatus>,
    place: FollowedPage,
) -> Result<Listing<WebhookDelivery>> {
    let mut rows = select();
    rows.and_where(Expr::col("endpoint_id").eq(endpoint.get())).only("status", status);
    session.follow(sorted(rows, [Key::down(Expr::col("id"))]), place).await
}

/// The endpoint of an owner that a delivery went to; 404 for another's.
pub async fn endpoint_of(
    session: &mut Session,
    owner: Owner,
    id: WebhookDeliveryId,
) -> Result<WebhookEndpointId> {
    let (column, owner) = owner.column();
    let row = Query::select()
        .column(("e", "id"))
        .from_as("webhook_delivery", "d")
        .join_as(
            sea_query::JoinType::InnerJoin,
            "webhook_endpoint",
            "e",
            Expr::col(("e", "id")).equals(("d", "endpoint_id")),
        )
        .and_where(Expr::col(("d", "id")).eq(id.get()))
        .and_where(Expr::col(("e", column)).eq(owner))
        .take();
    session.value(row).await
}

/// Adds a delivery.
pub async fn add(session: &mut Session, row: Insert) -> Result<WebhookDelivery> {
    session.one(row.returning(WebhookDelivery::COLUMNS)).await
}

/// Makes a delivery due now, as if it had not been tried.
pub async fn again(
    session: &mut Session,
    id: WebhookDeliveryId,
    now: Time,
) -> Result<WebhookDelivery> {
    let row = update("webhook_delivery")
        .set("status", DeliveryStatus::Pending)
        .set("attempts", 0_i64)
        .set("next_at", now)
        .when("id", id);
    session.one(row.returning(WebhookDelivery::COLUMNS)).await
}

/// A delivery that is due.
#[derive(Clone, Debug, FromRow)]
pub struct DueDelivery {
    pub id: WebhookDeliveryId,
    pub message_id: String,
    pub body: String,
    pub attempts: i64,
}

/// Whether anything is due: the query of an idle worker.
pub async fn any_due(session: &mut Session, now: Time) -> Result<bool> {
    session
        .exists(
            sql("SELECT id FROM webhook_delivery WHERE status = 'pending' AND next_at <= $1 \
                 ORDER BY next_at LIMIT 1")
            .bind(now),
        )
        .await
}

/// The next delivery that is due for an endpoint.
pub async fn next(
    session: &mut Session,
    endpoint: WebhookEndpointId,
    now: Time,
) -> Result<Option<DueDelivery>> {
    session
        .first(
            sql("SELECT id, message_id, body, attempts FROM webhook_delivery \
                 WHERE endpoint_id = $1 AND status = 'pending' AND next_at <= $2 \
                 ORDER BY next_at, id LIMIT 1")
            .bind(endpoint)
            .bind(now),
        )
        .await
}

/// What came of a try.
#[derive(Clone, Debug)]
pub struct Tried {
    pub status: DeliveryStatus,
    pub next_at: Option<Time>,
    pub answer_status: Option<i64>,
    pub answer: Option<String>,
    pub error: Option<String>,
}

/// Stores what came of a try. A delivery that was given up or replayed meanwhile keeps its state,
/// but if it arrived, it arrived.
pub async fn settle(
    session: &mut Session,
    due: &DueDelivery,
    tried: Tried,
    now: Time,
) -> Result<()> {
    let mut row = update("webhook_delivery")
        .set("status", tried.status)
        .set("attempts", due.attempts + 1)
        .set("next_at", tried.next_at)
        .set("tried_at", now)
        .set("answer_status", tried.answer_status)
        .set("answer", tried.answer)
        .set("error", tried.error)
        .when("id", due.id)
        .when("attempts", due.attempts);
    if tried.status != DeliveryStatus::Delivered {
        row = row.when("status", DeliveryStatus::Pending);
    }
    session.run(row).await.map(|_| ())
}

/// Gives up what waits for an endpoint.
pub async fn end_waiting(
    session: &mut Session,
    endpoint: WebhookEndpointId,
    why: &str,
) -> Result<()> {
    let row = update("webhook_delivery")
        .set("status", DeliveryStatus::Failed)
        .set("next_at", None::<Time>)
        .set("error", why)
        .when("endpoint_id", endpoint)
        .when("status", DeliveryStatus::Pending);
    session.run(row).await.map(|_| ())
}

/// When the oldest event happened that an endpoint has not taken yet.
pub async fn oldest_waiting(session: &mut Session) -> Result<Option<Time>> {
    session
        .value(sql("SELECT MIN(created_at) FROM webhook_delivery WHERE status = 'pending'"))
        .await
}
