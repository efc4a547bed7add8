//! Notifications: preferences, templates and the delivery of mails, texts and in-app notifications.
//!
//! An operation adds a [`outbox::Message`] to its transaction, which becomes an `outbox` row (see `feed`). The worker
//! (`worker`) first splits each event row into one message per channel (`expanding`), following `preference`s and
//! templates. In-app messages become rows of `notification`. Mails and texts are then passed to the courier
//! (`delivering`), delayed by quiet hours (`quiet`) and retried after failures; `digesting` collects the mails of
//! institutions that chose a digest. `allowance` limits mails to an address, and `activity` shows users the tokens of
//! their feeds. Other tables: `notification_preference`, `quiet_hours`, `digest_item`, `device_token`, `mail_allowance`.

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
