//! How long operators' sessions last.

use chrono::TimeDelta;

use crate::kernel::Time;

/// An idle operator is logged out after this time; a busy one after [`OPERATOR_DAY`].
const OPERATOR_IDLE: TimeDelta = TimeDelta::hours(8);
const OPERATOR_DAY: TimeDelta = TimeDelta::hours(24);

/// An operator's session is valid only if it was used after this time.
pub fn idle_since(now: Time) -> Time {
    now - OPERATOR_IDLE
}

/// The latest end of a new operator session.
pub fn operator_until(now: Time) -> Time {
    now + OPERATOR_DAY
}
