//! The SQL of notifications.

pub(super) mod activity;
pub(super) mod allowance;
pub(super) mod device;
pub(super) mod digest;
pub(super) mod notification;
pub(super) mod outbox;
pub(super) mod person;
pub(super) mod preference;
pub(super) mod quiet;
pub(super) mod reminder;
pub(super) mod template;
pub(super) mod undeliverable;
