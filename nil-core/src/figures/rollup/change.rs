//! The arithmetic of the rollup: what changes of transactions add to it.

use std::collections::BTreeMap;

use chrono_tz::Tz;

use super::month::Month;
use super::sums::Sums;
use crate::kernel::Time;
use crate::kernel::vocabulary::vocabulary;
use crate::storage::FromRow;

vocabulary! {
    /// What the rollup has totals by.
    Dimension {
        /// All transactions together.
        All = "all",
        /// Where the deal was made.
        Source = "source",
        /// The athlete's sport.
        Sport = "sport",
        /// The category of the job.
        Category = "category",
        /// The kind of compensation.
        PaymentType = "payment_type",
    }
}

vocabulary! {
    /// How exactly amounts are counted.
    Grain {
        /// The amounts themselves.
        Fine = "fine",
        /// Amounts without their last seven bits.
        Medium = "medium",
        /// Amounts without their last fourteen bits.
        Coarse = "coarse",
    }
}

/// The number of amounts of a grain that are one of the next coarser grain.
pub(crate) const STEP: i64 = 1 << 7;

/// A noted change of a transaction, or (without an id) a transaction of one of the same athletes as
/// it is now.
#[derive(Clone, Debug, FromRow)]
pub(crate) struct Change {
    pub(crate) id: Option<i64>,
    pub(crate) athlete_id: i64,
    pub(crate) occurred_at: Time,
    pub(crate) source: String,
    pub(crate) sport_id: Option<i64>,
    pub(crate) category_id: i64,
    pub(crate) payment_type: String,
    /// Negative for a transaction that no longer counts. The count is 1 or -1.
    #[row(flatten)]
    pub(crate) sums: Sums,
}

impl Change {
    /// Its key in a dimension.
    fn key(&self, dimension: Dimension) -> String {
        match dimension {
            Dimension::All => String::new(),
            Dimension::Source => self.source.clone(),
            Dimension::Sport => self.sport_id.map(|id| id.to_string()).unwrap_or_default(),
            Dimension::Category => self.category_id.to_string(),
            Dimension::PaymentType => self.payment_type.clone(),
        }
    }
}

/// What is to be added to the rollup.
#[derive(Debug, Default)]
pub(crate) struct Added {
    /// By dimension, month and key: the number of different athletes, and sums.
    pub(crate) totals: BTreeMap<(Dimension, Month, String), (i64, Sums)>,
    /// By dimension, month, month before and key: the number of different athletes.
    pub(crate) athletes: BTreeMap<(Dimension, Month, Month, String), i64>,
    /// By grain, month and amount: the number of transactions.
    pub(crate) amounts: BTreeMap<(Grain, Month, i64), i64>,
}

/// The number of transactions of an athlete in a month: now, and how many more than before the
/// changes.
#[derive(Clone, Copy, Debug, Default)]
struct Held {
    now: i64,
    more: i64,
}

impl Added {
    /// What these changes add. Of each athlete with a change, `changes` has every change that is
    /// noted, and every transaction that counts now.
    pub(crate) fn by(changes: &[Change], zone: Tz) -> Self {
        let mut added = Self::default();
        let mut held: BTreeMap<(i64, Dimension, String), BTreeMap<Month, Held>> = BTreeMap::new();
        for change in changes {
            let month = Month::of(change.occurred_at, zone);
            for dimension in Dimension::ALL {
                let key = change.key(*dimension);
                if change.id.is_some() {
                    let total = added.totals.entry((*dimension, month, key.clone()));
                    total.or_default().1 += change.sums;
                }
                let months = held.entry((change.athlete_id, *dimension, key)).or_default();
                let here = months.entry(month).or_default();
                match change.id {
                    Some(_) => here.more += change.sums.count,
                    None => here.now += 1,
                }
            }
            if change.id.is_some() {
                added.count_amount(month, change.sums);
            }
        }
        for ((_, dimension, key), months) in held {
            added.count_athlete(dimension, &key, &months);
        }
        added.athletes.retain(|_, athletes| *athletes != 0);
        added.amounts.retain(|_, count| *count != 0);
        added.totals.retain(|_, total| *total != <(i64, Sums)>::default());
        added
    }

    fn count_amount(&mut self, month: Month, sums: Sums) {
        let amount = sums.gross_cents.get() * sums.count;
        for month in [Month::NONE, month] {
            for (grain, amount) in [
                (Grain::Fine, amount),
                (Grain::Medium, amount.div_euclid(STEP)),
                (Grain::Coarse, amount.div_euclid(STEP * STEP)),
            ] {
                *self.amounts.entry((grain, month, amount)).or_default() += sums.count;
            }
        }
    }

    fn count_athlete(&mut self, dimension: Dimension, key: &str, months: &BTreeMap<Month, Held>) {
        let (mut before, mut now) = (Month::NONE, Month::NONE);
        for (month, held) in months {
            let (was, is) = (held.now - held.more > 0, held.now > 0);
            for (there, since, one) in [(was, &mut before, -1), (is, &mut now, 1)] {
                if there {
                    let place = (dimension, *month, *since, key.to_owned());
                    *self.athletes.entry(place).or_default() += one;
                    *since = *month;
                    let total = self.totals.entry((dimension, *month, key.to_owned()));
                    total.or_default().0 += one;
                }
            }
        }
    }
}
