//! Transactions.

use crate::auth::Role;
use crate::catalog::Method::Get;
use crate::catalog::row::{Entry, portal};
use crate::payments;

/// The rows of this group.
pub(super) fn rows() -> Vec<Entry> {
    vec![portal(
        Role::Viewer,
        "compliance.transaction.list",
        Get,
        "/transactions",
        "list transactions with filters",
        payments::reviewing::list,
    )]
}
