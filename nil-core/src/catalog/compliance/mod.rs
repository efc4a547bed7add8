//! The Compliance interface: `/api/compliance`. Rows keep the order and wording of the specification's
//! tables; extensions follow.

mod access;
mod athletes;
mod disclosures;
mod filings;
mod institution;
mod transactions;

use super::table::{Entry, all};

/// Every row, group by group.
pub(super) fn entries() -> Vec<Entry> {
    all([
        access::rows(),
        transactions::rows(),
        athletes::rows(),
        transactions::analytics(),
        institution::rows(),
        filings::rows(),
        institution::preferences(),
        disclosures::rows(),
        institution::oversight(),
    ])
}
