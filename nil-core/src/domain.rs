//! The domains, the catalog of their operations, and what runs beside them. Programs use `nil-core`, which shows of it
//! what is meant for them.

pub mod accounts;
pub mod affiliate;
pub mod agents;
pub mod announcements;
pub mod assistant;
pub mod backoffice;
pub mod catalog;
pub mod compensation;
pub mod content;
pub mod content_library;
pub mod contracts;
pub mod cron;
pub mod dashboard;
pub mod deal_folder;
pub mod deals;
pub mod departures;
pub mod disclosures;
pub mod dossiers;
pub mod editorial;
pub mod figures;
pub mod files;
pub mod filings;
pub mod institutions;
pub mod jobs;
pub mod live;
pub mod marketplace;
pub mod messaging;
pub mod opening;
pub mod orders;
pub mod payments;
pub mod people;
pub mod reports;
pub mod rosters;
#[cfg(test)]
#[path = "contracts/document/scratch.rs"]
mod scratch;
pub mod seed;
pub mod takeout;
pub mod worker;

pub use opening::open;

use nil_ground::{
    auth, config, document, error, export, feed, kernel, keys, metering, notifications, operation,
    platform, ports, schedule, storage, throttle, wording,
};
