//! Notifications, preferences, live events.

use crate::catalog::Method::{Get, Post};
use crate::catalog::row::{Entry, user};
use crate::error::codes;
use crate::notifications::live::following;
use crate::notifications::{activity, devices, preferring, reading};

/// The rows of this group.
pub(super) fn rows() -> Vec<Entry> {
    vec![
        user(
            "core.notification.list",
            Post,
            "/fetchNotifications",
            "in-app notifications of the current user",
            reading::fetch,
        ),
        user(
            "core.notification.mark_read",
            Post,
            "/updateReadNotification",
            "mark one notification read",
            reading::mark_read,
        )
        .owned()
        .says("Notification read"),
        user(
            "core.notification.mark_all_read",
            Post,
            "/updateReadNotificationAll",
            "mark all notifications read",
            reading::mark_all_read,
        )
        .says("Notifications read"),
        user(
            "core.notification.preferences",
            Get,
            "/getMyNotificationPreference",
            "read notification preferences",
            preferring::list,
        ),
        user(
            "core.notification.save_preferences",
            Post,
            "/saveMyNotificationPreference",
            "save notification preferences",
            preferring::save,
        )
        .says("Preferences saved"),
        user(
            "core.notification.set_all_sms",
            Post,
            "/updateAllSMSNotificationStatus",
            "switch all SMS notifications on or off",
            preferring::set_all_sms,
        )
        .says("Preferences saved"),
        user(
            "core.notification.activity_tokens",
            Get,
            "/getUpdateActivityTokenList",
            "the update activity tokens of the caller",
            activity::tokens,
        ),
        user(
            "core.events.follow",
            Get,
            "/events",
            "server-sent events of the caller's own feed",
            following::follow,
        )
        .extension()
        .errors(&[codes::TOO_MANY_STREAMS]),
        user(
            "core.device.save",
            Post,
            "/device-tokens/save",
            "keep a device for push messages",
            devices::save,
        )
        .extension()
        .says("Device saved"),
        user(
            "core.device.forget",
            Post,
            "/device-tokens/delete",
            "forget a device",
            devices::forget,
        )
        .extension()
        .owned()
        .says("Device forgotten"),
        user("core.device.list", Get, "/device-tokens", "the caller's devices", devices::list)
            .extension(),
    ]
}
