//! Checks whether an athlete meets a job's conditions and is ready for a deal. Pure: facts in,
//! verdict out.

use super::job::Eligibility;
use super::words::MediaPlatform;
use crate::accounts::UserStatus;
use crate::error::{Error, Result, codes};
use crate::kernel::Date;
use crate::people::{AthleteFacts, is_minor};

/// The conditions that the athlete does not meet, as field names of the job.
pub(super) fn unmet(wanted: &Eligibility, athlete: &AthleteFacts) -> Vec<&'static str> {
    fn excluded<T: PartialEq>(wanted: &[T], own: Option<&T>) -> bool {
        !wanted.is_empty() && !own.is_some_and(|own| wanted.contains(own))
    }
    let few = wanted.min_followers.is_some_and(|least| athlete.followers < least);
    [
        ("sport_ids", excluded(&wanted.sport_ids, athlete.sport_id.as_ref())),
        ("university_ids", excluded(&wanted.university_ids, athlete.college_id.as_ref())),
        ("genders", excluded(&wanted.genders, athlete.gender.as_ref())),
        ("states", excluded(&wanted.states, athlete.college_state.as_ref())),
        ("class_years", excluded(&wanted.class_years, athlete.class_year.as_ref())),
        ("min_followers", few),
    ]
    .into_iter()
    .filter_map(|(name, unmet)| unmet.then_some(name))
    .collect()
}

/// What is missing in an athlete's profile for a deal on these platforms.
pub(super) fn lacking(
    athlete: &AthleteFacts,
    platforms: impl IntoIterator<Item = MediaPlatform>,
) -> Vec<String> {
    let mut lacking: Vec<String> = [
        ("name", athlete.first_name.is_none() || athlete.last_name.is_none()),
        ("verified_contact", athlete.email_verified_at.is_none()),
        ("school", athlete.college_id.is_none()),
        ("birth_date", athlete.date_of_birth.is_none()),
        ("sport", athlete.sport_id.is_none()),
    ]
    .into_iter()
    .filter(|(_, lacks)| *lacks)
    .map(|(name, _)| name.to_owned())
    .collect();
    for wanted in platforms {
        let name = wanted.as_str();
        let account = format!("{name}_account");
        let missing =
            wanted.needs_account() && !athlete.platforms.iter().any(|platform| platform == name);
        if missing && !lacking.contains(&account) {
            lacking.push(account);
        }
    }
    lacking
}

/// Refuses a minor whose guardian has not consented.
pub(crate) fn of_age_or_consented(athlete: &AthleteFacts, day: Date) -> Result<()> {
    if is_minor(athlete, day) && athlete.guardian_consented_at.is_none() {
        return Err(codes::GUARDIAN_CONSENT_MISSING.into());
    }
    Ok(())
}

/// Refuses an athlete who cannot have the job: account, conditions, readiness; each 409 with its
/// own code.
pub(crate) fn check(
    wanted: &Eligibility,
    platforms: impl IntoIterator<Item = MediaPlatform>,
    athlete: &AthleteFacts,
) -> Result<()> {
    if athlete.account != UserStatus::Active {
        return Err(codes::ATHLETE_UNAVAILABLE.saying("The athlete's account is not active."));
    }
    let unmet = unmet(wanted, athlete);
    if !unmet.is_empty() {
        return Err(named(codes::NOT_ELIGIBLE, "The athlete does not meet", &unmet));
    }
    let lacking = lacking(athlete, platforms);
    if !lacking.is_empty() {
        return Err(named(codes::ATHLETE_NOT_READY, "The athlete's profile lacks", &lacking));
    }
    Ok(())
}

fn named<T: AsRef<str>>(code: crate::error::Code, sentence: &str, what: &[T]) -> Error {
    let what: Vec<&str> = what.iter().map(AsRef::as_ref).collect();
    code.saying(format!("{sentence}: {}.", what.join(", ")))
}
