//! What can go wrong with a call of the processor in `ledgered`.

use axum::http::StatusCode;

use super::{Books, Ledgered, Said, error};

/// The fault of one call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// Nothing.
    None,
    /// It answers with an error of its own before it does anything.
    FailsBefore,
    /// It answers with an error of its own after it has done it.
    FailsAfter,
    /// It closes the connection after it has done it.
    Resets,
    /// It never answers, and has done it.
    Stalls,
    /// It has too much to do.
    Busy,
    /// It does not accept the key.
    Denied,
    /// It says that a call under this key is still running.
    InUse,
}

impl Trouble {
    /// Every trouble.
    pub const ALL: [Self; 8] = [
        Self::None,
        Self::FailsBefore,
        Self::FailsAfter,
        Self::Resets,
        Self::Stalls,
        Self::Busy,
        Self::Denied,
        Self::InUse,
    ];

    /// What it answers instead; none if that is what was asked for.
    pub(super) fn refusal(self) -> Option<Said> {
        match self {
            Self::FailsBefore | Self::FailsAfter => {
                Some(error(StatusCode::INTERNAL_SERVER_ERROR, "api_error", ""))
            }
            Self::None | Self::Resets | Self::Stalls => None,
            Self::Busy | Self::Denied | Self::InUse => self.refusal_without_work(),
        }
    }

    /// What it answers without having looked at the call, and does not keep under its key.
    pub(super) fn refusal_without_work(self) -> Option<Said> {
        match self {
            Self::Busy => Some(error(StatusCode::TOO_MANY_REQUESTS, "rate_limit", "")),
            Self::Denied => Some(error(StatusCode::UNAUTHORIZED, "", "")),
            Self::InUse => Some(error(StatusCode::CONFLICT, "idempotency_key_in_use", "")),
            _ => None,
        }
    }
}

impl Ledgered {
    /// The troubles of the next calls that make something, one each.
    pub fn next(&self, troubles: &[Trouble]) {
        self.books.lock().expect("the books").troubles = troubles.iter().copied().collect();
    }

    /// The troubles of the next calls that read something, one each.
    pub fn next_reads(&self, troubles: &[Trouble]) {
        let mut books = self.books.lock().expect("the books");
        books.troubles_of_reads = troubles.iter().copied().collect();
    }

    /// The trouble of every call from now on.
    pub fn lasting(&self, trouble: Option<Trouble>) {
        self.books.lock().expect("the books").lasting = trouble;
    }
}

impl Books {
    /// The trouble of this call.
    pub(super) fn trouble(&mut self, reads: bool) -> Trouble {
        let queue = if reads { &mut self.troubles_of_reads } else { &mut self.troubles };
        let next = queue.pop_front();
        let trouble = next.or(self.lasting).unwrap_or(Trouble::None);
        // A call that only reads has no key.
        if reads && trouble == Trouble::InUse { Trouble::Busy } else { trouble }
    }
}
