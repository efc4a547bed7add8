//! Changes to athletes' and brands' own records.

use serde_json::json;
use sqlx::FromRow;

use super::steps;
use crate::accounts::editing::{EditAthlete, EditPartner, WantedActivity};
use crate::error::Result;
use crate::kernel::{AthleteId, Cents, CollegeId, Date, Edit, PartnerId, Time, UserId};
use crate::storage::{Session, insert, sql, update};

/// The facts an edit depends on.
#[derive(Debug, FromRow)]
pub struct Held {
    pub user_id: UserId,
    pub university_id: Option<CollegeId>,
    pub date_of_birth: Option<Date>,
}

/// The athlete, locked until the transaction ends; 404 if it does not exist.
pub async fn hold_athlete(session: &mut Session, id: AthleteId) -> Result<Held> {
    session
        .one(
            sql("SELECT user_id, university_id, date_of_birth FROM athlete WHERE id = $1")
                .locking("FOR NO KEY UPDATE")
                .bind(id),
        )
        .await
}

/// The brand's account; the brand is locked until the transaction ends. 404 if it does not exist.
pub async fn hold_partner(session: &mut Session, id: PartnerId) -> Result<UserId> {
    let row = sql("SELECT user_id FROM partner WHERE id = $1").locking("FOR NO KEY UPDATE");
    session.value(row.bind(id)).await
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
    let mut row = update("athlete").set("updated_at", now).when("id", id);
    if let Some(name) = &input.display_name {
        row = row.set("display_name", trimmed(name));
    }
    if let Some(sport) = input.sport_id {
        row = row.set("sport_id", sport);
    }
    if let Some(college) = input.university_id {
        row = row.set("university_id", college);
    }
    if let Some(position) = input.position.change() {
        row = row.set("position", position.as_deref().map(trimmed));
    }
    if let Some(year) = input.class_year.change() {
        row = row.set("class_year", year);
    }
    if let Some(number) = input.jersey_number.change() {
        row = row.set("jersey_number", number.as_deref().map(trimmed));
    }
    if let Some(gender) = input.gender.change() {
        row = row.set("gender", gender);
    }
    if let Some(city) = input.hometown_city.change() {
        row = row.set("hometown_city", city.as_deref().map(trimmed));
    }
    if let Some(state) = input.hometown_state.change() {
        row = row.set("hometown_state", state.map(|state| state.to_uppercase()));
    }
    if let Some(bio) = input.bio.change() {
        row = row.set("bio", bio.as_deref().map(trimmed));
    }
    if let Some(url) = photo.change() {
        row = row.set("photo_url", url);
    }
    if let Some(tags) = &input.tags {
        let mut words: Vec<String> = Vec::new();
        for tag in tags.iter().map(|tag| tag.trim().to_lowercase()) {
            if !words.contains(&tag) {
                words.push(tag);
            }
        }
        row = row.set("tags", json!(words));
    }
    if let Some(rate) = input.min_rate_cents.change() {
        row = row.set("min_rate_cents", rate.map(Cents::get));
    }
    if let Some(available) = input.available {
        row = row.set("available", available);
    }
    if let Some(listed) = input.listed {
        row = row.set("listed", listed);
    }
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

/// Writes a brand's changes, and the new logo's URL if it changed.
pub async fn write_partner(
    session: &mut Session,
    id: PartnerId,
    input: EditPartner,
    logo: Edit<String>,
    now: Time,
) -> Result<()> {
    let mut row = update("partner").set("updated_at", now).when("id", id);
    if let Some(name) = &input.company_name {
        row = row.set("company_name", trimmed(name));
    }
    if let Some(category) = input.business_category_id {
        row = row.set("business_category_id", category);
    }
    if let Some(website) = input.website.change() {
        row = row.set("website", website);
    }
    if let Some(url) = logo.change() {
        row = row.set("logo_url", url);
    }
    if let Some(about) = input.about.change() {
        row = row.set("about", about.as_deref().map(trimmed));
    }
    if let Some(city) = input.hq_city.change() {
        row = row.set("hq_city", city.as_deref().map(trimmed));
    }
    if let Some(state) = input.hq_state.change() {
        row = row.set("hq_state", state.map(|state| state.to_uppercase()));
    }
    if let Some(listed) = input.listed {
        row = row.set("listed", listed);
    }
    session.change(row).await
}
