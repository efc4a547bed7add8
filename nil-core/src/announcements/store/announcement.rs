//! The rows of announcements.

use sea_query::{Expr, ExprTrait as _, JoinType, Order, Query, SelectStatement};
use serde_json::{Value, json};

use super::audience;
use crate::announcements::announcement::{Announcement, AnnouncementStatus, PublicAnnouncement};
use crate::announcements::audience::Audience;
use crate::error::Result;
use crate::kernel::{
    AgeSort, AnnouncementGroupId, AnnouncementId, Listing, Moved, Paging, PortalUserId, Time,
    UserId,
};
use crate::storage::{
    Among as _, FromRow, Narrow as _, Session, Stored, contains, insert, sql, update,
};

/// The maximum number of current announcements; the latest are shown.
const MOST_LIVE: i64 = 1_000;

const COLUMNS: &str = "a.id, a.title, a.body, a.group_id, a.audience, \
    g.audience AS group_audience, a.status, a.starts_at, a.ends_at, a.published_at, a.told, \
    a.told_user_id, a.told_portal_user_id, a.told_at, a.created_at, a.updated_at";

#[derive(Debug, FromRow)]
struct Row {
    id: AnnouncementId,
    title: String,
    body: String,
    group_id: Option<AnnouncementGroupId>,
    audience: Option<Value>,
    group_audience: Option<Value>,
    status: AnnouncementStatus,
    starts_at: Option<Time>,
    ends_at: Option<Time>,
    published_at: Option<Time>,
    told: i64,
    told_user_id: i64,
    told_portal_user_id: i64,
    told_at: Option<Time>,
    created_at: Time,
    updated_at: Time,
}

/// An announcement with the progress of its notifications.
#[derive(Clone, Debug)]
pub struct Held {
    pub announcement: Announcement,
    /// The id of the last notified user.
    pub told_user_id: i64,
    /// The id of the last notified portal user.
    pub told_portal_user_id: i64,
}

impl Row {
    fn read(self) -> Result<Held> {
        let stored = self.audience.or(self.group_audience);
        Ok(Held {
            told_user_id: self.told_user_id,
            told_portal_user_id: self.told_portal_user_id,
            announcement: Announcement {
                id: self.id,
                title: self.title,
                body: self.body,
                group_id: self.group_id,
                audience: stored.map(audience).transpose()?.unwrap_or_default(),
                status: self.status,
                starts_at: self.starts_at,
                ends_at: self.ends_at,
                published_at: self.published_at,
                told: self.told,
                told_at: self.told_at,
                created_at: self.created_at,
                updated_at: self.updated_at,
            },
        })
    }
}

/// Filters for operators' lists of announcements.
#[derive(Debug, Default)]
pub struct Wanted<'a> {
    pub id: Option<AnnouncementId>,
    pub status: Option<AnnouncementStatus>,
    pub q: Option<&'a str>,
}

fn found(wanted: &Wanted<'_>) -> SelectStatement {
    let mut query = Query::select();
    query
        .expr(Expr::cust(COLUMNS))
        .from_as("announcement", "a")
        .join_as(JoinType::LeftJoin, "announcement_group", "g", Expr::cust("g.id = a.group_id"))
        .only(("a", "id"), wanted.id)
        .only(("a", "status"), wanted.status)
        .cond_where(contains([Expr::col(("a", "title"))], wanted.q));
    query
}

/// A page of announcements.
pub async fn page(
    session: &mut Session,
    wanted: &Wanted<'_>,
    sort: AgeSort,
    paging: Paging,
) -> Result<Listing<Announcement>> {
    let mut rows = found(wanted);
    rows.order_by(("a", "id"), sort.order());
    session.page(rows, paging).await?.try_map(|row: Row| Ok(row.read()?.announcement))
}

/// The announcement, locked until the transaction ends.
pub async fn lock(session: &mut Session, id: AnnouncementId) -> Result<Option<Held>> {
    let lock: Option<(AnnouncementId,)> = session
        .first(
            sql("SELECT id FROM announcement WHERE id = $1").locking("FOR NO KEY UPDATE").bind(id),
        )
        .await?;
    match lock {
        None => Ok(None),
        Some(_) => Ok(Some(one(session, id).await?)),
    }
}

/// The announcement; 404 if it does not exist.
pub async fn one(session: &mut Session, id: AnnouncementId) -> Result<Held> {
    let wanted = Wanted { id: Some(id), ..Wanted::default() };
    let row: Row = session.one(found(&wanted)).await?;
    row.read()
}

