//! The members of audiences: the next users to notify, and the facts that decide a user's
//! audiences.

use sea_query::{Expr, ExprTrait as _, Order, Query, SelectStatement, UnionType};

use crate::accounts::{MemberKind, UserKind};
use crate::announcements::audience::{Audience, Member};
use crate::error::Result;
use crate::kernel::{CollegeId, PortalUserId, SportId, UserId};
use crate::storage::{Among as _, FromRow, Session, sql};

/// The active users of an audience after an id, by id.
pub async fn users_after(
    session: &mut Session,
    audience: &Audience,
    after: i64,
    most: usize,
) -> Result<Vec<UserId>> {
    let kinds: Vec<&str> = UserKind::ALL
        .iter()
        .filter(|kind| audience.has_kind((**kind).into()))
        .map(|kind| kind.as_str())
        .collect();
    let mut query = after_id("app_user", after, most);
    query.and_where(Expr::col("kind").among(kinds));
    if !audience.university_ids.is_empty() {
        let of = |column: &'static str, table: &'static str| {
            column_of(table, "user_id").and_where(within(column, &audience.university_ids)).take()
        };
        let brands = Query::select()
            .column("partner_id")
            .from("partner_university")
            .and_where(within("university_id", &audience.university_ids))
            .take();
        let brands =
            column_of("partner", "user_id").and_where(Expr::col("id").in_subquery(brands)).take();
        let all = of("university_id", "athlete")
            .union(UnionType::All, of("university_id", "fan"))
            .union(UnionType::All, brands)
            .take();
        query.and_where(Expr::col("id").in_subquery(all));
    }
    if !audience.sport_ids.is_empty() {
        let ids = audience.sport_ids.iter().map(|id| id.get());
        let athletes =
            column_of("athlete", "user_id").and_where(Expr::col("sport_id").among(ids)).take();
        query.and_where(Expr::col("id").in_subquery(athletes));
    }
    let found: Vec<(UserId,)> = session.all(query).await?;
    Ok(found.into_iter().map(|(id,)| id).collect())
}

/// The active portal users of an audience after an id, by id.
pub async fn portal_users_after(
    session: &mut Session,
    audience: &Audience,
    after: i64,
    most: usize,
) -> Result<Vec<PortalUserId>> {
    if !audience.has_kind(MemberKind::PortalUser) || !audience.sport_ids.is_empty() {
        return Ok(Vec::new());
    }
    let mut query = after_id("portal_user", after, most);
    if !audience.university_ids.is_empty() {
        query.and_where(within("college_id", &audience.university_ids));
    }
    let found: Vec<(PortalUserId,)> = session.all(query).await?;
    Ok(found.into_iter().map(|(id,)| id).collect())
}

fn after_id(table: &'static str, after: i64, most: usize) -> SelectStatement {
    Query::select()
        .column("id")
        .from(table)
        .and_where(Expr::col("status").eq("active"))
        .and_where(Expr::col("id").gt(after))
        .order_by("id", Order::Asc)
        .limit(u64::try_from(most).unwrap_or(u64::MAX))
        .take()
}

fn column_of(table: &'static str, column: &'static str) -> SelectStatement {
    Query::select().column(column).from(table).take()
}

fn within(column: &'static str, colleges: &[CollegeId]) -> Expr {
    Expr::col(column).among(colleges.iter().map(|id| id.get()))
}

/// The facts about a user that audiences need.
pub async fn member(session: &mut Session, kind: UserKind, profile_id: i64) -> Result<Member> {
    #[derive(FromRow)]
    struct Tie {
        university_id: Option<CollegeId>,
        sport_id: Option<SportId>,
    }
    let text = match kind {
        UserKind::Athlete => Some("SELECT university_id, sport_id FROM athlete WHERE id = $1"),
        UserKind::Fan => {
            Some("SELECT university_id, CAST(NULL AS BIGINT) AS sport_id FROM fan WHERE id = $1")
        }
        UserKind::Partner => Some(
            "SELECT university_id, CAST(NULL AS BIGINT) AS sport_id FROM partner_university \
             WHERE partner_id = $1",
        ),
        UserKind::Agent => None,
    };
    let ties: Vec<Tie> = match text {
        Some(text) => session.all(sql(text).bind(profile_id)).await?,
        None => Vec::new(),
    };
    Ok(Member {
        kind: kind.into(),
        universities: ties.iter().filter_map(|tie| tie.university_id).collect(),
        sport: ties.iter().find_map(|tie| tie.sport_id),
    })
}
