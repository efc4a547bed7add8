//! The screens of the compliance portal.

mod cells;
mod clock;
mod groups;
mod people;
mod rule_preview;
mod rule_words;

pub(super) mod analytics;
pub(super) mod athlete;
pub(super) mod athletes;
pub(super) mod clearance;
pub(super) mod clearances;
pub(super) mod deals;
pub(super) mod filing;
pub(super) mod filings;
pub(super) mod inbox;
pub(super) mod review;
pub(super) mod rules;
pub(super) mod statistics;
pub(super) mod team;
pub(super) mod trail;
pub(super) mod transactions;
