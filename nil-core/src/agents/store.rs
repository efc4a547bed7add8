//! The rows of representations, and the facts about their parties.

use sea_query::{Expr, ExprTrait as _, LockType, Order, Query, SelectStatement};

use super::representation::{EndReason, Representation, RepresentationStatus};
use crate::accounts::UserStatus;
use crate::error::Result;
use crate::kernel::{
    AgentId, AthleteId, BasisPoints, ByAge, CollegeId, Date, FollowedPage, Listing, Moved,
    RepresentationId, Time, UserId, zone_or_last,
};
use crate::schedule::due::{self, Behind, Page, due_ids};
use crate::storage::{
    Among as _, FromRow, Key, Narrow as _, Selected as _, Session, advance, contains, insert,
    sorted, sql, update,
};

/// The facts about an agent shown to the other side.
#[derive(Clone, Debug, FromRow)]
pub(super) struct AgentFacts {
    pub(super) id: AgentId,
    pub(super) user_id: UserId,
    pub(super) account: UserStatus,
    pub(super) name: String,
    pub(super) agency_name: String,
    pub(super) terms_version: Option<i64>,
}

/// The facts about an agent, locked, so that concurrent calls decide one after the other.
pub(super) async fn lock_agent(session: &mut Session, id: AgentId) -> Result<AgentFacts> {
    session.lock("agent", id).await?;
    agent(session, id).await
}

/// The facts about an agent.
pub(super) async fn agent(session: &mut Session, id: AgentId) -> Result<AgentFacts> {
    session
        .one(
            sql("SELECT g.id, g.user_id, u.status AS account, \
                 TRIM(COALESCE(u.first_name, '') || ' ' || COALESCE(u.last_name, '')) AS name, \
                 g.agency_name, g.terms_version \
                 FROM agent g JOIN app_user u ON u.id = g.user_id WHERE g.id = $1")
            .bind(id),
        )
        .await
}

/// The facts about an athlete that a representation needs.
#[derive(Clone, Debug, FromRow)]
pub(super) struct AthleteFacts {
    pub(super) id: AthleteId,
    pub(super) user_id: UserId,
    pub(super) account: UserStatus,
    pub(super) email: Option<String>,
    pub(super) display_name: String,
    pub(super) listed: bool,
    pub(super) date_of_birth: Option<Date>,
    pub(super) university_id: Option<CollegeId>,
    pub(super) time_zone: Option<String>,
    pub(super) guardian_name: Option<String>,
    pub(super) guardian_email: Option<String>,
}

const ATHLETE: &str = "SELECT a.id, a.user_id, u.status AS account, u.email, a.display_name, \
    a.listed, a.date_of_birth, a.university_id, c.time_zone, g.name AS guardian_name, g.email AS guardian_email \
    FROM athlete a JOIN app_user u ON u.id = a.user_id \
    LEFT JOIN college c ON c.id = a.university_id LEFT JOIN guardian g ON g.athlete_id = a.id \
    WHERE a.id = $1";

/// The facts about an athlete.
pub(super) async fn athlete(session: &mut Session, id: AthleteId) -> Result<AthleteFacts> {
    session.one(sql(ATHLETE).bind(id)).await
}

/// The facts about an athlete, who is locked, so that two agents cannot be accepted concurrently.
pub(super) async fn lock_athlete(session: &mut Session, id: AthleteId) -> Result<AthleteFacts> {
    session.lock("athlete", id).await?;
    session.one(sql(ATHLETE).bind(id)).await
}

impl AthleteFacts {
    /// The time zone of the athlete's institution.
    pub(super) fn zone(&self) -> chrono_tz::Tz {
        zone_or_last(self.time_zone.as_deref())
    }
}

/// The account of the active athlete with this e-mail.
pub(super) async fn athlete_at(session: &mut Session, email: &str) -> Result<Option<AthleteFacts>> {
    let id: Option<(AthleteId,)> = session
        .first(
            sql("SELECT a.id FROM app_user u JOIN athlete a ON a.user_id = u.id \
                 WHERE u.email = $1 AND u.status = 'active'")
            .bind(email),
        )
        .await?;
    match id {
        Some((id,)) => athlete(session, id).await.map(Some),
        None => Ok(None),
    }
}

/// An invitation to add.
#[derive(Debug)]
pub(super) struct NewRepresentation {
    pub(super) agent: AgentId,
    pub(super) athlete: Option<AthleteId>,
    pub(super) email: Option<String>,
    pub(super) commission: BasisPoints,
    pub(super) message: Option<String>,
}

/// Adds an invitation.
pub(super) async fn add(
    session: &mut Session,
    new: NewRepresentation,
    now: Time,
) -> Result<Representation> {
    let row: Representation = session
        .one(
            insert("representation")
                .set("agent_id", new.agent)
                .set("athlete_id", new.athlete)
                .set("email", new.email)
                .set("status", RepresentationStatus::Invited)
                .set("commission_basis_points", new.commission)
                .set("message", new.message)
                .set("invited_at", now)
                .set("created_at", now)
                .set("updated_at", now)
                .returning(Representation::COLUMNS),
        )
        .await?;
    Ok(row.complete())
}

