//! The common filters of all figures.

use chrono_tz::Tz;
use schemars::JsonSchema;
use serde::Serialize;

use super::period::{self, DatePreset};
use super::rollup::month::{Extent, WholeMonths};
use super::transaction::{TransactionSource, TransactionStatus};
use crate::accounts::Gender;
use crate::institutions::DealFlag;
use crate::kernel::combined::shared;
use crate::kernel::{
    AthleteId, CategoryId, Cents, CollegeId, Combined, Date, Many, SportId, Text, Time, day_in,
    start_of_day,
};

/// The filters of figures.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Filter {
    /// The first day, in the institution's time zone.
    pub from: Option<Date>,
    /// The last day, in the institution's time zone.
    pub to: Option<Date>,
    /// A named period, instead of `from` and `to`.
    pub preset: Option<DatePreset>,
    /// Only athletes of these sports.
    pub sport_ids: Option<Many<SportId, 0, 100>>,
    /// Only athletes of these genders.
    pub genders: Option<Many<Gender, 0, 3>>,
    /// Only these athletes.
    pub athlete_ids: Option<Many<AthleteId, 0, 500>>,
    /// Only jobs of these categories.
    pub category_ids: Option<Many<CategoryId, 0, 100>>,
    /// Only deals from these sources.
    pub sources: Option<Many<TransactionSource, 0, 2>>,
    /// Only these statuses. By default, lists show every status, and figures count money: payments
    /// that succeeded, refunded or not, and disclosed jobs that were neither rejected nor
    /// withdrawn.
    pub statuses: Option<Many<TransactionStatus, 0, 12>>,
    /// Only transactions with one of these flags.
    pub flags: Option<Many<DealFlag, 0, 6>>,
    /// The lowest gross amount, in cents.
    pub min_cents: Option<Cents>,
    /// The highest gross amount, in cents.
    pub max_cents: Option<Cents>,
    /// Part of the number, the athlete's or the payer's name; for athletes, of their name.
    pub q: Option<Text<0, 100>>,
}

/// An input's own fields together with the common filters.
pub type Filtered<I> = Combined<Filter, I>;

shared!(Filter {
    from,
    to,
    preset,
    sport_ids,
    genders,
    athlete_ids,
    category_ids,
    sources,
    statuses,
    flags,
    min_cents,
    max_cents,
    q,
});

/// A resolved filter: with the caller's institution and limits, and the current time.
#[derive(Clone, Debug)]
pub(super) struct Wanted {
    pub(super) college: CollegeId,
    /// The sports the caller is limited to; empty means all.
    pub(super) limited_to: Vec<SportId>,
    pub(super) zone: Tz,
    pub(super) now: Time,
    pub(super) from: Option<Date>,
    pub(super) to: Option<Date>,
    pub(super) sports: Vec<SportId>,
    pub(super) genders: Vec<Gender>,
    pub(super) athletes: Vec<AthleteId>,
    pub(super) categories: Vec<CategoryId>,
    pub(super) sources: Vec<TransactionSource>,
    pub(super) statuses: Vec<TransactionStatus>,
    pub(super) flags: Vec<DealFlag>,
    pub(super) least: Option<Cents>,
    pub(super) most: Option<Cents>,
    /// Part of a transaction's number, athlete's or payer's name.
    pub(super) words: Option<String>,
    /// Part of an athlete's name.
    pub(super) named: Option<String>,
    /// The extent of the institution's transactions, if its rollup is up to date.
    pub(super) rollup: Option<Extent>,
}

impl Wanted {
    /// Changes this filter to one of athletes: the words are part of their names, whatever their
    /// transactions are.
    pub(super) fn of_athletes(mut self) -> Self {
        self.named = self.words.take();
        self
    }

    /// The months whose totals in the rollup are the answer: no filter applies, the caller sees
    /// every sport, and the period ends where months end.
    pub(super) fn whole_months(&self) -> Option<WholeMonths> {
        let narrowed = self.asks_for_kinds()
            || !(self.limited_to.is_empty()
                && self.sports.is_empty()
                && self.genders.is_empty()
                && self.athletes.is_empty());
        let extent = self.rollup.filter(|_| !narrowed)?;
        WholeMonths::of((self.from, self.since()), (self.to, self.until()), extent)
    }

    /// The first instant that counts.
    pub(super) fn since(&self) -> Option<Time> {
        self.from.map(|day| start_of_day(day, self.zone))
    }

    /// The first instant after the period.
    pub(super) fn until(&self) -> Option<Time> {
        self.to.map(|day| period::after(day, self.zone))
    }

    /// The current day at the institution.
    pub(super) fn today(&self) -> Date {
        self.day(self.now)
    }

    /// The day of an instant at the institution.
    pub(super) fn day(&self, at: Time) -> Date {
        day_in(at, self.zone)
    }

    /// This filter for another period, from its first day to its last.
    pub(super) fn within(&self, (from, to): (Date, Date)) -> Self {
        Self { from: Some(from), to: Some(to), ..self.clone() }
    }

    /// Whether it filters transactions by more than time and athletes.
    pub(super) fn asks_for_kinds(&self) -> bool {
        !(self.categories.is_empty()
            && self.sources.is_empty()
            && self.statuses.is_empty()
            && self.flags.is_empty()
            && self.least.is_none()
            && self.most.is_none()
            && self.words.is_none())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::combined::not_taken;

    #[test]
    fn every_field_of_the_filter_is_taken() {
        assert_eq!(not_taken::<Filter>(), Vec::<String>::new());
    }
}
