//! The rows of addresses, and the deadlines behind them.

use sea_query::{Expr, ExprTrait as _, JoinType, Order, Query, SelectStatement};

use super::due::Due;
use super::feed::Made;
use super::owner::Owner;
use crate::error::Result;
use crate::kernel::{AthleteId, CalendarFeedId, CollegeId, SportId, Time, UserId};
use crate::storage::{FromRow, Narrow as _, Session, insert, sql, update};

/// The most events of a calendar.
const MOST: u64 = 1_000;

/// Which deadlines a calendar shows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Period {
    /// The earliest deadline.
    pub(super) due_from: Time,
    /// Since when one that does not count any more may not do so.
    pub(super) ended_from: Time,
}

/// Writes the hash of a new secret in place of the one before.
pub(super) async fn make(
    session: &mut Session,
    owner: Owner,
    secret_hash: &str,
    now: Time,
) -> Result<Made> {
    const NEW: &[&str] = &["secret_hash", "created_at", "read_at"];
    let (column, id) = owner.column();
    let row = insert("calendar_feed")
        .set(column, id)
        .set("secret_hash", secret_hash)
        .set("created_at", now)
        .set("read_at", None::<Time>);
    let row = match owner {
        Owner::Athlete(_) => row.or_update(&["athlete_id"], NEW),
        Owner::Officer(_) => row.or_update(&["portal_user_id"], NEW),
    };
    session.one(row.returning(&["created_at", "read_at"])).await
}

/// An owner's address, if there is one.
pub(super) async fn of_owner(session: &mut Session, owner: Owner) -> Result<Option<Made>> {
    let (column, id) = owner.column();
    let query = Query::select()
        .columns(["created_at", "read_at"])
        .from("calendar_feed")
        .and_where(Expr::col(column).eq(id))
        .take();
    session.first(query).await
}

/// Removes an owner's address; returns whether there was one.
pub(super) async fn revoke(session: &mut Session, owner: Owner) -> Result<bool> {
    let (column, id) = owner.column();
    let query =
        Query::delete().from_table("calendar_feed").and_where(Expr::col(column).eq(id)).take();
    Ok(session.run(query).await? > 0)
}

/// Removes the address of the athlete with this account; returns whose it was, if there was one.
pub(super) async fn revoke_of_user(
    session: &mut Session,
    user: UserId,
) -> Result<Option<AthleteId>> {
    let query = sql("DELETE FROM calendar_feed \
                     WHERE athlete_id = (SELECT id FROM athlete WHERE user_id = $1) \
                     RETURNING athlete_id");
    let removed: Option<(AthleteId,)> = session.first(query.bind(user)).await?;
    Ok(removed.map(|(athlete,)| athlete))
}

/// An athlete's address.
#[derive(Clone, Copy, Debug, FromRow)]
pub(super) struct FeedOfAthlete {
    pub(super) id: CalendarFeedId,
    pub(super) athlete_id: AthleteId,
    pub(super) read_at: Option<Time>,
}

/// The address of an athlete whose account is active, by the hash of its secret; 404 for any other.
pub(super) async fn feed_of_athlete(
    session: &mut Session,
    secret_hash: &str,
) -> Result<FeedOfAthlete> {
    session
        .one(
            sql("SELECT f.id, f.athlete_id, f.read_at FROM calendar_feed f \
                 JOIN athlete a ON a.id = f.athlete_id JOIN app_user u ON u.id = a.user_id \
                 WHERE f.secret_hash = $1 AND u.status = 'active'")
            .bind(secret_hash.to_owned()),
        )
        .await
}

/// An officer's address, with what they may see now.
#[derive(Clone, Debug, FromRow)]
pub(super) struct FeedOfOfficer {
    pub(super) id: CalendarFeedId,
    pub(super) college_id: CollegeId,
    pub(super) college: String,
    /// The sports that they are limited to.
    #[row(json(nullable))]
    pub(super) sports: Option<Vec<SportId>>,
    pub(super) read_at: Option<Time>,
}

/// The address of an active officer, by the hash of its secret; 404 for any other.
pub(super) async fn feed_of_officer(
    session: &mut Session,
    secret_hash: &str,
) -> Result<FeedOfOfficer> {
    session
        .one(
            sql("SELECT f.id, p.college_id, c.name AS college, p.sport_ids AS sports, f.read_at \
                 FROM calendar_feed f JOIN portal_user p ON p.id = f.portal_user_id \
                 JOIN college c ON c.id = p.college_id \
                 WHERE f.secret_hash = $1 AND p.status = 'active'")
            .bind(secret_hash.to_owned()),
        )
        .await
}

/// Notes that an address was read.
pub(super) async fn note_reading(
    session: &mut Session,
    id: CalendarFeedId,
    now: Time,
) -> Result<()> {
    let row = update("calendar_feed").set("read_at", now).when("id", id);
    session.run(row).await.map(|_| ())
}

fn own(column: &'static str) -> Expr {
    Expr::col(("d", column))
}

/// The deadlines of a view in this period, earliest first.
fn select(view: &'static str, period: Period) -> SelectStatement {
    let mut query = Query::select();
    for column in ["kind", "record_id", "title", "created_at", "changed_at", "ended_at"] {
        query.expr_as(own(column), column);
    }
    query
        .expr_as(own("due_on"), "day")
        .expr_as(own("due_at"), "at")
        .expr_as(Expr::col(("c", "time_zone")), "time_zone")
        .from_as(view, "d")
        .join_as(JoinType::LeftJoin, "college", "c", Expr::cust("c.id = d.college_id"))
        .and_where(own("due_at").gte(period.due_from))
        .and_where(own("ended_at").is_null().or(own("ended_at").gte(period.ended_from)))
        .order_by(("d", "due_at"), Order::Asc)
        .order_by(("d", "kind"), Order::Asc)
        .order_by(("d", "record_id"), Order::Asc)
        .limit(MOST);
    query
}

/// An athlete's deadlines.
pub(super) async fn dues_of_athlete(
    session: &mut Session,
    athlete: AthleteId,
    period: Period,
) -> Result<Vec<Due>> {
    let mut query = select("athlete_due", period);
    query.and_where(own("athlete_id").eq(athlete.get()));
    session.all(query).await
}

/// The deadlines of an institution's athletes, of these sports only if there are any.
pub(super) async fn dues_of_college(
    session: &mut Session,
    (college, sports): (CollegeId, &[SportId]),
    period: Period,
) -> Result<Vec<Due>> {
    let mut query = select("college_due", period);
    query.and_where(own("college_id").eq(college.get()));
    if !sports.is_empty() {
        query
            .join_as(JoinType::InnerJoin, "athlete", "a", Expr::cust("a.id = d.athlete_id"))
            .only_among(("a", "sport_id"), sports.iter().copied());
    }
    session.all(query).await
}
