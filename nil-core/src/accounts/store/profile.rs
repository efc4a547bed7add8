//! The rows behind each kind of user.

use std::sync::LazyLock;

use sea_query::{Expr, ExprTrait as _, JoinType, Order, Query, SelectStatement};
use serde_json::Value;

use super::parts::Parts;
use super::record::{REGISTERED, RELATION, Relation, sides};
use crate::accounts::athletes::statistics::Statistics;
use crate::accounts::{
    AgentProfile, AssociatedUniversity, AthleteProfile, ClassYear, FanProfile, Gender,
    PartnerProfile, PayoutState, Profile, Readiness, UserKind,
};
use crate::auth::User;
use crate::error::{Result, codes};
use crate::kernel::{
    AgentId, AthleteId, Cents, CollegeId, Date, Extent, FanId, Listing, Paging, PartnerId, SportId,
    Time, UserId, day_in, zone_or_last,
};
use crate::people::is_under_age;
use crate::storage::{Among as _, FromRow, PAGE, Search, Session, first_of, sql};

/// The profile of an account.
pub async fn load(session: &mut Session, kind: UserKind, id: i64, now: Time) -> Result<Profile> {
    Ok(match kind {
        UserKind::Athlete => {
            let id = AthleteId::new(id).ok_or(codes::NOT_FOUND)?;
            Profile::Athlete(Box::new(athlete(session, id, now).await?))
        }
        UserKind::Partner => {
            let id = PartnerId::new(id).ok_or(codes::NOT_FOUND)?;
            Profile::Partner(partner(session, id).await?)
        }
        UserKind::Agent => {
            let id = AgentId::new(id).ok_or(codes::NOT_FOUND)?;
            Profile::Agent(agent(session, id).await?)
        }
        UserKind::Fan => {
            let id = FanId::new(id).ok_or(codes::NOT_FOUND)?;
            Profile::Fan(fan(session, id).await?)
        }
    })
}

const ATHLETE: &str = "a.id, a.user_id, a.display_name, a.sport_id, a.university_id, a.position, \
    a.class_year, a.jersey_number, a.gender, a.date_of_birth, a.hometown_city, a.hometown_state, \
    a.bio, a.photo_url, a.tags, a.min_rate_cents, a.available, a.listed, a.share_slug, \
    a.created_at, a.updated_at, u.first_name, u.last_name, u.email_verified_at, g.consented_at, \
    r.agent_id, COALESCE(p.status, 'none') AS payout_status, c.time_zone";
/// What is joined to an athlete `a` for these columns: tables, their aliases, conditions.
const BESIDE: [(JoinType, &str, &str, &str); 5] = [
    (JoinType::Join, "app_user", "u", "u.id = a.user_id"),
    (JoinType::LeftJoin, "guardian", "g", "g.athlete_id = a.id"),
    (JoinType::LeftJoin, "representation", "r", "r.athlete_id = a.id AND r.status = 'active'"),
    (JoinType::LeftJoin, "college", "c", "c.id = a.university_id"),
    (JoinType::LeftJoin, "payout_account", "p", "p.owner = 'athlete:' || a.id"),
];

#[derive(Debug, FromRow)]
struct AthleteRow {
    id: AthleteId,
    user_id: UserId,
    display_name: String,
    sport_id: Option<SportId>,
    university_id: Option<CollegeId>,
    position: Option<String>,
    class_year: Option<ClassYear>,
    jersey_number: Option<String>,
    gender: Option<Gender>,
    date_of_birth: Option<Date>,
    hometown_city: Option<String>,
    hometown_state: Option<String>,
    bio: Option<String>,
    photo_url: Option<String>,
    tags: Value,
    min_rate_cents: Option<i64>,
    available: bool,
    listed: bool,
    share_slug: String,
    created_at: Time,
    updated_at: Time,
    first_name: Option<String>,
    last_name: Option<String>,
    email_verified_at: Option<Time>,
    consented_at: Option<Time>,
    agent_id: Option<AgentId>,
    payout_status: String,
    /// The institution's.
    time_zone: Option<String>,
}

impl AthleteRow {
    fn readiness(&self, now: Time) -> Readiness {
        let mut facts = vec![
            ("name", self.first_name.is_some() && self.last_name.is_some()),
            ("verified_contact", self.email_verified_at.is_some()),
            ("school", self.university_id.is_some()),
            ("birth_date", self.date_of_birth.is_some()),
            ("sport", self.sport_id.is_some()),
        ];
        let today = day_in(now, zone_or_last(self.time_zone.as_deref()));
        if is_under_age(self.date_of_birth, today) {
            facts.push(("guardian_consent", self.consented_at.is_some()));
        }
        Readiness::of(&facts)
    }

    async fn with_record(
        self,
        session: &mut Session,
        now: Time,
    ) -> Result<(AthleteProfile, Statistics)> {
        let (parts, statistics) = Parts::with_record(session, self.id).await?;
        Ok((self.into_profile(&parts, now)?, statistics))
    }

