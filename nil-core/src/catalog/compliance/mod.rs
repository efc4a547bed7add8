//! The Compliance interface: `/api/compliance`. One file per group; rows stand in the order and wording of the
//! specification's tables, what goes beyond it after them.

mod access;
mod athletes;
mod disclosures;
mod filings;
mod institution;
mod notifications;
mod transactions;

use super::row::Entry;

/// Every row, group by group.
pub(super) fn entries() -> Vec<Entry> {
    [
        access::rows(),
        transactions::rows(),
        athletes::rows(),
        transactions::analytics(),
        institution::rows(),
        filings::rows(),
        notifications::rows(),
        disclosures::rows(),
        institution::oversight(),
    ]
    .into_iter()
    .flatten()
    .collect()
}
