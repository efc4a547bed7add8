//! The rows of operators' two-step log-in.

use crate::error::Result;
use crate::kernel::{OperatorId, Time};
use crate::storage::{FromRow, Session, insert, sql, update};

/// What a proof needs to know of an operator.
#[derive(Clone, Debug, FromRow)]
pub struct Held {
    pub id: OperatorId,
    pub email: String,
    pub password_hash: String,
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
}

/// An active operator, locked until the end of the transaction.
pub async fn lock(session: &mut Session, id: OperatorId) -> Result<Option<Held>> {
    const HELD: &str = "SELECT id, email, password_hash, totp_secret, totp_on_at, \
         totp_step, totp_failures FROM operator WHERE id = $1 AND active";
    session.first(sql(HELD).locking("FOR NO KEY UPDATE").bind(id)).await
}

/// Keeps a new secret, which does not count before [`turn_on`].
pub async fn start(
    session: &mut Session,
    id: OperatorId,
    sealed: Vec<u8>,
    now: Time,
) -> Result<()> {
    let row = update("operator").set("totp_secret", sealed).set("updated_at", now).when("id", id);
    session.run(row).await.map(|_| ())
}

/// Turns two-step log-in on, with the first code's step.
pub async fn turn_on(session: &mut Session, id: OperatorId, step: i64, now: Time) -> Result<()> {
    let row = update("operator")
        .set("totp_on_at", now)
        .set("totp_step", step)
        .set("totp_failures", 0_i64)
        .set("updated_at", now)
        .when("id", id);
    session.run(row).await.map(|_| ())
}

/// Turns two-step log-in off and forgets secret and recovery codes.
pub async fn turn_off(session: &mut Session, id: OperatorId, now: Time) -> Result<()> {
    let row = update("operator")
        .set("totp_secret", None::<Vec<u8>>)
        .set("totp_on_at", None::<Time>)
        .set("totp_failures", 0_i64)
        .set("updated_at", now)
        .when("id", id);
    session.run(row).await?;
    forget_codes(session, id).await
}

/// Notes a right code: its step, and no wrong codes since.
pub async fn note_right(session: &mut Session, id: OperatorId, step: i64) -> Result<()> {
    let row = update("operator").set("totp_step", step).set("totp_failures", 0_i64).when("id", id);
    session.run(row).await.map(|_| ())
}

/// Counts a wrong code.
pub async fn note_wrong(session: &mut Session, id: OperatorId) -> Result<()> {
    session.run(update("operator").add("totp_failures", 1_i64).when("id", id)).await.map(|_| ())
}

/// Replaces the recovery codes.
pub async fn replace_codes(
    session: &mut Session,
    id: OperatorId,
    marks: Vec<String>,
) -> Result<()> {
    forget_codes(session, id).await?;
    let mut rows = insert("operator_recovery_code");
    for mark in marks {
        rows = rows.set("operator_id", id).set("hash", mark).row();
    }
    session.add(rows).await
}

async fn forget_codes(session: &mut Session, id: OperatorId) -> Result<()> {
    let all = sql("DELETE FROM operator_recovery_code WHERE operator_id = $1").bind(id);
    session.run(all).await.map(|_| ())
}

/// Uses a recovery code up; whether it was one.
pub async fn use_code(session: &mut Session, id: OperatorId, mark: String) -> Result<bool> {
    let one = sql("DELETE FROM operator_recovery_code WHERE operator_id = $1 AND hash = $2");
    Ok(session.run(one.bind(id).bind(mark)).await? == 1)
}
