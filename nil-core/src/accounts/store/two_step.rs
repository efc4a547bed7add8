//! The rows of two-step log-in, of operators and of portal users.

use sea_query::{DeleteStatement, Expr, ExprTrait as _, Query, Value};

use crate::auth::Audience;
use crate::error::Result;
use crate::kernel::{Identity, OperatorId, PortalUserId, Time};
use crate::storage::{FromRow, Session, insert, sql, update};

/// A kind of account that can log in with two steps. Its table has the columns of [`Held`].
pub trait Stepped: Identity + Into<Value> + Send + Sync + 'static {
    /// Where these accounts log in.
    const AUDIENCE: Audience;
    /// Their table.
    const TABLE: &'static str;
    /// Reads [`Held`] of one that may log in.
    const HELD: &'static str;
    /// The table of their recovery codes.
    const CODES: &'static str;
    /// The column of it that names the account.
    const OWNER: &'static str;
}

impl Stepped for OperatorId {
    const AUDIENCE: Audience = Audience::Admin;
    const TABLE: &'static str = "operator";
    const HELD: &'static str = "SELECT email, password_hash, totp_secret, totp_on_at, totp_step, \
        totp_failures FROM operator WHERE id = $1 AND active";
    const CODES: &'static str = "operator_recovery_code";
    const OWNER: &'static str = "operator_id";
}

impl Stepped for PortalUserId {
    const AUDIENCE: Audience = Audience::Compliance;
    const TABLE: &'static str = "portal_user";
    const HELD: &'static str = "SELECT email, password_hash, totp_secret, totp_on_at, totp_step, \
        totp_failures FROM portal_user WHERE id = $1 AND status = 'active'";
    const CODES: &'static str = "portal_recovery_code";
    const OWNER: &'static str = "portal_user_id";
}

/// What a proof needs to know of an account.
#[derive(Clone, Debug, FromRow)]
pub struct Held {
    pub email: String,
    pub password_hash: Option<String>,
    pub totp_secret: Option<Vec<u8>>,
    pub totp_on_at: Option<Time>,
    pub totp_step: i64,
    pub totp_failures: i64,
}

impl Held {
    /// Whether two-step log-in is on.
    pub fn is_on(&self) -> bool {
        self.totp_on_at.is_some()
    }

    /// Whether this is still the hash of the password.
    pub fn has(&self, hash: &str) -> bool {
        self.password_hash.as_deref() == Some(hash)
    }
}

/// An account that may log in.
pub async fn read<I: Stepped>(session: &mut Session, id: I) -> Result<Option<Held>> {
    session.first(sql(I::HELD).bind(id)).await
}

/// An account that may log in, locked until the end of the transaction.
pub async fn lock<I: Stepped>(session: &mut Session, id: I) -> Result<Option<Held>> {
    session.first(sql(I::HELD).locking("FOR NO KEY UPDATE").bind(id)).await
}

/// Keeps a new secret, which does not count before [`turn_on`].
pub async fn start<I: Stepped>(
    session: &mut Session,
    id: I,
    sealed: Vec<u8>,
    now: Time,
) -> Result<()> {
    let row = update(I::TABLE).set("totp_secret", sealed).set("updated_at", now).when("id", id);
    session.run(row).await.map(|_| ())
}

/// Turns two-step log-in on, with the first code's step.
pub async fn turn_on<I: Stepped>(session: &mut Session, id: I, step: i64, now: Time) -> Result<()> {
    let row = update(I::TABLE)
        .set("totp_on_at", now)
        .set("totp_step", step)
        .set("totp_failures", 0_i64)
        .set("updated_at", now)
        .when("id", id);
    session.run(row).await.map(|_| ())
}

/// Turns two-step log-in off and forgets secret and recovery codes.
pub async fn turn_off<I: Stepped>(session: &mut Session, id: I, now: Time) -> Result<()> {
    let row = update(I::TABLE)
        .set("totp_secret", None::<Vec<u8>>)
        .set("totp_on_at", None::<Time>)
        .set("totp_failures", 0_i64)
        .set("updated_at", now)
        .when("id", id);
    session.run(row).await?;
    forget_codes(session, id).await
}

/// Notes a right code: its step, and no wrong codes since.
pub async fn note_right<I: Stepped>(session: &mut Session, id: I, step: i64) -> Result<()> {
    let row = update(I::TABLE).set("totp_step", step).set("totp_failures", 0_i64).when("id", id);
    session.run(row).await.map(|_| ())
}

/// Counts a wrong code.
pub async fn note_wrong<I: Stepped>(session: &mut Session, id: I) -> Result<()> {
    session.run(update(I::TABLE).add("totp_failures", 1_i64).when("id", id)).await.map(|_| ())
}

/// Replaces the recovery codes.
pub async fn replace_codes<I: Stepped>(
    session: &mut Session,
    id: I,
    marks: Vec<String>,
) -> Result<()> {
    forget_codes(session, id).await?;
    let mut rows = insert(I::CODES);
    for mark in marks {
        rows = rows.set(I::OWNER, id).set("hash", mark).row();
    }
    session.add(rows).await
}

/// Deletes the recovery codes of an account.
fn codes_of<I: Stepped>(id: I) -> DeleteStatement {
    Query::delete().from_table(I::CODES).and_where(Expr::col(I::OWNER).eq(id.number())).take()
}

async fn forget_codes<I: Stepped>(session: &mut Session, id: I) -> Result<()> {
    session.run(codes_of(id)).await.map(|_| ())
}

/// Uses a recovery code up; whether it was one.
pub async fn use_code<I: Stepped>(
    session: &mut Session,
    id: I,
    marks: Vec<String>,
) -> Result<bool> {
    let one = codes_of(id).and_where(Expr::col("hash").is_in(marks)).take();
    Ok(session.run(one).await? == 1)
}
