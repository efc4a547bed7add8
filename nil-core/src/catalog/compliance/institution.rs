//! Colleges, portal users, settings.

use crate::auth::throttle::Throttle;
use crate::catalog::row::Method::Get;
use crate::catalog::row::{Entry, anyone};
use crate::institutions;

/// The rows of this group.
pub(super) fn rows() -> Vec<Entry> {
    vec![
        anyone(
            "compliance.college.list",
            Get,
            "/colleges",
            "list colleges (no authentication)",
            institutions::browsing::list,
        )
        .throttled(Throttle::Public),
    ]
}
