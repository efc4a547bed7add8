//! What the parties do with each other: jobs, contracts, disclosures, deliverables, payments.
//! Programs use `nil-core`, which shows of it what is meant for them.

#![expect(clippy::must_use_candidate, reason = "only the packages of this library use most of it")]

pub mod affiliate;
pub mod agents;
pub mod compensation;
pub mod contracts;
pub mod deals;
pub mod disclosures;
pub mod jobs;
pub mod marketplace;
pub mod orders;
pub mod payments;
#[cfg(test)]
#[path = "contracts/document/scratch.rs"]
mod scratch;

use nil_ground::{
    auth, document, error, export, feed, kernel, keys, metering, notifications, operation,
    platform, ports, schedule, storage, wording,
};
use nil_parties::{accounts, backoffice, content, institutions, people};
