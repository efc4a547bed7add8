//! The SQL of notifications.

pub(super) mod activity;
