//! Who takes part: accounts, institutions and operators, with the content and the messages that all
//! of them have. Programs use `nil-core`, which shows of it what is meant for them.

#![expect(clippy::must_use_candidate, reason = "only the packages of this library use most of it")]

pub mod accounts;
pub mod backoffice;
pub mod calendar;
pub mod content;
pub mod content_library;
pub mod editorial;
pub mod institutions;
pub mod messaging;
// Only the packages above read it.
#[doc(hidden)]
pub mod people;

use nil_ground::{
    auth, config, error, export, feed, kernel, keys, metering, notifications, operation, platform,
    ports, schedule, storage, throttle, wording,
};
