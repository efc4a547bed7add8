//! Waits whose end is stored. Clocks are set back, also by hours: an end that is further away than
//! the wait is long was written by a clock that was ahead, and the wait is over.

use chrono::TimeDelta;

use super::Time;

/// How far the clocks of two servers may be apart. An instant that is further ahead was written by
/// a clock that has been set back since.
const APART: TimeDelta = TimeDelta::minutes(1);

/// The latest instant that a server with a right clock can have written by `now`.
pub fn latest_written(now: Time) -> Time {
    now + APART
}

/// Whether something that is noted once in this time was noted so lately. If the clock was set
/// back, what was noted last is ahead of it, and counts as noted long ago.
pub fn noted_lately(at: Time, now: Time, every: TimeDelta) -> bool {
    now - at <= every && at <= latest_written(now)
}

/// A wait of at most this length.
#[derive(Clone, Copy, Debug)]
pub struct Wait(TimeDelta);

impl Wait {
    /// A wait that lasts no longer than this.
    pub const fn of(longest: TimeDelta) -> Self {
        Self(longest)
    }

    /// The end of a whole wait that begins now.
    pub fn end(self, now: Time) -> Time {
        now + self.0
    }

    /// The latest end that such a wait can have, whichever server began it.
    pub fn latest_end(self, now: Time) -> Time {
        latest_written(self.end(now))
    }

    /// Whether a wait with this stored end is over.
    pub fn is_over(self, end: Time, now: Time) -> bool {
        end <= now || end > self.latest_end(now)
    }
}

/// The records that have rested for a while, by the instant at which each was last touched.
#[derive(Clone, Copy, Debug)]
pub struct Rested {
    /// Those last touched until then have rested.
    pub until: Time,
    /// So have those last touched after this instant, which no right clock has reached.
    pub ahead: Time,
}

impl Rested {
    /// Those that have rested for this long.
    pub fn of(pause: TimeDelta, now: Time) -> Self {
        Self { until: now - pause, ahead: latest_written(now) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_is_over_at_its_end_and_if_its_end_is_out_of_reach() {
        let (wait, now) = (Wait::of(TimeDelta::seconds(30)), Time::UNIX_EPOCH);
        let over = |seconds| wait.is_over(now + TimeDelta::seconds(seconds), now);
        assert!(over(-3_600) && over(0));
        assert!(!over(1) && !over(30), "it is under way");
        assert!(!over(31) && !over(90), "another server's clock may be ahead");
        assert!(over(91) && over(3_600));
        assert_eq!(wait.end(now), now + TimeDelta::seconds(30));
    }

    #[test]
    fn what_was_touched_ahead_of_the_clock_has_rested() {
        let now = Time::UNIX_EPOCH;
        let rested = Rested::of(TimeDelta::seconds(10), now);
        let has = |seconds| {
            let touched = now + TimeDelta::seconds(seconds);
            touched <= rested.until || touched > rested.ahead
        };
        assert!(has(-10) && !has(-9) && !has(0) && !has(60) && has(61));
    }
}
