//! The screens of the operators' console.

pub(super) mod account;
pub(super) mod audit;
pub(super) mod closing;
pub(super) mod difference;
pub(super) mod differences;
pub(super) mod dispute;
pub(super) mod disputes;
mod history;
mod job;
pub(super) mod jobs;
pub(super) mod library;
pub(super) mod parts;
pub(super) mod payments;
pub(super) mod payouts;
mod payouts_bulk;
pub(super) mod people;
pub(super) mod refund;
pub(super) mod reports;
pub(super) mod request;
pub(super) mod requests;
pub(super) mod settings;
pub(super) mod templates;
pub(super) mod today;
