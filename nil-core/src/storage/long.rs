//! Remembers which statements were slow at their last run, so that they run aside the next time.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::atomic::{AtomicBool, Ordering};

use super::embedded::Asked;

const PLACES: usize = 1_024;

/// A flag for each statement, found by a hash of its text. Two texts may share a flag; then one of
/// them runs aside unnecessarily.
#[derive(Debug)]
pub(super) struct Long([AtomicBool; PLACES]);

/// The position of a statement's flag.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place(usize);

impl Place {
    pub(super) fn of(asked: &Asked) -> Self {
        let mut hasher = DefaultHasher::new();
        asked.text.as_str().hash(&mut hasher);
        let [first, second, ..] = hasher.finish().to_ne_bytes();
        Self(usize::from(u16::from_ne_bytes([first, second])) % PLACES)
    }
}

impl Default for Long {
    fn default() -> Self {
        Self([const { AtomicBool::new(false) }; PLACES])
    }
}

impl Long {
    pub(super) fn is_set(&self, place: Place) -> bool {
        self.0.get(place.0).is_some_and(|mark| mark.load(Ordering::Relaxed))
    }

    pub(super) fn set(&self, place: Place, long: bool) {
        if let Some(mark) = self.0.get(place.0) {
            mark.store(long, Ordering::Relaxed);
        }
    }
}
