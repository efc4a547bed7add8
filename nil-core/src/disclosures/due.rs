//! The deadlines for disclosing a deal: to the institution by its own rule, to the clearinghouse by
//! a dated table. Days end at 23:59:59 in the institution's time zone.

use std::sync::LazyLock;

use chrono::{Days, TimeDelta};
use chrono_tz::Tz;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use crate::error::{Result, codes};
use crate::institutions::{
    DeadlineUnit, DisclosureDeadline, Division, Participation, takes_part_on,
};
use crate::kernel::{Cents, Date, LAST_TIME, Time, business_days_after, end_of_day};

const CLEARINGHOUSE: &str = include_str!("../../assets/reference/clearinghouse.csv");

static TABLE: LazyLock<Option<Vec<ClearinghouseRule>>> = LazyLock::new(|| {
    let mut lines = csv::Reader::from_reader(CLEARINGHOUSE.as_bytes());
    lines.deserialize().collect::<Result<_, _>>().ok()
});

/// A rule of the clearinghouse, in force from a date.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(super) struct ClearinghouseRule {
    /// The first day of signing it applies to.
    pub(super) from_date: Date,
    /// The total with one payor from which deals must be submitted.
    pub(super) threshold_cents: Cents,
    /// The number of business days after signing.
    pub(super) business_days: u32,
    /// The gifts to the institution in all above which a payer is associated with it.
    pub(super) large_gift_cents: Cents,
    /// The divisions whose athletes report, in a cell with blanks between them.
    #[serde(deserialize_with = "words")]
    pub(super) divisions: Vec<Division>,
    /// The number of business days in which a payor attests whether it is associated.
    pub(super) attestation_days: u32,
    /// The number of days after enrolment in which entrants report their earlier deals.
    pub(super) entrant_days: u32,
    /// The first day of signing whose deals entrants report.
    pub(super) entrants_from: Date,
}

impl ClearinghouseRule {
    /// Whether athletes of an institution report.
    pub(super) fn applies_to(&self, school: School) -> bool {
        school.takes_part && self.divisions.contains(&school.division)
    }
}

fn words<'de, D: Deserializer<'de>>(from: D) -> std::result::Result<Vec<Division>, D::Error> {
    let cell = String::deserialize(from)?;
    cell.split_whitespace().map(|word| word.parse().map_err(D::Error::custom)).collect()
}

/// All rules of the clearinghouse, oldest first.
pub(super) fn clearinghouse() -> Result<&'static [ClearinghouseRule]> {
    TABLE.as_deref().ok_or_else(|| codes::INTERNAL.into())
}

/// The rule for deals signed on `day`; none before the first rule.
pub(super) fn rule_on(table: &[ClearinghouseRule], day: Date) -> Option<&ClearinghouseRule> {
    let rules = table.iter().filter(|rule| rule.from_date <= day);
    rules.max_by_key(|rule| rule.from_date)
}

/// The deadline for disclosing a deal signed on `signed_on` to an institution.
pub(super) fn to_institution(signed_on: Date, deadline: DisclosureDeadline, zone: Tz) -> Time {
    let value = deadline.value.clamp(0, 100_000);
    let whole = u32::try_from(value).unwrap_or_default();
    match deadline.unit {
        DeadlineUnit::BusinessDays => end_of_day(business_days_after(signed_on, whole), zone),
        DeadlineUnit::Days => {
            let last = signed_on.checked_add_days(Days::new(u64::from(whole)));
            end_of_day(last.unwrap_or(signed_on), zone)
        }
        DeadlineUnit::Hours => {
            (end_of_day(signed_on, zone) + TimeDelta::hours(value)).min(LAST_TIME)
        }
    }
}

/// What decides on a day whether an institution's athletes report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct School {
    pub(super) division: Division,
    /// Whether it takes part in what the clearinghouse asks of its division.
    pub(super) takes_part: bool,
}

impl School {
    /// Of an institution in this division with these changes of its participation.
    pub(super) fn on(day: Date, division: Division, changes: &[Participation]) -> Self {
        Self { division, takes_part: takes_part_on(changes, day) }
    }
}

#[cfg(test)]
#[path = "due_tests.rs"]
mod tests;
