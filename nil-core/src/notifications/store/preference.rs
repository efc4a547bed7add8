//! The rows of preferences.

use sea_query::{Expr, Query};

use super::super::preference::NotificationPreference;
use crate::error::Result;
use crate::kernel::Time;
use crate::storage::{Among as _, FromRow, Session, insert, sql};

/// The choices of an owner.
pub async fn of_owner(session: &mut Session, owner: &str) -> Result<Vec<NotificationPreference>> {
    session
        .all(
            sql("SELECT event, email, sms, in_app FROM notification_preference WHERE owner = $1")
                .bind(owner),
        )
        .await
}

/// The choices of several owners, each with the owner's key.
pub async fn of_owners(
    session: &mut Session,
    owners: &[&str],
) -> Result<Vec<(String, NotificationPreference)>> {
    #[derive(FromRow)]
    struct Chosen {
        owner: String,
        #[row(flatten)]
        preference: NotificationPreference,
    }
    if owners.is_empty() {
        return Ok(Vec::new());
    }
    let query = Query::select()
        .columns(["owner", "event", "email", "sms", "in_app"])
        .from("notification_preference")
        .and_where(Expr::col("owner").among(owners.iter().copied()))
        .take();
    let found: Vec<Chosen> = session.all(query).await?;
    let pair = |one: Chosen| (one.owner, one.preference);
    Ok(found.into_iter().map(pair).collect())
}

/// Stores an owner's choices.
pub async fn save(
    session: &mut Session,
    owner: &str,
    all: &[NotificationPreference],
    now: Time,
) -> Result<()> {
    if all.is_empty() {
        return Ok(());
    }
    let mut rows = insert("notification_preference");
    for one in all {
        rows = rows
            .set("owner", owner)
            .set("event", one.event)
            .set("email", one.email)
            .set("sms", one.sms)
            .set("in_app", one.in_app)
            .set("updated_at", now)
            .row();
    }
    let rows = rows.or_update(&["owner", "event"], &["email", "sms", "in_app", "updated_at"]);
    session.run(rows).await.map(|_| ())
}
