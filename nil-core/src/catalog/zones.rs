//! Whose day a date means. An instant says its zone itself; a day alone does not (decision 45).

use super::{Entry, Interface};

/// Whose clocks begin and end a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Zone {
    /// Those of the athlete's institution, or of the institution that somebody works for.
    Institution,
    /// No one's: the day is one of UTC.
    Utc,
}

impl Zone {
    /// Its word in documents.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Institution => "institution",
            Self::Utc => "utc",
        }
    }
}

impl Entry {
    /// Declares that these fields, also inside objects, mean days of an institution although the
    /// interface has others.
    pub(super) const fn zones(mut self, fields: &'static [(&'static str, Zone)]) -> Self {
        self.zones = fields;
        self
    }

    /// Whose day a date in this field is. Filters of operators are days of UTC, as the figures that
    /// the platform counts for itself. The Core interface has callers without an institution, so
    /// nothing is said there.
    #[must_use]
    pub fn zone(&self, field: &str) -> Option<Zone> {
        let own = self.zones.iter().find(|(name, _)| *name == field).map(|(_, zone)| *zone);
        own.or(match self.interface {
            Interface::Compliance => Some(Zone::Institution),
            Interface::Admin => Some(Zone::Utc),
            Interface::Core => None,
        })
    }
}
