//! The rows of impersonations.

use sea_query::{Expr, ExprTrait as _, JoinType, Query, SelectStatement};

use crate::accounts::operators::impersonation::{
    Impersonation, ImpersonationPurpose, ListImpersonations,
};
use crate::auth::Role;
use crate::auth::impersonation::is_running;
use crate::error::Result;
use crate::kernel::{
    ByAge, FollowedPage, ImpersonationId, Listing, OperatorId, PortalUserId, Time, UserId, UserKind,
};
use crate::storage::{
    FromRow, Key, Narrow as _, Session, Stored, contains, first_of, insert, sorted, sql,
};

/// What an impersonation needs to know of a user.
#[derive(Debug, FromRow)]
pub struct HeldUser {
    pub id: UserId,
    pub kind: UserKind,
    pub profile_id: i64,
    pub email: Option<String>,
}

/// An active account of the Core interface, locked until the end of the transaction, so that a
/// suspension waits and then ends the new session too; 404 if there is none.
pub async fn lock_user(session: &mut Session, id: UserId) -> Result<HeldUser> {
    const HELD: &str = "SELECT u.id, u.kind, u.email, \
        COALESCE(a.id, p.id, g.id, f.id) AS profile_id FROM app_user u \
        LEFT JOIN athlete a ON a.user_id = u.id LEFT JOIN partner p ON p.user_id = u.id \
        LEFT JOIN agent g ON g.user_id = u.id LEFT JOIN fan f ON f.user_id = u.id \
        WHERE u.id = $1 AND u.status = 'active'";
    session.one(sql(HELD).locking("FOR NO KEY UPDATE OF u").bind(id)).await
}

/// What an impersonation needs to know of a portal user.
#[derive(Debug, FromRow)]
pub struct HeldPortalUser {
    pub id: PortalUserId,
    pub role: Role,
    pub email: String,
}

/// An active portal user, locked until the end of the transaction, so that a suspension waits and
/// then ends the new session too; 404 if there is none.
pub async fn lock_portal_user(session: &mut Session, id: PortalUserId) -> Result<HeldPortalUser> {
    const HELD: &str =
        "SELECT id, role, email FROM portal_user WHERE id = $1 AND status = 'active'";
    session.one(sql(HELD).locking("FOR NO KEY UPDATE").bind(id)).await
}

/// Whether this is the e-mail of an operator: an active one, or one who was disabled and may come
/// back.
pub async fn is_an_operators(session: &mut Session, email: &str) -> Result<bool> {
    session.exists(sql("SELECT id FROM operator WHERE email = $1").bind(email)).await
}

/// An impersonation to start.
#[derive(Debug, Stored)]
pub struct NewImpersonation {
    pub operator_id: OperatorId,
    pub operator_session: Option<String>,
    pub user_id: Option<UserId>,
    pub portal_user_id: Option<PortalUserId>,
    pub purpose: ImpersonationPurpose,
    pub reason: String,
    pub address: Option<String>,
    pub expires_at: Time,
}

/// Adds an impersonation.
pub async fn add(
    session: &mut Session,
    new: NewImpersonation,
    now: Time,
) -> Result<ImpersonationId> {
    session
        .value(
            insert("impersonation").with(new.columns()).set("started_at", now).returning(&["id"]),
        )
        .await
}

/// Marks an impersonation as ended; whether it had not been before.
pub async fn end(session: &mut Session, id: ImpersonationId, now: Time) -> Result<bool> {
    let row = sql("UPDATE impersonation SET ended_at = $2 WHERE id = $1 AND ended_at IS NULL");
    Ok(session.run(row.bind(id).bind(now)).await? == 1)
}

/// An operator's impersonations that have neither been ended nor expired; at most one.
pub async fn open_of(
    session: &mut Session,
    operator: OperatorId,
    now: Time,
) -> Result<Vec<Impersonation>> {
    let mut rows = rows(now);
    rows.and_where(Expr::col(("i", "operator_id")).eq(operator.get()))
        .and_where(Expr::col(("i", "ended_at")).is_null())
        .and_where(Expr::col(("i", "expires_at")).gt(now));
    session.all(rows).await
}

/// An impersonation; 404 if it does not exist.
pub async fn find(session: &mut Session, id: ImpersonationId, now: Time) -> Result<Impersonation> {
    let mut rows = rows(now);
    rows.and_where(Expr::col(("i", "id")).eq(id.get()));
    first_of(session.all(rows).await?)
}

/// A page of impersonations.
pub async fn page(
    session: &mut Session,
    (wanted, sift): (&ListImpersonations, &ByAge),
    now: Time,
    place: FollowedPage,
) -> Result<Listing<Impersonation>> {
    let mut rows = rows(now);
    rows.only(("i", "operator_id"), wanted.operator_id)
        .only(("i", "user_id"), wanted.user_id)
        .only(("i", "portal_user_id"), wanted.portal_user_id)
        .cond_where(contains(
            [ACCOUNT, "u.email", "p.email", "o.name", "i.reason"].map(Expr::cust),
            sift.words(),
        ));
    match wanted.running {
        Some(true) => rows.and_where(is_running(now)),
        Some(false) => rows.and_where(is_running(now).not()),
        None => &mut rows,
    };
    session.follow(sorted(rows, [Key::of(Expr::col(("i", "id")), sift.order())]), place).await
}

/// The name of the account's user.
const ACCOUNT: &str = "COALESCE(p.name, \
    TRIM(COALESCE(u.first_name, '') || ' ' || COALESCE(u.last_name, '')))";

fn rows(now: Time) -> SelectStatement {
    const COLUMNS: &str = "i.id, i.operator_id, o.name AS operator_name, i.user_id, \
        i.portal_user_id, COALESCE(u.kind, 'portal_user') AS kind, \
        COALESCE(p.email, u.email) AS account_email, i.purpose, i.reason, \
        i.address, i.calls, i.started_at, i.expires_at, i.ended_at";
    let mut rows = Query::select();
    rows.expr(Expr::cust(COLUMNS))
        .expr_as(Expr::cust(ACCOUNT), "account_name")
        .expr_as(is_running(now), "running")
        .from_as("impersonation", "i")
        .join_as(JoinType::InnerJoin, "operator", "o", Expr::cust("o.id = i.operator_id"))
        .join_as(JoinType::LeftJoin, "app_user", "u", Expr::cust("u.id = i.user_id"))
        .join_as(JoinType::LeftJoin, "portal_user", "p", Expr::cust("p.id = i.portal_user_id"));
    rows
}
