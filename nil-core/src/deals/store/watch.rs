//! The rows of watched posts and of their checks.

use chrono_tz::Tz;
use sea_query::{Expr, ExprTrait as _, JoinType, Order, Query};

use crate::deals::watch::{Finding, PostCheck, PostOutcome, WatchedPost};
use crate::error::Result;
use crate::jobs::MediaPlatform;
use crate::kernel::{
    CollegeId, Date, DeliverableId, FollowedPage, JobId, Listing, MilestoneId, SportId, Time,
    UserId, WatchedPostId, zone_or_last,
};
use crate::storage::{Among as _, FromRow, Key, Narrow as _, Session, insert, sorted, sql, update};

/// The place of a milestone among those of its job, from 1.
pub async fn position(session: &mut Session, milestone: MilestoneId) -> Result<i64> {
    session.value(sql("SELECT position FROM milestone WHERE id = $1").bind(milestone)).await
}

/// A post to watch.
#[derive(Debug)]
pub struct NewPost<'a> {
    pub deliverable: DeliverableId,
    pub url: &'a str,
    pub live_until: Time,
    pub finding: &'a Finding,
}

/// Adds a post, to be looked at now.
pub async fn add(session: &mut Session, post: NewPost<'_>, now: Time) -> Result<()> {
    let row = insert("watched_post")
        .set("deliverable_id", post.deliverable)
        .set("url", post.url)
        .set("live_until", post.live_until)
        .set("outcome", post.finding.outcome)
        .set("reason", post.finding.reason.clone())
        .set("told", PostOutcome::Live)
        .set("look_at", now)
        .set("misses", 0_i64)
        .set("created_at", now)
        .set("updated_at", now)
        .unless_exists(&["deliverable_id", "url"]);
    session.run(row).await.map(|_| ())
}

/// The watched posts of these deliverables.
pub async fn of_deliverables(
    session: &mut Session,
    ids: &[DeliverableId],
) -> Result<Vec<WatchedPost>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let columns =
        ["deliverable_id", "url", "live_until", "outcome", "reason", "checked_at", "seen_at"];
    let query = Query::select()
        .columns(columns)
        .from("watched_post")
        .and_where(Expr::col("deliverable_id").among(ids.iter().map(|id| id.get())))
        .order_by("id", Order::Asc)
        .take();
    session.all(query).await
}

/// A post that is due.
#[derive(Clone, Debug, FromRow)]
pub struct Due {
    pub id: WatchedPostId,
    pub deliverable_id: DeliverableId,
    pub url: String,
    pub look_at: Time,
    pub live_until: Time,
    pub platform: MediaPlatform,
    pub disclosure_required: bool,
}

/// Posts due by `now`, the longest overdue first.
pub async fn due(session: &mut Session, now: Time, most: i64) -> Result<Vec<Due>> {
    session
        .all(
            sql("SELECT w.id, w.deliverable_id, w.url, w.look_at, w.live_until, m.platform, \
                 m.disclosure_required FROM watched_post w \
                 JOIN deliverable d ON d.id = w.deliverable_id \
                 JOIN milestone m ON m.id = d.milestone_id \
                 WHERE w.look_at <= $1 ORDER BY w.look_at, w.id LIMIT $2")
            .bind(now)
            .bind(most),
        )
        .await
}

/// Claims a post until then, or for good; returns whether no other server did.
pub async fn claim(
    session: &mut Session,
    post: &Due,
    until: Option<Time>,
    now: Time,
) -> Result<bool> {
    let row = update("watched_post")
        .set("look_at", until)
        .set("updated_at", now)
        .when("id", post.id)
        .when("look_at", post.look_at);
    Ok(session.run(row).await? > 0)
}

/// What a finding is compared with.
#[derive(Clone, Debug, FromRow)]
pub struct Held {
    pub live_until: Time,
    pub told: PostOutcome,
    pub misses: i64,
}

/// A post, locked.
pub async fn lock(session: &mut Session, id: WatchedPostId) -> Result<Option<Held>> {
    session
        .first(
            sql("SELECT live_until, told, misses FROM watched_post WHERE id = $1")
                .locking("FOR UPDATE")
                .bind(id),
        )
        .await
}

