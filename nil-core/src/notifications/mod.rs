//! What people are told: events, templates, and the outbox that mails, texts and in-app
//! notifications leave through.

pub mod activity;
pub(crate) mod allowance;
mod delivering;
pub mod devices;
mod digest;
mod digesting;
mod expanding;
pub(crate) mod following;
mod notification;
pub mod outbox;
mod preference;
pub mod preferring;
mod quiet;
pub mod reading;
mod store;
pub mod worker;

pub use crate::config::QuietHours;
pub use crate::feed::{Activity, Event};
pub use digest::Digest;
pub use digesting::send_digests;
pub use notification::Notification;
pub use preference::Preference;
pub use quiet::{ClockTime, OwnQuietHours};
