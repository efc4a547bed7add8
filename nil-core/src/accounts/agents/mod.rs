//! Agents: their profile, their own changes to it, and how operators list them.

pub(super) mod agent;
pub mod editing;
pub mod listing;
