//! Throttles: a fixed window of one minute per operation and caller.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};

use crate::error::{Error, codes};
use crate::kernel::Time;
use crate::kernel::vocabulary::vocabulary;

vocabulary! {
    /// A throttle class; the limits per minute are configuration.
    Throttle {
        /// Logging in.
        Login = "login",
        /// Registration steps.
        Registration = "registration",
        /// Password recovery.
        Recovery = "recovery",
        /// Public endpoints.
        Public = "public",
        /// The operators' dashboard.
        Dashboard = "dashboard",
        /// Everything else.
        Standard = "standard",
    }
}

/// Requests per minute and class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Whether throttling is off, for load tests on loopback.
    pub off: bool,
    /// Class `login`.
    pub login: u32,
    /// Class `registration`.
    pub registration: u32,
    /// Class `recovery`.
    pub recovery: u32,
    /// Class `public`.
    pub public: u32,
    /// Class `dashboard`.
    pub dashboard: u32,
    /// Class `standard`.
    pub standard: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            off: false,
            login: 10,
            registration: 15,
            recovery: 4,
            public: 200,
            dashboard: 5,
            standard: 300,
        }
    }
}

impl Limits {
    fn of(&self, class: Throttle) -> u32 {
        match class {
            Throttle::Login => self.login,
            Throttle::Registration => self.registration,
            Throttle::Recovery => self.recovery,
            Throttle::Public => self.public,
            Throttle::Dashboard => self.dashboard,
            Throttle::Standard => self.standard,
        }
    }
}

/// The state of a window after a request was counted; sent as the `RateLimit-*` headers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Requests per minute.
    pub limit: u32,
    /// Requests left in this minute.
    pub remaining: u32,
    /// Seconds until the next minute.
    pub reset: u64,
    /// Whether this request exceeds the limit.
    pub exceeded: bool,
}

impl Window {
    /// The window with less room.
    #[must_use]
    pub fn tighter(self, other: Self) -> Self {
        if (other.exceeded, self.remaining) > (self.exceeded, other.remaining) {
            other
        } else {
            self
        }
    }

    /// The refusal, if the request exceeds the limit.
    #[must_use]
    pub fn refusal(&self) -> Option<Error> {
        self.exceeded.then(|| Error::from(codes::THROTTLED).retry_after(self.reset))
    }
}

/// Counts requests in this process.
#[derive(Debug)]
pub struct Throttles {
    limits: Limits,
    minute: Mutex<Minute>,
}

#[derive(Debug, Default)]
struct Minute {
    number: i64,
    counts: HashMap<(&'static str, String), u32>,
}

impl Throttles {
    /// Starts counting.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self { limits, minute: Mutex::default() }
    }

    /// Whether throttling is off: for load tests on loopback.
    pub fn are_off(&self) -> bool {
        self.limits.off
    }

    /// Counts a request of `caller` for `operation`. `None` if throttling is off.
    pub fn count(
        &self,
        class: Throttle,
        operation: &'static str,
        caller: String,
        now: Time,
    ) -> Option<Window> {
        if self.limits.off {
            return None;
        }
        let limit = self.limits.of(class);
        let seconds = now.timestamp();
        let mut minute = self.minute.lock().unwrap_or_else(PoisonError::into_inner);
        if minute.number != seconds.div_euclid(60) {
            // A new minute resets all counts, so nothing needs to be swept later.
            minute.number = seconds.div_euclid(60);
            minute.counts = HashMap::new();
        }
        let count = minute.counts.entry((operation, caller)).or_insert(0);
        *count = count.saturating_add(1);
        Some(Window {
            limit,
            remaining: limit.saturating_sub(*count),
            reset: u64::try_from(60 - seconds.rem_euclid(60)).unwrap_or(60),
            exceeded: *count > limit,
        })
    }
}

/// The bucket of an address: a single IPv4 address, or the /64 of an IPv6 address, because one
/// customer has that many.
#[must_use]
pub fn address_bucket(address: Option<IpAddr>) -> String {
    match address {
        None => "at:unknown".into(),
        Some(IpAddr::V4(v4)) => format!("at:{v4}"),
        Some(IpAddr::V6(v6)) => {
            if let Some(v4) = v6.to_ipv4_mapped() {
                return format!("at:{v4}");
            }
            let [a, b, c, d, ..] = v6.segments();
            format!("at:{a:x}:{b:x}:{c:x}:{d:x}::/64")
        }
    }
}

#[cfg(test)]
mod tests {
    use chrono::{TimeDelta, TimeZone as _, Utc};

    use super::*;

    #[test]
    fn the_eleventh_is_one_too_many_until_the_minute_is_over() {
        let throttles = Throttles::new(Limits::default());
        let now = Utc.with_ymd_and_hms(2026, 11, 20, 19, 3, 10).unwrap();
        let count = |at| throttles.count(Throttle::Login, "x", "at:1".into(), at).unwrap();
        for _ in 0..10 {
            assert!(!count(now).exceeded);
        }
        let eleventh = count(now);
        assert!(eleventh.exceeded);
        assert_eq!(eleventh.reset, 50);
        assert!(!count(now + TimeDelta::seconds(50)).exceeded);
    }

    #[test]
    fn neighbours_in_an_ipv6_network_share_a_bucket() {
        let bucket = |text: &str| address_bucket(Some(text.parse().unwrap()));
        assert_eq!(bucket("2001:db8::1"), bucket("2001:db8::ffff:2"));
        assert_ne!(bucket("2001:db8::1"), bucket("2001:db8:0:1::1"));
        assert_eq!(bucket("::ffff:10.0.0.1"), bucket("10.0.0.1"));
    }
}
