//! Calendars of deadlines that calendar programs subscribe to, each behind a secret address
//! (decision 82).
//!
//! 1. `feed` is a person's address, and `owner` whose it is: an athlete's or an officer's.
//!    `keeping` makes, shows and revokes it.
//! 2. [`reading`] answers a calendar program: `due` is a deadline, `writing` its event as RFC 5545
//!    has it.
//!
//! Table: `calendar_feed`. Deadlines are rows of the views `athlete_due` and `college_due`.

mod due;
mod feed;
pub mod keeping;
mod owner;
pub mod reading;
mod store;
mod writing;

pub use feed::CalendarFeed;
