//! The screens of the compliance portal.

mod clock;
mod list;

pub(super) mod athlete;
pub(super) mod athletes;
pub(super) mod inbox;
pub(super) mod review;
pub(super) mod transactions;
