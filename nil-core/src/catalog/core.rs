//! The Core interface: `/api`. Rows stand in the order and wording of the specification's tables.

use super::row::Method::Post;
use super::row::{Entry, anyone};
use crate::auth::throttle::Throttle;
use crate::institutions;

/// Every row, group by group.
pub(super) fn entries() -> Vec<Entry> {
    [public()].into_iter().flatten().collect()
}

/// No authentication.
fn public() -> Vec<Entry> {
    vec![
        anyone(
            "core.public.colleges",
            Post,
            "/listColleges",
            "list colleges and universities",
            institutions::browsing::list,
        )
        .throttled(Throttle::Public),
    ]
}
