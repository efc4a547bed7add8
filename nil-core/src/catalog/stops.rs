//! Which calls of an operation stop while its feature is off.

use crate::operation::Fields;

/// Which calls of an operation stop while its feature is off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stops {
    /// None: it finishes or shows what is under way.
    Nothing,
    /// Every call.
    All,
    /// Calls without an `id`, which make a new record.
    New,
    /// Calls in which this field has this value.
    With(&'static str, &'static str),
}

impl Stops {
    /// Whether it stops a call with these fields.
    pub(super) fn stops(self, fields: &Fields) -> bool {
        match self {
            Self::Nothing => false,
            Self::All => true,
            Self::New => !fields.has_value("id"),
            Self::With(field, value) => fields.text_of(field) == Some(value),
        }
    }
}
