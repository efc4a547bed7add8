//! Users read their notifications in the application.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::FeedKind;
use super::notification::Notification;
use super::store::notification as store;
use crate::auth::User;
use crate::error::Result;
use crate::kernel::{Feed, Limit, Nothing, NotificationId};
use crate::operation::{Cx, Done};

/// The part of the feed to read.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Fetch {
    /// The maximum number of notifications.
    pub limit: Option<Limit>,
    /// Only notifications older than this one.
    pub before_id: Option<NotificationId>,
    /// Only unread ones.
    pub unread: Option<bool>,
}

/// Fields beside the feed.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct UnreadCount {
    /// The number of all unread notifications of the caller.
    pub unread_count: i64,
}

/// The caller's notifications, newest first.
pub async fn fetch(cx: Cx<User>, input: Fetch) -> Result<Feed<Notification, UnreadCount>> {
    let limit = input.limit.unwrap_or_default();
    let user = cx.caller.user_id;
    let unread = input.unread.unwrap_or(false);
    let mut session = cx.read().await?;
    let found = store::feed(&mut session, user, input.before_id, unread, limit).await?;
    let unread_count = store::unread(&mut session, user).await?;
    Ok(found.with(UnreadCount { unread_count }))
}

/// One of the caller's notifications.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct OneNotification {
    /// The notification.
    pub id: NotificationId,
}

/// Marks one of the caller's notifications read; one that was read before keeps its time.
pub async fn mark_read(cx: Cx<User>, input: OneNotification) -> Result<Done<Notification>> {
    let mut work = cx.begin().await?;
    let user = cx.caller.user_id;
    let marked = store::mark(&mut work, input.id, user, cx.now()).await?;
    let notification = store::of_user(&mut work, input.id, user).await?;
    if marked {
        work.touch(user, FeedKind::Notifications);
        work.note(notification.id, "read");
    }
    work.done(notification).await
}

/// The number of notifications marked.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Marked {
    /// The number of notifications that were unread before.
    pub read: u64,
}

/// Marks all of the caller's notifications read.
pub async fn mark_all_read(cx: Cx<User>, _: Nothing) -> Result<Done<Marked>> {
    let mut work = cx.begin().await?;
    let user = cx.caller.user_id;
    let read = store::mark_all(&mut work, user, cx.now()).await?;
    if read > 0 {
        work.touch(user, FeedKind::Notifications);
        work.note(user, "notifications_read");
    }
    work.done(Marked { read }).await
}
