//! The Admin interface: `/admin`. Rows keep the order and wording of the specification's tables;
//! extensions follow.

mod access;
mod accounts;
mod content;
mod disputes;
mod jobs;
mod messaging;
mod money;
mod processor;
mod site;

use super::features::part_of;
use super::section::{
    ACCOUNTS, ANNOUNCEMENTS, CONTENT, EDITORIAL, EXPORTS, JOB_ADMINISTRATION, MONEY, OPERATORS,
    PLANS, ROSTERS, SITE, SUPPORT, TEMPLATES, UNIVERSITIES,
};
use super::table::{Entry, all, section};
use crate::kernel::Feature;

/// Every row, group by group.
pub(super) fn entries() -> Vec<Entry> {
    all([
        section(&OPERATORS, access::rows()),
        section(&OPERATORS, access::operators()),
        section(&ACCOUNTS, accounts::of_athletes()),
        section(&ACCOUNTS, accounts::of_partners()),
        section(&ACCOUNTS, accounts::of_agents()),
        section(&ACCOUNTS, accounts::of_any_kind()),
        section(&JOB_ADMINISTRATION, jobs::rows()),
        section(&MONEY, money::payments()),
        section(&MONEY, disputes::rows()),
        section(&MONEY, money::books()),
        section(&MONEY, processor::differences()),
        section(&MONEY, processor::requests()),
        section(&MONEY, money::taxes()),
        section(&SUPPORT, messaging::support()),
        section(&UNIVERSITIES, accounts::universities()),
        section(&CONTENT, content::folders()),
        section(&CONTENT, content::items()),
        section(&TEMPLATES, messaging::templates()),
        section(&TEMPLATES, messaging::undeliverable()),
        section(&SITE, site::rows()),
        section(&PLANS, part_of(Feature::Subscriptions, money::plans())),
        section(&ANNOUNCEMENTS, messaging::announcements()),
        section(&ROSTERS, part_of(Feature::Rosters, content::rosters())),
        section(&EDITORIAL, content::editorial()),
        section(&EXPORTS, money::exports()),
    ])
}
