//! The rows of rosters and of the athletes on them.

use sea_query::{Expr, ExprTrait as _, Func, JoinType, Order, Query, SelectStatement};

use super::positions::Placed;
use super::roster::{
    NamedOwner, PublicRoster, Roster, RosterAthlete, RosterOwnerKind, RosterSort, RosterStatus, url,
};
use crate::error::{Result, codes};
use crate::kernel::{AthleteId, CollegeId, Edit, Listing, Paging, PartnerId, RosterId, Slug, Time};
use crate::platform::Platform;
use crate::storage::{Among as _, FromRow, Narrow as _, Session, contains, insert, sql, update};

/// A roster as stored.
#[derive(Debug, FromRow)]
pub(super) struct Row {
    id: RosterId,
    title: String,
    slug: String,
    college_id: Option<CollegeId>,
    college_name: Option<String>,
    partner_id: Option<PartnerId>,
    company_name: Option<String>,
    partner_listed: bool,
    athlete_count: i64,
    shown_count: i64,
    published_at: Option<Time>,
    created_at: Time,
    updated_at: Time,
}

const COLUMNS: &str = "r.id, r.title, r.slug, r.college_id, c.name AS college_name, \
    r.partner_id, p.company_name, COALESCE(b.listed, FALSE) AS partner_listed, \
    (SELECT COUNT(*) FROM roster_athlete m WHERE m.roster_id = r.id) AS athlete_count, \
    (SELECT COUNT(*) FROM roster_athlete m JOIN athlete_search s ON s.athlete_id = m.athlete_id \
     WHERE m.roster_id = r.id AND s.listed) AS shown_count, \
    r.published_at, r.created_at, r.updated_at";

impl Row {
    fn owner(&self) -> Option<NamedOwner> {
        let college = self.college_id.zip(self.college_name.clone());
        let partner = self.partner_id.zip(self.company_name.clone());
        let college = college.map(|(id, name)| (RosterOwnerKind::College, id.get(), name));
        let partner = partner.map(|(id, name)| (RosterOwnerKind::Partner, id.get(), name));
        let (kind, id, name) = college.or(partner)?;
        Some(NamedOwner { kind, id, name })
    }

    /// The operators' view.
    pub(super) fn for_operators(
        self,
        platform: &Platform,
        athletes: Option<Vec<RosterAthlete>>,
    ) -> Roster {
        Roster {
            owner: self.owner(),
            url: url(platform, &self.slug),
            status: match self.published_at {
                Some(_) => RosterStatus::Published,
                None => RosterStatus::Draft,
            },
            id: self.id,
            title: self.title,
            slug: self.slug,
            athlete_count: self.athlete_count,
            athletes,
            published_at: self.published_at,
            created_at: self.created_at,
            updated_at: self.updated_at,
        }
    }

    /// The public view; `None` for a draft.
    pub(super) fn for_everybody(self, platform: &Platform) -> Option<PublicRoster> {
        let hidden =
            |owner: &NamedOwner| owner.kind == RosterOwnerKind::Partner && !self.partner_listed;
        Some(PublicRoster {
            published_at: self.published_at?,
            owner: self.owner().filter(|owner| !hidden(owner)),
            url: url(platform, &self.slug),
            id: self.id,
            title: self.title,
            slug: self.slug,
            athlete_count: self.shown_count,
            updated_at: self.updated_at,
        })
    }
}

/// Filters for rosters.
#[derive(Debug, Default)]
pub(super) struct Wanted<'a> {
    pub(super) id: Option<RosterId>,
    pub(super) status: Option<RosterStatus>,
    pub(super) college: Option<CollegeId>,
    pub(super) q: Option<&'a str>,
}

fn found(wanted: &Wanted<'_>) -> SelectStatement {
    let mut query = Query::select();
    query
        .expr(Expr::cust(COLUMNS))
        .from_as("roster", "r")
        .join_as(JoinType::LeftJoin, "college", "c", Expr::cust("c.id = r.college_id"))
        .join_as(JoinType::LeftJoin, "partner", "p", Expr::cust("p.id = r.partner_id"))
        .join_as(
            JoinType::LeftJoin,
            "partner_search",
            "b",
            Expr::cust("b.partner_id = r.partner_id"),
        )
        .only(("r", "id"), wanted.id)
        .only(("r", "college_id"), wanted.college)
        .cond_where(contains(["title", "slug"].map(|text| Expr::col(("r", text))), wanted.q));
    let published = Expr::col(("r", "published_at"));
    match wanted.status {
        Some(RosterStatus::Published) => query.and_where(published.is_not_null()),
        Some(RosterStatus::Draft) => query.and_where(published.is_null()),
        None => &mut query,
    };
    query
}

/// A page of rosters.
pub(super) async fn page(
    session: &mut Session,
    wanted: &Wanted<'_>,
    sort: RosterSort,
    paging: Paging,
) -> Result<Listing<Row>> {
    let order = match sort {
        RosterSort::Oldest | RosterSort::TitleUp => Order::Asc,
        RosterSort::Newest | RosterSort::TitleDown => Order::Desc,
    };
    let mut rows = found(wanted);
    if matches!(sort, RosterSort::TitleUp | RosterSort::TitleDown) {
        rows.order_by_expr(Func::lower(Expr::col(("r", "title"))).into(), order.clone());
    }
    rows.order_by(("r", "id"), order);
    session.page(rows, paging).await
}

/// The roster; 404 if it does not exist.
pub(super) async fn one(session: &mut Session, id: RosterId) -> Result<Row> {
    let wanted = Wanted { id: Some(id), ..Wanted::default() };
    session.one(found(&wanted)).await
}

