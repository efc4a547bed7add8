//! The counts of this process: of everything, or of what no other place has counted yet.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// An operation and its caller.
pub(super) type Key = (&'static str, String);

/// The requests of one operation and caller in the minute.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Count {
    /// What the counts of all servers came to when this one last heard of them.
    pub(super) known: u32,
    /// Requests counted here only.
    pub(super) own: u32,
}

/// Counts requests by the minute.
#[derive(Debug, Default)]
pub(super) struct Counts(Mutex<Minute>);

#[derive(Debug, Default)]
struct Minute {
    number: i64,
    counts: HashMap<Key, Count>,
}

impl Counts {
    /// The counts of this minute. A new minute resets them all, so nothing needs to be swept later.
    fn minute(&self, number: i64) -> MutexGuard<'_, Minute> {
        let mut minute = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if minute.number != number {
            *minute = Minute { number, counts: HashMap::new() };
        }
        minute
    }

    /// Counts a request here; returns how many there are in this minute.
    pub(super) fn add(&self, key: Key, seconds: i64) -> u32 {
        self.add_many(key, 1, seconds.div_euclid(60))
    }

    /// Counts so many requests here.
    pub(super) fn add_many(&self, key: Key, requests: u32, minute: i64) -> u32 {
        let mut minute = self.minute(minute);
        let count = minute.counts.entry(key).or_default();
        count.own = count.own.saturating_add(requests);
        count.known.saturating_add(count.own)
    }

    /// Takes what was counted here only, to have it counted elsewhere.
    pub(super) fn take(&self, key: &Key, minute: i64) -> Count {
        let mut minute = self.minute(minute);
        let Some(count) = minute.counts.get_mut(key) else { return Count::default() };
        let taken = *count;
        count.own = 0;
        taken
    }

    /// Notes what all servers have counted.
    pub(super) fn hear(&self, key: Key, all: u32, minute: i64) {
        let mut minute = self.minute(minute);
        let count = minute.counts.entry(key).or_default();
        count.known = count.known.max(all);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key() -> Key {
        ("x", "at:1".to_owned())
    }

    #[test]
    fn what_is_taken_is_counted_elsewhere() {
        let counts = Counts::default();
        assert_eq!(counts.take(&key(), 7), Count::default());
        counts.hear(key(), 4, 7);
        assert_eq!(counts.add(key(), 7 * 60), 5);
        assert_eq!(counts.add(key(), 7 * 60 + 59), 6);
        assert_eq!(counts.take(&key(), 7), Count { known: 4, own: 2 });
        assert_eq!(counts.take(&key(), 7), Count { known: 4, own: 0 });
        counts.hear(key(), 7, 7);
        // An answer that was overtaken.
        counts.hear(key(), 5, 7);
        assert_eq!(counts.add(key(), 7 * 60), 8);
        assert_eq!(counts.add(key(), 8 * 60), 1, "another minute");
    }
}
