//! Several wrong fields of one input, named at once.

use super::{Error, Result};

/// The fields that are wrong so far, each with what is wrong about it.
#[derive(Debug, Default)]
pub struct Wrong(Vec<(String, String)>);

impl Wrong {
    /// Adds a field.
    pub fn add(&mut self, field: impl Into<String>, message: impl Into<String>) {
        self.0.push((field.into(), message.into()));
    }

    /// Adds a field that a new record needs and that is not `given`.
    pub fn needs(&mut self, field: &str, given: bool) {
        if !given {
            self.add(field, "is required for a new record");
        }
    }

    /// 422 that names them all, if there are any.
    pub fn refuse(self) -> Result<()> {
        if self.0.is_empty() { Ok(()) } else { Err(Error::invalid_fields(self.0)) }
    }
}
