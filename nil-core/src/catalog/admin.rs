//! The Admin interface: `/admin`. Rows stand in the order and wording of the specification's tables.

use super::row::Method::Post;
use super::row::{Entry, operator};
use crate::auth::Permission::Accounts;
use crate::error::codes;
use crate::institutions;

/// Every row, group by group.
pub(super) fn entries() -> Vec<Entry> {
    [colleges()].into_iter().flatten().collect()
}

/// Colleges (extension: the specification lists them but lets nobody make one).
fn colleges() -> Vec<Entry> {
    vec![
        operator(
            Accounts,
            "admin.college.save",
            Post,
            "/college/save",
            "create or update a college",
            institutions::managing::save,
        )
        .extension()
        .says("College saved")
        .errors(&[codes::DUPLICATE]),
    ]
}
