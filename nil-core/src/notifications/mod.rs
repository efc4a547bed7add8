//! What people are told: events, templates, and the outbox that mails, texts and in-app
//! notifications leave through.

pub mod activity;
pub(crate) mod allowance;
mod delivering;
pub mod devices;
mod digesting;
pub mod event;
mod expanding;
pub mod live;
mod notification;
pub mod outbox;
mod preference;
pub mod preferring;
mod quiet;
pub mod reading;
mod store;
pub mod worker;

pub use activity::Activity;
pub use digesting::send_digests;
pub use event::Event;
pub use notification::Notification;
pub use preference::Preference;
pub use quiet::{ClockTime, OwnQuietHours, QuietHours};
