//! The rows of users' own quiet hours.

use std::collections::HashMap;

use sea_query::{Expr, Query};

use crate::error::{Error, Result};
use crate::kernel::{Text, Time};
use crate::notifications::quiet::OwnQuietHours;
use crate::storage::{Among as _, FromRow, Session, insert, sql};

#[derive(FromRow)]
struct Found {
    owner: String,
    from_time: String,
    to_time: String,
    time_zone: String,
}

impl Found {
    fn read(self) -> Result<(String, OwnQuietHours)> {
        let hours = OwnQuietHours {
            from: self.from_time.parse().map_err(Error::internal)?,
            to: self.to_time.parse().map_err(Error::internal)?,
            time_zone: Text::new(self.time_zone).map_err(Error::internal)?,
        };
        Ok((self.owner, hours))
    }
}

/// The choices of these owners, by the owner's key.
pub async fn of_owners(
    session: &mut Session,
    owners: impl IntoIterator<Item = &str>,
) -> Result<HashMap<String, OwnQuietHours>> {
    let query = Query::select()
        .columns(["owner", "from_time", "to_time", "time_zone"])
        .from("quiet_hours")
        .and_where(Expr::col("owner").among(owners))
        .take();
    let found: Vec<Found> = session.all(query).await?;
    found.into_iter().map(Found::read).collect()
}

/// The choice of an owner.
pub async fn of_owner(session: &mut Session, owner: &str) -> Result<Option<OwnQuietHours>> {
    Ok(of_owners(session, [owner]).await?.remove(owner))
}

/// Stores an owner's choice; `None` returns to the site's hours.
pub async fn save(
    session: &mut Session,
    owner: &str,
    hours: Option<&OwnQuietHours>,
    now: Time,
) -> Result<()> {
    let Some(hours) = hours else {
        let row = sql("DELETE FROM quiet_hours WHERE owner = $1").bind(owner);
        return session.run(row).await.map(|_| ());
    };
    let row = insert("quiet_hours")
        .set("owner", owner)
        .set("from_time", hours.from.to_string())
        .set("to_time", hours.to.to_string())
        .set("time_zone", hours.time_zone.to_string())
        .set("updated_at", now)
        .or_update(&["owner"], &["from_time", "to_time", "time_zone", "updated_at"]);
    session.run(row).await.map(|_| ())
}
