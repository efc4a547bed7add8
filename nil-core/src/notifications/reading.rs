//! Users read what they were told in the application.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Activity;
use super::notification::Notification;
use super::store::notification as store;
use crate::auth::User;
use crate::error::{Result, codes};
use crate::kernel::{Feed, Limit, Nothing, NotificationId};
use crate::operation::{Cx, Done};

/// Which part of the feed.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Fetch {
    /// At most so many.
    pub limit: Option<Limit>,
    /// Only what is older than this notification.
    pub before_id: Option<NotificationId>,
    /// Only what has not been read.
    pub unread: Option<bool>,
}

/// What stands beside the feed.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct Unread {
    /// How many of the caller's notifications have not been read, on this page or not.
    pub unread_count: i64,
}

/// The caller's notifications, newest first.
pub async fn fetch(cx: Cx<User>, input: Fetch) -> Result<Feed<Notification, Unread>> {
    let limit = input.limit.unwrap_or_default();
    let user = cx.caller.user_id;
    let unread = input.unread.unwrap_or(false);
    let mut session = cx.read().await?;
    let found = store::feed(&mut session, user, input.before_id, unread, limit).await?;
    let unread_count = store::unread(&mut session, user).await?;
    Ok(found.with(Unread { unread_count }))
}

/// One of the caller's notifications.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct OneNotification {
    /// The notification.
    pub id: NotificationId,
}

/// Marks one of the caller's notifications read; what was read before stays read since then.
pub async fn mark_read(cx: Cx<User>, input: OneNotification) -> Result<Done<Notification>> {
    let mut work = cx.begin().await?;
    let user = cx.caller.user_id;
    let marked = store::mark(&mut work, input.id, user, cx.now()).await?;
    let notification = store::of_user(&mut work, input.id, user).await?.ok_or(codes::NOT_FOUND)?;
    if marked {
        work.touch(user, Activity::Notifications);
        work.note(notification.id, "read");
    }
    work.done(notification).await
}

/// How many were marked.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct Marked {
    /// How many notifications had not been read before.
    pub read: u64,
}

/// Marks all of the caller's notifications read.
pub async fn mark_all_read(cx: Cx<User>, _: Nothing) -> Result<Done<Marked>> {
    let mut work = cx.begin().await?;
    let user = cx.caller.user_id;
    let read = store::mark_all(&mut work, user, cx.now()).await?;
    if read > 0 {
        work.touch(user, Activity::Notifications);
        work.note(user, "notifications_read");
    }
    work.done(Marked { read }).await
}
