//! Ages and minority.

use super::athlete::AthleteFacts;
use crate::error::Result;
use crate::kernel::{CollegeId, Date, Time, day_in, zone_or_last};
use crate::storage::{Session, sql};

/// The age from which no guardian's consent is needed.
pub const ADULT: u32 = 18;

/// Whether a person born on `born` is younger than `years` on `today`.
#[must_use]
pub fn is_under(years: u32, born: Date, today: Date) -> bool {
    // For a birth date of 29 February, the birthday in other years is 1 March.
    today.years_since(born).is_none_or(|age| age < years)
}

/// Whether the athlete is under age on `day`. An athlete without a birth date counts as an adult;
/// the readiness check refuses them anyway.
pub fn is_minor(athlete: &AthleteFacts, day: Date) -> bool {
    is_under_age(athlete.date_of_birth, day)
}

/// Whether a person with this birth date is under age on `day`; false if it is not known.
pub fn is_under_age(born: Option<Date>, day: Date) -> bool {
    born.is_some_and(|born| is_under(ADULT, born, day))
}

/// The day on which the ages of an institution's athletes are counted: the day there. Without an
/// institution, it is the day where a day ends last, so that nobody comes of age too early.
pub async fn today(session: &mut Session, college: Option<CollegeId>, now: Time) -> Result<Date> {
    let zone: Option<(String,)> = match college {
        Some(college) => {
            session.first(sql("SELECT time_zone FROM college WHERE id = $1").bind(college)).await?
        }
        None => None,
    };
    Ok(day_in(now, zone_or_last(zone.as_ref().map(|(zone,)| zone.as_str()))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn birthdays_end_minority_on_the_day() {
        let day = |text: &str| text.parse::<Date>().unwrap();
        let born = day("2008-11-20");
        assert!(is_under(18, born, day("2026-11-19")));
        assert!(!is_under(18, born, day("2026-11-20")));
        let leap = day("2008-02-29");
        assert!(is_under(18, leap, day("2026-02-28")));
        assert!(!is_under(18, leap, day("2026-03-01")));
        assert!(is_under(18, day("2027-01-01"), day("2026-11-20")));
    }
}
