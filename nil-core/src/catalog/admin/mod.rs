//! The Admin interface: `/admin`. One file per group; rows stand in the order and wording of the
//! specification's tables, what goes beyond it after them.

mod access;
mod accounts;
mod announcements;
mod editorial;
mod jobs;
mod money;
mod rosters;
mod subscriptions;
mod support;
mod universities;

use super::row::Entry;

/// Every row, group by group.
pub(super) fn entries() -> Vec<Entry> {
    [
        access::rows(),
        accounts::rows(),
        jobs::rows(),
        money::rows(),
        support::rows(),
        universities::rows(),
        subscriptions::rows(),
        announcements::rows(),
        rosters::rows(),
        editorial::rows(),
    ]
    .into_iter()
    .flatten()
    .collect()
}
