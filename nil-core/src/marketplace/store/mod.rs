//! The marketplace's rows.

pub(super) mod offer;
