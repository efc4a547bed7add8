//! Throttles: a fixed window of one minute per operation and caller.
//!
//! `counts` counts in this process. `together` counts in a Redis (`redis`), so that several servers
//! have one limit, and in this process while the Redis does not answer.

mod counts;
mod redis;
mod together;

use std::net::IpAddr;

use self::counts::Counts;
pub use self::redis::Redis;
use self::together::{Asked, Shared};
use crate::error::{Error, Result, codes};
use crate::kernel::Time;
use crate::kernel::vocabulary::vocabulary;
use crate::keys::MasterKey;

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

/// Counts requests: in this process, or in a Redis together with other servers.
#[derive(Debug)]
pub struct Throttles {
    limits: Limits,
    counts: Counts,
    /// Behind a pointer: most servers have none.
    shared: Option<Box<Shared>>,
}

impl Throttles {
    /// Starts counting in this process.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self { limits, counts: Counts::default(), shared: None }
    }

    /// Starts counting in a Redis, under names that the key gives to callers. Connects when the
    /// first request is counted.
    pub fn together(limits: Limits, redis: &Redis, key: &MasterKey) -> Result<Self> {
        let shared = Some(Box::new(Shared::new(redis, key)?));
        Ok(Self { shared, ..Self::new(limits) })
    }

    /// Whether throttling is off: for load tests on loopback.
    pub fn are_off(&self) -> bool {
        self.limits.off
    }

    /// Counts a request of `caller` for `operation`, and of `other`, who is behind the same request
    /// if there are two to count; returns the window with less room. `None` if throttling is off.
    pub async fn count(
        &self,
        class: Throttle,
        operation: &'static str,
        (caller, other): (String, Option<String>),
        now: Time,
    ) -> Option<Window> {
        if self.limits.off {
            return None;
        }
        let limit = self.limits.of(class);
        let Some(shared) = &self.shared else {
            let seconds = now.timestamp();
            let window = |who| window(limit, self.counts.add((operation, who), seconds), seconds);
            let first = window(caller);
            return Some(other.map_or(first, |other| first.tighter(window(other))));
        };
        let keys =
            [Some(caller), other].into_iter().flatten().map(|who| (operation, who)).collect();
        let asked = Asked { limit, alone: class.limit_alone(limit), keys, now: now.timestamp() };
        // Boxed: every request's future holds this one's.
        Box::pin(shared.count(&self.counts, asked)).await
    }
}

impl Throttle {
    /// The limit of a server that counts alone although others count as well. Where somebody may be
    /// guessing, three servers together allow no more than one would.
    fn limit_alone(self, limit: u32) -> u32 {
        match self {
            Self::Login | Self::Registration | Self::Recovery => (limit / 3).max(1),
            Self::Public | Self::Dashboard | Self::Standard => limit,
        }
    }
}

/// The window after a request was counted as this one of its minute.
fn window(limit: u32, count: u32, seconds: i64) -> Window {
    Window {
        limit,
        remaining: limit.saturating_sub(count),
        reset: u64::try_from(60 - seconds.rem_euclid(60)).unwrap_or(60),
        exceeded: count > limit,
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

    async fn count(throttles: &Throttles, who: (&str, Option<&str>), at: Time) -> Window {
        let who = (who.0.to_owned(), who.1.map(str::to_owned));
        throttles.count(Throttle::Login, "x", who, at).await.unwrap()
    }

    #[tokio::test]
    async fn the_eleventh_is_one_too_many_until_the_minute_is_over() {
        let throttles = Throttles::new(Limits::default());
        let now = Utc.with_ymd_and_hms(2026, 11, 20, 19, 3, 10).unwrap();
        for _ in 0..10 {
            assert!(!count(&throttles, ("at:1", None), now).await.exceeded);
        }
        let eleventh = count(&throttles, ("at:1", None), now).await;
        assert!(eleventh.exceeded);
        assert_eq!(eleventh.reset, 50);
        let later = now + TimeDelta::seconds(50);
        assert!(!count(&throttles, ("at:1", None), later).await.exceeded);
    }

    #[tokio::test]
    async fn of_two_callers_the_one_with_less_room_decides() {
        let throttles = Throttles::new(Limits::default());
        let now = Utc.with_ymd_and_hms(2026, 11, 20, 19, 3, 10).unwrap();
        for number in 0..10 {
            let who = (format!("registrant:{number}"), Some("at:1"));
            assert_eq!(count(&throttles, (&who.0, who.1), now).await.remaining, 9 - number);
        }
        assert!(count(&throttles, ("registrant:11", Some("at:1")), now).await.exceeded);
        assert!(!count(&throttles, ("registrant:12", None), now).await.exceeded);
    }

    #[test]
    fn three_servers_alone_allow_no_more_guesses_than_one() {
        for class in [Throttle::Login, Throttle::Registration, Throttle::Recovery] {
            for limit in 3..100 {
                assert!(class.limit_alone(limit) * 3 <= limit, "{class} {limit}");
            }
            assert_eq!(class.limit_alone(1), 1, "never closed");
        }
        assert_eq!(Throttle::Standard.limit_alone(300), 300);
    }

    #[test]
    fn neighbours_in_an_ipv6_network_share_a_bucket() {
        let bucket = |text: &str| address_bucket(Some(text.parse().unwrap()));
        assert_eq!(bucket("2001:db8::1"), bucket("2001:db8::ffff:2"));
        assert_ne!(bucket("2001:db8::1"), bucket("2001:db8:0:1::1"));
        assert_eq!(bucket("::ffff:10.0.0.1"), bucket("10.0.0.1"));
    }
}
