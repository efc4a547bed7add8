//! The rows of contracts, assents, amendments and requests. `deals` moves contracts and calls these stores.

pub(crate) mod amendment;
pub(crate) mod contract;
pub(super) mod exclusivity;
pub(super) mod listing;
pub(crate) mod request;
