//! Athletes: their profile, their own changes to it, and how operators list and refresh them.

pub(super) mod athlete;
pub mod athlete_edit;
pub mod editing;
pub mod listing;
pub mod refreshing;
pub mod statistics;
