//! The rows of portal registrations with unconfirmed e-mails.

use crate::auth::Role;
use crate::error::Result;
use crate::kernel::{CollegeId, Email, Time};
use crate::storage::{FromRow, Session, Stored, insert, sql};

/// A registration to make.
#[derive(Debug, Stored)]
pub struct NewPortalRegistration {
    pub college_id: CollegeId,
    pub email: Email,
    pub name: String,
    pub role: Role,
    /// None if the e-mail already belongs to a portal user: the registration cannot succeed.
    pub password_hash: Option<String>,
    pub expires_at: Time,
}

/// Adds a registration and returns its id.
pub async fn add(session: &mut Session, new: NewPortalRegistration, now: Time) -> Result<i64> {
    let (id,): (i64,) = session
        .one(
            insert("portal_registration")
                .with(new.columns())
                .set("created_at", now)
                .returning(&["id"]),
        )
        .await?;
    Ok(id)
}

/// A registration whose e-mail is confirmed.
#[derive(Debug, FromRow)]
pub struct PortalRegistration {
    pub college_id: CollegeId,
    pub email: String,
    pub name: String,
    pub password_hash: Option<String>,
    pub role: Role,
}

/// Removes the registration and returns it.
pub async fn take(session: &mut Session, id: i64) -> Result<Option<PortalRegistration>> {
    session
        .first(
            sql("DELETE FROM portal_registration WHERE id = $1 \
                 RETURNING college_id, email, name, password_hash, role")
            .bind(id),
        )
        .await
}
