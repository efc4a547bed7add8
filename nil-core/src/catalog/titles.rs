//! What a page about an operation is headed with, what its button says, and what it tells before a
//! dangerous act.

use super::Entry;

/// What somebody is told before they do what cannot be taken back, or what others notice at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Confirm {
    /// What happens.
    pub happens: &'static str,
    /// What stays as it is, and how to go back if that is possible.
    pub stays: &'static str,
}

impl Entry {
    /// Sets the heading of its page: for a list the plural of its records, for an act a short
    /// phrase.
    pub(super) const fn title(mut self, words: &'static str) -> Self {
        self.title = words;
        self
    }

    /// Sets the words of the button that does it.
    pub(super) const fn verb(mut self, words: &'static str) -> Self {
        self.verb = words;
        self
    }

    /// Declares that a page asks first, and says what happens and what stays.
    pub(super) const fn confirm(mut self, happens: &'static str, stays: &'static str) -> Self {
        self.confirm = Some(Confirm { happens, stays });
        self
    }
}
