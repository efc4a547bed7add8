//! Proration: what the days left of a paid period cost, in whole cents.
//!
//! The unit is a day of 24 hours from the beginning of the period. A day that has begun counts as
//! left: a change takes effect for the whole of it. Each price is rounded once, half to even, so
//! that sums of several changes telescope: on one day, a change and its reverse cost nothing, and a
//! detour costs as much as the direct way.

use crate::kernel::{Cents, Time, proportion};

const SECONDS_PER_DAY: i64 = 24 * 60 * 60;

/// The days of a period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::payments) struct Days {
    /// How many are left, today included.
    pub(in crate::payments) left: i64,
    /// How many it has.
    pub(in crate::payments) all: i64,
}

impl Days {
    /// The days of the period from `starts_at` to `ends_at` at the instant `now`.
    pub(in crate::payments) fn of(starts_at: Time, ends_at: Time, now: Time) -> Self {
        let all = whole_days(ends_at - starts_at).max(1);
        Self { left: whole_days(ends_at - now).clamp(0, all), all }
    }

    /// What the days left cost at this price of the whole period.
    pub(in crate::payments) fn left_at(self, price: Cents) -> Cents {
        proportion(price, self.left, self.all)
    }
}

/// A length in days, begun days included.
fn whole_days(length: chrono::TimeDelta) -> i64 {
    let begun = i64::from(length.subsec_nanos() > 0);
    let seconds = length.num_seconds().saturating_add(begun);
    seconds.div_euclid(SECONDS_PER_DAY) + i64::from(seconds.rem_euclid(SECONDS_PER_DAY) > 0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn at(text: &str) -> Time {
        text.parse().unwrap()
    }

    #[test]
    fn a_day_that_has_begun_is_left() {
        let days = |now| {
            let days = Days::of(at("2027-01-31T12:00:00Z"), at("2027-02-28T12:00:00Z"), at(now));
            (days.left, days.all)
        };
        assert_eq!(days("2027-01-31T12:00:00Z"), (28, 28));
        assert_eq!(days("2027-01-31T12:00:01Z"), (28, 28));
        assert_eq!(days("2027-02-01T11:59:59.999Z"), (28, 28));
        assert_eq!(days("2027-02-01T12:00:00Z"), (27, 28));
        assert_eq!(days("2027-02-27T12:00:00Z"), (1, 28));
        assert_eq!(days("2027-02-28T11:59:59.5Z"), (1, 28));
        assert_eq!(days("2027-02-28T12:00:00Z"), (0, 28));
        assert_eq!(days("2027-03-28T12:00:00Z"), (0, 28), "after its end nothing is left");
        assert_eq!(days("2027-01-01T12:00:00Z"), (28, 28), "nor is there more than all of it");
    }

    #[test]
    fn a_leap_year_has_a_day_more() {
        let year = |from, to| Days::of(at(from), at(to), at(from)).all;
        assert_eq!(year("2028-01-01T00:00:00Z", "2029-01-01T00:00:00Z"), 366);
        assert_eq!(year("2027-01-01T00:00:00Z", "2028-01-01T00:00:00Z"), 365);
    }

    proptest! {
        #[test]
        fn what_is_left_is_never_negative_and_never_more_than_the_price(
            price in 1i64..=1_000_000_000, all in 1i64..=366, used in 0i64..=366,
        ) {
            let days = Days { left: (all - used).max(0), all };
            let left = days.left_at(Cents(price));
            prop_assert!(left >= Cents::ZERO && left <= Cents(price));
            prop_assert_eq!(Days { left: all, all }.left_at(Cents(price)), Cents(price));
            prop_assert_eq!(Days { left: 0, all }.left_at(Cents(price)), Cents::ZERO);
        }

        #[test]
        fn a_dearer_plan_never_costs_less_and_a_detour_costs_nothing(
            one in 1i64..=1_000_000_000, other in 1i64..=1_000_000_000,
            third in 1i64..=1_000_000_000, all in 1i64..=366, used in 0i64..=365,
        ) {
            let days = Days { left: (all - used).max(0), all };
            let change = |from: i64, to: i64| days.left_at(Cents(to)) - days.left_at(Cents(from));
            prop_assert!(change(one.min(other), one.max(other)) >= Cents::ZERO);
            prop_assert_eq!(change(one, other) + change(other, one), Cents::ZERO);
            prop_assert_eq!(change(one, other) + change(other, third), change(one, third));
        }

        #[test]
        fn no_chain_of_upgrades_costs_more_than_the_dearest_plan(
            all in 1i64..=366, mut prices in prop::collection::vec(1i64..=10_000_000, 1..6),
            mut uses in prop::collection::vec(0i64..=365, 6),
        ) {
            prices.sort_unstable();
            uses.sort_unstable();
            let mut paid = Cents(prices[0]);
            for (pair, used) in prices.windows(2).zip(&uses) {
                let days = Days { left: (all - used).max(0), all };
                paid += days.left_at(Cents(pair[1])) - days.left_at(Cents(pair[0]));
            }
            prop_assert!(paid >= Cents(prices[0]));
            prop_assert!(paid <= Cents(prices[prices.len() - 1]));
        }
    }
}
