//! The rows of sign-ons: those that were begun, whom providers know, and what was opened.

use sea_query::{Cond, Expr, ExprTrait as _, Query};

use super::two_step::Stepped;
use crate::accounts::operators::operator::OperatorAccount;
use crate::error::Result;
use crate::kernel::{OperatorId, PortalUserId, Time};
use crate::storage::{FromRow, Selected as _, Session, insert, sql, update};

/// A sign-on that a browser has begun.
#[derive(Clone, Debug, FromRow)]
pub struct Started {
    /// The institution's provider; none for operators.
    pub provider_id: Option<i64>,
    pub browser_hash: String,
    pub redirect_uri: String,
}

/// Notes a sign-on.
pub async fn begin(
    session: &mut Session,
    state_hash: String,
    started: Started,
    until: Time,
) -> Result<()> {
    let row = insert("sign_on_start")
        .set("state_hash", state_hash)
        .set("provider_id", started.provider_id)
        .set("browser_hash", started.browser_hash)
        .set("redirect_uri", started.redirect_uri)
        .set("expires_at", until);
    session.run(row).await.map(|_| ())
}

/// A sign-on that was begun and is not over.
pub async fn started(session: &mut Session, hash: &str, now: Time) -> Result<Option<Started>> {
    session
        .first(
            sql("SELECT provider_id, browser_hash, redirect_uri FROM sign_on_start \
                 WHERE state_hash = $1 AND expires_at > $2")
            .bind(hash)
            .bind(now),
        )
        .await
}

/// Ends a sign-on; `false` if it has ended already.
pub async fn end(session: &mut Session, hash: &str) -> Result<bool> {
    let ended = sql("DELETE FROM sign_on_start WHERE state_hash = $1").bind(hash);
    Ok(session.run(ended).await? == 1)
}

/// A provider, as the identities of one name it.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// An institution's; none for the operators'.
    pub provider: Option<i64>,
    pub issuer: &'a str,
}

impl Source<'_> {
    fn condition(self) -> Cond {
        match self.provider {
            Some(id) => Cond::all().add(Expr::col("provider_id").eq(id)),
            None => Cond::all()
                .add(Expr::col("provider_id").is_null())
                .add(Expr::col("issuer").eq(self.issuer)),
        }
    }
}

/// The identity and the number of the account that a provider knows by this name.
pub async fn known<I: Stepped>(
    session: &mut Session,
    source: Source<'_>,
    subject: &str,
) -> Result<Option<(i64, i64)>> {
    let mut query = Query::select();
    query
        .columns(["id", I::OWNER])
        .from("sign_on_identity")
        .cond_where(source.condition())
        .and_where(Expr::col("subject").eq(subject));
    session.first(query).await
}

/// Whether a provider knows this account, by whatever name.
pub async fn is_known<I: Stepped>(
    session: &mut Session,
    source: Source<'_>,
    account: I,
) -> Result<bool> {
    let mut query = Query::select();
    query
        .column("id")
        .from("sign_on_identity")
        .cond_where(source.condition())
        .and_where(Expr::col(I::OWNER).eq(account.number()));
    session.exists(query).await
}

/// Ties an account to a provider's name for it; returns the identity.
pub async fn tie<I: Stepped>(
    session: &mut Session,
    source: Source<'_>,
    (account, subject): (I, &str),
    now: Time,
) -> Result<i64> {
    let row = insert("sign_on_identity")
        .set("provider_id", source.provider)
        .set(I::OWNER, account)
        .set("issuer", source.issuer)
        .set("subject", subject)
        .set("created_at", now)
        .set("used_at", now);
    session.value(row.returning(&["id"])).await
}

/// Notes that an identity was used, and has opened this session.
pub async fn opened(
    session: &mut Session,
    identity: i64,
    (id, sid): (&str, Option<&str>),
    now: Time,
) -> Result<()> {
    session.change(update("sign_on_identity").set("used_at", now).when("id", identity)).await?;
    let row = update("session")
        .set("sign_on_identity_id", identity)
        .set("sign_on_sid", sid.map(str::to_owned));
    session.change(row.when("id", id)).await
}

/// Notes an officer's sign-on.
pub async fn note_officer(session: &mut Session, id: PortalUserId, now: Time) -> Result<()> {
    session.change(update("portal_user").set("last_login_at", now).when("id", id)).await
}

/// Notes an operator's sign-on; none if the operator is not active.
pub async fn note_operator(
    session: &mut Session,
    id: OperatorId,
    now: Time,
) -> Result<Option<OperatorAccount>> {
    let row = update("operator").set("last_login_at", now).when("id", id).when("active", true);
    session.first(row.returning(OperatorAccount::COLUMNS)).await
}

/// Notes a message of a provider; `false` if it was obeyed already.
pub async fn obey_once(session: &mut Session, hash: String, until: Time) -> Result<bool> {
    let row = insert("sign_on_log_out").set("token_hash", hash).set("expires_at", until);
    Ok(session.run(row.unless_exists(&["token_hash"])).await? == 1)
}

/// Ends the sessions that a provider names: one of its own sessions', or all of a person's. Returns
/// their number.
pub async fn end_sessions(
    session: &mut Session,
    source: Source<'_>,
    (sid, subject): (Option<&str>, Option<&str>),
) -> Result<u64> {
    let mut identities = Query::select();
    identities.column("id").from("sign_on_identity").cond_where(source.condition());
    if let Some(subject) = subject {
        identities.and_where(Expr::col("subject").eq(subject));
    }
    let mut query = Query::delete();
    query.from_table("session").and_where(Expr::col("sign_on_identity_id").in_subquery(identities));
    if let Some(sid) = sid {
        query.and_where(Expr::col("sign_on_sid").eq(sid));
    }
    session.run(query).await
}
