//! How an athlete came to an institution, and what that means for the deals they signed before.
//! Pure.

use chrono::Days;
use chrono_tz::Tz;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::due::{self, ClearinghouseRule, School};
use crate::error::Result;
use crate::institutions::DisclosureDeadline;
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{CollegeId, Date, Time, end_of_day};
use crate::storage::FromRow;

vocabulary! {
    /// Where an athlete came from when they enrolled.
    EntryKind {
        /// From high school.
        HighSchool = "high_school",
        /// From a junior college.
        JuniorCollege = "junior_college",
        /// From an institution of Division II or III.
        OtherDivision = "other_division",
        /// From another institution of the same division: its deals stay as they are.
        FourYear = "four_year",
    }
}

/// How an athlete came to an institution.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct Enrolment {
    /// The institution.
    pub college_id: CollegeId,
    /// Where they came from.
    pub kind: EntryKind,
    /// The day of enrolment.
    pub enrolled_on: Date,
    /// The first day whose deals count: of the junior year in high school, of the enrolment at the
    /// junior college, or in the transfer portal. Null for `four_year`.
    pub counts_from: Option<Date>,
    /// The day of the first contest, if it is known.
    pub first_contest_on: Option<Date>,
    /// When it was last changed.
    pub updated_at: Time,
}

/// The first enrolment after a deal was signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entrance {
    pub(super) kind: EntryKind,
    /// The institution that the athlete came to, on the day of enrolment.
    pub(super) school: School,
    pub(super) enrolled_on: Date,
    pub(super) counts_from: Option<Date>,
    pub(super) first_contest_on: Option<Date>,
}

/// From when a deal has to be reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Clock {
    /// Business days run from the day of signing.
    Signing,
    /// The deal of an entrant: it is reported until the end of this day.
    Until(Date),
}

/// The clock of a deal of this day, signed at this institution; `None` if it does not count.
pub(super) fn clock(
    signed_on: Date,
    school: School,
    entrance: Option<Entrance>,
    rule: &ClearinghouseRule,
) -> Option<Clock> {
    let ordinary = || rule.applies_to(school).then_some(Clock::Signing);
    let Some(entrance) = entrance.filter(|entrance| rule.applies_to(entrance.school)) else {
        return ordinary();
    };
    let counts = |from: Option<Date>| from.is_none_or(|from| from <= signed_on);
    match entrance.kind {
        EntryKind::FourYear => ordinary(),
        EntryKind::OtherDivision => counts(entrance.counts_from).then_some(Clock::Signing),
        EntryKind::HighSchool | EntryKind::JuniorCollege => {
            let begins = counts(entrance.counts_from) && counts(Some(rule.entrants_from));
            begins.then(|| Clock::Until(entrance.last_day(rule)))
        }
    }
}

/// The deadline for disclosing a deal to the institution: an entrant has at least as long as at the
/// clearinghouse.
pub(super) fn to_institution(
    signed_on: Date,
    entrance: Option<Entrance>,
    (deadline, zone): (DisclosureDeadline, Tz),
) -> Result<Time> {
    let own = due::to_institution(signed_on, deadline, zone);
    let Some(rule) = due::rule_on(due::clearinghouse()?, signed_on) else {
        return Ok(own);
    };
    let clock = entrance.and_then(|come| clock(signed_on, come.school, Some(come), rule));
    Ok(match clock {
        Some(Clock::Until(last)) => own.max(end_of_day(last, zone)),
        Some(Clock::Signing) | None => own,
    })
}

impl Entrance {
    /// The last day for an entrant's earlier deals: some days after enrolment, or before the first
    /// contest.
    fn last_day(&self, rule: &ClearinghouseRule) -> Date {
        let days = Days::new(u64::from(rule.entrant_days));
        let after = self.enrolled_on.checked_add_days(days).unwrap_or(self.enrolled_on);
        let before_contest = self.first_contest_on.and_then(|day| day.pred_opt());
        before_contest.map_or(after, |day| day.min(after))
    }
}

/// When the athlete enrolled at the institution of their profile, and where they came from.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct SetEnrolment {
    /// Where they came from.
    pub kind: EntryKind,
    /// The day of enrolment.
    #[schemars(extend("examples" = ["2026-08-20"]))]
    pub enrolled_on: Date,
    /// The first day whose deals count: of the junior year in high school, of the enrolment at the
    /// junior college, or in the transfer portal. Required, except for `four_year`, which has none.
    #[schemars(extend("examples" = ["2024-08-12"]))]
    pub counts_from: Option<Date>,
    /// The day of the first contest, if it is known.
    #[schemars(extend("examples" = ["2026-09-05"]))]
    pub first_contest_on: Option<Date>,
}