    fn into_profile(self, parts: &Parts, now: Time) -> Result<AthleteProfile> {
        let readiness = self.readiness(now);
        Ok(AthleteProfile {
            id: self.id,
            user_id: self.user_id,
            display_name: self.display_name,
            sport_id: self.sport_id,
            university_id: self.university_id,
            position: self.position,
            class_year: self.class_year,
            jersey_number: self.jersey_number,
            gender: self.gender,
            date_of_birth: self.date_of_birth,
            hometown_city: self.hometown_city,
            hometown_state: self.hometown_state,
            bio: self.bio,
            photo_url: self.photo_url,
            tags: serde_json::from_value(self.tags).unwrap_or_default(),
            socials: parts.socials(self.id)?,
            activities: parts.activities(self.id)?,
            min_rate_cents: self.min_rate_cents.map(Cents),
            available: self.available,
            listed: self.listed,
            share_slug: self.share_slug,
            readiness,
            agent_id: self.agent_id,
            payout_account: Some(PayoutState { status: self.payout_status }),
            created_at: self.created_at,
            updated_at: self.updated_at,
        })
    }
}

/// The athlete, whatever the account's state; 404 if it does not exist.
pub(crate) async fn athlete(
    session: &mut Session,
    id: AthleteId,
    now: Time,
) -> Result<AthleteProfile> {
    first_of(athletes(session, &[id], now).await?)
}

/// The athlete with the track record; 404 if it does not exist.
pub(crate) async fn athlete_with_record(
    session: &mut Session,
    id: AthleteId,
    now: Time,
) -> Result<(AthleteProfile, Statistics)> {
    let row: AthleteRow = session.one(select(&[id])).await?;
    row.with_record(session, now).await
}

/// An athlete who has finished registering, with the track record and the caller's relation to the
/// athlete. 404 for other ids, and if the caller may not see the athlete: after the same statement,
/// so that both take equally long.
pub(crate) async fn athlete_seen_by(
    session: &mut Session,
    (id, caller): (AthleteId, &User),
    may_see: impl FnOnce(&Relation) -> bool,
    now: Time,
) -> Result<(AthleteProfile, Statistics, Relation)> {
    #[derive(FromRow)]
    struct Seen {
        #[row(flatten)]
        row: AthleteRow,
        #[row(flatten)]
        relation: Relation,
    }
    static TEXT: LazyLock<String> = LazyLock::new(|| select_with(RELATION, REGISTERED));
    let [partner, agent] = sides(caller);
    let seen = session.one(sql(&TEXT).bind(id).bind(partner).bind(agent)).await?;
    let Seen { row, relation } = seen;
    if !may_see(&relation) {
        return Err(codes::NOT_FOUND.into());
    }
    let (athlete, statistics) = row.with_record(session, now).await?;
    Ok((athlete, statistics, relation))
}

/// These athletes, by id; unknown ids are left out. Always two statements.
pub(crate) async fn athletes(
    session: &mut Session,
    ids: &[AthleteId],
    now: Time,
) -> Result<Vec<AthleteProfile>> {
    let rows: Vec<AthleteRow> = session.all(select(ids)).await?;
    let parts = Parts::of(session, ids).await?;
    rows.into_iter().map(|row| row.into_profile(&parts, now)).collect()
}

/// A page of a search for athletes, in its order: two statements.
pub(crate) async fn athletes_found(
    session: &mut Session,
    search: Search,
    paging: Paging,
    now: Time,
) -> Result<(Listing<AthleteProfile>, Extent)> {
    let (page, extent) = session.search::<AthleteRow>(search, paging).await?;
    let ids: Vec<AthleteId> = page.items.iter().map(|row| row.id).collect();
    let parts = Parts::of(session, &ids).await?;
    Ok((page.try_map(|row| row.into_profile(&parts, now))?, extent))
}

/// What [`athletes_found`] reads about the athletes of a page, which has their ids as `athlete_id`.
pub fn shown() -> SelectStatement {
    let mut rows = Query::select();
    let on = Expr::col(("a", "id")).equals((PAGE, "athlete_id"));
    rows.join_as(JoinType::Join, "athlete", "a", on);
    with_columns(rows)
}

fn select(ids: &[AthleteId]) -> SelectStatement {
    let mut rows = Query::select().from_as("athlete", "a").take();
    rows.and_where(Expr::col(("a", "id")).among(ids.iter().map(|id| id.get())))
        .order_by(("a", "id"), Order::Asc);
    with_columns(rows)
}

fn with_columns(mut rows: SelectStatement) -> SelectStatement {
    rows.expr(Expr::cust(ATHLETE));
    for (join, table, alias, on) in BESIDE {
        rows.join_as(join, table, alias, Expr::cust(on));
    }
    rows
}

