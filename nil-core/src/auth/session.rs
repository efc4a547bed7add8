//! Session rows: a token or cookie is valid only while its row exists. Deleting the row ends the
//! session at once, on every server that shares the database.

use std::net::IpAddr;

use chrono::TimeDelta;

use super::impersonation;
use super::operator_hours::idle_since;
use super::principal::{Must, Permission, Principal, Role};
use super::vouching::VOUCHED;
use crate::error::{Result, codes};
use crate::kernel::{
    CollegeId, ImpersonationId, OperatorId, PortalUserId, Secret, SportId, Time, UserId, UserKind,
    noted_lately,
};
use crate::keys::{Audience, fingerprint, new_token, unauthenticated};
use crate::platform::Platform;
use crate::storage::{FromRow, Session, insert, sql};

/// How often the last use of a session is stored; storing it on every request would make every read
/// a write.
const USE_NOTED_EVERY: TimeDelta = TimeDelta::minutes(5);

/// Opens a session, asked for from this address; returns its secret name.
pub async fn open(
    session: &mut Session,
    platform: &Platform,
    audience: Audience,
    subject_id: Option<i64>,
    profile: Option<(UserKind, i64)>,
    until: Time,
    address: Option<IpAddr>,
) -> Result<Secret> {
    let secret = new_token(platform.random());
    let now = platform.now();
    session
        .run(
            insert("session")
                .set("id", fingerprint(secret.expose()))
                .set("audience", audience)
                .set("subject_id", subject_id)
                .set("kind", profile.map(|(kind, _)| kind))
                .set("profile_id", profile.map(|(_, id)| id))
                .set("address", address.map(|address| address.to_string()))
                .set("created_at", now)
                .set("used_at", now)
                .set("expires_at", until),
        )
        .await?;
    Ok(secret)
}

/// Ends one session.
pub async fn end(session: &mut Session, id: &str) -> Result<()> {
    session.run(sql("DELETE FROM session WHERE id = $1").bind(id)).await.map(|_| ())
}

/// Ends every session of an account: suspension, password change, disabling.
pub async fn end_all(session: &mut Session, audience: Audience, subject: i64) -> Result<()> {
    session
        .run(
            sql("DELETE FROM session WHERE audience = $1 AND subject_id = $2")
                .bind(audience)
                .bind(subject),
        )
        .await
        .map(|_| ())
}

/// Ends every other session of an account; returns their number.
pub async fn end_others(
    session: &mut Session,
    audience: Audience,
    subject: i64,
    keep: &str,
) -> Result<u64> {
    session
        .run(
            sql("DELETE FROM session WHERE audience = $1 AND subject_id = $2 AND id <> $3")
                .bind(audience)
                .bind(subject)
                .bind(keep),
        )
        .await
}

/// Whether a session is still valid. A vouched caller has no session that could end.
pub async fn is_open(session: &mut Session, id: &str, now: Time) -> Result<bool> {
    if id == VOUCHED {
        return Ok(true);
    }
    let found: Option<(Option<ImpersonationId>,)> = session
        .first(
            sql("SELECT impersonation_id FROM session WHERE id = $1 AND expires_at > $2")
                .bind(id)
                .bind(now),
        )
        .await?;
    match found {
        None => Ok(false),
        Some((None,)) => Ok(true),
        Some((Some(id),)) => Ok(impersonation::impersonator(session, id, now).await?.is_some()),
    }
}

/// The user behind a Core token.
pub async fn core_user(platform: &Platform, token: &str) -> Result<Principal> {
    let claims = platform.vault().read_token(token, Audience::Core, platform.now())?;
    user_of(platform, fingerprint(&claims.jti)).await
}

/// The user of an open Core session, by its stored name; 401 if there is none.
pub(super) async fn user_of(platform: &Platform, id: String) -> Result<Principal> {
    #[derive(FromRow)]
    struct Found {
        subject_id: UserId,
        kind: UserKind,
        profile_id: i64,
        impersonation_id: Option<ImpersonationId>,
    }
    let now = platform.now();
    let mut session = platform.db().read().await?;
    let found: Option<Found> = session
        .first(
            sql("SELECT subject_id, kind, profile_id, impersonation_id FROM session \
                 WHERE id = $1 AND audience = 'core' AND expires_at > $2")
            .bind(id.clone())
            .bind(now),
        )
        .await?;
    let found = found.ok_or_else(unauthenticated)?;
    let account = Principal::User {
        user_id: found.subject_id,
        kind: found.kind,
        profile_id: found.profile_id,
        session: id,
    };
    impersonation::caller(&mut session, account, found.impersonation_id, now).await
}

