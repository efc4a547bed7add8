//! The rows of contracts, assents, amendments and requests.

pub(super) mod amendment;
pub(super) mod contract;
pub(super) mod exclusivity;
pub(super) mod listing;
pub(super) mod request;
