//! The body of an operation's request.

use super::{Entry, Takes};
use crate::error::Result;
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
}
