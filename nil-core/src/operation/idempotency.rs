//! `Idempotency-Key`: repeats get the first answer, byte for byte, for 24 hours.
//!
//! The primary key (caller, key) is the guard; the lookup before writing only saves work.

use sea_query::{Expr, ExprTrait as _};
use serde::{Deserialize, Serialize};

use super::answer::Reply;
use super::facts::{Facts, Key, SessionCookie};
use crate::error::{Error, Result, codes};
use crate::kernel::{Secret, Time};
use crate::keys::Vault;
use crate::platform::Platform;
use crate::storage::{FromRow, Session, insert, sql, update};

/// A stored answer.
#[derive(Debug)]
pub struct Kept<'a> {
    /// The bytes of the body.
    pub body: &'a [u8],
    /// The cookie sent with it.
    pub cookie: Option<SessionCookie>,
}

impl Kept<'_> {
    /// The bytes to store, sealed together with the cookie: they may contain a token or personal
    /// data.
    pub fn seal(&self, vault: &Vault) -> Result<Vec<u8>> {
        let cookie = self.cookie.as_ref().map(|cookie| match cookie {
            SessionCookie::Set(secret) => secret.expose().to_owned(),
            SessionCookie::Clear => String::new(),
        });
        let body = String::from_utf8(self.body.to_vec()).map_err(Error::internal)?;
        let plain = serde_json::to_vec(&KeptText { cookie, body }).map_err(Error::internal)?;
        vault.seal(CONTEXT, &plain)
    }
}

/// The context that stored answers are sealed in.
const CONTEXT: &str = "idempotency";

#[derive(Serialize, Deserialize)]
struct KeptText {
    cookie: Option<String>,
    body: String,
}

fn open(vault: &Vault, sealed: &[u8]) -> Result<(Vec<u8>, Option<SessionCookie>)> {
    let plain = vault.open(CONTEXT, sealed)?;
    let kept: KeptText = serde_json::from_slice(&plain).map_err(Error::internal)?;
    let cookie = kept.cookie.map(|secret| match secret.as_str() {
        "" => SessionCookie::Clear,
        _ => SessionCookie::Set(Secret::new(secret)),
    });
    Ok((kept.body.into_bytes(), cookie))
}

/// Stores the answer under its key, in the operation's own transaction. If the key already exists,
/// the statement fails with `try_again`; the dispatcher then finds the first answer.
pub async fn store(
    session: &mut Session,
    key: &Key,
    facts: &Facts,
    until: Time,
    status: u16,
    sealed: &[u8],
) -> Result<()> {
    let row =
        row(key, facts, until).set("status", i64::from(status)).set("answer", sealed.to_vec());
    session.run(row).await.map(|_| ())
}

/// Claims the key without an answer: until it is answered or expires, the same key is 409
/// `idempotency_in_progress`. If it waits for a record, the operation that ends the record answers
/// the key.
pub async fn claim(
    session: &mut Session,
    key: &Key,
    facts: &Facts,
    until: Time,
    about: Option<&str>,
) -> Result<()> {
    let row = row(key, facts, until).set("about", about);
    session.run(row).await.map(|_| ())
}

fn row(key: &Key, facts: &Facts, until: Time) -> crate::storage::Insert {
    insert("idempotency")
        .set("caller", key.caller.clone())
        .set("key", key.words.clone())
        .set("operation", facts.operation)
        .set("print", key.print())
        .set("created_at", facts.now)
        .set("expires_at", until)
}

/// Answers the claimed key of a request; returns whether it did. An existing answer is kept, and a
/// key claimed by another request meanwhile belongs to that request.
pub async fn answer(
    session: &mut Session,
    key: &Key,
    until: Time,
    status: u16,
    sealed: &[u8],
) -> Result<bool> {
    let row = answered(until, status, sealed)
        .when("caller", key.caller.clone())
        .when("key", key.words.clone())
        .when("print", key.print());
    Ok(session.run(row).await? > 0)
}

/// Answers every unanswered key that waits for a record.
pub async fn answer_all(
    session: &mut Session,
    about: &str,
    until: Time,
    status: u16,
    sealed: &[u8],
) -> Result<()> {
    let row = answered(until, status, sealed).when("about", about);
    session.run(row).await.map(|_| ())
}

fn answered(until: Time, status: u16, sealed: &[u8]) -> crate::storage::Update {
    update("idempotency")
        .set("expires_at", until)
        .set("status", i64::from(status))
        .set("answer", sealed.to_vec())
        .and(Expr::col("answer").is_null())
}

#[derive(FromRow)]
struct Found {
    print: String,
    status: Option<i64>,
    answer: Option<Vec<u8>>,
    expires_at: Time,
}

/// The first answer, if the key has one; 409 if the request differs or is still running.
pub async fn replay(platform: &Platform, key: &Key) -> Result<Option<Reply>> {
    let mut session = platform.db().read().await?;
    let found = session
        .first::<Found>(
            sql("SELECT print, status, answer, expires_at FROM idempotency \
                 WHERE caller = $1 AND key = $2")
            .bind(key.caller.clone())
            .bind(key.words.clone()),
        )
        .await?;
    let Some(found) = found else { return Ok(None) };
    drop(session);
    if found.expires_at <= platform.now() {
        forget(platform, key).await?;
        return Ok(None);
    }
    if !key.prints.contains(&found.print) {
        return Err(codes::IDEMPOTENCY_KEY_REUSED.into());
    }
    let (Some(status), Some(answer)) = (found.status, found.answer) else {
        return Err(codes::IDEMPOTENCY_IN_PROGRESS.into());
    };
    let (body, cookie) = open(platform.vault(), &answer)?;
    let mut reply = Reply::json(u16::try_from(status).unwrap_or(200), body);
    reply.cookie = cookie;
    reply.replayed = true;
    Ok(Some(reply))
}

/// Removes an expired key, so that it can be used again.
async fn forget(platform: &Platform, key: &Key) -> Result<()> {
    let mut session = platform.db().begin().await?;
    session
        .run(
            sql("DELETE FROM idempotency WHERE caller = $1 AND key = $2 AND expires_at <= $3")
                .bind(key.caller.clone())
                .bind(key.words.clone())
                .bind(platform.now()),
        )
        .await?;
    session.commit().await
}
