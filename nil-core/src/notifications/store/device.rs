//! The rows of devices.

use sea_query::{Expr, ExprTrait as _, Query};

use crate::error::Result;
use crate::kernel::{DeviceTokenId, Time, UserId};
use crate::notifications::device::{Device, DevicePlatform};
use crate::storage::{Session, Stored, insert, sql};

/// A device to store.
#[derive(Stored)]
pub struct NewDevice {
    #[row(rename = "user_id")]
    pub user: UserId,
    pub session: String,
    pub platform: DevicePlatform,
    pub name: Option<String>,
    #[row(rename = "token_mark")]
    pub mark: String,
    /// The marks that the token may have in other rows.
    #[row(skip)]
    pub earlier: Vec<String>,
    #[row(rename = "sealed_token")]
    pub sealed: Vec<u8>,
}

/// Stores a device; removes its token from other accounts, and under earlier marks.
pub async fn save(session: &mut Session, new: NewDevice, now: Time) -> Result<Device> {
    let another = Expr::col("user_id").ne(new.user.get()).or(Expr::col("token_mark").ne(&new.mark));
    let others = Query::delete()
        .from_table("device_token")
        .and_where(Expr::col("token_mark").is_in(&new.earlier))
        .and_where(another)
        .take();
    session.run(others).await?;
    session
        .one(
            insert("device_token")
                .with(new.columns())
                .set("created_at", now)
                .set("updated_at", now)
                .or_update(
                    &["token_mark"],
                    &["user_id", "session", "platform", "name", "sealed_token", "updated_at"],
                )
                .returning(&["id", "platform", "name", "created_at", "updated_at"]),
        )
        .await
}

/// A user's devices, the last updated first.
pub async fn of_user(session: &mut Session, user: UserId) -> Result<Vec<Device>> {
    session
        .all(
            sql("SELECT id, platform, name, created_at, updated_at FROM device_token \
                 WHERE user_id = $1 ORDER BY updated_at DESC, id DESC")
            .bind(user),
        )
        .await
}

/// Deletes all of a user's devices except the `most` last updated.
pub async fn forget_beyond(session: &mut Session, user: UserId, most: i64) -> Result<()> {
    session
        .run(
            sql("DELETE FROM device_token WHERE user_id = $1 AND id NOT IN \
                 (SELECT id FROM device_token WHERE user_id = $1 \
                 ORDER BY updated_at DESC, id DESC LIMIT $2)")
            .bind(user)
            .bind(most),
        )
        .await
        .map(|_| ())
}

/// Deletes the devices that a session of a user sent.
pub async fn forget_session(session: &mut Session, user: UserId, ended: &str) -> Result<()> {
    let given = sql("DELETE FROM device_token WHERE user_id = $1 AND session = $2");
    session.run(given.bind(user).bind(ended)).await.map(|_| ())
}

/// Deletes one device of a user, identified by its id, its mark or both; returns whether there was
/// one.
pub async fn forget(
    session: &mut Session,
    user: UserId,
    id: Option<DeviceTokenId>,
    marks: Option<Vec<String>>,
) -> Result<bool> {
    let mut query = Query::delete()
        .from_table("device_token")
        .and_where(Expr::col("user_id").eq(user.get()))
        .take();
    if let Some(id) = id {
        query.and_where(Expr::col("id").eq(id.get()));
    }
    if let Some(marks) = marks {
        query.and_where(Expr::col("token_mark").is_in(marks));
    }
    Ok(session.run(query).await? > 0)
}
