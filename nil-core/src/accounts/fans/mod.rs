//! Fans: their profile, and the athletes they follow.

pub(super) mod fan;
pub mod follows;
