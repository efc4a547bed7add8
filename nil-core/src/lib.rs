//! The domain of an open platform for college-athlete sponsorship: accounts, jobs, contracts, deliverables, payments,
//! and the universities' view of them.
//!
//! Every endpoint is one typed operation; the servers, the command line and the documents are generated from the
//! [`catalog`]. A Rust service opens a [`Platform`] and calls operations as functions.

pub mod accounts;
pub mod affiliate;
pub mod agents;
pub mod announcements;

pub mod assistant;
pub mod auth;
pub mod backoffice;
pub mod catalog;
pub mod compensation;
pub mod config;
pub mod content;
pub mod content_library;
pub mod contracts;
pub mod cron;
pub mod dashboard;
pub mod deal_folder;
pub mod deals;
pub mod departures;
pub mod disclosures;
mod document;
pub mod dossiers;
pub mod editorial;
pub mod error;
mod export;
pub mod feed;
pub mod figures;
pub mod files;
pub mod filings;
#[cfg(feature = "http")]
pub mod http;
pub mod institutions;
pub mod jobs;
pub mod kernel;
pub mod keys;
pub mod live;
pub mod marketplace;
pub mod messaging;
pub mod metering;
pub mod notifications;
mod opening;
pub mod operation;
pub mod orders;
pub mod payments;
mod people;
pub mod platform;
pub mod ports;
pub mod reports;
pub mod rosters;
mod schedule;
pub mod seed;
pub mod storage;
pub mod takeout;
pub mod throttle;
mod wording;
pub mod worker;

pub use config::Config;
pub use error::{Error, Result};
pub use operation::{Cx, Done};
pub use platform::Platform;
