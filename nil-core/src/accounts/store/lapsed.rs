//! The rows of expired registrations.

use crate::accounts::UserStatus;
use crate::error::Result;
use crate::kernel::{Moved, Time, UserId};
use crate::schedule::due::{self, Behind, Page, due_ids};
use crate::storage::{Session, advance, sql};

/// The registrations that expired by `until`, finished or not.
pub async fn lapsed(session: &mut Session, until: Time, behind: Behind) -> Result<Page<UserId>> {
    const DUE: &str = due_ids!("registration", "expires_at", "user_id", "expires_at <= $1");
    due::ids(session, DUE, until, behind).await
}

const STATUS: &str = "SELECT u.status FROM registration r JOIN app_user u ON u.id = r.user_id \
    WHERE r.user_id = $1 AND r.expires_at <= $2";

/// The status of the account whose registration expired by `until`, locked.
pub async fn status(session: &mut Session, id: UserId, until: Time) -> Result<Option<UserStatus>> {
    let status = sql(STATUS).locking("FOR UPDATE").bind(id).bind(until);
    let found: Option<(UserStatus,)> = session.first(status).await?;
    Ok(found.map(|(status,)| status))
}

/// Deletes the token and its steps.
pub async fn remove(session: &mut Session, id: UserId) -> Result<()> {
    let remove = sql("DELETE FROM registration WHERE user_id = $1");
    session.run(remove.bind(id)).await.map(|_| ())
}

/// The tables that registration steps may have written to.
const TRACES: [&str; 7] = [
    "DELETE FROM guardian WHERE athlete_id = (SELECT id FROM athlete WHERE user_id = $1)",
    "DELETE FROM athlete_social WHERE athlete_id = (SELECT id FROM athlete WHERE user_id = $1)",
    "UPDATE athlete SET display_name = '', sport_id = NULL, university_id = NULL, position = NULL, \
     class_year = NULL, jersey_number = NULL, gender = NULL, date_of_birth = NULL, \
     hometown_city = NULL, hometown_state = NULL, bio = NULL, photo_url = NULL, tags = '[]' \
     WHERE user_id = $1",
    "UPDATE partner SET company_name = '', business_category_id = NULL, website = NULL, \
     about = NULL, logo_url = NULL, hq_city = NULL, hq_state = NULL WHERE user_id = $1",
    "UPDATE agent SET agency_name = '', network_profile_url = NULL, certifications = '[]' \
     WHERE user_id = $1",
    "UPDATE fan SET university_id = NULL WHERE user_id = $1",
    "DELETE FROM registration WHERE user_id = $1",
];

/// Closes an account that never was active, and erases its data.
pub async fn erase(
    session: &mut Session,
    id: UserId,
    moved: Moved<UserStatus>,
    now: Time,
) -> Result<()> {
    for trace in TRACES {
        session.run(sql(trace).bind(id)).await?;
    }
    let erased = None::<String>;
    session
        .change(
            advance("app_user", id, moved, now)
                .set("email", erased.clone())
                .set("email_verified_at", None::<Time>)
                .set("password_hash", erased.clone())
                .set("phone", erased.clone())
                .set("first_name", erased.clone())
                .set("last_name", erased.clone())
                .set("onboarding_step", erased.clone())
                .set("referral_code", erased),
        )
        .await
}
