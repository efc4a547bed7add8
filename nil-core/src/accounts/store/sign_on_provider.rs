//! The rows of institutions' identity providers.

use sea_query::{Expr, ExprTrait as _, Order, Query, SelectStatement};
use serde_json::json;

use crate::accounts::sign_on::provider::{RoleOfValue, SignOnProvider};
use crate::error::Result;
use crate::kernel::{CollegeId, PortalUserId, Time};
use crate::storage::{Among as _, Columns, Selected as _, Session, insert, sql, update};

/// The number of institutions that are told apart by one mail domain.
const MOST_OF_A_DOMAIN: u64 = 20;

/// What an institution says of its provider.
#[derive(Debug)]
pub struct Content<'a> {
    pub issuer: &'a str,
    pub client_id: &'a str,
    pub sealed_secret: Vec<u8>,
    pub role_claim: &'a str,
    pub roles: &'a [RoleOfValue],
    pub enabled: bool,
    pub passwords: bool,
}

impl Content<'_> {
    fn columns(self) -> Columns {
        Columns::default()
            .set("issuer", self.issuer)
            .set("client_id", self.client_id)
            .set("sealed_secret", self.sealed_secret)
            .set("role_claim", self.role_claim)
            .set("roles", json!(self.roles))
            .set("enabled", self.enabled)
            .set("passwords", self.passwords)
    }
}

fn select() -> SelectStatement {
    Query::select().columns(SignOnProvider::COLUMNS.iter().copied()).from("sign_on_provider").take()
}

/// An institution's provider.
pub async fn of_college(
    session: &mut Session,
    college: CollegeId,
) -> Result<Option<SignOnProvider>> {
    session.first(select().and_where(Expr::col("college_id").eq(college.get())).take()).await
}

/// A provider, locked.
pub async fn lock(session: &mut Session, id: i64) -> Result<Option<SignOnProvider>> {
    let mut query = select();
    query.and_where(Expr::col("id").eq(id)).lock(sea_query::LockType::NoKeyUpdate);
    session.first(query).await
}

/// A provider.
pub async fn find(session: &mut Session, id: i64) -> Result<Option<SignOnProvider>> {
    session.first(select().and_where(Expr::col("id").eq(id)).take()).await
}

/// The providers that call themselves so.
pub async fn of_issuer(session: &mut Session, issuer: &str) -> Result<Vec<SignOnProvider>> {
    let mut query = select();
    query.and_where(Expr::col("issuer").eq(issuer)).order_by("id", Order::Asc);
    session.all(query.limit(MOST_OF_A_DOMAIN).take()).await
}

/// The providers of institutions with one of these mail domains that can be used now.
pub async fn of_domains(session: &mut Session, domains: &[String]) -> Result<Vec<SignOnProvider>> {
    let colleges = Query::select()
        .column("college_id")
        .from("college_domain")
        .and_where(Expr::col("domain").among(domains.iter().map(String::as_str)))
        .take();
    let mut query = select();
    query
        .and_where(Expr::col("college_id").in_subquery(colleges))
        .and_where(Expr::col("enabled").eq(true))
        .order_by("id", Order::Asc);
    session.all(query.limit(MOST_OF_A_DOMAIN).take()).await
}

/// Whether an institution has mail domains of its own.
pub async fn has_domains(session: &mut Session, college: CollegeId) -> Result<bool> {
    let found = sql("SELECT domain FROM college_domain WHERE college_id = $1").bind(college);
    session.exists(found).await
}

/// Names an institution's first provider.
pub async fn add(
    session: &mut Session,
    college: CollegeId,
    content: Content<'_>,
    now: Time,
) -> Result<SignOnProvider> {
    let row = insert("sign_on_provider")
        .set("college_id", college)
        .with(content.columns())
        .set("created_at", now)
        .set("updated_at", now);
    session.one(row.returning(SignOnProvider::COLUMNS)).await
}

/// Changes a provider, which is locked.
pub async fn change(
    session: &mut Session,
    id: i64,
    content: Content<'_>,
    now: Time,
) -> Result<SignOnProvider> {
    let row =
        update("sign_on_provider").with(content.columns()).set("updated_at", now).when("id", id);
    session.one(row.returning(SignOnProvider::COLUMNS)).await
}

/// Lets an institution's officers log in with passwords.
pub async fn allow_passwords(session: &mut Session, id: i64, now: Time) -> Result<()> {
    let row = update("sign_on_provider").set("passwords", true).set("updated_at", now);
    session.change(row.when("id", id)).await
}

/// Removes a provider, which is locked, with everything that was opened through it.
pub async fn remove(session: &mut Session, id: i64) -> Result<()> {
    forget_identities(session, id).await?;
    session.change(sql("DELETE FROM sign_on_provider WHERE id = $1").bind(id)).await
}

/// Forgets whom a provider knows, and ends what was opened through it.
pub async fn forget_identities(session: &mut Session, id: i64) -> Result<()> {
    let forgets = sql("DELETE FROM sign_on_identity WHERE provider_id = $1").bind(id);
    session.run(forgets).await?;
    let forgets = sql("DELETE FROM sign_on_start WHERE provider_id = $1").bind(id);
    session.run(forgets).await.map(|_| ())
}

/// Ends the sessions of an institution's officers that a password has opened.
pub async fn end_password_sessions(session: &mut Session, college: CollegeId) -> Result<u64> {
    session
        .run(
            sql("DELETE FROM session WHERE audience = 'compliance' \
                 AND sign_on_identity_id IS NULL AND impersonation_id IS NULL \
                 AND subject_id IN (SELECT id FROM portal_user WHERE college_id = $1)")
            .bind(college),
        )
        .await
}

/// Whether an officer's institution lets them log in with a password: held until the end of the
/// transaction.
pub async fn allows_passwords(session: &mut Session, officer: PortalUserId) -> Result<bool> {
    let found: Option<(bool,)> = session
        .first(
            sql("SELECT s.passwords FROM sign_on_provider s \
                 JOIN portal_user p ON p.college_id = s.college_id WHERE p.id = $1")
            .locking("FOR SHARE OF s")
            .bind(officer),
        )
        .await?;
    Ok(found.is_none_or(|(passwords,)| passwords))
}

/// Whether a session was opened through this provider.
pub async fn is_opened_by(session: &mut Session, id: &str, provider: i64) -> Result<bool> {
    session
        .exists(
            sql("SELECT s.id FROM session s JOIN sign_on_identity i ON i.id = s.sign_on_identity_id \
                 WHERE s.id = $1 AND i.provider_id = $2")
            .bind(id)
            .bind(provider),
        )
        .await
}
