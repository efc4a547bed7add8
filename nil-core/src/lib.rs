//! The domain of an open platform for college-athlete sponsorship: accounts, jobs, contracts,
//! deliverables, payments, and the universities' view of them.
//!
//! Every endpoint is one typed operation; the servers, the command line and the documents are
//! generated from the [`catalog`]. A Rust service opens a [`Platform`] and calls operations as
//! functions.
//!
//! ```no_run
//! # async fn f(config: nil_core::Config, brand: nil_core::auth::Partner) -> nil_core::Result<()> {
//! use nil_core::api::core::job;
//! let platform = nil_core::open(config).await?;
//! let input = serde_json::from_str("{}").expect("a job");
//! let saved = platform.call(brand, job::save, input).await?;
//! # Ok(()) }
//! ```
//!
//! [`api`] has every operation under its name; [`catalog`] describes them all.
//!
//! The code is in five packages, so that an edit compiles only what stands on it: `nil-ground`
//! (what no domain is in), `nil-parties`, `nil-business`, `nil-domain` and `nil-http`. Programs
//! need only this one.

pub mod api;

pub use nil_domain::{
    accounts, affiliate, agents, announcements, assistant, backoffice, catalog, compensation,
    content, content_library, contracts, cron, dashboard, deal_folder, deals, departures,
    disclosures, dossiers, editorial, figures, files, filings, institutions, jobs, live,
    marketplace, messaging, open, opening, orders, payments, reports, rosters, seed, takeout,
    worker,
};
pub use nil_ground::{
    Config, Cx, Done, Error, Platform, Result, auth, config, error, feed, kernel, keys, metering,
    notifications, operation, platform, ports, storage, throttle,
};
#[cfg(feature = "http")]
pub use nil_http as http;
