//! The screens of the compliance portal.

pub(super) mod inbox;
pub(super) mod review;
