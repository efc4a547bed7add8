//! The queries of the rollup, and of the totals that are read from it where it has them.

pub(crate) mod change;
pub(crate) mod rollup;
pub(crate) mod total;
