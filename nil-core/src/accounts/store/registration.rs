//! The rows of unfinished registrations.

use chrono_tz::Tz;
use serde_json::{Value, json};

use crate::accounts::registering::registration::{Known, Step};
use crate::accounts::{UserEvent, UserKind, UserStatus};
use crate::error::{Error, Result, codes};
use crate::kernel::{
    AthleteId, BusinessCategoryId, CollegeId, Date, Email, Machine as _, Moved, Slug, SportId,
    Time, UserId, zone_or_last,
};
use crate::storage::{FromRow, Session, insert, sql, update};

/// An unfinished registration.
#[derive(Debug)]
pub struct Registration {
    pub id: UserId,
    pub kind: UserKind,
    pub email: Option<String>,
    pub first_name: Option<String>,
    pub last_name: Option<String>,
    pub phone: Option<String>,
    pub done: Vec<Step>,
    /// Wrong codes so far, over all codes sent.
    pub wrong_codes: i64,
    /// When it expires.
    pub expires_at: Time,
    /// The permission to finish; fails for an account that is past registration.
    pub finishing: Moved<UserStatus>,
}

/// How many wrong codes a registration allows, over all codes sent.
const MOST_WRONG_CODES: i64 = 15;

impl Registration {
    /// 429 `otp_blocked` after so many wrong codes that guessing is likely.
    pub fn check_codes(&self, now: Time) -> Result<()> {
        if self.wrong_codes < MOST_WRONG_CODES {
            return Ok(());
        }
        let seconds = (self.expires_at - now).num_seconds();
        let seconds = u64::try_from(seconds).unwrap_or_default().saturating_add(1);
        Err(Error::from(codes::OTP_BLOCKED).retry_after(seconds))
    }

    pub fn known(&self) -> Known {
        Known {
            first_name: self.first_name.is_some(),
            last_name: self.last_name.is_some(),
            phone: self.phone.is_some(),
        }
    }
}

const REGISTRATION: &str = "SELECT u.id, u.kind, u.status, u.email, u.first_name, u.last_name, \
    u.phone, r.completed, r.wrong_codes, r.expires_at \
    FROM app_user u JOIN registration r ON r.user_id = u.id WHERE u.id = $1";

/// The registration, locked; 409 if it was finished in the meantime.
pub async fn under_way(session: &mut Session, id: UserId) -> Result<Registration> {
    #[derive(FromRow)]
    struct Found {
        id: UserId,
        kind: UserKind,
        status: UserStatus,
        email: Option<String>,
        first_name: Option<String>,
        last_name: Option<String>,
        phone: Option<String>,
        completed: Value,
        wrong_codes: i64,
        expires_at: Time,
    }
    let found: Found = session.one(sql(REGISTRATION).locking("FOR UPDATE").bind(id)).await?;
    let finishing = found.status.on(UserEvent::Finish)?;
    let mut done: Vec<Step> = serde_json::from_value(found.completed).unwrap_or_default();
    // Another registration has taken the e-mail since.
    done.retain(|step| *step != Step::Step2 || found.email.is_some());
    Ok(Registration {
        id: found.id,
        kind: found.kind,
        email: found.email,
        first_name: found.first_name,
        last_name: found.last_name,
        phone: found.phone,
        done,
        wrong_codes: found.wrong_codes,
        expires_at: found.expires_at,
        finishing,
    })
}

/// Makes the account and the record of its kind, unlisted until registration is finished.
pub async fn start(
    session: &mut Session,
    kind: UserKind,
    referral_code: Option<String>,
    now: Time,
) -> Result<UserId> {
    let id: UserId = session
        .value(
            insert("app_user")
                .set("kind", kind)
                .set("status", UserStatus::Onboarding)
                .set("referral_code", referral_code)
                .set("created_at", now)
                .set("updated_at", now)
                .returning(&["id"]),
        )
        .await?;
    let record = match kind {
        UserKind::Athlete => insert("athlete")
            .set("display_name", "")
            .set("tags", json!([]))
            .set("available", false)
            .set("listed", false)
            // No finished athlete's slug holds an underscore.
            .set("share_slug", format!("_{id}")),
        UserKind::Partner => insert("partner").set("company_name", "").set("listed", false),
        UserKind::Agent => insert("agent").set("agency_name", "").set("certifications", json!([])),
        UserKind::Fan => insert("fan"),
    };
    session.run(record.set("user_id", id).set("created_at", now).set("updated_at", now)).await?;
    Ok(id)
}

