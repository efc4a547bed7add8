//! The rows of announcements and groups, and the members of audiences.

pub(super) mod announcement;
pub(super) mod group;
pub(super) mod people;

use serde_json::Value;

use super::audience::Audience;
use crate::error::{Error, Result};

/// Parses an audience column. An invalid value is an error; it never falls back to everyone.
fn audience(stored: Value) -> Result<Audience> {
    serde_json::from_value(stored).map_err(Error::internal)
}
