//! Rosters, for everybody. All of it goes beyond the specification, which names the group only.

use crate::auth::throttle::Throttle;
use crate::catalog::Method::{Get, Post};
use crate::catalog::row::{Entry, anyone};
use crate::rosters::browsing;

/// The rows of this group.
pub(super) fn rows() -> Vec<Entry> {
    vec![
        anyone("core.roster.list", Post, "/rosters/list", "list published rosters", browsing::list),
        anyone(
            "core.roster.detail",
            Post,
            "/rosters/detail",
            "a published roster with its athletes",
            browsing::detail,
        ),
        anyone(
            "core.roster.page",
            Get,
            "/roster/{slug}",
            "a published roster at its address",
            browsing::named,
        ),
    ]
    .into_iter()
    .map(|row| row.throttled(Throttle::Public).extension())
    .collect()
}
