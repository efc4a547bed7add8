//! The Core interface: `/api`. Rows keep the order and wording of the specification's tables;
//! extensions follow.

mod affiliate;
mod agents;
mod assistant;
mod athletes;
mod authentication;
mod calendar;
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
mod webhooks;

use super::features::part_of;
use super::section::{
    AFFILIATE, AGENTS, ASSISTANT, ATHLETES, AUTHENTICATION, CALENDAR, CHAT, DEAL_FOLDER, FILES,
    INTERNAL, JOBS, MARKETPLACE, PARTNERS, PAYMENTS, PUBLIC, REGISTRATION, ROSTERS, SUBSCRIPTIONS,
    TOOLS, WEBHOOKS,
};
use super::table::{Entry, all, section};
use crate::kernel::Feature;

/// Every row, group by group.
pub(super) fn entries() -> Vec<Entry> {
    all([
        section(&AUTHENTICATION, authentication::rows()),
        section(
            &REGISTRATION,
            all([
                part_of(Feature::AthleteRegistration, registration::athletes()),
                part_of(Feature::PartnerRegistration, registration::partners()),
                part_of(Feature::AgentRegistration, registration::agents()),
                part_of(Feature::FanRegistration, registration::fans()),
                registration::others(),
            ]),
        ),
        section(&ATHLETES, all([athletes::profiles(), athletes::deals(), athletes::beyond()])),
        section(&PARTNERS, all([partners::specified(), partners::beyond()])),
        section(&AGENTS, all([agents::specified(), agents::beyond()])),
        section(&JOBS, all([jobs::specified(), jobs::beyond()])),
        section(&PAYMENTS, payments::rows()),
        section(&SUBSCRIPTIONS, part_of(Feature::Subscriptions, subscriptions::rows())),
        section(&CHAT, all([chat::rows(), notifications::rows()])),
        section(
            &ASSISTANT,
            part_of(
                Feature::Assistant,
                all([assistant::clarification(), assistant::conversation(), assistant::drafts()]),
            ),
        ),
        section(&PUBLIC, all([public::directory(), public::editorial()])),
        section(&ROSTERS, part_of(Feature::Rosters, public::rosters())),
        section(&FILES, files::files()),
        section(
            &DEAL_FOLDER,
            part_of(Feature::DealFolder, all([files::folder(), files::direct_upload()])),
        ),
        section(&INTERNAL, internal::tasks()),
        section(&TOOLS, part_of(Feature::Assistant, internal::tools())),
        section(&AFFILIATE, part_of(Feature::AffiliateLinks, affiliate::rows())),
        section(
            &MARKETPLACE,
            part_of(Feature::Services, all([services::offers(), services::orders()])),
        ),
        section(&WEBHOOKS, part_of(Feature::Webhooks, webhooks::rows())),
        section(&CALENDAR, calendar::rows()),
    ])
}
