//! The Core interface: `/api`. One file per group; rows stand in the order and wording of the
//! specification's tables, what goes beyond it after them.

mod affiliate;
mod agents;
mod assistant;
mod athletes;
mod authentication;
mod chat;
mod deal_folder;
mod editorial;
mod files;
mod internal;
mod jobs;
mod notifications;
mod partners;
mod payments;
mod public;
mod registration;
mod rosters;
mod services;
mod subscriptions;

use super::row::Entry;

/// Every row, group by group.
pub(super) fn entries() -> Vec<Entry> {
    [
        authentication::rows(),
        registration::rows(),
        athletes::rows(),
        partners::rows(),
        agents::rows(),
        jobs::rows(),
        payments::rows(),
        subscriptions::rows(),
        chat::rows(),
        notifications::rows(),
        assistant::rows(),
        public::rows(),
        editorial::rows(),
        rosters::rows(),
        files::rows(),
        deal_folder::rows(),
        internal::rows(),
        affiliate::rows(),
        services::rows(),
    ]
    .into_iter()
    .flatten()
    .collect()
}
