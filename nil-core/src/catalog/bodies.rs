//! The body of an operation's request, and the checks of its input before the operation runs.

use super::{Entry, Takes};
use crate::error::{Result, codes};
use crate::operation::{Fields, Shape};

impl Entry {
    /// The shape of its input.
    pub(crate) fn shape(&self) -> &Shape {
        self.shape.get_or_init(|| Shape::of(self.input))
    }

    /// Parses the fields of a JSON body: 400 for invalid JSON, 422 for more data than this input can hold.
    /// Unknown fields are kept by name.
    pub fn fields(&self, body: &[u8]) -> Result<Fields> {
        Fields::from_json_of(self.shape(), body)
    }

    /// The maximum size of a body in bytes: the size of the largest possible input, but at most `allowed`.
    #[must_use]
    pub fn body_limit(&self, allowed: usize) -> usize {
        let raw = matches!(self.takes, Takes::Raw);
        let most = if raw { None } else { self.shape().bytes() };
        most.map_or(allowed, |most| most.min(allowed))
    }

    /// Validates an input as a call would: returns the names of unknown fields, or the 422 that a call would
    /// give before any look-up.
    pub fn check(&self, fields: &Fields) -> Result<Vec<String>> {
        let lacking = self.lacking(fields);
        let read = (self.reads)(fields);
        if lacking.is_empty() {
            return read;
        }
        let error = read.err().unwrap_or_else(|| codes::VALIDATION_FAILED.into());
        Err(lacking.into_iter().fold(error, |error, field| {
            let known = error.fields().contains_key(field);
            if known { error } else { error.at(field, "is required for a new record") }
        }))
    }

    /// The fields that the record lacks, if it is a new one.
    pub(crate) fn lacking(&self, fields: &Fields) -> Vec<&'static str> {
        if fields.has_value("id") {
            return Vec::new();
        }
        self.new_needs.iter().copied().filter(|field| !fields.has_value(field)).collect()
    }
}
