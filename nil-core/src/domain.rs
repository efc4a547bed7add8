//! What looks over all domains, what runs beside them, and the catalog of operations; with the
//! packages below it, whose domains it shows. Programs use `nil-core`, which shows of it what is
//! meant for them.

pub mod announcements;
pub mod assistant;
pub mod catalog;
pub mod checkup;
pub mod cron;
pub mod dashboard;
pub mod deal_folder;
pub mod departures;
pub mod dossiers;
pub mod figures;
pub mod files;
pub mod filings;
pub mod inbox;
pub mod keeping;
pub mod live;
pub mod opening;
pub mod reports;
pub mod rosters;
pub mod seed;
pub mod squad_lists;
pub mod takeout;
pub mod webhooks;
pub mod worker;

pub use nil_business::{
    affiliate, agents, compensation, contracts, deals, disclosures, jobs, marketplace, orders,
    payments,
};
pub use nil_parties::{
    accounts, backoffice, calendar, content, content_library, editorial, institutions, messaging,
    people,
};
pub use opening::open;

use nil_ground::{
    auth, config, error, export, feed, kernel, keys, metering, notifications, operation, platform,
    ports, schedule, storage, throttle, wording,
};
