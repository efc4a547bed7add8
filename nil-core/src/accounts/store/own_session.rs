//! The rows of somebody's own sessions.

use crate::auth::Audience;
use crate::auth::operator_hours::idle_since;
use crate::error::Result;
use crate::kernel::Time;
use crate::storage::{Row, Session, sql};

/// The newest valid sessions of an account, without those of operators who act as it; at most 100.
/// An operator's session that is idle is no longer valid.
pub async fn list<T: Row>(
    session: &mut Session,
    (audience, subject): (Audience, i64),
    current: &str,
    now: Time,
) -> Result<Vec<T>> {
    session
        .all(
            sql("SELECT id, address, created_at, used_at, expires_at, id = $1 AS current \
                 FROM session WHERE audience = $2 AND subject_id = $3 AND expires_at > $4 \
                 AND (audience <> 'admin' OR used_at > $5) AND impersonation_id IS NULL \
                 ORDER BY created_at DESC, id LIMIT 100")
            .bind(current)
            .bind(audience)
            .bind(subject)
            .bind(now)
            .bind(idle_since(now)),
        )
        .await
}

/// Ends a session, if it is this account's; returns how many ended.
pub async fn end(session: &mut Session, audience: Audience, subject: i64, id: &str) -> Result<u64> {
    session
        .run(
            sql("DELETE FROM session WHERE id = $1 AND audience = $2 AND subject_id = $3")
                .bind(id)
                .bind(audience)
                .bind(subject),
        )
        .await
}
