//! The Admin interface: `/admin`. Rows keep the order and wording of the specification's tables; extensions
//! follow.

mod access;
mod accounts;
mod content;
mod jobs;
mod messaging;
mod money;

use super::table::{Entry, all};

/// Every row, group by group.
pub(super) fn entries() -> Vec<Entry> {
    all([
        access::rows(),
        accounts::rows(),
        jobs::rows(),
        money::rows(),
        messaging::support(),
        accounts::universities(),
        money::plans(),
        messaging::announcements(),
        content::rosters(),
        content::editorial(),
    ])
}
