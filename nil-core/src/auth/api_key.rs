//! API keys of services: hashed at rest, scoped, revocable.

use chrono::TimeDelta;
use serde::Serialize;

use super::principal::{Principal, Scope};
use crate::error::{Result, codes};
use crate::kernel::{ApiKeyId, Rested, Secret, Time};
use crate::keys::{fingerprint, new_token, unauthenticated};
use crate::platform::Platform;
use crate::storage::{FromRow, insert, sql};

/// How often the use of a key is noted: a request writes nothing unless the last note is older.
const USE_NOTED_EVERY: TimeDelta = TimeDelta::hours(1);

/// A key in the list; the key itself is shown only once, when it is created.
#[derive(Clone, Debug, Serialize, FromRow)]
pub struct ApiKey {
    /// Its id.
    pub id: ApiKeyId,
    /// Its name.
    pub name: String,
    /// Its scopes.
    pub scopes: serde_json::Value,
    /// When it was created.
    pub created_at: Time,
    /// When it was last used, to the hour; nothing if it never was.
    pub last_used_at: Option<Time>,
    /// When it was revoked.
    pub revoked_at: Option<Time>,
}

/// Creates a key and returns it; it cannot be read again later.
pub async fn create(platform: &Platform, name: &str, scopes: &[Scope]) -> Result<(ApiKey, Secret)> {
    let secret = Secret::new(format!("nil_{}", new_token(platform.random()).expose()));
    let mut session = platform.db().begin().await?;
    let key = session
        .one(
            insert("api_key")
                .set("name", name)
                .set("key_hash", fingerprint(secret.expose()))
                .set("scopes", serde_json::json!(scopes))
                .set("created_at", platform.now())
                .returning(&["id", "name", "scopes", "created_at", "last_used_at", "revoked_at"]),
        )
        .await?;
    session.commit().await?;
    Ok((key, secret))
}

/// The secret for signing requests with a key, for scopes that require signatures (`ai_tools`). It
/// is derived from the key and the platform's secret key, so it is the same each time.
#[must_use]
pub fn signing_secret(platform: &Platform, key: &Secret) -> Secret {
    platform.vault().signing_secret(key.expose())
}

/// The secrets that a service with this key may have: also those that are derived from earlier
/// secret keys of the platform.
#[must_use]
pub fn signing_secrets(platform: &Platform, key: &Secret) -> Vec<Secret> {
    platform.vault().signing_secrets(key.expose())
}

/// All keys.
pub async fn list(platform: &Platform) -> Result<Vec<ApiKey>> {
    const ALL: &str =
        "SELECT id, name, scopes, created_at, last_used_at, revoked_at FROM api_key ORDER BY id";
    let mut session = platform.db().read().await?;
    session.all(sql(ALL)).await
}

/// Revokes a key at once.
pub async fn revoke(platform: &Platform, id: ApiKeyId) -> Result<()> {
    let mut session = platform.db().begin().await?;
    let revoked = session
        .run(
            sql("UPDATE api_key SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL")
                .bind(id)
                .bind(platform.now()),
        )
        .await?;
    session.commit().await?;
    if revoked == 0 { Err(codes::NOT_FOUND.into()) } else { Ok(()) }
}

/// The service behind a key. Its use is noted at most once an hour.
pub async fn service(platform: &Platform, key: &str) -> Result<Principal> {
    #[derive(FromRow)]
    struct Found {
        id: ApiKeyId,
        scopes: serde_json::Value,
        last_used_at: Option<Time>,
    }
    let mut session = platform.db().read().await?;
    let found: Option<Found> = session
        .first(
            sql("SELECT id, scopes, last_used_at FROM api_key \
                 WHERE key_hash = $1 AND revoked_at IS NULL")
            .bind(fingerprint(key)),
        )
        .await?;
    drop(session);
    let Found { id, scopes, last_used_at } = found.ok_or_else(unauthenticated)?;
    let rested = Rested::of(USE_NOTED_EVERY, platform.now());
    // A database that takes no writes must still let the key read.
    if last_used_at.is_none_or(|at| at < rested.until || at > rested.ahead)
        && let Err(error) = note_use(platform, id, rested).await
    {
        tracing::warn!(key = id.get(), "the use of an API key was not noted: {error}");
    }
    Ok(Principal::Service { id, scopes: serde_json::from_value(scopes).unwrap_or_default() })
}

/// Notes that a key is used now, unless another request has just done so.
async fn note_use(platform: &Platform, id: ApiKeyId, rested: Rested) -> Result<()> {
    let mut session = platform.db().begin().await?;
    session
        .run(
            sql("UPDATE api_key SET last_used_at = $2 \
                 WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < $3 OR last_used_at > $4)")
            .bind(id)
            .bind(platform.now())
            .bind(rested.until)
            .bind(rested.ahead),
        )
        .await?;
    session.commit().await
}
