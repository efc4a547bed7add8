//! The rows of accounts.

use super::profile;
use crate::accounts::{Account, UserKind, UserStatus};
use crate::error::Result;
use crate::kernel::{AthleteId, Email, Moved, Time, UserId};
use crate::storage::{FromRow, Session, advance, sql, update};

#[derive(Debug, FromRow)]
struct AccountRow {
    id: UserId,
    kind: UserKind,
    email: Option<String>,
    email_verified_at: Option<Time>,
    phone: Option<String>,
    first_name: Option<String>,
    last_name: Option<String>,
    status: UserStatus,
    onboarding_step: Option<String>,
    last_login_at: Option<Time>,
    created_at: Time,
    updated_at: Time,
    profile_id: i64,
}

/// The account with its profile; 404 if it does not exist.
pub async fn account(session: &mut Session, id: UserId, now: Time) -> Result<Account> {
    let row: AccountRow = session
        .one(
            sql("SELECT u.id, u.kind, u.email, u.email_verified_at, u.phone, u.first_name, \
                 u.last_name, u.status, u.onboarding_step, u.last_login_at, u.created_at, \
                 u.updated_at, COALESCE(a.id, p.id, g.id, f.id) AS profile_id FROM app_user u \
                 LEFT JOIN athlete a ON a.user_id = u.id LEFT JOIN partner p ON p.user_id = u.id \
                 LEFT JOIN agent g ON g.user_id = u.id LEFT JOIN fan f ON f.user_id = u.id \
                 WHERE u.id = $1")
            .bind(id),
        )
        .await?;
    let profile = profile::load(session, row.kind, row.profile_id, now).await?;
    Ok(Account {
        id: row.id,
        kind: row.kind,
        email: row.email,
        email_verified_at: row.email_verified_at,
        phone: row.phone,
        first_name: row.first_name,
        last_name: row.last_name,
        status: row.status,
        onboarding_step: row.onboarding_step,
        last_login_at: row.last_login_at,
        created_at: row.created_at,
        updated_at: row.updated_at,
        profile,
    })
}

/// The account behind a record of this kind; 404 if it does not exist.
pub async fn of_record(session: &mut Session, kind: UserKind, id: i64) -> Result<UserId> {
    let text = match kind {
        UserKind::Athlete => "SELECT user_id FROM athlete WHERE id = $1",
        UserKind::Partner => "SELECT user_id FROM partner WHERE id = $1",
        UserKind::Agent => "SELECT user_id FROM agent WHERE id = $1",
        UserKind::Fan => "SELECT user_id FROM fan WHERE id = $1",
    };
    session.value(sql(text).bind(id)).await
}

/// What log-in, recovery and status changes need of an account.
#[derive(Clone, Debug, FromRow)]
pub struct Credentials {
    pub id: UserId,
    pub kind: UserKind,
    pub status: UserStatus,
    pub first_name: Option<String>,
    pub password_hash: Option<String>,
    pub profile_id: i64,
}

const CREDENTIALS: &str = "SELECT u.id, u.kind, u.status, u.first_name, u.password_hash, \
    COALESCE(a.id, p.id, g.id, f.id) AS profile_id FROM app_user u \
    LEFT JOIN athlete a ON a.user_id = u.id LEFT JOIN partner p ON p.user_id = u.id \
    LEFT JOIN agent g ON g.user_id = u.id LEFT JOIN fan f ON f.user_id = u.id \
    WHERE u.email = $1";

/// The e-mail of an account, if it has one.
pub async fn email_of(session: &mut Session, id: UserId) -> Result<Option<String>> {
    session.value(sql("SELECT email FROM app_user WHERE id = $1").bind(id)).await
}

/// The account with this e-mail, in any status.
pub async fn by_email(session: &mut Session, email: &Email) -> Result<Option<Credentials>> {
    session.first(sql(CREDENTIALS).bind(email.clone())).await
}

/// Records a log-in; `false` if the account is no longer active with that password. Concurrent
/// suspensions and password changes wait for this row's lock.
pub async fn note_login(session: &mut Session, id: UserId, hash: &str, now: Time) -> Result<bool> {
    let noted = session
        .run(
            sql("UPDATE app_user SET last_login_at = $3 \
                 WHERE id = $1 AND password_hash = $2 AND status = 'active'")
            .bind(id)
            .bind(hash)
            .bind(now),
        )
        .await?;
    Ok(noted == 1)
}

/// The stored form of the account's password; none if it has none.
pub async fn password_of(session: &mut Session, id: UserId) -> Result<Option<String>> {
    session.value(sql("SELECT password_hash FROM app_user WHERE id = $1").bind(id)).await
}

/// Sets an active account's password and marks its e-mail as verified, because the link was mailed
/// there. `false` if the account is not active.
pub async fn set_password(
    session: &mut Session,
    id: UserId,
    hash: String,
    now: Time,
) -> Result<bool> {
    let set = session
        .run(
            sql("UPDATE app_user SET password_hash = $2, updated_at = $3, \
                 email_verified_at = COALESCE(email_verified_at, $3) \
                 WHERE id = $1 AND status = 'active'")
            .bind(id)
            .bind(hash)
            .bind(now),
        )
        .await?;
    Ok(set == 1)
}

/// Marks the e-mail as verified; `false` if it was already.
pub async fn set_verified(session: &mut Session, id: UserId, now: Time) -> Result<bool> {
    let set = session
        .run(
            sql("UPDATE app_user SET email_verified_at = $2, updated_at = $2 \
                 WHERE id = $1 AND email_verified_at IS NULL AND status <> 'deactivated'")
            .bind(id)
            .bind(now),
        )
        .await?;
    Ok(set == 1)
}

/// Makes the e-mail one that is to be verified.
pub async fn set_unverified(session: &mut Session, id: UserId) -> Result<()> {
    session.change(update("app_user").set("email_verified_at", None::<Time>).when("id", id)).await
}

/// The account's status, its row locked; 404 if it does not exist.
pub async fn status(session: &mut Session, id: UserId) -> Result<UserStatus> {
    session
        .value(sql("SELECT status FROM app_user WHERE id = $1").locking("FOR UPDATE").bind(id))
        .await
}

/// Writes a permitted change of status.
pub async fn change_status(
    session: &mut Session,
    id: UserId,
    moved: Moved<UserStatus>,
    now: Time,
) -> Result<()> {
    session.change(advance("app_user", id, moved, now)).await
}

/// The recipient of a link to verify an athlete's e-mail.
#[derive(Debug, FromRow)]
pub struct ToVerify {
    pub id: UserId,
    pub status: UserStatus,
    pub email: Option<String>,
    pub email_verified_at: Option<Time>,
    pub first_name: Option<String>,
}

/// The athlete's account; 404 if there is no such athlete.
pub async fn unverified(session: &mut Session, athlete: AthleteId) -> Result<ToVerify> {
    session
        .one(
            sql("SELECT u.id, u.status, u.email, u.email_verified_at, u.first_name \
                 FROM athlete a JOIN app_user u ON u.id = a.user_id WHERE a.id = $1")
            .bind(athlete),
        )
        .await
}