/// The portal user behind a Compliance token. Role and sports are read each time, so that changes
/// apply at once.
pub async fn portal_user(platform: &Platform, token: &str) -> Result<Principal> {
    #[derive(FromRow)]
    struct Found {
        id: PortalUserId,
        college_id: CollegeId,
        role: Role,
        sport_ids: Option<serde_json::Value>,
        impersonation_id: Option<ImpersonationId>,
    }
    let now = platform.now();
    let claims = platform.vault().read_token(token, Audience::Compliance, now)?;
    let id = fingerprint(&claims.jti);
    let mut session = platform.db().read().await?;
    let found: Option<Found> = session
        .first(
            sql(
                "SELECT p.id, p.college_id, p.role, p.sport_ids, s.impersonation_id FROM session s \
                 JOIN portal_user p ON p.id = s.subject_id \
                 WHERE s.id = $1 AND s.audience = 'compliance' AND s.expires_at > $2 \
                 AND p.status = 'active'",
            )
            .bind(id.clone())
            .bind(now),
        )
        .await?;
    let found = found.ok_or_else(unauthenticated)?;
    let sports = found.sport_ids.and_then(|ids| serde_json::from_value::<Vec<SportId>>(ids).ok());
    let account = Principal::Portal {
        id: found.id,
        college_id: found.college_id,
        role: found.role,
        sports: sports.unwrap_or_default(),
        session: id,
    };
    impersonation::caller(&mut session, account, found.impersonation_id, now).await
}

/// The operator (or the visitor before log-in) behind an Admin cookie.
pub async fn admin(platform: &Platform, cookie: &str) -> Result<Principal> {
    #[derive(FromRow)]
    struct Found {
        subject_id: Option<OperatorId>,
        permissions: Option<serde_json::Value>,
        one_time: bool,
        two_step: bool,
        used_at: Time,
    }
    let now = platform.now();
    let id = fingerprint(cookie);
    let mut session = platform.db().read().await?;
    let found: Option<Found> = session
        .first(
            sql("SELECT s.subject_id, o.permissions, s.used_at, \
                 o.one_time_password IS NOT NULL AND s.sign_on_identity_id IS NULL AS one_time, \
                 o.totp_on_at IS NOT NULL OR s.sign_on_identity_id IS NOT NULL AS two_step \
                 FROM session s \
                 LEFT JOIN operator o ON o.id = s.subject_id AND o.active \
                 WHERE s.id = $1 AND s.audience = 'admin' AND s.expires_at > $2 \
                 AND s.used_at > $3")
            .bind(id.clone())
            .bind(now)
            .bind(idle_since(now)),
        )
        .await?;
    drop(session);
    let Some(found) = found else {
        return Ok(Principal::Anonymous);
    };
    if !noted_lately(found.used_at, now, USE_NOTED_EVERY) {
        let mut session = platform.db().begin().await?;
        let noted = sql("UPDATE session SET used_at = $2 WHERE id = $1").bind(id.clone()).bind(now);
        session.run(noted).await?;
        session.commit().await?;
    }
    match (found.subject_id, found.permissions) {
        (None, _) => Ok(Principal::Visitor { session: id }),
        (Some(_), None) => Ok(Principal::Anonymous),
        (Some(operator), Some(_)) if found.one_time => {
            let must = Must::ChangePassword;
            Ok(Principal::NewOperator { id: operator, must, session: id })
        }
        (Some(operator), Some(_)) if platform.config().operators_need_totp && !found.two_step => {
            Ok(Principal::NewOperator { id: operator, must: Must::SetUpTotp, session: id })
        }
        (Some(operator), Some(permissions)) => Ok(Principal::Operator {
            id: operator,
            permissions: serde_json::from_value::<Vec<Permission>>(permissions).unwrap_or_default(),
            session: id,
        }),
    }
}

/// The time limit of a registration.
pub const REGISTRATION_LIVES: TimeDelta = TimeDelta::hours(24);

/// The registrant behind a registration token.
pub async fn registrant(platform: &Platform, token: &str) -> Result<Principal> {
    let mut session = platform.db().read().await?;
    let found: Option<(UserId, UserKind)> = session
        .first(
            sql("SELECT u.id, u.kind FROM registration r JOIN app_user u ON u.id = r.user_id \
                 WHERE r.token_hash = $1 AND r.expires_at > $2")
            .bind(fingerprint(token))
            .bind(platform.now()),
        )
        .await?;
    let (user_id, kind) = found.ok_or_else(|| {
        codes::UNAUTHENTICATED.saying("The registration token is wrong or has expired.")
    })?;
    Ok(Principal::Registrant { user_id, kind, token: Secret::new(token) })
}
