//! The switches of the site's features, as this process read them last.

use std::sync::{Mutex, PoisonError};

use chrono::TimeDelta;

use crate::kernel::{FeatureFlags, Time};

/// How long a process follows what it has read. Another server's change counts here after this time
/// at the latest.
const FRESH: TimeDelta = TimeDelta::seconds(2);

/// The flags, and when they were read.
#[derive(Debug, Default)]
pub struct Switches(Mutex<Option<(FeatureFlags, Time)>>);

impl Switches {
    /// The flags, if they were read recently.
    pub fn fresh(&self, now: Time) -> Option<FeatureFlags> {
        let (flags, at) = (*self.0.lock().unwrap_or_else(PoisonError::into_inner))?;
        (at <= now && now - at < FRESH).then_some(flags)
    }

    /// Keeps the flags that were read at this time.
    pub fn keep(&self, flags: FeatureFlags, at: Time) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((flags, at));
    }

    /// Has them read again.
    pub fn forget(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_read_counts_for_two_seconds_and_never_ahead_of_the_clock() {
        let (switches, at) = (Switches::default(), Time::UNIX_EPOCH);
        assert_eq!(switches.fresh(at), None);
        let off = FeatureFlags { services: false, ..FeatureFlags::default() };
        switches.keep(off, at);
        assert_eq!(switches.fresh(at + TimeDelta::milliseconds(1_999)), Some(off));
        assert_eq!(switches.fresh(at + TimeDelta::seconds(2)), None);
        assert_eq!(switches.fresh(at - TimeDelta::milliseconds(1)), None);
        switches.forget();
        assert_eq!(switches.fresh(at), None);
    }
}
