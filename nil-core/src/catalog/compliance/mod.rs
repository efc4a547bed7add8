//! The Compliance interface: `/api/compliance`. Rows keep the order and wording of the
//! specification's tables; extensions follow.

mod access;
mod athletes;
mod calendar;
mod disclosures;
mod filings;
mod institution;
mod sign_on;
mod squad_lists;
mod transactions;
mod webhooks;

use super::features::part_of;
use super::section::{
    ANALYTICS, CALENDAR, DISCLOSED, FILINGS, INSTITUTION, OVERSIGHT, PORTAL_ATHLETES,
    PORTAL_AUTHENTICATION, PREFERENCES, PUBLICATIONS, SQUAD_LISTS, TRANSACTIONS, WEBHOOKS,
};
use super::table::{Entry, all, section};
use crate::kernel::Feature;

/// Every row, group by group.
pub(super) fn entries() -> Vec<Entry> {
    all([
        section(&PORTAL_AUTHENTICATION, access::rows()),
        section(&PORTAL_AUTHENTICATION, sign_on::rows()),
        section(&TRANSACTIONS, transactions::rows()),
        section(&PORTAL_ATHLETES, athletes::rows()),
        section(&PORTAL_ATHLETES, athletes::folders()),
        section(&ANALYTICS, transactions::analytics()),
        section(&INSTITUTION, institution::rows()),
        section(&FILINGS, filings::rows()),
        section(&PREFERENCES, institution::preferences()),
        section(&DISCLOSED, disclosures::rows()),
        section(&OVERSIGHT, institution::oversight()),
        section(&PUBLICATIONS, transactions::publications()),
        section(&WEBHOOKS, part_of(Feature::Webhooks, webhooks::rows())),
        section(&CALENDAR, calendar::rows()),
        section(&SQUAD_LISTS, squad_lists::rows()),
    ])
}