/// The content, audience and time of an announcement.
#[derive(Clone, Debug, PartialEq, Eq, Stored)]
pub struct Draft {
    pub title: String,
    pub body: String,
    pub group_id: Option<AnnouncementGroupId>,
    pub starts_at: Option<Time>,
    pub ends_at: Option<Time>,
}

/// Adds an announcement as a draft.
pub async fn add(session: &mut Session, draft: Draft, now: Time) -> Result<AnnouncementId> {
    session
        .value(
            insert("announcement")
                .with(draft.columns())
                .set("status", AnnouncementStatus::Draft)
                .set("told", 0_i64)
                .set("told_user_id", 0_i64)
                .set("told_portal_user_id", 0_i64)
                .set("created_at", now)
                .set("updated_at", now)
                .returning(&["id"]),
        )
        .await
}

/// A change of an announcement, with or without its status.
#[derive(Clone, Debug)]
pub struct Change {
    /// The new content.
    pub draft: Option<Draft>,
    /// A change of status.
    pub moved: Option<Moved<AnnouncementStatus>>,
    /// The audience frozen at publication; later changes of the group do not affect it.
    pub published_for: Option<Audience>,
}

/// Changes it in one statement; 409 `state_changed` if its status has changed meanwhile.
pub async fn change(
    session: &mut Session,
    id: AnnouncementId,
    change: Change,
    now: Time,
) -> Result<()> {
    let mut row = update("announcement").set("updated_at", now).when("id", id);
    if let Some(draft) = change.draft {
        row = row
            .set("title", draft.title)
            .set("body", draft.body)
            .set("group_id", draft.group_id)
            .set("starts_at", draft.starts_at)
            .set("ends_at", draft.ends_at);
    }
    if let Some(audience) = change.published_for {
        row = row.set("audience", json!(audience)).set("published_at", now);
    }
    if let Some(moved) = change.moved {
        row = row.change(moved);
    }
    session.change(row).await
}

/// Announcements that the worker must publish, continue or end.
pub async fn due(session: &mut Session, now: Time) -> Result<Vec<AnnouncementId>> {
    let found: Vec<(AnnouncementId,)> = session
        .all(
            sql(
                // One part per index.
                "SELECT id FROM announcement WHERE status = 'scheduled' AND starts_at <= $1 \
                 UNION SELECT id FROM announcement \
                 WHERE status = 'published' AND told_at IS NULL \
                 UNION SELECT id FROM announcement \
                 WHERE status = 'published' AND ends_at <= $1 ORDER BY id",
            )
            .bind(now),
        )
        .await?;
    Ok(found.into_iter().map(|(id,)| id).collect())
}

/// The progress of the notifications.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// How many more were notified.
    pub more: i64,
    /// The last notified user of this batch, if any.
    pub user: Option<UserId>,
    /// The last notified portal user of this batch, if any.
    pub portal_user: Option<PortalUserId>,
    /// Whether all have been notified.
    pub over: bool,
}

/// Saves the progress, in the transaction of its messages.
pub async fn advance(
    session: &mut Session,
    id: AnnouncementId,
    progress: Progress,
    now: Time,
) -> Result<()> {
    let mut row = update("announcement")
        .add("told", progress.more)
        .when("id", id)
        .when("status", AnnouncementStatus::Published)
        .given("told_user_id", progress.user)
        .given("told_portal_user_id", progress.portal_user);
    if progress.over {
        row = row.set("told_at", now);
    }
    session.change(row).await
}

/// The current announcements with their audiences; the latest first.
pub async fn live(session: &mut Session, now: Time) -> Result<Vec<(AnnouncementId, Audience)>> {
    let found: Vec<(AnnouncementId, Value)> = session
        .all(
            sql("SELECT id, audience FROM announcement WHERE status = 'published' \
                 AND starts_at <= $1 AND ends_at > $1 ORDER BY starts_at DESC, id DESC LIMIT $2")
            .bind(now)
            .bind(MOST_LIVE),
        )
        .await?;
    let each = found.into_iter();
    each.map(|(id, stored)| Ok((id, audience(stored)?))).collect()
}

/// These announcements as their audience sees them, the latest first.
pub async fn shown(
    session: &mut Session,
    ids: &[AnnouncementId],
) -> Result<Vec<PublicAnnouncement>> {
    let query = Query::select()
        .columns(["id", "title", "body", "starts_at", "ends_at", "updated_at"])
        .from("announcement")
        .and_where(Expr::col("id").among(ids.iter().map(|id| id.get())))
        .and_where(Expr::col("status").eq(AnnouncementStatus::Published.as_str()))
        .order_by("starts_at", Order::Desc)
        .order_by("id", Order::Desc)
        .take();
    session.all(query).await
}
