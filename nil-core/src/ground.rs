//! What no domain is in: basic types, errors, storage, ports, access, operations, documents and
//! notices. Everything else stands on it. Programs use `nil-core`, which shows of it what is meant
//! for them.

#![expect(clippy::must_use_candidate, reason = "only the packages of this library use most of it")]

pub mod auth;
pub mod config;
pub mod document;
pub mod error;
pub mod export;
pub mod feed;
pub mod kernel;
pub mod keys;
pub mod metering;
pub mod notifications;
pub mod operation;
pub mod platform;
pub mod ports;
pub mod schedule;
pub mod storage;
pub mod throttle;
pub mod wording;

pub use config::Config;
pub use error::{Error, Result};
pub use operation::{Cx, Done};
pub use platform::Platform;
