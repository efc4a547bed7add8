//! Tax years, the yearly amounts from which payers must report payments, and the rates of backup
//! withholding.
//!
//! A tax year ends in the payer's time zone. The amounts are rows of `tax_threshold`, to which
//! operators add; the rates and the zones of the states are tables of reference data.

use std::collections::HashMap;
use std::sync::LazyLock;

use chrono::{Datelike as _, TimeDelta};
use chrono_tz::Tz;
use serde::Deserialize;

use super::ReturnForm;
use crate::error::{Error, Result, codes};
use crate::kernel::{BasisPoints, Cents, Date, Time, midnight, start_of_day};
use crate::payments::store::tax_threshold as store;
use crate::storage::Session;

const WITHHOLDING: &str = include_str!("../../../assets/reference/backup_withholding.csv");
const STATES: &str = include_str!("../../../assets/reference/states.csv");

/// The years in which payments are possible.
const YEARS: std::ops::RangeInclusive<i64> = 2021..=2100;

/// The zone of payers who have not said where they are.
const UNSTATED: Tz = Tz::America__New_York;

/// The most that a zone differs from UTC.
const WIDEST: TimeDelta = TimeDelta::hours(14);

/// The yearly amounts from which a payer reports on each form.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lines {
    services: Cents,
    royalties: Cents,
}

impl Lines {
    /// The amounts of a year.
    pub(crate) async fn of(session: &mut Session, year: i64) -> Result<Self> {
        let rows = store::in_force(session, year).await?;
        let line = |form: ReturnForm| -> Result<Cents> {
            let row = rows.iter().find(|row| row.form == form);
            row.map(|row| row.threshold_cents).ok_or_else(|| codes::INTERNAL.into())
        };
        Ok(Self { services: line(ReturnForm::Services)?, royalties: line(ReturnForm::Royalties)? })
    }

    /// The amount from which a payer reports on a form.
    pub(crate) fn on(self, form: ReturnForm) -> Cents {
        match form {
            ReturnForm::Services => self.services,
            ReturnForm::Royalties => self.royalties,
        }
    }
}

/// The rate of backup withholding in a year.
pub(super) fn withholding_rate(year: i64) -> Result<BasisPoints> {
    #[derive(Deserialize)]
    struct Rate {
        from_year: i64,
        basis_points: BasisPoints,
    }
    let mut found = None;
    for row in csv::Reader::from_reader(WITHHOLDING.as_bytes()).deserialize::<Rate>() {
        let row = row.map_err(Error::internal)?;
        if row.from_year <= year {
            found = Some(row.basis_points);
        }
    }
    found.ok_or_else(|| codes::INTERNAL.into())
}

/// The zone in which most people of each state live.
static ZONES: LazyLock<HashMap<String, Tz>> = LazyLock::new(|| {
    #[derive(Deserialize)]
    struct State {
        code: String,
        time_zone: String,
    }
    let rows = csv::Reader::from_reader(STATES.as_bytes()).into_deserialize::<State>();
    rows.filter_map(Result::ok)
        .filter_map(|state| Some((state.code, state.time_zone.parse().ok()?)))
        .collect()
});

/// The time zone of a payer in this state.
pub(crate) fn zone_of(state: Option<&str>) -> Tz {
    let zone = state.and_then(|state| ZONES.get(&state.trim().to_uppercase()));
    zone.copied().unwrap_or(UNSTATED)
}

/// The year of an instant in a zone.
pub(crate) fn year_in(time: Time, zone: Tz) -> i64 {
    i64::from(time.with_timezone(&zone).year())
}

/// The current year, where no payer says which one it is.
pub(super) fn year_of(time: Time) -> i64 {
    year_in(time, UNSTATED)
}

/// New Year's Day of a year.
fn first_day(year: i64) -> Option<Date> {
    Date::from_ymd_opt(i32::try_from(year).ok()?, 1, 1)
}

/// The instants at which a year begins and ends in a zone; `None` for years without possible
/// payments.
pub(crate) fn span(year: i64, zone: Tz) -> Option<(Time, Time)> {
    let (first, next) = first_day(year).zip(first_day(year + 1))?;
    YEARS.contains(&year).then(|| (start_of_day(first, zone), start_of_day(next, zone)))
}

/// From before a year begins anywhere until after it has ended everywhere; `None` for years without
/// possible payments.
pub(super) fn anywhere(year: i64) -> Option<(Time, Time)> {
    let (first, next) = first_day(year).zip(first_day(year + 1))?;
    YEARS.contains(&year).then(|| (midnight(first) - WIDEST, midnight(next) + WIDEST))
}

/// 422 for years without possible payments.
pub(crate) fn check(year: i64) -> Result<()> {
    if YEARS.contains(&year) {
        Ok(())
    } else {
        Err(Error::invalid("year", "must be a year from 2021 to 2100"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn years_end_where_the_payer_is() {
        let at = |text: &str| text.parse::<Time>().unwrap();
        for (state, last) in [
            (Some("NY"), "2027-01-01T04:59:59Z"),
            (Some("il"), "2027-01-01T05:59:59Z"),
            (Some("HI"), "2027-01-01T09:59:59Z"),
            (Some("GU"), "2026-12-31T13:59:59Z"),
            (None, "2027-01-01T04:59:59Z"),
            (Some("Ontario"), "2027-01-01T04:59:59Z"),
        ] {
            let zone = zone_of(state);
            let next = at(last) + TimeDelta::seconds(1);
            assert_eq!((year_in(at(last), zone), year_in(next, zone)), (2026, 2027), "{state:?}");
            let (from, until) = span(2026, zone).unwrap();
            assert_eq!(until, next, "{state:?}");
            let (earliest, latest) = anywhere(2026).unwrap();
            assert!(earliest <= from && until <= latest);
        }
        assert_eq!(ZONES.len(), 56, "every state has a zone");
        assert!(span(2020, UNSTATED).is_none() && span(2101, UNSTATED).is_none());
        assert_eq!(withholding_rate(2026).unwrap().of(Cents(10_000)), Cents(2_400));
    }
}
