//! Callers' relations to athletes, and athletes' followers.

use sea_query::{Expr, ExprTrait as _, JoinType, Query, SelectStatement};
use sqlx::FromRow;

use crate::accounts::UserKind;
use crate::auth::User;
use crate::error::Result;
use crate::kernel::{AthleteId, FanId, Time};
use crate::storage::{Session, insert, sql};

/// A caller's relation to an athlete.
#[derive(Debug, FromRow)]
#[expect(clippy::struct_excessive_bools, reason = "a row of answers to independent questions")]
pub struct Relation {
    pub email: Option<String>,
    pub phone: Option<String>,
    pub listed: bool,
    /// The account is active.
    pub active: bool,
    /// The calling agent represents the athlete.
    pub represented: bool,
    /// The calling brand has a contract with the athlete.
    pub under_contract: bool,
    /// The athlete has a live application for a job of the calling brand; an unanswered invitation does not
    /// count.
    pub in_touch: bool,
}

/// The caller's relation to an athlete who has finished registering; 404 for other ids.
pub async fn relation(
    session: &mut Session,
    athlete: AthleteId,
    caller: &User,
) -> Result<Relation> {
    let mut row = Query::select();
    row.from_as("athlete", "a").join_as(
        JoinType::Join,
        "app_user",
        "u",
        Expr::cust("u.id = a.user_id"),
    );
    row.and_where(Expr::col(("a", "id")).eq(athlete.get()));
    session.one(add_relation(row, caller)).await
}

/// Adds the columns of [`Relation`] to a row of an athlete `a` and their account `u`, and keeps only athletes who have
/// finished registering.
pub fn add_relation(mut row: SelectStatement, caller: &User) -> SelectStatement {
    let id_as = |kind| if caller.kind == kind { caller.profile_id } else { 0 };
    let partner = id_as(UserKind::Partner);
    let of = |table: &'static str, alias: &'static str| {
        let own = Expr::col((alias, "athlete_id")).equals(("a", "id"));
        Query::select().expr(Expr::cust("1")).from_as(table, alias).and_where(own).to_owned()
    };
    let represented = of("representation", "x")
        .and_where(Expr::col(("x", "agent_id")).eq(id_as(UserKind::Agent)))
        .and_where(Expr::cust("x.status = 'active'"))
        .to_owned();
    let under_contract = of("contract", "c")
        .and_where(Expr::col(("c", "partner_id")).eq(partner))
        .and_where(Expr::cust("c.status IN ('generated', 'active', 'completed')"))
        .to_owned();
    let in_touch = of("application", "n")
        .join_as(JoinType::Join, "job", "j", Expr::cust("j.id = n.job_id"))
        .and_where(Expr::col(("j", "partner_id")).eq(partner))
        .and_where(Expr::cust(
            "n.status IN ('applicant', 'hired', 'confirmed', 'extension_requested', \
             'cancellation_requested', 'completed')",
        ))
        .to_owned();
    row.expr(Expr::cust("u.email, u.phone, a.listed, (u.status = 'active') AS active"))
        .expr_as(Expr::exists(represented), "represented")
        .expr_as(Expr::exists(under_contract), "under_contract")
        .expr_as(Expr::exists(in_touch), "in_touch")
        .and_where(Expr::cust("u.status IN ('active', 'suspended')"));
    row
}

/// Records that a fan follows an athlete.
pub async fn follow(
    session: &mut Session,
    fan: FanId,
    athlete: AthleteId,
    now: Time,
) -> Result<()> {
    session
        .run(
            insert("fan_follow")
                .set("fan_id", fan)
                .set("athlete_id", athlete)
                .set("created_at", now)
                .unless_exists(&["fan_id", "athlete_id"]),
        )
        .await
        .map(|_| ())
}

/// Records that a fan no longer follows an athlete.
pub async fn unfollow(session: &mut Session, fan: FanId, athlete: AthleteId) -> Result<()> {
    session
        .run(
            sql("DELETE FROM fan_follow WHERE fan_id = $1 AND athlete_id = $2")
                .bind(fan)
                .bind(athlete),
        )
        .await
        .map(|_| ())
}
