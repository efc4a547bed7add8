//! The rows of contracts, assents, amendments and requests. `deals` calls those that are visible to
//! the crate.

pub(crate) mod amendment;
pub(crate) mod contract;
pub(super) mod exclusivity;
pub(super) mod listing;
pub(crate) mod request;
