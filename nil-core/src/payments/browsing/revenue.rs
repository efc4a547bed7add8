//! What the platform earns: fees of payments and subscriptions, by month.

use chrono::{Datelike as _, Months};
use schemars::JsonSchema;
use serde::Deserialize;

use super::revenue_line::{Revenue, RevenueBy, RevenueSort, RevenueTotals};
use crate::auth::Operator;
use crate::error::{Error, Result};
use crate::kernel::{AllOr, Cents, Date, Listing, Paged, Text, Time, midnight, utc_day};
use crate::operation::Cx;
use crate::payments::charges::payment::PaymentStatus;
use crate::payments::store::revenue::{self as store, Wanted};

/// The number of months by default.
const USUAL: u32 = 12;
/// The largest number of months.
const MOST: i32 = 36;

/// Selects revenue. Months are whole, by UTC: days stand for the month they are in.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct ListRevenue {
    /// `all`, or a payment's status. Only payments that were charged have revenue; with a status,
    /// subscriptions do not count.
    pub status: AllOr<PaymentStatus>,
    /// What a line is about (default `partner`).
    pub by: Option<RevenueBy>,
    /// A day of the first month (default: eleven months before the last one).
    #[schemars(extend("examples" = ["2026-01-01"]))]
    pub from: Option<Date>,
    /// A day of the last month (default: this month).
    #[schemars(extend("examples" = ["2026-12-31"]))]
    pub to: Option<Date>,
    /// Part of the name of the brand, the institution or the plan, or of the month. The totals are
    /// those of the lines found.
    pub q: Option<Text<0, 100>>,
    /// The order (default newest month first, in it the largest revenue first).
    pub sort: Option<RevenueSort>,
}

/// Lists revenue by month and by brand, institution or plan. 422 for an unknown status and for more
/// than 36 months.
pub async fn list(
    cx: Cx<Operator>,
    input: Paged<ListRevenue>,
) -> Result<Listing<Revenue, RevenueTotals>> {
    let (input, paging) = input.parts();
    let (before, from, until) = months(&input, cx.now())?;
    let (status, by) = (input.status.one(), input.by.unwrap_or(RevenueBy::Partner));
    let sort = input.sort.unwrap_or(RevenueSort::Newest);
    let wanted = Wanted { status, by, from, until, q: input.q.as_deref(), sort };
    let mut session = cx.read().await?;
    let (page, totals) = store::page(&mut session, &wanted, paging).await?;
    let earlier = Wanted { from: before, until: from, ..wanted };
    let (_, previous) = store::totals(&mut session, &earlier).await?;
    let change_basis_points = change(previous.revenue_cents, totals.revenue_cents);
    Ok(page.with(RevenueTotals { totals, previous, change_basis_points }))
}

/// The beginnings of the period before, of the first month, and of the month after the last one.
fn months(input: &ListRevenue, now: Time) -> Result<(Time, Time, Time)> {
    let first_of = |day: Date| day.with_day(1).unwrap_or(day);
    let last = first_of(input.to.unwrap_or_else(|| utc_day(now)));
    let first = match input.from {
        Some(from) => Some(first_of(from)),
        None => last.checked_sub_months(Months::new(USUAL - 1)),
    };
    let first = first
        .filter(|first| *first <= last)
        .ok_or_else(|| Error::invalid("to", "must not be before `from`"))?;
    let count = |day: Date| day.year() * 12 + i32::try_from(day.month0()).unwrap_or_default();
    let length = count(last) - count(first) + 1;
    if length > MOST {
        return Err(Error::invalid("from", "must be at most 36 months before `to`"));
    }
    let length = Months::new(length.unsigned_abs());
    let instant = |day: Option<Date>, field| -> Result<Time> {
        let day = day.ok_or_else(|| Error::invalid(field, "is too far away"))?;
        Ok(midnight(day))
    };
    let before = instant(first.checked_sub_months(length), "from")?;
    let from = instant(Some(first), "from")?;
    let until = instant(last.checked_add_months(Months::new(1)), "to")?;
    Ok((before, from, until))
}

/// The growth from one sum to another, in hundredths of a percent.
fn change(before: Cents, after: Cents) -> Option<i64> {
    let (before, after) = (i128::from(before.get()), i128::from(after.get()));
    if before <= 0 {
        return None;
    }
    i64::try_from((after - before) * 10_000 / before).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn period(from: Option<&str>, to: Option<&str>) -> Result<[String; 3]> {
        let day = |text: &str| text.parse().unwrap();
        let input = ListRevenue {
            status: AllOr::All,
            by: None,
            from: from.map(day),
            to: to.map(day),
            q: None,
            sort: None,
        };
        let now = "2026-11-23T10:00:00Z".parse().unwrap();
        let (before, from, until) = months(&input, now)?;
        Ok([before, from, until].map(|at| at.format("%Y-%m-%dT%H").to_string()))
    }

    #[test]
    fn months_are_whole_and_as_many_stand_before_them() {
        let year = ["2024-12-01T00", "2025-12-01T00", "2026-12-01T00"];
        assert_eq!(period(None, None).unwrap(), year);
        let one = ["2026-01-01T00", "2026-02-01T00", "2026-03-01T00"];
        assert_eq!(period(Some("2026-02-28"), Some("2026-02-01")).unwrap(), one);
        for (from, to, field) in [
            ("2026-12-01", "2026-11-30", "to"),
            ("2023-11-30", "2026-11-01", "from"),
            ("-262143-01-01", "-262143-01-31", "from"),
        ] {
            let error = period(Some(from), Some(to)).unwrap_err();
            assert!(error.fields().contains_key(field), "{from} {to}: {error:?}");
        }
    }

    #[test]
    fn growth_is_measured_from_what_was_earned_before() {
        let change = |before, after| change(Cents(before), Cents(after));
        assert_eq!(change(200, 250), Some(2_500));
        assert_eq!(change(200, 0), Some(-10_000));
        assert_eq!(change(0, 100), None);
    }
}