/// The number of invitations an agent has sent, in total and to this athlete.
#[derive(Clone, Copy, Debug, FromRow)]
pub(super) struct Sent {
    /// In the last day, to any athlete.
    pub(super) today: i64,
    /// In the last thirty days, to the same athlete or address.
    pub(super) to_them: i64,
    /// Unanswered invitations to the same athlete or address.
    pub(super) pending: i64,
    /// Active representations of the same athlete by the agent.
    pub(super) active: i64,
}

/// The agent's invitations before a new one to this athlete or address.
pub(super) async fn sent(
    session: &mut Session,
    agent: AgentId,
    athlete: Option<AthleteId>,
    email: Option<&str>,
    (day, month): (Time, Time),
) -> Result<Sent> {
    session
        .one(
            sql("SELECT COUNT(CASE WHEN invited_at > $2 THEN 1 END) AS today, \
                 COUNT(CASE WHEN invited_at > $3 AND (athlete_id = $4 OR email = $5) THEN 1 END) \
                 AS to_them, \
                 COUNT(CASE WHEN status = 'invited' AND (athlete_id = $4 OR email = $5) THEN 1 END) \
                 AS pending, \
                 COUNT(CASE WHEN status = 'active' AND (athlete_id = $4 OR email = $5) THEN 1 END) \
                 AS active FROM representation WHERE agent_id = $1")
            .bind(agent)
            .bind(day)
            .bind(month)
            .bind(athlete)
            .bind(email.map(str::to_owned)),
        )
        .await
}

fn select() -> SelectStatement {
    let mut query = Query::select();
    query.columns(Representation::COLUMNS.iter().copied()).from("representation");
    query
}

/// Rows of this athlete: under their id, or sent to their address and not yet answered.
fn of(athlete: &AthleteFacts) -> Expr {
    let own = Expr::col("athlete_id").eq(athlete.id.get());
    match &athlete.email {
        Some(email) => {
            let unclaimed = Expr::col("athlete_id").is_null();
            own.or(unclaimed.and(Expr::col("email").eq(email.as_str())))
        }
        None => own,
    }
}

/// One of the athlete's representations, locked.
pub(super) async fn lock_of_athlete(
    session: &mut Session,
    id: RepresentationId,
    athlete: &AthleteFacts,
) -> Result<Representation> {
    let mut query = select();
    query
        .and_where(Expr::col("id").eq(id.get()))
        .and_where(of(athlete))
        .lock(LockType::NoKeyUpdate);
    session.one(query).await.map(Representation::complete)
}

/// One of the agent's representations, locked.
pub(super) async fn lock_of_agent(
    session: &mut Session,
    id: RepresentationId,
    agent: AgentId,
) -> Result<Representation> {
    let mut query = select();
    query
        .and_where(Expr::col("id").eq(id.get()))
        .and_where(Expr::col("agent_id").eq(agent.get()))
        .lock(LockType::NoKeyUpdate);
    session.one(query).await.map(Representation::complete)
}

/// The representations and open invitations of an athlete, locked, in the order of their ids.
pub(super) async fn lock_live_of_athlete(
    session: &mut Session,
    athlete: &AthleteFacts,
) -> Result<Vec<Representation>> {
    lock_live(session, of(athlete)).await
}

/// The representations and open invitations of an agent, locked, in the order of their ids.
pub(super) async fn lock_live_of_agent(
    session: &mut Session,
    agent: AgentId,
) -> Result<Vec<Representation>> {
    lock_live(session, Expr::col("agent_id").eq(agent.get())).await
}

async fn lock_live(session: &mut Session, whose: Expr) -> Result<Vec<Representation>> {
    let live = [RepresentationStatus::Invited, RepresentationStatus::Active];
    let mut query = select();
    query
        .and_where(whose)
        .and_where(Expr::col("status").among(live.map(RepresentationStatus::as_str)))
        .order_by("id", Order::Asc)
        .lock(LockType::NoKeyUpdate);
    let rows: Vec<Representation> = session.all(query).await?;
    Ok(rows.into_iter().map(Representation::complete).collect())
}

/// Any representation, locked: for the worker.
pub(super) async fn lock(
    session: &mut Session,
    id: RepresentationId,
) -> Result<Option<Representation>> {
    let mut query = select();
    query.and_where(Expr::col("id").eq(id.get())).lock(LockType::NoKeyUpdate);
    let found: Option<Representation> = session.first(query).await?;
    Ok(found.map(Representation::complete))
}

/// The athlete's active representation.
pub(super) async fn active_of(
    session: &mut Session,
    athlete: AthleteId,
) -> Result<Option<RepresentationId>> {
    let row: Option<(RepresentationId,)> = session
        .first(
            sql("SELECT id FROM representation WHERE athlete_id = $1 AND status = 'active'")
                .bind(athlete),
        )
        .await?;
    Ok(row.map(|(id,)| id))
}

