//! Which statements took long when they ran last, so that they run aside the next time.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::atomic::{AtomicBool, Ordering};

use super::embedded::Asked;

const PLACES: usize = 1_024;

/// A mark for each statement, found by its text. Two texts may share a place; then one of them takes
/// a detour.
#[derive(Debug)]
pub(super) struct Long([AtomicBool; PLACES]);

/// Where a statement's mark is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place(u64);

impl Place {
    pub(super) fn of(asked: &Asked) -> Self {
        let mut hasher = DefaultHasher::new();
        asked.text.as_str().hash(&mut hasher);
        Self(hasher.finish())
    }
}

impl Default for Long {
    fn default() -> Self {
        Self([const { AtomicBool::new(false) }; PLACES])
    }
}

impl Long {
    pub(super) fn is_set(&self, place: Place) -> bool {
        self.at(place).load(Ordering::Relaxed)
    }

    pub(super) fn set(&self, place: Place, long: bool) {
        self.at(place).store(long, Ordering::Relaxed);
    }

    #[expect(clippy::indexing_slicing, reason = "the rest is less than the length")]
    fn at(&self, place: Place) -> &AtomicBool {
        let rest = usize::try_from(place.0 % (1 << 32)).unwrap_or_default();
        &self.0[rest % PLACES]
    }
}
