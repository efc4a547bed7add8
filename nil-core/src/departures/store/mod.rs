//! The statements of departures.

pub(super) mod departure;
pub(super) mod erasing;
pub(super) mod remaining;
