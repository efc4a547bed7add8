//! What registration steps write into the record of each kind of user.

use serde_json::json;

use crate::accounts::athletes::athlete_edit::SocialAccount;
use crate::accounts::registering::athlete_steps::{Guardian, Person, Team};
use crate::accounts::{Certification, Social};
use crate::error::Result;
use crate::kernel::{AthleteId, BusinessCategoryId, CollegeId, Time, UserId, WebUrl};
use crate::ports::social_metrics::Figures;
use crate::storage::{Session, insert, sql, update};

/// An athlete's sport and college. Omitted fields keep their values.
pub async fn set_team(session: &mut Session, user: UserId, team: &Team, now: Time) -> Result<()> {
    let row = update("athlete")
        .set("sport_id", team.sport_id)
        .set("university_id", team.university_id)
        .set("updated_at", now)
        .when("user_id", user)
        .given("position", team.position.as_deref())
        .given("class_year", team.class_year)
        .given("jersey_number", team.jersey_number.as_deref());
    session.change(row).await
}

/// An athlete's personal data. Omitted fields keep their values.
pub async fn set_person(
    session: &mut Session,
    user: UserId,
    person: &Person,
    now: Time,
) -> Result<AthleteId> {
    let row = update("athlete")
        .set("date_of_birth", person.date_of_birth)
        .set("updated_at", now)
        .when("user_id", user)
        .given("gender", person.gender)
        .given("hometown_city", person.hometown_city.as_deref())
        .given("hometown_state", person.hometown_state.as_ref().map(|state| state.to_uppercase()))
        .given("bio", person.bio.as_deref());
    session.value(row.returning(&["id"])).await
}

/// Replaces an athlete's social accounts.
pub async fn set_socials(
    session: &mut Session,
    athlete: AthleteId,
    socials: &[SocialAccount],
    now: Time,
) -> Result<()> {
    session.run(sql("DELETE FROM athlete_social WHERE athlete_id = $1").bind(athlete)).await?;
    if socials.is_empty() {
        return Ok(());
    }
    let mut rows = insert("athlete_social");
    for social in socials {
        rows = rows
            .set("athlete_id", athlete)
            .set("platform", social.platform)
            .set("handle", social.handle.trim().trim_start_matches('@'))
            .set("followers", social.followers.unwrap_or_default())
            .set("engagement_basis_points", social.engagement_rate)
            .set("refreshed_at", now)
            .row();
    }
    session.run(rows).await.map(|_| ())
}

/// Writes the fetched figures of an account on a network, unless it was removed or renamed
/// meanwhile.
pub async fn set_figures(
    session: &mut Session,
    athlete: AthleteId,
    account: &Social,
    figures: Figures,
    now: Time,
) -> Result<()> {
    let row = update("athlete_social")
        .set("followers", figures.followers)
        .set("engagement_basis_points", figures.engagement_rate)
        .set("refreshed_at", now)
        .when("athlete_id", athlete)
        .when("platform", account.platform)
        .when("handle", account.handle.as_str());
    session.run(row).await.map(|_| ())
}

/// Sets a minor's guardian, or removes an adult's.
pub async fn set_guardian(
    session: &mut Session,
    athlete: AthleteId,
    guardian: Option<&Guardian>,
) -> Result<()> {
    let statement = match guardian {
        None => {
            let gone = sql("DELETE FROM guardian WHERE athlete_id = $1").bind(athlete);
            return session.run(gone).await.map(|_| ());
        }
        Some(guardian) => insert("guardian")
            .set("athlete_id", athlete)
            .set("name", guardian.name.to_string())
            .set("email", guardian.email.clone())
            .or_update(&["athlete_id"], &["name", "email"]),
    };
    session.run(statement).await.map(|_| ())
}

/// A brand's company.
pub async fn set_company(
    session: &mut Session,
    user: UserId,
    name: &str,
    website: Option<&WebUrl>,
    now: Time,
) -> Result<()> {
    let row = update("partner")
        .set("company_name", name)
        .set("updated_at", now)
        .given("website", website.map(|website| &**website))
        .when("user_id", user);
    session.change(row).await
}

/// A brand's business category.
pub async fn set_category(
    session: &mut Session,
    user: UserId,
    category: BusinessCategoryId,
    now: Time,
) -> Result<()> {
    session
        .change(
            update("partner")
                .set("business_category_id", category)
                .set("updated_at", now)
                .when("user_id", user),
        )
        .await
}

/// An agent's agency.
pub async fn set_agency(session: &mut Session, user: UserId, name: &str, now: Time) -> Result<()> {
    session
        .change(
            update("agent")
                .set("agency_name", name.to_string())
                .set("updated_at", now)
                .when("user_id", user),
        )
        .await
}

/// An agent's page and licences. Omitted licences keep their values.
pub async fn set_network(
    session: &mut Session,
    user: UserId,
    page: &WebUrl,
    certifications: Option<&[Certification]>,
    now: Time,
) -> Result<()> {
    let row = update("agent")
        .set("network_profile_url", page.to_string())
        .set("updated_at", now)
        .when("user_id", user)
        .given("certifications", certifications.map(|certifications| json!(certifications)));
    session.change(row).await
}

/// A fan's college.
pub async fn set_fan_college(
    session: &mut Session,
    user: UserId,
    college: CollegeId,
    now: Time,
) -> Result<()> {
    session
        .change(
            update("fan")
                .set("university_id", college)
                .set("updated_at", now)
                .when("user_id", user),
        )
        .await
}

/// A guardian's decision on an athlete.
pub async fn set_consent(
    session: &mut Session,
    athlete: AthleteId,
    accept: bool,
    address: Option<String>,
    now: Time,
) -> Result<()> {
    session
        .change(
            update("guardian")
                .set("consented_at", accept.then_some(now))
                .set("declined_at", (!accept).then_some(now))
                .set("address", address)
                .when("athlete_id", athlete),
        )
        .await
}