/// Opens the registration with the token's stored hash.
pub async fn open(
    session: &mut Session,
    id: UserId,
    token_hash: String,
    until: Time,
) -> Result<()> {
    session
        .run(
            insert("registration")
                .set("user_id", id)
                .set("token_hash", token_hash)
                .set("completed", json!([Step::Register]))
                .set("expires_at", until),
        )
        .await
        .map(|_| ())
}

/// Saves the personal data and the completed steps.
pub async fn save(
    session: &mut Session,
    registration: &Registration,
    next: Option<&str>,
    now: Time,
) -> Result<()> {
    session
        .run(
            update("app_user")
                .set("first_name", registration.first_name.clone())
                .set("last_name", registration.last_name.clone())
                .set("phone", registration.phone.clone())
                .set("onboarding_step", next.map(str::to_owned))
                .set("updated_at", now)
                .when("id", registration.id),
        )
        .await?;
    session
        .run(
            update("registration")
                .set("completed", json!(registration.done))
                .when("user_id", registration.id),
        )
        .await
        .map(|_| ())
}

/// Takes an e-mail from another registration that has not verified it: whoever lost their token
/// begins anew, and nobody keeps an address from its owner by typing it first. That registration
/// must set an e-mail again.
pub async fn release_email(
    session: &mut Session,
    by: UserId,
    email: &Email,
    now: Time,
) -> Result<()> {
    session
        .run(
            sql("UPDATE app_user SET email = NULL, password_hash = NULL, updated_at = $2 \
                 WHERE email = $1 AND status = 'onboarding' AND email_verified_at IS NULL \
                 AND id <> $3 AND id IN (SELECT user_id FROM registration)")
            .bind(email.clone())
            .bind(now)
            .bind(by),
        )
        .await
        .map(|_| ())
}

/// Whether no account has the e-mail. An unfinished registration that has not verified it keeps it
/// from nobody.
pub async fn is_free(session: &mut Session, email: &Email) -> Result<bool> {
    let holders: i64 = session
        .value(
            sql("SELECT COUNT(*) FROM app_user u LEFT JOIN registration r ON r.user_id = u.id \
                 WHERE u.email = $1 AND NOT (u.status = 'onboarding' \
                 AND u.email_verified_at IS NULL AND r.user_id IS NOT NULL)")
            .bind(email.clone()),
        )
        .await?;
    Ok(holders == 0)
}

/// Sets e-mail and password; 409 `email_taken` if the e-mail is taken.
pub async fn set_credentials(
    session: &mut Session,
    id: UserId,
    email: &Email,
    hash: String,
    now: Time,
) -> Result<()> {
    session
        .run(
            update("app_user")
                .set("email", email.clone())
                .set("password_hash", hash)
                .set("updated_at", now)
                .when("id", id),
        )
        .await
        .map(|_| ())
}

/// Counts a wrong code.
pub async fn note_wrong_code(session: &mut Session, registration: &Registration) -> Result<()> {
    session
        .change(update("registration").add("wrong_codes", 1_i64).when("user_id", registration.id))
        .await
}

/// Activates the account. From here on every step is refused; the registration's row stays until it
/// expires, so that a retry of the last step with its idempotency key gets the same response.
pub async fn finish(
    session: &mut Session,
    registration: &Registration,
    verified: bool,
    now: Time,
) -> Result<()> {
    let mut account = update("app_user")
        .set("onboarding_step", None::<String>)
        .set("last_login_at", now)
        .set("updated_at", now)
        .when("id", registration.id)
        .change(registration.finishing);
    if verified {
        account = account.set("email_verified_at", now);
    }
    session.change(account).await
}

