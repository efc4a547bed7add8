//! The rows of squad lists.

use sea_query::{Expr, ExprTrait as _, Func, JoinType, Query, SelectStatement};

use super::member::{Known, ListSquad, MemberFacts, SquadMember};
use super::sheet::plain;
use crate::auth::PortalUser;
use crate::error::Result;
use crate::kernel::{CollegeId, FollowedPage, Listing, SportId, SquadMemberId, Time};
use crate::storage::{
    Among as _, Found, Key, Narrow as _, Selected as _, Session, Stored as _, contains, insert,
    sql, update,
};

/// The sports of the site by what people may call them.
pub(super) async fn sports(session: &mut Session) -> Result<Vec<(String, SportId)>> {
    let all: Vec<(SportId, String, String)> =
        session.all(sql("SELECT id, name, slug FROM sport ORDER BY id")).await?;
    let named =
        all.into_iter().flat_map(|(id, name, slug)| [(plain(&name), id), (plain(&slug), id)]);
    Ok(named.collect())
}

fn own(column: &'static str) -> Expr {
    Expr::col(("d", column))
}

/// The members of an institution, of these sports only if there are any.
fn of(college: CollegeId, sports: &[SportId]) -> SelectStatement {
    let mut query = Query::select();
    query
        .from_as("squad_member", "d")
        .expr_as(own("id"), "id")
        .and_where(own("college_id").eq(college.get()))
        .only_among(("d", "sport_id"), sports.iter().copied());
    query
}

fn facts(query: &mut SelectStatement) {
    for column in MemberFacts::COLUMNS.iter().copied() {
        query.expr_as(own(column), column);
    }
}

/// The members of an institution, of these sports only if there are any.
pub(super) async fn known(
    session: &mut Session,
    college: CollegeId,
    sports: &[SportId],
) -> Result<Vec<Known>> {
    let mut query = of(college, sports);
    facts(&mut query);
    query.order_by(("d", "id"), sea_query::Order::Asc);
    session.all(query).await
}

/// A member whom the caller may see; 404 for any other.
pub(super) async fn of_caller(
    session: &mut Session,
    caller: &PortalUser,
    id: SquadMemberId,
) -> Result<SquadMemberId> {
    let mut query = of(caller.college_id, &caller.sports);
    query.and_where(own("id").eq(id.get()));
    session.value(query).await
}

/// A page of members by their names.
pub(super) async fn page(
    session: &mut Session,
    caller: &PortalUser,
    wanted: &ListSquad,
    place: FollowedPage,
) -> Result<Listing<SquadMember>> {
    let athlete = || Expr::col(("a", "id"));
    let mut rows = of(caller.college_id, &caller.sports);
    facts(&mut rows);
    for column in ["created_at", "updated_at", "seen_at"] {
        rows.expr_as(own(column), column);
    }
    let verified = "u.email = d.email AND u.email_verified_at IS NOT NULL AND u.status = 'active'";
    let here = "a.user_id = u.id AND a.university_id = d.college_id";
    rows.expr_as(athlete(), "athlete_id")
        .join_as(JoinType::LeftJoin, "app_user", "u", Expr::cust(verified))
        .join_as(JoinType::LeftJoin, "athlete", "a", Expr::cust(here))
        .only_among(("d", "sport_id"), wanted.sport_ids.iter().flatten().copied());
    match wanted.registered {
        Some(true) => rows.and_where(athlete().is_not_null()),
        Some(false) => rows.and_where(athlete().is_null()),
        None => &mut rows,
    };
    let q = wanted.q.as_deref();
    rows.cond_where(contains(["name", "email", "student_id"].map(own), q));
    let keys = [Key::up(Func::lower(own("name"))), Key::up(own("id"))];
    session.follow(Found::from(rows).sorted(keys), place).await
}

/// Adds members.
pub(super) async fn add(
    session: &mut Session,
    college: CollegeId,
    members: &[MemberFacts],
    now: Time,
) -> Result<()> {
    let rows = members.iter().fold(insert("squad_member"), |rows, facts| {
        rows.set("college_id", college)
            .with(facts.columns())
            .set("created_at", now)
            .set("updated_at", now)
            .set("seen_at", now)
            .row()
    });
    session.add(rows).await
}

/// Changes what a list says of a member.
pub(super) async fn change(
    session: &mut Session,
    id: SquadMemberId,
    facts: &MemberFacts,
    now: Time,
) -> Result<()> {
    let row = update("squad_member").with(facts.columns()).set("updated_at", now).when("id", id);
    session.change(row).await
}

/// Notes that a file names these members.
pub(super) async fn note_seen(
    session: &mut Session,
    ids: &[SquadMemberId],
    now: Time,
) -> Result<()> {
    for some in ids.chunks(AT_ONCE) {
        let among = Expr::col("id").among(some.iter().map(|id| id.get()));
        session.run(update("squad_member").set("seen_at", now).and(among)).await?;
    }
    Ok(())
}

/// Removes these members.
pub(super) async fn remove_all(session: &mut Session, ids: &[SquadMemberId]) -> Result<()> {
    for some in ids.chunks(AT_ONCE) {
        let mut query = Query::delete();
        query
            .from_table("squad_member")
            .and_where(Expr::col("id").among(some.iter().map(|id| id.get())));
        session.run(query).await?;
    }
    Ok(())
}

/// The number of members that one statement names.
const AT_ONCE: usize = 500;
