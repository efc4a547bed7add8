//! The rows of institutions' settings.

use crate::error::Result;
use crate::institutions::settings::Digest;
use crate::kernel::{CollegeId, Time};
use crate::storage::{FromRow, Session, Stored, insert, sql};

/// An institution's settings besides its rules.
#[derive(Clone, Debug, FromRow, Stored)]
pub struct SettingRow {
    pub digest: Digest,
    pub contact_email: Option<String>,
    pub logo_url: Option<String>,
    pub smallest_group: i64,
    pub created_at: Time,
    pub updated_at: Time,
}

/// An institution's settings; `None` if none were saved.
pub async fn find(session: &mut Session, college: CollegeId) -> Result<Option<SettingRow>> {
    session
        .first(
            sql("SELECT digest, contact_email, logo_url, smallest_group, created_at, \
                 updated_at FROM college_setting WHERE college_id = $1")
            .bind(college),
        )
        .await
}

/// Saves an institution's settings.
pub async fn save(session: &mut Session, college: CollegeId, row: &SettingRow) -> Result<()> {
    session
        .run(insert("college_setting").with(row.columns()).set("college_id", college).or_update(
            &["college_id"],
            &["digest", "contact_email", "logo_url", "smallest_group", "updated_at"],
        ))
        .await
        .map(|_| ())
}

/// The institution's time zone.
pub async fn time_zone(session: &mut Session, college: CollegeId) -> Result<String> {
    session.value(sql("SELECT time_zone FROM college WHERE id = $1").bind(college)).await
}

/// The institution's time zone; its row stays locked, so that its settings are saved one after the
/// other.
pub async fn locked_time_zone(session: &mut Session, college: CollegeId) -> Result<String> {
    let row = sql("SELECT time_zone FROM college WHERE id = $1");
    session.value(row.locking("FOR NO KEY UPDATE").bind(college)).await
}

/// The institution's name and its time zone.
pub async fn name_and_zone(session: &mut Session, college: CollegeId) -> Result<(String, String)> {
    session.one(sql("SELECT name, time_zone FROM college WHERE id = $1").bind(college)).await
}

/// Changes an institution's time zone.
pub async fn set_time_zone(
    session: &mut Session,
    college: CollegeId,
    zone: &str,
    now: Time,
) -> Result<()> {
    session
        .change(
            sql("UPDATE college SET time_zone = $2, updated_at = $3 WHERE id = $1")
                .bind(college)
                .bind(zone)
                .bind(now),
        )
        .await
}
