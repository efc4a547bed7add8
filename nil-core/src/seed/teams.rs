//! Named athletes of teams, written without registrations: a demonstration has more of them than
//! time to register them, because each registration hashes a password.

use std::collections::HashMap;

use serde_json::json;

use crate::accounts::{ClassYear, Gender, UserKind, UserStatus};
use crate::error::{Error, Result};
use crate::kernel::{AthleteId, CollegeId, Date, Password, SportId, UserId};
use crate::keys::Presence;
use crate::platform::Platform;
use crate::storage::{insert, sql};

/// An athlete of a team.
#[derive(Clone, Debug)]
pub struct Member {
    /// The first name.
    pub first_name: &'static str,
    /// The last name.
    pub last_name: &'static str,
    /// The e-mail to log in with; its local part is the address of the profile.
    pub email: String,
    /// The college.
    pub college: i64,
    /// The sport's name, as the reference data spells it.
    pub sport: &'static str,
    /// The class year.
    pub class_year: ClassYear,
    /// The gender.
    pub gender: Gender,
    /// The day of birth.
    pub born: Date,
    /// The position played, or the event.
    pub position: Option<&'static str>,
    /// The number on the jersey.
    pub jersey_number: Option<String>,
    /// The home town: city and state.
    pub hometown: (&'static str, &'static str),
    /// About themselves.
    pub bio: String,
    /// The followers on Instagram.
    pub followers: i64,
}

/// Enters athletes with verified accounts, all with the same password.
pub async fn enter(platform: &Platform, members: &[Member], password: &Password<15>) -> Result<()> {
    let random = platform.random();
    let hash = platform.hasher().hash(password.expose(), random, Presence::default()).await?;
    let now = platform.now();
    let mut session = platform.db().begin().await?;
    let sports: Vec<(String, SportId)> = session.all(sql("SELECT name, id FROM sport")).await?;
    let sports: HashMap<String, SportId> = sports.into_iter().collect();
    for member in members {
        let sport = sports.get(member.sport);
        let sport = sport.ok_or_else(|| Error::internal(format!("no sport {}", member.sport)))?;
        let college = CollegeId::new(member.college);
        let user: UserId = session
            .value(
                insert("app_user")
                    .set("kind", UserKind::Athlete)
                    .set("email", member.email.clone())
                    .set("email_verified_at", now)
                    .set("password_hash", hash.clone())
                    .set("first_name", member.first_name)
                    .set("last_name", member.last_name)
                    .set("status", UserStatus::Active)
                    .set("created_at", now)
                    .set("updated_at", now)
                    .returning(&["id"]),
            )
            .await?;
        let slug = member.email.split('@').next().unwrap_or_default();
        let athlete: AthleteId = session
            .value(
                insert("athlete")
                    .set("user_id", user)
                    .set("display_name", format!("{} {}", member.first_name, member.last_name))
                    .set("sport_id", *sport)
                    .set("university_id", college)
                    .set("class_year", member.class_year)
                    .set("gender", member.gender)
                    .set("date_of_birth", member.born)
                    .set("position", member.position)
                    .set("jersey_number", member.jersey_number.clone())
                    .set("hometown_city", member.hometown.0)
                    .set("hometown_state", member.hometown.1)
                    .set("bio", member.bio.clone())
                    .set("tags", json!([]))
                    .set("available", true)
                    .set("listed", true)
                    .set("share_slug", format!("{slug}-{user}"))
                    .set("created_at", now)
                    .set("updated_at", now)
                    .returning(&["id"]),
            )
            .await?;
        let social = insert("athlete_social")
            .set("athlete_id", athlete)
            .set("platform", "instagram")
            .set("handle", slug)
            .set("followers", member.followers)
            .set("refreshed_at", now);
        session.run(social).await?;
    }
    session.commit().await
}