/// Writes the result of a day. Only a day on which the post could not be checked gets another
/// result.
pub async fn add_check(
    session: &mut Session,
    id: WatchedPostId,
    day: Date,
    finding: &Finding,
    now: Time,
) -> Result<()> {
    session
        .run(
            sql("INSERT INTO post_check (post_id, day, outcome, reason, at) \
                 VALUES ($1, $2, $3, $4, $5) ON CONFLICT (post_id, day) DO UPDATE \
                 SET outcome = excluded.outcome, reason = excluded.reason, at = excluded.at \
                 WHERE post_check.outcome = 'unchecked'")
            .bind(id)
            .bind(day)
            .bind(finding.outcome)
            .bind(finding.reason.clone())
            .bind(now),
        )
        .await
        .map(|_| ())
}

/// A page of the checks of a deliverable's posts, newest first.
pub async fn checks(
    session: &mut Session,
    deliverable: DeliverableId,
    outcome: Option<PostOutcome>,
    place: FollowedPage,
) -> Result<Listing<PostCheck>> {
    let mut rows = Query::select();
    rows.column(("w", "url"))
        .columns(["day", "outcome", "reason", "at"].map(|column| ("k", column)))
        .from_as("watched_post", "w")
        .join_as(
            JoinType::InnerJoin,
            "post_check",
            "k",
            Expr::col(("k", "post_id")).equals(("w", "id")),
        )
        .and_where(Expr::col(("w", "deliverable_id")).eq(deliverable.get()))
        .only(("k", "outcome"), outcome);
    let keys = [Key::down(Expr::col(("k", "day"))), Key::up(Expr::col(("w", "id")))];
    session.follow(sorted(rows, keys), place).await
}

/// Writes what was found, what both sides know now, and the next look.
pub async fn set_finding(
    session: &mut Session,
    id: WatchedPostId,
    finding: &Finding,
    (told, next, misses): (PostOutcome, Option<Time>, i64),
    now: Time,
) -> Result<()> {
    let seen = matches!(finding.outcome, PostOutcome::Live | PostOutcome::Undisclosed);
    let row = update("watched_post")
        .set("outcome", finding.outcome)
        .set("reason", finding.reason.clone())
        .given("checked_at", finding.looked.then_some(now))
        .given("seen_at", seen.then_some(now))
        .set("told", told)
        .set("look_at", next)
        .set("misses", misses)
        .set("updated_at", now)
        .when("id", id);
    session.change(row).await
}

/// Whom to tell about a post, and what it is part of.
#[derive(Clone, Debug, FromRow)]
pub struct Deal {
    pub athlete_user_id: UserId,
    pub partner_user_id: UserId,
    /// The institution that the contract belongs to.
    pub college_id: Option<CollegeId>,
    pub sport_id: Option<SportId>,
    pub athlete_name: String,
    pub company_name: String,
    pub job_id: JobId,
    pub job_title: String,
    pub title: String,
    /// The athlete's institution's.
    time_zone: Option<String>,
}

impl Deal {
    /// The zone in which the live period ends.
    pub fn zone(&self) -> Tz {
        zone_or_last(self.time_zone.as_deref())
    }
}

/// The deal of a deliverable, in whatever state it is.
pub async fn deal(session: &mut Session, id: DeliverableId) -> Result<Deal> {
    session
        .one(
            sql("SELECT a.user_id AS athlete_user_id, p.user_id AS partner_user_id, \
                 c.college_id, a.sport_id, a.display_name AS athlete_name, p.company_name, \
                 j.id AS job_id, j.title AS job_title, m.title, u.time_zone FROM deliverable d \
                 JOIN contract c ON c.id = d.contract_id \
                 JOIN milestone m ON m.id = d.milestone_id JOIN job j ON j.id = m.job_id \
                 JOIN athlete a ON a.id = d.athlete_id JOIN partner p ON p.id = j.partner_id \
                 LEFT JOIN college u ON u.id = a.university_id WHERE d.id = $1")
            .bind(id),
        )
        .await
}