/// The text of a statement with the same columns and others.
fn select_with(columns: &str, condition: &str) -> String {
    let joined = BESIDE.iter().map(|(join, table, alias, on)| {
        let left = if matches!(join, JoinType::LeftJoin) { "LEFT " } else { "" };
        format!(" {left}JOIN {table} {alias} ON {on}")
    });
    let joined: String = joined.collect();
    format!("SELECT {ATHLETE}, {columns} FROM athlete a{joined} WHERE {condition}")
}

/// The brand with the universities it is associated with; 404 if it does not exist.
pub async fn partner(session: &mut Session, id: PartnerId) -> Result<PartnerProfile> {
    let mut partner: PartnerProfile = session
        .one(
            sql("SELECT p.id, p.user_id, p.company_name, p.business_category_id, p.website, \
                 p.about, p.logo_url, p.hq_city, p.hq_state, p.listed, p.fee_basis_points, \
                 s.plan_id AS subscription_plan_id, p.created_at, p.updated_at FROM partner p \
                 LEFT JOIN subscription s ON s.partner_id = p.id AND s.status = 'active' \
                 WHERE p.id = $1")
            .bind(id),
        )
        .await?;
    let universities: Vec<AssociatedUniversity> = session
        .all(
            sql("SELECT c.id, c.name FROM partner_university p \
                 JOIN college c ON c.id = p.university_id WHERE p.partner_id = $1 \
                 ORDER BY c.name, c.id")
            .bind(id),
        )
        .await?;
    partner.universities = universities;
    Ok(partner)
}

/// The agent; 404 if it does not exist.
pub(crate) async fn agent(session: &mut Session, id: AgentId) -> Result<AgentProfile> {
    #[derive(FromRow)]
    struct AgentRow {
        id: AgentId,
        user_id: UserId,
        agency_name: String,
        first_name: Option<String>,
        last_name: Option<String>,
        email: Option<String>,
        phone: Option<String>,
        network_profile_url: Option<String>,
        certifications: Value,
        terms_accepted_at: Option<Time>,
        terms_version: Option<i64>,
        processor_account_status: String,
        athlete_count: i64,
        created_at: Time,
        updated_at: Time,
    }
    let row: AgentRow = session
        .one(
            sql(
                "SELECT a.id, a.user_id, a.agency_name, u.first_name, u.last_name, u.email, \
                 u.phone, a.network_profile_url, a.certifications, a.terms_accepted_at, a.terms_version, \
                 COALESCE(p.status, 'none') AS processor_account_status, \
                 (SELECT COUNT(*) FROM representation r \
                  WHERE r.agent_id = a.id AND r.status = 'active') AS athlete_count, \
                 a.created_at, a.updated_at FROM agent a JOIN app_user u ON u.id = a.user_id \
                 LEFT JOIN payout_account p ON p.owner = 'agent:' || a.id WHERE a.id = $1",
            )
            .bind(id),
        )
        .await?;
    Ok(AgentProfile {
        id: row.id,
        user_id: row.user_id,
        agency_name: row.agency_name,
        first_name: row.first_name,
        last_name: row.last_name,
        email: row.email,
        phone: row.phone,
        network_profile_url: row.network_profile_url,
        certifications: serde_json::from_value(row.certifications).unwrap_or_default(),
        terms_accepted_at: row.terms_accepted_at,
        terms_version: row.terms_version,
        processor_account_status: row.processor_account_status,
        athlete_count: row.athlete_count,
        created_at: row.created_at,
        updated_at: row.updated_at,
    })
}

/// The fan with the athletes they follow; 404 if it does not exist.
pub(crate) async fn fan(session: &mut Session, id: FanId) -> Result<FanProfile> {
    #[derive(FromRow)]
    struct FanRow {
        id: FanId,
        user_id: UserId,
        university_id: Option<CollegeId>,
        created_at: Time,
        updated_at: Time,
    }
    let row: FanRow = session
        .one(
            sql("SELECT id, user_id, university_id, created_at, updated_at FROM fan \
                 WHERE id = $1")
            .bind(id),
        )
        .await?;
    let followed_athletes = session
        .all(
            sql("SELECT a.id, a.display_name, a.sport_id, a.university_id, a.photo_url, \
                 a.share_slug, f.created_at AS followed_at FROM fan_follow f \
                 JOIN athlete a ON a.id = f.athlete_id JOIN app_user u ON u.id = a.user_id \
                 WHERE f.fan_id = $1 AND u.status = 'active' AND a.listed \
                 ORDER BY f.created_at DESC, a.id DESC LIMIT 500")
            .bind(id),
        )
        .await?;
    Ok(FanProfile {
        id: row.id,
        user_id: row.user_id,
        university_id: row.university_id,
        followed_athletes,
        created_at: row.created_at,
        updated_at: row.updated_at,
    })
}
