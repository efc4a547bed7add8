//! The rows of the in-app feed.

use sea_query::{Expr, ExprTrait as _, Order, Query, SelectStatement};
use serde_json::Value;

use super::super::Event;
use super::super::notification::{Notification, Stored};
use crate::error::Result;
use crate::kernel::{Feed, Limit, NotificationId, OutboxId, Time, UserId};
use crate::storage::{Session, insert, sql};

const COLUMNS: &[&str] =
    &["id", "event", "title", "body", "data", "read_at", "created_at", "updated_at"];

fn of(user: UserId) -> SelectStatement {
    Query::select()
        .columns(COLUMNS.iter().copied())
        .from("notification")
        .and_where(Expr::col("user_id").eq(user.get()))
        .take()
}

/// The user's notifications, or those before an id, newest first.
pub async fn feed(
    session: &mut Session,
    user: UserId,
    before: Option<NotificationId>,
    unread: bool,
    limit: Limit,
) -> Result<Feed<Notification>> {
    let mut rows = of(user);
    if unread {
        rows.and_where(Expr::col("read_at").is_null());
    }
    let id = |stored: &Stored| stored.id.get();
    let found = session.feed(rows, "notification", before, limit, id).await?;
    Ok(found.map(Into::into))
}

/// The user's notifications after an id, oldest first.
pub async fn after(
    session: &mut Session,
    user: UserId,
    after: i64,
    most: i64,
) -> Result<Vec<Notification>> {
    let mut rows = of(user);
    rows.and_where(Expr::col("id").gt(after)).order_by("id", Order::Asc).limit(most.unsigned_abs());
    let found: Vec<Stored> = session.all(rows).await?;
    Ok(found.into_iter().map(Into::into).collect())
}

/// The id of the user's latest notification, or 0.
pub async fn head(session: &mut Session, user: UserId) -> Result<i64> {
    session
        .value(sql("SELECT COALESCE(MAX(id), 0) FROM notification WHERE user_id = $1").bind(user))
        .await
}

/// The number of unread notifications of the user.
pub async fn unread(session: &mut Session, user: UserId) -> Result<i64> {
    session
        .value(
            sql("SELECT COUNT(*) FROM notification WHERE user_id = $1 AND read_at IS NULL")
                .bind(user),
        )
        .await
}

/// The user's notification; 404 for another user's.
pub async fn of_user(
    session: &mut Session,
    id: NotificationId,
    user: UserId,
) -> Result<Notification> {
    let mut row = of(user);
    row.and_where(Expr::col("id").eq(id.get()));
    let found: Stored = session.one(row).await?;
    Ok(found.into())
}

/// Marks one of the user's as read; returns whether it was unread.
pub async fn mark(
    session: &mut Session,
    id: NotificationId,
    user: UserId,
    now: Time,
) -> Result<bool> {
    let marked = session
        .run(
            sql("UPDATE notification SET read_at = $3, updated_at = $3 \
                 WHERE id = $1 AND user_id = $2 AND read_at IS NULL")
            .bind(id)
            .bind(user)
            .bind(now),
        )
        .await?;
    Ok(marked > 0)
}

/// Marks all of the user's as read; returns how many were unread.
pub async fn mark_all(session: &mut Session, user: UserId, now: Time) -> Result<u64> {
    session
        .run(
            sql("UPDATE notification SET read_at = $2, updated_at = $2 \
                 WHERE user_id = $1 AND read_at IS NULL")
            .bind(user)
            .bind(now),
        )
        .await
}

/// A notification to add.
#[derive(Clone, Debug)]
pub struct New {
    pub user: UserId,
    /// The event's row in the outbox.
    pub cause: OutboxId,
    pub event: Event,
    pub title: String,
    pub body: String,
    pub data: Value,
}

/// Adds notifications; one already added for the same cause stays unchanged. Their users' feeds
/// must be locked (`Touched::write`).
pub async fn add_all(session: &mut Session, all: &[New], now: Time) -> Result<()> {
    if all.is_empty() {
        return Ok(());
    }
    let mut rows = insert("notification");
    for one in all {
        rows = rows
            .set("user_id", one.user)
            .set("outbox_id", one.cause)
            .set("event", one.event)
            .set("title", one.title.clone())
            .set("body", one.body.clone())
            .set("data", one.data.clone())
            .set("created_at", now)
            .set("updated_at", now)
            .row();
    }
    session.run(rows.unless_exists(&["outbox_id"])).await.map(|_| ())
}
