//! The marketplace's rows.

pub(super) mod offer;
pub(super) mod order;