/// What is needed to open an athlete's profile.
#[derive(Debug, FromRow)]
pub struct NewAthlete {
    pub id: AthleteId,
    pub display_name: String,
    pub date_of_birth: Option<Date>,
    pub guardian_name: Option<String>,
    pub guardian_email: Option<String>,
    pub consented_at: Option<Time>,
    /// The institution's.
    time_zone: Option<String>,
}

impl NewAthlete {
    /// The zone in which their birthdays begin.
    pub fn zone(&self) -> Tz {
        zone_or_last(self.time_zone.as_deref())
    }
}

/// The time zone of the institution that an athlete's registration names.
pub async fn zone_of(session: &mut Session, user: UserId) -> Result<Tz> {
    let zone: Option<(String,)> = session
        .first(
            sql("SELECT c.time_zone FROM athlete a JOIN college c ON c.id = a.university_id \
                 WHERE a.user_id = $1")
            .bind(user),
        )
        .await?;
    Ok(zone_or_last(zone.as_ref().map(|(zone,)| zone.as_str())))
}

/// The athlete of an account with the guardian, if there is one.
pub async fn new_athlete(session: &mut Session, user: UserId) -> Result<NewAthlete> {
    session
        .one(
            sql("SELECT a.id, a.display_name, a.date_of_birth, g.name AS guardian_name, \
                 g.email AS guardian_email, g.consented_at, c.time_zone FROM athlete a \
                 LEFT JOIN college c ON c.id = a.university_id \
                 LEFT JOIN guardian g ON g.athlete_id = a.id WHERE a.user_id = $1")
            .bind(user),
        )
        .await
}

/// Makes a new athlete visible to brands, and to everyone if `listed`.
pub async fn open_athlete(
    session: &mut Session,
    athlete: &NewAthlete,
    name: &str,
    listed: bool,
    now: Time,
) -> Result<()> {
    // The id at the end makes it unique whatever the name is.
    let slug = format!("{}-{}", &*Slug::of_name(name, "athlete"), athlete.id);
    session
        .run(
            update("athlete")
                .set("display_name", name)
                .set("share_slug", slug)
                .set("available", true)
                .set("listed", listed)
                .set("updated_at", now)
                .when("id", athlete.id),
        )
        .await
        .map(|_| ())
}

/// Lists a new brand in directories.
pub async fn open_partner(session: &mut Session, user: UserId, now: Time) -> Result<()> {
    session
        .run(update("partner").set("listed", true).set("updated_at", now).when("user_id", user))
        .await
        .map(|_| ())
}

/// The id of the record of a new account's kind.
pub async fn profile_id(session: &mut Session, kind: UserKind, user: UserId) -> Result<i64> {
    let text = match kind {
        UserKind::Athlete => "SELECT id FROM athlete WHERE user_id = $1",
        UserKind::Partner => "SELECT id FROM partner WHERE user_id = $1",
        UserKind::Agent => "SELECT id FROM agent WHERE user_id = $1",
        UserKind::Fan => "SELECT id FROM fan WHERE user_id = $1",
    };
    session.value(sql(text).bind(user)).await
}

/// A reference to a row of a list.
#[derive(Clone, Copy, Debug)]
pub enum Choice<'a> {
    Sport(SportId),
    College(CollegeId),
    BusinessCategory(BusinessCategoryId),
    State(&'a str),
}

/// Whether the row exists.
pub async fn can_be_chosen(session: &mut Session, choice: Choice<'_>) -> Result<bool> {
    let statement = match choice {
        Choice::Sport(id) => sql("SELECT COUNT(*) FROM sport WHERE id = $1 AND active").bind(id),
        Choice::College(id) => {
            sql("SELECT COUNT(*) FROM college WHERE id = $1 AND listed").bind(id)
        }
        Choice::BusinessCategory(id) => {
            sql("SELECT COUNT(*) FROM business_category WHERE id = $1 AND active").bind(id)
        }
        Choice::State(code) => sql("SELECT COUNT(*) FROM state WHERE code = $1").bind(code),
    };
    let found: i64 = session.value(statement).await?;
    Ok(found > 0)
}
