//! The recipients of messages.

use chrono_tz::Tz;

use super::super::outbox::Recipient;
use crate::error::Result;
use crate::kernel::OperatorId;
use crate::notifications::Digest;
use crate::storage::{FromRow, Session, sql};

/// A recipient.
#[derive(Clone, Debug, FromRow)]
pub struct Person {
    /// Their first name.
    pub first_name: Option<String>,
    pub email: Option<String>,
    pub phone: Option<String>,
    /// Their institution's time zone, if they belong to one.
    time_zone: Option<String>,
    /// The choice of digest of a portal user's institution.
    digest: Option<Digest>,
}

impl Person {
    /// Their time zone, as far as known.
    pub fn zone(&self) -> Option<Tz> {
        self.time_zone.as_deref()?.parse().ok()
    }

    /// Whether their events are collected for a daily or weekly digest.
    pub fn is_told_together(&self) -> bool {
        matches!(self.digest, Some(Digest::Daily | Digest::Weekly))
    }
}

/// The recipient; none if the account is gone.
pub async fn find(session: &mut Session, who: &Recipient) -> Result<Option<Person>> {
    match who {
        Recipient::User(id) => {
            session
                .first(
                    sql("SELECT u.first_name, u.email, u.phone, c.time_zone, \
                         CAST(NULL AS TEXT) AS digest FROM app_user u \
                         LEFT JOIN athlete a ON a.user_id = u.id \
                         LEFT JOIN fan f ON f.user_id = u.id \
                         LEFT JOIN college c ON c.id = COALESCE(a.university_id, f.university_id) \
                         WHERE u.id = $1 AND u.status <> 'deactivated'")
                    .bind(*id),
                )
                .await
        }
        Recipient::Portal(id) => {
            session
                .first(
                    sql("SELECT p.name AS first_name, p.email, CAST(NULL AS TEXT) AS phone, \
                         c.time_zone, s.digest FROM portal_user p \
                         JOIN college c ON c.id = p.college_id \
                         LEFT JOIN college_setting s ON s.college_id = c.id \
                         WHERE p.id = $1")
                    .bind(*id),
                )
                .await
        }
        Recipient::Email(address) => Ok(Some(Person {
            first_name: None,
            email: Some(address.clone()),
            phone: None,
            time_zone: None,
            digest: None,
        })),
    }
}

/// An operator's address.
pub async fn operators_address(session: &mut Session, id: OperatorId) -> Result<String> {
    session.value(sql("SELECT email FROM operator WHERE id = $1").bind(id)).await
}
