//! What the body of an operation can be.

use super::{Entry, Takes};
use crate::error::Result;
use crate::operation::{Fields, Shape};

impl Entry {
    /// What its input can be.
    pub(crate) fn shape(&self) -> &Shape {
        self.shape.get_or_init(|| Shape::of(self.input))
    }

    /// The fields of a JSON body, as a server reads it: 400 where it is no JSON, 422 where it holds more
    /// than this input can. Of fields that nobody asked for, the names are kept.
    pub fn fields(&self, body: &[u8]) -> Result<Fields> {
        Fields::from_json_of(self.shape(), body)
    }

    /// How many bytes a body may have, where the configuration allows so many; one with files in it may
    /// have more.
    #[must_use]
    pub fn body_limit(&self, allowed: usize) -> usize {
        let raw = matches!(self.takes, Takes::Raw);
        let most = if raw { None } else { self.shape().bytes() };
        most.map_or(allowed, |most| most.min(allowed))
    }
}
