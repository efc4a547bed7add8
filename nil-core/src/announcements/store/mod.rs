//! The rows of announcements, of their groups, and of whom they are for.

pub(super) mod announcement;
pub(super) mod group;
pub(super) mod people;

use serde_json::Value;

use super::audience::Audience;
use crate::error::{Error, Result};

/// An audience as its column has it. One that cannot be read is a fault and never everybody.
fn audience(stored: Value) -> Result<Audience> {
    serde_json::from_value(stored).map_err(Error::internal)
}
