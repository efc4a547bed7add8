//! Notifications.

use crate::auth::Role;
use crate::catalog::Method::{Get, Post};
use crate::catalog::row::{Entry, portal};
use crate::notifications::preferring;

/// The rows of this group.
pub(super) fn rows() -> Vec<Entry> {
    vec![
        portal(
            Role::Viewer,
            "compliance.notification.preferences",
            Get,
            "/getMyNotificationPreference",
            "read notification preferences",
            preferring::list_of_portal,
        ),
        portal(
            Role::Viewer,
            "compliance.notification.save_preferences",
            Post,
            "/saveMyNotificationPreference",
            "update notification preferences",
            preferring::save_of_portal,
        )
        .says("Preferences saved"),
    ]
}
