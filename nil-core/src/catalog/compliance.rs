//! The Compliance interface: `/api/compliance`. Rows stand in the order and wording of the
//! specification's tables.

use super::row::Method::Get;
use super::row::{Entry, portal};
use crate::auth::Role::Viewer;
use crate::payments;

/// Every row, group by group.
pub(super) fn entries() -> Vec<Entry> {
    [transactions()].into_iter().flatten().collect()
}

/// What the institution's athletes are paid.
fn transactions() -> Vec<Entry> {
    vec![portal(
        Viewer,
        "compliance.transaction.list",
        Get,
        "/transactions",
        "list transactions with filters",
        payments::reviewing::list,
    )]
}