/// The athlete's active representation.
pub async fn active(session: &mut Session, athlete: AthleteId) -> Result<Option<Representation>> {
    let mut query = select();
    query
        .and_where(Expr::col("athlete_id").eq(athlete.get()))
        .and_where(Expr::col("status").eq(RepresentationStatus::Active.as_str()));
    session.first(query).await
}

/// Which of these athletes the agent currently represents, locked so that no representation ends
/// meanwhile.
pub(super) async fn lock_represented(
    session: &mut Session,
    agent: AgentId,
    athletes: &[AthleteId],
) -> Result<Vec<AthleteId>> {
    let mut query = Query::select();
    query
        .column("athlete_id")
        .from("representation")
        .and_where(Expr::col("agent_id").eq(agent.get()))
        .and_where(Expr::col("status").eq("active"))
        .and_where(Expr::col("athlete_id").among(athletes.iter().map(|id| id.get())))
        .order_by("id", Order::Asc)
        .lock(LockType::NoKeyUpdate);
    let rows: Vec<(AthleteId,)> = session.all(query).await?;
    Ok(rows.into_iter().map(|(athlete,)| athlete).collect())
}

/// What is written with a change of a representation's state.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Facts {
    /// The athlete who answered.
    pub(super) answered_by: Option<AthleteId>,
    /// Until when the athlete can cancel, for one that begins.
    pub(super) cancellable_until: Option<Time>,
    /// Until when money due to the agent waits, for one that begins.
    pub(super) transfers_wait_until: Option<Time>,
    /// Why it ends, for one that ends.
    pub(super) end_reason: Option<EndReason>,
}

/// Changes a representation's state.
pub(super) async fn change(
    session: &mut Session,
    id: RepresentationId,
    moved: Moved<RepresentationStatus>,
    facts: Facts,
    now: Time,
) -> Result<Representation> {
    let mut row = advance("representation", id, moved, now)
        .given("athlete_id", facts.answered_by)
        .given("cancellable_until", facts.cancellable_until)
        .given("transfers_wait_until", facts.transfers_wait_until)
        .given("end_reason", facts.end_reason);
    row = match moved.to() {
        RepresentationStatus::Active => row.set("accepted_at", now),
        RepresentationStatus::Ended => row.set("ended_at", now),
        RepresentationStatus::Invited
        | RepresentationStatus::Declined
        | RepresentationStatus::Expired => row,
    };
    let changed: Representation = session.changed(row.returning(Representation::COLUMNS)).await?;
    Ok(changed.complete())
}

/// Writes that the athlete cancelled a representation that had ended already.
pub(super) async fn mark_cancelled(
    session: &mut Session,
    id: RepresentationId,
    now: Time,
) -> Result<Representation> {
    let row = update("representation")
        .set("end_reason", EndReason::CancelledInTime)
        .set("updated_at", now)
        .when("id", id)
        .when("status", RepresentationStatus::Ended);
    let changed: Representation = session.changed(row.returning(Representation::COLUMNS)).await?;
    Ok(changed.complete())
}

/// A page of representations in these states (empty: all).
async fn page(
    session: &mut Session,
    whose: Expr,
    statuses: &[RepresentationStatus],
    sift: &ByAge,
    place: FollowedPage,
) -> Result<Listing<Representation>> {
    const NAME: &str =
        "(SELECT a.display_name FROM athlete a WHERE a.id = representation.athlete_id)";
    let mut rows = select();
    rows.and_where(whose)
        .only_among("status", statuses.iter().copied())
        .cond_where(contains([Expr::cust(NAME), Expr::col("email")], sift.words()));
    let rows = sorted(rows, [Key::of(Expr::col("id"), sift.order())]);
    Ok(session.follow(rows, place).await?.map(Representation::complete))
}

/// A page of the agent's representations.
pub(super) async fn page_of_agent(
    session: &mut Session,
    agent: AgentId,
    statuses: &[RepresentationStatus],
    sift: &ByAge,
    place: FollowedPage,
) -> Result<Listing<Representation>> {
    let own = Expr::col("agent_id").eq(agent.get());
    page(session, own, statuses, sift, place).await
}

/// A page of the athlete's representations.
pub(super) async fn page_of_athlete(
    session: &mut Session,
    athlete: &AthleteFacts,
    statuses: &[RepresentationStatus],
    place: FollowedPage,
) -> Result<Listing<Representation>> {
    page(session, of(athlete), statuses, &ByAge::default(), place).await
}

/// Unanswered invitations sent at this instant or before.
pub(super) async fn unanswered(
    session: &mut Session,
    sent_by: Time,
    behind: Behind,
) -> Result<Page<RepresentationId>> {
    const DUE: &str =
        due_ids!("representation", "invited_at", "status = 'invited' AND invited_at <= $1");
    due::ids(session, DUE, sent_by, behind).await
}
