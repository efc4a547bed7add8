//! The yearly amounts from which payers must report payments: a table by year, kept as data.

use chrono::Datelike as _;
use serde::Deserialize;

use crate::error::{Error, Result, codes};
use crate::kernel::{Cents, Date, Time, midnight};

const THRESHOLDS: &str = include_str!("../../assets/reference/tax_thresholds.csv");

/// The rule from a year on.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Rule {
    /// The first year it holds in.
    pub(super) from_year: i64,
    /// The form.
    pub(super) form: String,
    /// The lowest amount to report.
    pub(super) threshold_cents: Cents,
}

/// The rule of a year.
pub(super) fn rule(year: i64) -> Result<Rule> {
    let mut rules = csv::Reader::from_reader(THRESHOLDS.as_bytes());
    let mut found = None;
    for rule in rules.deserialize::<Rule>() {
        let rule = rule.map_err(Error::internal)?;
        if rule.from_year <= year {
            found = Some(rule);
        }
    }
    found.ok_or_else(|| codes::INTERNAL.into())
}

/// The year of an instant (UTC).
pub(super) fn year_of(time: Time) -> i64 {
    i64::from(time.year())
}

/// The instants a year begins and ends at; `None` for years without possible payments.
pub(super) fn span(year: i64) -> Option<(Time, Time)> {
    let first = |year: i64| {
        let date = Date::from_ymd_opt(i32::try_from(year).ok()?, 1, 1)?;
        Some(midnight(date))
    };
    (2021..=2100).contains(&year).then(|| first(year).zip(first(year + 1))).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_threshold_is_the_years_own() {
        assert_eq!(rule(2025).unwrap().threshold_cents, Cents(60_000));
        assert_eq!(rule(2026).unwrap().threshold_cents, Cents(200_000));
        assert_eq!(rule(2030).unwrap().form, "1099-NEC");
        assert!(span(2020).is_none() && span(2101).is_none() && span(2026).is_some());
    }
}
