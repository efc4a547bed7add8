//! Who is under age.

use super::athlete::AthleteFacts;
use crate::kernel::Date;

/// From this age on nobody has to consent for an athlete.
pub(crate) const ADULT: u32 = 18;

/// Whether somebody born on `born` is younger than `years` on `today`.
#[must_use]
pub(crate) fn is_under(years: u32, born: Date, today: Date) -> bool {
    // Born on 29 February: the birthday of other years is 1 March.
    today.years_since(born).is_none_or(|age| age < years)
}

/// Whether the athlete is under age on `day`. Somebody without a birth date is taken as an adult:
/// readiness refuses them anyway.
pub(crate) fn is_minor(athlete: &AthleteFacts, day: Date) -> bool {
    is_under_age(athlete.date_of_birth, day)
}

/// Whether somebody born on that day is under age on `day`.
pub(crate) fn is_under_age(born: Option<Date>, day: Date) -> bool {
    let age = born.and_then(|born| day.years_since(born));
    age.is_some_and(|age| age < ADULT)
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
