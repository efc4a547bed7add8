//! Turns events into mails, texts and in-app notifications, following users' preferences.
//!
//! 1. An operation adds a [`Message`](crate::feed::Message) to its transaction; `feed` writes it as
//!    an `outbox` row.
//! 2. The worker (`worker`) first expands each event row into one message per channel
//!    (`expanding`), following `preference`s and templates. In-app messages become rows of
//!    `notification`, read through `reading`.
//! 3. Mails and texts are passed to the courier (`delivering`), delayed by quiet hours (`quiet`)
//!    and retried after failures.
//! 4. `digesting` collects the mails of institutions that chose a `digest`.
//!
//! `reporting` hears of mails that came back and of numbers that take no texts: such an address is
//! `undeliverable`, until it is confirmed anew or an operator lets messages go there again
//! (`lifting`).
//!
//! `unsubscribing` ends the mails of an event by the link in one. `allowance` limits the mails to
//! an address. `activity` shows clients the tokens of their feeds, `stream` reads notifications for
//! live streams, `devices` stores push tokens.
//!
//! Operators change templates (`templating`), turn events on and off ([`overview`]), and see
//! messages ([`outbox`]). Other tables: `reminder` (whose dates other domains know), `template`,
//! `template_version`, `notification_preference`, `quiet_hours`, `digest_item`, `device_token`,
//! `mail_allowance`, `undeliverable`, `delivery_report`.

pub mod activity;
pub mod allowance;
mod delivering;
mod device;
pub mod devices;
mod digest;
mod digesting;
mod expanding;
pub mod lifting;
mod notification;
mod notification_template;
pub mod outbox;
pub mod overview;
mod preference;
pub mod preferring;
mod quiet;
pub mod reading;
pub mod reporting;
mod store;
pub mod stream;
pub mod templating;
mod undeliverable;
pub mod unsubscribing;
pub mod worker;

pub use crate::config::QuietHours;
pub use crate::feed::{Event, FeedKind};
pub use device::{Device, DevicePlatform};
pub use digest::Digest;
pub use digesting::send_digests;
pub use notification::Notification;
pub use notification_template::{
    EventSort, ListTemplates, NotificationTemplate, Switch, TemplateVersion, Trigger,
};
pub use preference::NotificationPreference;
pub use quiet::{ClockTime, OwnQuietHours};
pub use store::person::operators_address;
pub use store::reminder::{due_unreminded, mark_reminded, unreminded};
pub use undeliverable::{ListUndeliverable, Undeliverable, WhyUndeliverable};
pub use worker::backlog;
