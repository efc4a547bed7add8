//! The rows of `inbox_item`, and the items that they are about.

use std::collections::BTreeMap;

use sea_query::{Cond, Expr, ExprTrait as _};

use super::listed::{done, group, of_caller, own};
use crate::auth::{PortalUser, Role};
use crate::error::Result;
use crate::figures::DeadlineKind;
use crate::inbox::item::InboxGroup;
use crate::inbox::item_ref::InboxRef;
use crate::kernel::{AthleteId, CollegeId, PortalUserId, SportId, Time, zone_or_last};
use crate::storage::{Among as _, FromRow, Insert, Session, insert, sql};

/// An item of the inbox that an officer does something about.
#[derive(Clone, Debug, FromRow)]
pub struct Held {
    pub kind: DeadlineKind,
    pub id: i64,
    pub group: InboxGroup,
    pub title: String,
    pub status: String,
    pub athlete_id: AthleteId,
    pub athlete_name: String,
    pub sport_id: Option<SportId>,
    pub due_at: Option<Time>,
    pub assigned_to: Option<PortalUserId>,
    pub snoozed_until: Option<Time>,
}

impl Held {
    /// The name of the item.
    pub fn name(&self) -> InboxRef {
        InboxRef { kind: self.kind, id: self.id }
    }

    /// Whether nobody but the institution can do something about it. A filing with both notices has
    /// no deadline any more.
    pub fn waits_for_institution(&self) -> bool {
        match self.kind {
            DeadlineKind::DisclosedJob => {
                matches!(self.status.as_str(), "submitted" | "under_review")
            }
            DeadlineKind::AgentNotice => self.due_at.is_none(),
            DeadlineKind::Deliverable | DeadlineKind::Clearance => false,
        }
    }
}

/// Those of the items that the caller may see, by their names.
pub async fn held(
    session: &mut Session,
    caller: &PortalUser,
    items: &[InboxRef],
    now: Time,
) -> Result<BTreeMap<InboxRef, Held>> {
    let mut query = of_caller(caller);
    let mut named = Cond::any();
    for kind in DeadlineKind::ALL {
        let ids: Vec<i64> =
            items.iter().filter(|item| item.kind == *kind).map(|item| item.id).collect();
        if !ids.is_empty() {
            let of_kind = own("kind").eq(Expr::val(*kind)).and(own("record_id").among(ids));
            named = named.add(of_kind);
        }
    }
    query.cond_where(named);
    for column in ["kind", "title", "status", "athlete_id", "due_at"] {
        query.expr_as(own(column), column);
    }
    query
        .expr_as(own("record_id"), "id")
        .expr_as(group(now), "group")
        .expr_as(Expr::col(("a", "display_name")), "athlete_name")
        .expr_as(Expr::col(("a", "sport_id")), "sport_id")
        .expr_as(done("assigned_to"), "assigned_to")
        .expr_as(done("snoozed_until"), "snoozed_until");
    let found: Vec<Held> = session.all(query).await?;
    Ok(found.into_iter().map(|held| (held.name(), held)).collect())
}

/// A user of the institution's portal.
#[derive(Clone, Debug, FromRow)]
pub struct Colleague {
    role: Role,
    is_active: bool,
    #[row(json(nullable))]
    sport_ids: Option<Vec<SportId>>,
}

impl Colleague {
    /// Whether they may decide.
    pub fn may_decide(&self) -> bool {
        self.is_active && matches!(self.role, Role::Officer | Role::Owner)
    }

    /// Whether they may see athletes of this sport.
    pub fn sees(&self, sport: Option<SportId>) -> bool {
        let limits = self.sport_ids.as_deref().unwrap_or_default();
        limits.is_empty() || sport.is_some_and(|sport| limits.contains(&sport))
    }
}

/// A portal user of this institution, who stays as they are until the transaction ends; 404 for any
/// other.
pub async fn colleague(
    session: &mut Session,
    college: CollegeId,
    id: PortalUserId,
) -> Result<Colleague> {
    const COLLEAGUE: &str = "SELECT role, status = 'active' AS is_active, sport_ids \
        FROM portal_user WHERE id = $1 AND college_id = $2";
    session.one(sql(COLLEAGUE).locking("FOR SHARE").bind(id).bind(college)).await
}

/// An institution's name and time zone.
#[derive(Clone, Debug, FromRow)]
pub struct School {
    pub name: String,
    time_zone: String,
}

impl School {
    /// The time zone in which its days end.
    pub fn zone(&self) -> chrono_tz::Tz {
        zone_or_last(Some(&self.time_zone))
    }
}

/// The institution.
pub async fn school(session: &mut Session, college: CollegeId) -> Result<School> {
    session.one(sql("SELECT name, time_zone FROM college WHERE id = $1").bind(college)).await
}

/// Rows of these items, which set one more column.
fn rows(
    college: CollegeId,
    items: &[InboxRef],
    now: Time,
    set: impl Fn(Insert) -> Insert,
) -> Insert {
    items.iter().fold(insert("inbox_item"), |rows, item| {
        let row = rows
            .set("kind", item.kind)
            .set("record_id", item.id)
            .set("college_id", college)
            .set("updated_at", now);
        set(row).row()
    })
}

/// Writes who takes care of the items.
pub async fn assign(
    session: &mut Session,
    college: CollegeId,
    (items, to): (&[InboxRef], Option<PortalUserId>),
    now: Time,
) -> Result<()> {
    let rows = rows(college, items, now, |row| row.set("assigned_to", to));
    session.add(rows.or_update(&["kind", "record_id"], &["assigned_to", "updated_at"])).await
}

/// Writes until when the items are hidden.
pub async fn snooze(
    session: &mut Session,
    college: CollegeId,
    (items, until): (&[InboxRef], Option<Time>),
    now: Time,
) -> Result<()> {
    let rows = rows(college, items, now, |row| row.set("snoozed_until", until));
    session.add(rows.or_update(&["kind", "record_id"], &["snoozed_until", "updated_at"])).await
}

/// Records a reminder of an item, unless there was one after `since`; returns whether it did.
pub async fn mark_reminded(
    session: &mut Session,
    college: CollegeId,
    item: InboxRef,
    (since, now): (Time, Time),
) -> Result<bool> {
    const MARK: &str = "INSERT INTO inbox_item (kind, record_id, college_id, reminded_at, updated_at) \
        VALUES ($1, $2, $3, $4, $4) ON CONFLICT (kind, record_id) DO UPDATE \
        SET reminded_at = excluded.reminded_at, updated_at = excluded.updated_at \
        WHERE inbox_item.reminded_at IS NULL OR inbox_item.reminded_at <= $5";
    let mark = sql(MARK).bind(item.kind).bind(item.id).bind(college).bind(now).bind(since);
    Ok(session.run(mark).await? > 0)
}
