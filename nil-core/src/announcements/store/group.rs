//! The rows of groups.

use sea_query::{Expr, Query};
use serde_json::{Value, json};

use super::audience;
use crate::announcements::announcement::{AnnouncementGroup, ListGroups};
use crate::announcements::audience::Audience;
use crate::error::Result;
use crate::kernel::{AnnouncementGroupId, CollegeId, Listing, NameSort, Paging, SportId, Time};
use crate::storage::{Among as _, FromRow, Narrow as _, Session, contains, insert, sql, update};

const COLUMNS: &[&str] = &["id", "name", "audience", "created_at", "updated_at"];

#[derive(FromRow)]
struct Row {
    id: AnnouncementGroupId,
    name: String,
    audience: Value,
    created_at: Time,
    updated_at: Time,
}

impl Row {
    fn read(self) -> Result<AnnouncementGroup> {
        Ok(AnnouncementGroup {
            id: self.id,
            name: self.name,
            audience: audience(self.audience)?,
            created_at: self.created_at,
            updated_at: self.updated_at,
        })
    }
}

/// A page of groups by name, or the one.
pub async fn page(
    session: &mut Session,
    wanted: &ListGroups,
    paging: Paging,
) -> Result<Listing<AnnouncementGroup>> {
    let mut rows = Query::select();
    rows.columns(COLUMNS.iter().copied())
        .from("announcement_group")
        .only("id", wanted.id.one()?)
        .cond_where(contains([Expr::col("name")], wanted.q.as_deref()))
        .in_order(wanted.sort.unwrap_or(NameSort::NameUp), Expr::col("name"), Expr::col("id"));
    session.page(rows, paging).await?.try_map(Row::read)
}

/// The group, locked until the transaction ends.
pub async fn find(
    session: &mut Session,
    id: AnnouncementGroupId,
) -> Result<Option<AnnouncementGroup>> {
    let row: Option<Row> = session
        .first(
            sql("SELECT id, name, audience, created_at, updated_at FROM announcement_group \
                 WHERE id = $1")
            .locking("FOR NO KEY UPDATE")
            .bind(id),
        )
        .await?;
    row.map(Row::read).transpose()
}

/// Adds a group.
pub async fn add(
    session: &mut Session,
    name: &str,
    audience: &Audience,
    now: Time,
) -> Result<AnnouncementGroup> {
    let row: Row = session
        .one(
            insert("announcement_group")
                .set("name", name)
                .set("audience", json!(audience))
                .set("created_at", now)
                .set("updated_at", now)
                .returning(COLUMNS),
        )
        .await?;
    row.read()
}

/// Changes a group; 404 if it does not exist.
pub async fn change(
    session: &mut Session,
    id: AnnouncementGroupId,
    name: &str,
    audience: &Audience,
    now: Time,
) -> Result<AnnouncementGroup> {
    let row: Row = session
        .one(
            update("announcement_group")
                .set("name", name)
                .set("audience", json!(audience))
                .set("updated_at", now)
                .when("id", id)
                .returning(COLUMNS),
        )
        .await?;
    row.read()
}

/// Whether all of these colleges exist.
pub async fn colleges_exist(session: &mut Session, ids: &[CollegeId]) -> Result<bool> {
    all_exist(session, "college", ids.iter().map(|id| id.get()).collect()).await
}

/// Whether all of these sports exist.
pub async fn sports_exist(session: &mut Session, ids: &[SportId]) -> Result<bool> {
    all_exist(session, "sport", ids.iter().map(|id| id.get()).collect()).await
}

async fn all_exist(session: &mut Session, table: &'static str, mut ids: Vec<i64>) -> Result<bool> {
    ids.sort_unstable();
    ids.dedup();
    let count = Query::select()
        .expr(Expr::cust("COUNT(*)"))
        .from(table)
        .and_where(Expr::col("id").among(ids.iter().copied()))
        .take();
    let known: i64 = session.value(count).await?;
    Ok(usize::try_from(known).is_ok_and(|known| known == ids.len()))
}
