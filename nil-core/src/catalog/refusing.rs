//! The statuses of refusals, where an operation's specification has its own.

use super::Entry;
use crate::error::{Code, Error};

impl Entry {
    /// What would be 400, 404, 409 or 415 is 422.
    pub(super) const fn unprocessable(mut self) -> Self {
        self.unprocessable = true;
        self
    }

    /// A refusal with the status this operation has for it.
    pub(crate) fn refusal(&self, error: Error) -> Error {
        if self.unprocessable { error.into_unprocessable() } else { error }
    }

    /// The HTTP status this operation answers a code with.
    pub(crate) fn status_of(&self, code: Code) -> u16 {
        self.refusal(code.into()).kind().status()
    }
}
