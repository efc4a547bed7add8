//! Notifications and live events.

use crate::catalog::row::Method::Get;
use crate::catalog::row::{Entry, user};
use crate::notifications::activity;

/// The rows of this group.
pub(super) fn rows() -> Vec<Entry> {
    vec![user(
        "core.notification.activity_tokens",
        Get,
        "/getUpdateActivityTokenList",
        "the update activity tokens of the caller",
        activity::tokens,
    )]
}
