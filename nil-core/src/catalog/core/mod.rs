//! The Core interface: `/api`. Rows keep the order and wording of the specification's tables; extensions
//! follow.

mod affiliate;
mod agents;
mod assistant;
mod athletes;
mod authentication;
mod chat;
mod files;
mod internal;
mod jobs;
mod notifications;
mod partners;
mod payments;
mod public;
mod registration;
mod services;
mod subscriptions;

use super::table::{Entry, all};

/// Every row, group by group.
pub(super) fn entries() -> Vec<Entry> {
    all([
        authentication::rows(),
        registration::athletes(),
        registration::partners(),
        registration::agents(),
        registration::fans(),
        registration::others(),
        athletes::profiles(),
        athletes::deals(),
        athletes::beyond(),
        partners::specified(),
        partners::beyond(),
        agents::specified(),
        agents::beyond(),
        jobs::specified(),
        jobs::beyond(),
        payments::rows(),
        subscriptions::rows(),
        chat::rows(),
        notifications::rows(),
        assistant::clarification(),
        assistant::conversation(),
        assistant::drafts(),
        public::directory(),
        public::editorial(),
        public::rosters(),
        files::files(),
        files::folder(),
        files::direct_upload(),
        internal::tasks(),
        internal::tools(),
        affiliate::rows(),
        services::offers(),
        services::orders(),
    ])
}
