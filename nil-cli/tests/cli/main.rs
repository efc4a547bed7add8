//! The real binary, run as a user runs it.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

mod accounts;
mod auditing;
mod beside;
mod chance;
mod colleges;
mod commands;
mod completing;
mod copying;
mod crashes;
mod crashing_database;
mod demonstration;
mod deploying;
mod exports;
mod generated;
mod keeping;
mod kill_points;
mod kills;
mod live;
mod mail;
mod memory;
mod monitoring;
mod nil;
mod other_tools;
mod outages;
mod postgres_pooling;
mod printing;
mod quiet_logs;
mod seeding;
mod sending;
mod served;
mod serving;
mod settings;
mod shared_throttles;
mod slow_clients;
mod sms;
mod soak;
mod stopping;
mod story;
mod tax_numbers;
#[cfg(feature = "telemetry")]
mod telemetry;
mod three_servers;
mod trial;
mod uploads;
mod wrong_fields;
