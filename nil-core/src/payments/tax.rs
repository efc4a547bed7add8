//! The yearly amounts from which payers must report payments, and the rates of backup withholding: tables by year, kept
//! as data.

use chrono::Datelike as _;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::error::{Error, Result, codes};
use crate::kernel::{BasisPoints, Cents, Date, Time, midnight};

const THRESHOLDS: &str = include_str!("../../assets/reference/tax_thresholds.csv");
const WITHHOLDING: &str = include_str!("../../assets/reference/backup_withholding.csv");

/// The form for payments for services.
pub(super) const SERVICES: &str = "1099-NEC";
/// The form for royalties.
pub(super) const ROYALTIES: &str = "1099-MISC";

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

/// The rule of a form in a year.
pub(super) fn rule(year: i64, form: &str) -> Result<Rule> {
    last(THRESHOLDS, |rule: &Rule| rule.from_year <= year && rule.form == form)
}

/// The rate of backup withholding in a year.
pub(super) fn withholding_rate(year: i64) -> Result<BasisPoints> {
    #[derive(Deserialize)]
    struct Rate {
        from_year: i64,
        basis_points: BasisPoints,
    }
    last(WITHHOLDING, |rate: &Rate| rate.from_year <= year).map(|rate| rate.basis_points)
}

/// The last row of a table that applies.
fn last<T: DeserializeOwned>(table: &str, applies: impl Fn(&T) -> bool) -> Result<T> {
    let mut found = None;
    for row in csv::Reader::from_reader(table.as_bytes()).deserialize::<T>() {
        let row = row.map_err(Error::internal)?;
        if applies(&row) {
            found = Some(row);
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

/// The instants a year begins and ends at; 422 for years without possible payments.
pub(super) fn span_of(year: i64) -> Result<(Time, Time)> {
    span(year).ok_or_else(|| Error::invalid("year", "must be a year from 2021 to 2100"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_threshold_is_the_years_own() {
        let threshold = |year, form| rule(year, form).unwrap().threshold_cents;
        assert_eq!(threshold(2025, SERVICES), Cents(60_000));
        assert_eq!(threshold(2026, SERVICES), Cents(200_000));
        assert_eq!(threshold(2026, ROYALTIES), Cents(1_000));
        assert_eq!(rule(2030, SERVICES).unwrap().form, "1099-NEC");
        assert_eq!(withholding_rate(2026).unwrap().of(Cents(10_000)), Cents(2_400));
        assert!(span(2020).is_none() && span(2101).is_none() && span(2026).is_some());
    }
}
