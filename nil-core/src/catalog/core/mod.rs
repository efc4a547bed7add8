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

use super::section::{
    AFFILIATE, AGENTS, ASSISTANT, ATHLETES, AUTHENTICATION, CHAT, DEAL_FOLDER, FILES, INTERNAL,
    JOBS, MARKETPLACE, PARTNERS, PAYMENTS, PUBLIC, REGISTRATION, ROSTERS, SUBSCRIPTIONS, TOOLS,
};
use super::table::{Entry, all, section};

/// Every row, group by group.
pub(super) fn entries() -> Vec<Entry> {
    all([
        section(&AUTHENTICATION, authentication::rows()),
        section(
            &REGISTRATION,
            all([
                registration::athletes(),
                registration::partners(),
                registration::agents(),
                registration::fans(),
                registration::others(),
            ]),
        ),
        section(&ATHLETES, all([athletes::profiles(), athletes::deals(), athletes::beyond()])),
        section(&PARTNERS, all([partners::specified(), partners::beyond()])),
        section(&AGENTS, all([agents::specified(), agents::beyond()])),
        section(&JOBS, all([jobs::specified(), jobs::beyond()])),
        section(&PAYMENTS, payments::rows()),
        section(&SUBSCRIPTIONS, subscriptions::rows()),
        section(&CHAT, all([chat::rows(), notifications::rows()])),
        section(
            &ASSISTANT,
            all([assistant::clarification(), assistant::conversation(), assistant::drafts()]),
        ),
        section(&PUBLIC, all([public::directory(), public::editorial()])),
        section(&ROSTERS, public::rosters()),
        section(&FILES, files::files()),
        section(&DEAL_FOLDER, all([files::folder(), files::direct_upload()])),
        section(&INTERNAL, internal::tasks()),
        section(&TOOLS, internal::tools()),
        section(&AFFILIATE, affiliate::rows()),
        section(&MARKETPLACE, all([services::offers(), services::orders()])),
    ])
}
