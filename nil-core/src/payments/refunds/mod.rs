//! Payments that are given back, in whole or in part.

pub(super) mod giving_back;
pub mod previewing;
pub(super) mod refund;
pub mod refunding;
mod taking_back;
