//! Changes to athletes' and brands' own records.

use serde_json::json;

use super::steps;
use crate::accounts::athletes::athlete_edit::{EditAthlete, WantedActivity};
use crate::accounts::partners::partner::EditPartner;
use crate::error::Result;
use crate::kernel::{AthleteId, Cents, CollegeId, Date, Edit, PartnerId, Time, UserId};
use crate::storage::{FromRow, Session, insert, sql, update};

/// The facts an edit depends on.
#[derive(Debug, FromRow)]
pub struct Held {
    pub user_id: UserId,
    pub university_id: Option<CollegeId>,
    pub date_of_birth: Option<Date>,
}

/// The athlete, locked until the transaction ends; 404 if it does not exist.
pub async fn lock_athlete(session: &mut Session, id: AthleteId) -> Result<Held> {
    session
        .one(
            sql("SELECT user_id, university_id, date_of_birth FROM athlete WHERE id = $1")
                .locking("FOR NO KEY UPDATE")
                .bind(id),
        )
        .await
}

/// The brand's account; the brand is locked until the transaction ends. 404 if it does not exist.
pub async fn lock_partner(session: &mut Session, id: PartnerId) -> Result<UserId> {
    let row = sql("SELECT user_id FROM partner WHERE id = $1").locking("FOR NO KEY UPDATE");
    session.value(row.bind(id)).await
}

/// The athlete's account; 404 if there is no such athlete.
pub async fn user_of_athlete(session: &mut Session, id: AthleteId) -> Result<UserId> {
    session.value(sql("SELECT user_id FROM athlete WHERE id = $1").bind(id)).await
}

/// Whether the athlete has a contract that has not ended.
pub async fn has_open_contract(session: &mut Session, id: AthleteId) -> Result<bool> {
    session
        .value(
            sql("SELECT EXISTS (SELECT 1 FROM contract WHERE athlete_id = $1 \
                 AND status IN ('generated', 'active'))")
            .bind(id),
        )
        .await
}

fn trimmed(text: &str) -> String {
    text.trim().to_owned()
}

/// Writes an athlete's changes, and the new picture's URL if it changed.
pub async fn write_athlete(
    session: &mut Session,
    id: AthleteId,
    input: EditAthlete,
    photo: Edit<String>,
    now: Time,
) -> Result<()> {
    if let Some(socials) = &input.socials {
        steps::set_socials(session, id, socials, now).await?;
    }
    if let Some(activities) = &input.activities {
        set_activities(session, id, activities).await?;
    }
    let mut row = update("athlete")
        .set("updated_at", now)
        .when("id", id)
        .given("display_name", input.display_name.as_ref().map(|name| trimmed(name)))
        .given("sport_id", input.sport_id)
        .given("university_id", input.university_id)
        .given("position", input.position.change().map(|position| position.as_deref().map(trimmed)))
        .given("class_year", input.class_year.change())
        .given(
            "jersey_number",
            input.jersey_number.change().map(|number| number.as_deref().map(trimmed)),
        )
        .given("gender", input.gender.change())
        .given(
            "hometown_city",
            input.hometown_city.change().map(|city| city.as_deref().map(trimmed)),
        )
        .given(
            "hometown_state",
            input.hometown_state.change().map(|state| state.map(|state| state.to_uppercase())),
        )
        .given("bio", input.bio.change().map(|bio| bio.as_deref().map(trimmed)))
        .given("photo_url", photo.change());
    if let Some(tags) = &input.tags {
        let mut words: Vec<String> = Vec::new();
        for tag in tags.iter().map(|tag| tag.trim().to_lowercase()) {
            if !words.contains(&tag) {
                words.push(tag);
            }
        }
        row = row.set("tags", json!(words));
    }
    row = row
        .given("min_rate_cents", input.min_rate_cents.change().map(|rate| rate.map(Cents::get)))
        .given("available", input.available)
        .given("listed", input.listed);
    session.change(row).await
}

async fn set_activities(
    session: &mut Session,
    athlete: AthleteId,
    activities: &[WantedActivity],
) -> Result<()> {
    session.run(sql("DELETE FROM athlete_activity WHERE athlete_id = $1").bind(athlete)).await?;
    if activities.is_empty() {
        return Ok(());
    }
    let mut rows = insert("athlete_activity");
    for wanted in activities {
        rows = rows
            .set("athlete_id", athlete)
            .set("activity", wanted.activity)
            .set("min_price_cents", wanted.min_price_cents.map(Cents::get))
            .set("price_shown", wanted.price_shown.unwrap_or(false))
            .row();
    }
    session.run(rows).await.map(|_| ())
}

/// Writes a brand's changes, and the new logo's URL if it changed. The brand is locked. Another web
/// site was not there when the brand was verified, so it is verified no longer.
pub async fn write_partner(
    session: &mut Session,
    id: PartnerId,
    input: EditPartner,
    logo: Edit<String>,
    now: Time,
) -> Result<()> {
    let mut verified = None;
    if let Some(new) = input.website.clone().change() {
        let old = sql("SELECT website FROM partner WHERE id = $1").bind(id);
        let old: Option<String> = session.value(old).await?;
        verified = (host(new.as_deref()) != host(old.as_deref())).then_some(None::<Time>);
    }
    let row = update("partner")
        .set("updated_at", now)
        .when("id", id)
        .given("verified_at", verified)
        .given("company_name", input.company_name.as_ref().map(|name| trimmed(name)))
        .given("business_category_id", input.business_category_id)
        .given("website", input.website.change())
        .given("logo_url", logo.change())
        .given("about", input.about.change().map(|about| about.as_deref().map(trimmed)))
        .given("hq_city", input.hq_city.change().map(|city| city.as_deref().map(trimmed)))
        .given(
            "hq_state",
            input.hq_state.change().map(|state| state.map(|state| state.to_uppercase())),
        )
        .given("listed", input.listed);
    session.change(row).await
}

/// The host of a web address.
fn host(address: Option<&str>) -> Option<String> {
    let (_, rest) = address?.split_once("://")?;
    rest.split(['/', '?', '#']).next().map(str::to_lowercase)
}
