//! Operations whose answers a replica of the database may give (decision 86).

use super::{Entry, Freshness};

impl Entry {
    /// Whether what it reads may be a little behind.
    #[must_use]
    pub fn reads_behind(&self) -> bool {
        self.freshness == Freshness::MayBeBehind
    }

    /// Declares that all it reads may be a little behind, and be read from a replica. For searches
    /// and figures; never for what admits, spends or decides.
    pub(super) const fn may_be_behind(mut self) -> Self {
        self.freshness = Freshness::MayBeBehind;
        self
    }
}

#[cfg(test)]
mod tests {
    use crate::catalog::{Effect, Reuse, catalog};

    #[test]
    fn only_what_writes_nothing_may_be_behind() {
        for entry in catalog().iter().filter(|entry| entry.reads_behind()) {
            assert_eq!(entry.effect, Effect::Reads, "{} writes", entry.name);
            assert_eq!(entry.reuse, Reuse::Never, "{} is asked for again", entry.name);
        }
    }
}
