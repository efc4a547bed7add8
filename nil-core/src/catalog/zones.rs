//! Whose day a date means. An instant says its zone itself; a day alone does not (decision 45).

use crate::kernel::Interface;

/// Whose clocks begin and end a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Zone {
    /// Those of the athlete's institution, or of the institution that somebody works for.
    Institution,
    /// No one's: the day is one of UTC.
    Utc,
}

impl Zone {
    /// Whose days the dates of an interface are, unless a row says otherwise. Filters of operators
    /// are days of UTC, as the figures that the platform counts for itself. The Core interface has
    /// callers without an institution, so nothing is said there.
    pub(super) const fn of(interface: Interface) -> Option<Self> {
        match interface {
            Interface::Compliance => Some(Self::Institution),
            Interface::Admin => Some(Self::Utc),
            Interface::Core => None,
        }
    }

    /// Its word in documents.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Institution => "institution",
            Self::Utc => "utc",
        }
    }
}
