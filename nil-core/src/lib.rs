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
//! [`api`] has every operation under its name; [`catalog`] describes them all. Their inputs and
//! answers are in the folders of the domains, such as [`jobs`] and [`payments`]; identifiers,
//! amounts and instants are in [`kernel`], callers in [`auth`], and what a host may replace (mail,
//! files, the payment processor, the clock) in [`ports`].
//!
//! The code is in five packages, so that an edit compiles only what stands on it: `nil-ground`
//! (what no domain is in), `nil-parties`, `nil-business`, `nil-domain` and `nil-http`. Programs
//! need only this one.

pub mod api;
mod shown;

pub use nil_domain::open;
#[doc(hidden)]
pub use nil_domain::{checkup, keeping, seed, takeout};
pub use nil_ground::{Config, Cx, Done, Error, Platform, Result, error, ports};
#[doc(hidden)]
pub use nil_ground::{keys, metering};
#[cfg(feature = "http")]
pub use nil_http as http;
pub use shown::*;
