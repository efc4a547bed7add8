//! Operators who act as an account: for a limited time, with a reason, and on record.
//!
//! An impersonation has a session of its own. Whether it counts is read anew with every call: it
//! ends with its time, with the operator's own session, and as soon as the operator is disabled or
//! may no longer see accounts. The account's suspension deletes its session like every other.

use sea_query::{Expr, ExprTrait as _, JoinType, Query};
use serde_json::Value;

use super::operator_hours::idle_since;
use super::principal::{Impersonator, Permission, Principal};
use super::vouching::VOUCHED;
use crate::error::Result;
use crate::kernel::{ImpersonationId, OperatorId, Secret, Time};
use crate::keys::{fingerprint, unauthenticated};
use crate::storage::{FromRow, Session, sql, update};

/// The condition under which an impersonation `i` by the operator `o` counts.
pub fn is_running(now: Time) -> Expr {
    let of = |column: &'static str| Expr::col(("i", column));
    let mut own = Query::select();
    own.expr(Expr::cust("1"))
        .from_as("session", "own")
        .and_where(Expr::cust("own.id = i.operator_session AND own.audience = 'admin'"))
        .and_where(Expr::col(("own", "expires_at")).gt(now))
        .and_where(Expr::col(("own", "used_at")).gt(idle_since(now)));
    let mut opened = Query::select();
    opened
        .expr(Expr::cust("1"))
        .from_as("session", "opened")
        .and_where(Expr::cust("opened.impersonation_id = i.id"));
    let may = [Permission::Accounts, Permission::All]
        .map(|one| format!("CAST(o.permissions AS TEXT) LIKE '%\"{one}\"%'"))
        .join(" OR ");
    of("ended_at")
        .is_null()
        .and(of("expires_at").gt(now))
        .and(Expr::cust(format!("o.active AND ({may})")))
        .and(Expr::exists(opened))
        .and(of("operator_session").is_null().or(Expr::exists(own)))
}

/// The operator who acts by this impersonation; none if it has ended.
pub(super) async fn impersonator(
    session: &mut Session,
    id: ImpersonationId,
    now: Time,
) -> Result<Option<Impersonator>> {
    #[derive(FromRow)]
    struct Found {
        operator_id: OperatorId,
        permissions: Value,
        expires_at: Time,
    }
    let mut rows = Query::select();
    rows.expr(Expr::cust("i.operator_id, o.permissions, i.expires_at"))
        .from_as("impersonation", "i")
        .join_as(JoinType::InnerJoin, "operator", "o", Expr::cust("o.id = i.operator_id"))
        .and_where(Expr::col(("i", "id")).eq(id.get()))
        .and_where(is_running(now));
    let found: Option<Found> = session.first(rows).await?;
    Ok(found.map(|found| Impersonator {
        id,
        operator_id: found.operator_id,
        permissions: serde_json::from_value(found.permissions).unwrap_or_default(),
        expires_at: found.expires_at,
    }))
}

/// The caller of a session: the account itself, or the operator who acts as it; 401 if the
/// impersonation has ended.
pub(super) async fn caller(
    session: &mut Session,
    account: Principal,
    impersonation: Option<ImpersonationId>,
    now: Time,
) -> Result<Principal> {
    let Some(id) = impersonation else {
        return Ok(account);
    };
    let by = impersonator(session, id, now).await?.ok_or_else(unauthenticated)?;
    Ok(Principal::Impersonated { account: Box::new(account), by })
}

/// Makes a new session that of an impersonation.
pub async fn give(session: &mut Session, secret: &Secret, id: ImpersonationId) -> Result<()> {
    let row =
        update("session").set("impersonation_id", id).when("id", fingerprint(secret.expose()));
    session.change(row).await
}

/// Ends the session of an impersonation.
pub async fn end(session: &mut Session, id: ImpersonationId) -> Result<()> {
    let row = sql("DELETE FROM session WHERE impersonation_id = $1").bind(id);
    session.run(row).await.map(|_| ())
}

/// Counts a call; 401 if the impersonation was ended since the call was admitted.
pub async fn count_call(session: &mut Session, id: ImpersonationId) -> Result<()> {
    let row = sql("UPDATE impersonation SET calls = calls + 1 WHERE id = $1 AND ended_at IS NULL")
        .bind(id);
    if session.run(row).await? == 1 { Ok(()) } else { Err(unauthenticated()) }
}

/// The operator's own session as an impersonation keeps it: none for an operator for whom the host
/// vouches.
pub fn kept(session: &str) -> Option<&str> {
    Some(session).filter(|session| *session != VOUCHED)
}
