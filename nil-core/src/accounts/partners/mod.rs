//! Brands: their profile, their own changes to it, when they are verified, and how operators list
//! them.

pub mod editing;
pub mod listing;
pub(super) mod partner;
pub mod verifying;