/// The roster with this URL name.
pub(super) async fn by_slug(session: &mut Session, slug: &str) -> Result<Option<RosterId>> {
    let found: Option<(RosterId,)> =
        session.first(sql("SELECT id FROM roster WHERE slug = $1").bind(slug)).await?;
    Ok(found.map(|(id,)| id))
}

/// Locks the roster until the transaction ends; 404 if it does not exist.
pub(super) async fn lock(session: &mut Session, id: RosterId) -> Result<()> {
    session.lock("roster", id).await
}

/// The content of a roster to save; without a slug an existing one keeps its own.
pub(super) struct Draft {
    pub(super) title: String,
    pub(super) slug: Option<Slug>,
    pub(super) college: Edit<CollegeId>,
    pub(super) partner: Edit<PartnerId>,
}

/// Adds an unpublished roster.
pub(super) async fn add(session: &mut Session, draft: Draft, now: Time) -> Result<RosterId> {
    session
        .value(
            insert("roster")
                .set("title", draft.title)
                .set("slug", draft.slug)
                .set("college_id", draft.college.value().copied())
                .set("partner_id", draft.partner.value().copied())
                .set("created_at", now)
                .set("updated_at", now)
                .returning(&["id"]),
        )
        .await
}

/// Changes a roster; 404 if it does not exist.
pub(super) async fn change(
    session: &mut Session,
    id: RosterId,
    draft: Draft,
    now: Time,
) -> Result<()> {
    let row = update("roster")
        .set("title", draft.title)
        .set("updated_at", now)
        .when("id", id)
        .given("slug", draft.slug)
        .given("college_id", draft.college.change())
        .given("partner_id", draft.partner.change());
    match session.run(row).await? {
        0 => Err(codes::NOT_FOUND.into()),
        _ => Ok(()),
    }
}

/// Publishes or unpublishes it; returns whether that was a change. A published roster keeps its
/// date.
pub(super) async fn publish(
    session: &mut Session,
    id: RosterId,
    published: bool,
    now: Time,
) -> Result<bool> {
    let row = update("roster")
        .set("published_at", published.then_some(now))
        .set("updated_at", now)
        .when("id", id);
    let at = Expr::col("published_at");
    let other = if published { at.is_null() } else { at.is_not_null() };
    Ok(session.run(row.and(other)).await? > 0)
}

/// The athletes' positions, in order.
pub(super) async fn places(session: &mut Session, id: RosterId) -> Result<Vec<Placed>> {
    session
        .all(
            sql("SELECT athlete_id, place FROM roster_athlete WHERE roster_id = $1 \
                 ORDER BY place, athlete_id")
            .bind(id),
        )
        .await
}

/// The athletes, in order, as operators see them.
pub(super) async fn athletes(session: &mut Session, id: RosterId) -> Result<Vec<RosterAthlete>> {
    let found: Vec<(AthleteId, String, bool)> = session
        .all(
            sql("SELECT m.athlete_id, a.display_name, COALESCE(s.listed, FALSE) AS shown \
                 FROM roster_athlete m JOIN athlete a ON a.id = m.athlete_id \
                 LEFT JOIN athlete_search s ON s.athlete_id = m.athlete_id \
                 WHERE m.roster_id = $1 ORDER BY m.place, m.athlete_id")
            .bind(id),
        )
        .await?;
    let athletes = found.into_iter().map(|(athlete_id, display_name, shown)| RosterAthlete {
        athlete_id,
        display_name,
        shown,
    });
    Ok(athletes.collect())
}

/// The ids among these that no athlete has.
pub(super) async fn unknown_athletes(
    session: &mut Session,
    ids: &[AthleteId],
) -> Result<Vec<AthleteId>> {
    let query = Query::select()
        .column("id")
        .from("athlete")
        .and_where(Expr::col("id").among(ids.iter().map(|id| id.get())))
        .take();
    let known: Vec<(AthleteId,)> = session.all(query).await?;
    let unknown = |id: &AthleteId| known.iter().all(|(known,)| known != id);
    Ok(ids.iter().copied().filter(unknown).collect())
}

/// Saves athletes' positions.
pub(super) async fn place(
    session: &mut Session,
    id: RosterId,
    places: &[Placed],
    now: Time,
) -> Result<()> {
    let mut rows = insert("roster_athlete");
    for (athlete, place) in places {
        rows = rows
            .set("roster_id", id)
            .set("athlete_id", *athlete)
            .set("place", *place)
            .set("added_at", now)
            .row();
    }
    let rows = rows.or_update(&["roster_id", "athlete_id"], &["place"]);
    session.run(rows).await?;
    touch(session, id, now).await
}

/// Removes athletes; returns whether any was on it.
pub(super) async fn remove(
    session: &mut Session,
    id: RosterId,
    athletes: &[AthleteId],
    now: Time,
) -> Result<bool> {
    let query = Query::delete()
        .from_table("roster_athlete")
        .and_where(Expr::col("roster_id").eq(id.get()))
        .and_where(Expr::col("athlete_id").among(athletes.iter().map(|id| id.get())))
        .take();
    let removed = session.run(query).await? > 0;
    if removed {
        touch(session, id, now).await?;
    }
    Ok(removed)
}

async fn touch(session: &mut Session, id: RosterId, now: Time) -> Result<()> {
    let row = update("roster").set("updated_at", now).when("id", id);
    session.run(row).await.map(|_| ())
}

/// Whether this college exists.
pub(super) async fn college_exists(session: &mut Session, id: CollegeId) -> Result<bool> {
    session.exists(sql("SELECT id FROM college WHERE id = $1").bind(id)).await
}

/// Whether this brand exists.
pub(super) async fn partner_exists(session: &mut Session, id: PartnerId) -> Result<bool> {
    session.exists(sql("SELECT id FROM partner WHERE id = $1").bind(id)).await
}
