//! The HTTP statuses of refusals, for operations whose specification deviates.

use super::Entry;
use crate::error::{Code, Error};

impl Entry {
    /// Turns 400, 404, 409 and 415 into 422.
    pub(super) const fn unprocessable(mut self) -> Self {
        self.unprocessable = true;
        self
    }

    /// A refusal with this operation's status.
    pub fn refusal(&self, error: Error) -> Error {
        if self.unprocessable { error.into_unprocessable() } else { error }
    }

    /// The HTTP status of an error code for this operation.
    pub(crate) fn status_of(&self, code: Code) -> u16 {
        self.refusal(code.into()).kind().status()
    }
}
