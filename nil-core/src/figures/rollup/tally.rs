//! Totals of transactions for which the rollup has no answer, counted up in one pass.

use std::collections::{BTreeMap, HashMap};

use chrono::Months;
use chrono_tz::Tz;

use super::month::Month;
use super::sums::{Group, MonthGroup, Overall, Sums};
use crate::figures::transaction::TransactionSource;
use crate::kernel::{AthleteId, Cents, Time, start_of_day};
use crate::storage::FromRow;

/// What totals need of a transaction.
#[derive(Clone, Copy, Debug, FromRow)]
pub(crate) struct Entry {
    pub(crate) occurred_at: Time,
    pub(crate) source: TransactionSource,
    pub(crate) athlete_id: AthleteId,
    pub(crate) gross_cents: Cents,
    pub(crate) fee_cents: Cents,
    pub(crate) net_cents: Cents,
    pub(crate) refunded_cents: Cents,
}

/// The totals of the transactions so far.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    sources: BTreeMap<TransactionSource, Part>,
    months: BTreeMap<Month, MonthPart>,
    /// Each athlete's number, in the order in which they come.
    athletes: HashMap<AthleteId, usize>,
    /// The month of the last transaction: most are in the same month as the one before.
    current: Option<(Month, Time, Time)>,
}

/// A group of transactions.
#[derive(Debug, Default)]
struct Part {
    sums: Sums,
    /// The number of different athletes.
    athletes: i64,
    /// Whether each athlete is among them, by their number.
    seen: Vec<bool>,
}

/// The transactions of a month.
#[derive(Debug, Default)]
struct MonthPart {
    part: Part,
    amounts: Vec<Cents>,
}

impl Part {
    fn add(&mut self, sums: Sums, athlete: usize) {
        self.sums += sums;
        if self.seen.len() <= athlete {
            self.seen.resize(athlete + 1, false);
        }
        if let Some(seen) = self.seen.get_mut(athlete) {
            self.athletes += i64::from(!*seen);
            *seen = true;
        }
    }

    fn group<K>(self, key: K) -> Group<K> {
        Group { key, athletes: self.athletes, sums: self.sums }
    }
}

impl Tally {
    /// Adds a transaction; `zone` says which month it is in.
    pub(crate) fn add(&mut self, entry: &Entry, zone: Tz) {
        let sums = Sums {
            count: 1,
            gross_cents: entry.gross_cents,
            fee_cents: entry.fee_cents,
            net_cents: entry.net_cents,
            refunded_cents: entry.refunded_cents,
        };
        let next = self.athletes.len();
        let athlete = *self.athletes.entry(entry.athlete_id).or_insert(next);
        let month = self.month(entry.occurred_at, zone);
        self.sources.entry(entry.source).or_default().add(sums, athlete);
        let of_month = self.months.entry(month).or_default();
        of_month.part.add(sums, athlete);
        of_month.amounts.push(entry.gross_cents);
    }

    fn month(&mut self, at: Time, zone: Tz) -> Month {
        if let Some((month, from, until)) = self.current
            && (from..until).contains(&at)
        {
            return month;
        }
        let month = Month::of(at, zone);
        self.current = month.first_day().and_then(|first| {
            let next = first.checked_add_months(Months::new(1))?;
            Some((month, start_of_day(first, zone), start_of_day(next, zone)))
        });
        month
    }

    /// The totals, and the one or two middle amounts.
    pub(crate) fn overall(self) -> Overall {
        let mut amounts = Vec::new();
        let months = self.months.into_iter().map(|(month, MonthPart { part, amounts: own })| {
            amounts.extend_from_slice(&own);
            MonthGroup { group: part.group(month), middle: middle(own) }
        });
        let months = months.collect();
        Overall {
            sources: self.sources.into_iter().map(|(source, part)| part.group(source)).collect(),
            months,
            athletes: i64::try_from(self.athletes.len()).unwrap_or(i64::MAX),
            middle: middle(amounts),
        }
    }
}

/// The one or two middle amounts, in their order; none without amounts.
fn middle(mut amounts: Vec<Cents>) -> Vec<Cents> {
    let half = amounts.len() / 2;
    if amounts.is_empty() {
        return Vec::new();
    }
    let odd = amounts.len() % 2 == 1;
    let (below, upper, _) = amounts.select_nth_unstable(half);
    let lower = below.iter().copied().max().filter(|_| !odd);
    lower.into_iter().chain([*upper]).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_middle_is_that_of_the_sorted_amounts(amounts in prop::collection::vec(0i64..50, 0..40)) {
            let amounts: Vec<_> = amounts.into_iter().map(Cents).collect();
            let mut sorted = amounts.clone();
            sorted.sort_unstable();
            let (from, until) = (sorted.len().saturating_sub(1) / 2, sorted.len() / 2);
            let expected = sorted.get(from..=until).unwrap_or_default();
            prop_assert_eq!(middle(amounts), expected);
        }
    }

    #[test]
    fn athletes_count_once_in_each_group() {
        let zone = chrono_tz::America::Chicago;
        let mut tally = Tally::default();
        // The second is still in January in Chicago.
        for (at, athlete, source) in [
            ("2026-01-31T12:00:00Z", 1, TransactionSource::Platform),
            ("2026-02-01T05:59:59Z", 2, TransactionSource::Disclosed),
            ("2026-02-01T06:00:00Z", 1, TransactionSource::Disclosed),
            ("2026-01-02T12:00:00Z", 1, TransactionSource::Platform),
        ] {
            let entry = Entry {
                occurred_at: at.parse().unwrap(),
                source,
                athlete_id: AthleteId::new(athlete).unwrap(),
                gross_cents: Cents(athlete * 100),
                fee_cents: Cents(10),
                net_cents: Cents(5),
                refunded_cents: Cents(1),
            };
            tally.add(&entry, zone);
        }
        let overall = tally.overall();
        assert_eq!(overall.athletes, 2);
        let months = overall.months.iter().map(|MonthGroup { group, middle }| {
            let middle: Vec<_> = middle.iter().map(|cents| cents.get()).collect();
            (group.sums.count, group.athletes, group.sums.gross_cents.get(), middle)
        });
        let months: Vec<_> = months.collect();
        assert_eq!(months, [(3, 2, 400, vec![100]), (1, 1, 100, vec![100])]);
        let sources: Vec<_> = overall.sources.iter().map(|g| (g.key, g.athletes)).collect();
        assert_eq!(sources, [(TransactionSource::Platform, 1), (TransactionSource::Disclosed, 2)]);
        assert_eq!(overall.middle, [Cents(100), Cents(100)]);
    }
}
