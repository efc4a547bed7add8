//! The rows of portal users.

use sea_query::{Expr, ExprTrait as _, Query};

use crate::accounts::{PortalAccount, PortalUserStatus};
use crate::auth::Role;
use crate::error::Result;
use crate::kernel::{CollegeId, Email, FollowedPage, Listing, Moved, PortalUserId, SportId, Time};
use crate::storage::{
    FromRow, Key, Narrow as _, Selected as _, Session, Stored, advance, contains, insert, sorted,
    sql, update,
};

const BY_ID: &str = "SELECT id, college_id, email, name, role, sport_ids, status, totp_on_at, \
    last_login_at, created_at, updated_at FROM portal_user WHERE id = $1";

/// The portal user, locked; 404 if it does not exist.
pub async fn find(session: &mut Session, id: PortalUserId) -> Result<PortalAccount> {
    session.one(sql(BY_ID).locking("FOR UPDATE").bind(id)).await
}

/// What log-in and recovery need of a portal user.
#[derive(Clone, Debug, FromRow)]
pub struct PortalCredentials {
    pub id: PortalUserId,
    pub name: String,
    pub status: PortalUserStatus,
    pub password_hash: Option<String>,
}

/// The portal user with this e-mail, in any status.
pub async fn by_email(session: &mut Session, email: &Email) -> Result<Option<PortalCredentials>> {
    session
        .first(
            sql("SELECT id, name, status, password_hash FROM portal_user WHERE email = $1")
                .bind(email.clone()),
        )
        .await
}

/// A portal user to make.
#[derive(Debug, Stored)]
pub struct NewPortalUser {
    pub college_id: CollegeId,
    pub email: Email,
    pub name: String,
    pub role: Role,
    #[row(json(nullable))]
    pub sport_ids: Option<Vec<SportId>>,
    pub password_hash: Option<String>,
    pub status: PortalUserStatus,
}

/// Makes a portal user; 409 `email_taken` if the e-mail belongs to one.
pub async fn add(session: &mut Session, new: NewPortalUser, now: Time) -> Result<PortalAccount> {
    session
        .one(
            insert("portal_user")
                .with(new.columns())
                .set("created_at", now)
                .set("updated_at", now)
                .returning(PortalAccount::COLUMNS),
        )
        .await
}

/// Changes e-mail, name, role and sports.
pub async fn change(session: &mut Session, account: &PortalAccount, now: Time) -> Result<()> {
    session
        .change(
            update("portal_user")
                .set("email", account.email.clone())
                .set("name", account.name.clone())
                .set("role", account.role)
                .set("sport_ids", account.sport_ids.clone())
                .set("updated_at", now)
                .when("id", account.id),
        )
        .await
}

/// Writes a permitted change of status, and the password that comes with it.
pub async fn change_status(
    session: &mut Session,
    id: PortalUserId,
    moved: Moved<PortalUserStatus>,
    hash: Option<String>,
    now: Time,
) -> Result<()> {
    let row = advance("portal_user", id, moved, now).given("password_hash", hash);
    session.change(row).await
}

/// Sets an active portal user's password; `false` if the user is not active.
pub async fn set_password(
    session: &mut Session,
    id: PortalUserId,
    hash: String,
    now: Time,
) -> Result<bool> {
    let set = session
        .run(
            sql("UPDATE portal_user SET password_hash = $2, updated_at = $3 \
                 WHERE id = $1 AND status = 'active'")
            .bind(id)
            .bind(hash)
            .bind(now),
        )
        .await?;
    Ok(set == 1)
}

/// Whether the portal user has ever set a password.
pub async fn has_password(session: &mut Session, id: PortalUserId) -> Result<bool> {
    session
        .exists(
            sql("SELECT id FROM portal_user WHERE id = $1 AND password_hash IS NOT NULL").bind(id),
        )
        .await
}

/// Records a log-in, if the user is still active with that password.
pub async fn note_login(
    session: &mut Session,
    id: PortalUserId,
    hash: &str,
    now: Time,
) -> Result<bool> {
    let noted = session
        .run(
            sql("UPDATE portal_user SET last_login_at = $3 \
                 WHERE id = $1 AND password_hash = $2 AND status = 'active'")
            .bind(id)
            .bind(hash)
            .bind(now),
        )
        .await?;
    Ok(noted == 1)
}

/// The active owners of an institution's portal.
pub async fn owners(session: &mut Session, college: CollegeId) -> Result<Vec<PortalUserId>> {
    let owners: Vec<(PortalUserId,)> = session
        .all(
            sql("SELECT id FROM portal_user \
                 WHERE college_id = $1 AND role = 'owner' AND status = 'active' ORDER BY id")
            .bind(college),
        )
        .await?;
    Ok(owners.into_iter().map(|(id,)| id).collect())
}

/// The active owners of an institution's portal, locked until the end of the transaction, so that
/// concurrent requests cannot remove the last one.
pub async fn lock_owners(session: &mut Session, college: CollegeId) -> Result<Vec<PortalUserId>> {
    let owners: Vec<(PortalUserId,)> = session
        .all(
            sql("SELECT id FROM portal_user \
                 WHERE college_id = $1 AND role = 'owner' AND status = 'active' ORDER BY id")
            .locking("FOR UPDATE")
            .bind(college),
        )
        .await?;
    Ok(owners.into_iter().map(|(id,)| id).collect())
}

/// A page of an institution's portal users, oldest first.
pub async fn page_of(
    session: &mut Session,
    college: CollegeId,
    statuses: &[PortalUserStatus],
    q: Option<&str>,
    place: FollowedPage,
) -> Result<Listing<PortalAccount>> {
    let mut rows = Query::select();
    rows.columns(PortalAccount::COLUMNS.iter().copied())
        .from("portal_user")
        .and_where(Expr::col("college_id").eq(college.get()))
        .only_among("status", statuses.iter().copied())
        .cond_where(contains([Expr::col("name"), Expr::col("email")], q));
    session.follow(sorted(rows, [Key::up(Expr::col("id"))]), place).await
}

/// What registration needs of an institution.
#[derive(Debug, FromRow)]
pub struct PortalCollege {
    pub name: String,
    /// The mail domains of the institution's members.
    pub email_domains: serde_json::Value,
}

/// The institution; `None` if there is no such institution.
pub async fn college(session: &mut Session, college: CollegeId) -> Result<Option<PortalCollege>> {
    session.first(sql("SELECT name, email_domains FROM college WHERE id = $1").bind(college)).await
}

/// The institution's name; `None` if there is no such institution.
pub async fn college_name(session: &mut Session, college: CollegeId) -> Result<Option<String>> {
    let found: Option<(String,)> =
        session.first(sql("SELECT name FROM college WHERE id = $1").bind(college)).await?;
    Ok(found.map(|(name,)| name))
}
