//! The public directory: listed athletes and brands, visible without logging in.

use std::collections::HashMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::athlete_search::SearchAthletes;
use super::brand_search::{BrandDirectory, PublicBrand};
use super::searching;
use crate::accounts::athletes::athlete::WhichAthlete;
use crate::accounts::athletes::statistics::Statistics;
use crate::accounts::store::{brand_search, profile, search as store};
use crate::accounts::{AthleteActivity, AthleteProfile, ClassYear, Gender, Social};
use crate::auth::Anyone;
use crate::error::Result;
use crate::kernel::{
    AthleteId, Cents, CollegeId, Extent, Interface, Listing, Paged, SportId, Text, Time,
};
use crate::operation::Cx;
use crate::storage::Session;

/// The words to search for.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
pub struct SearchPublic {
    /// Words of the name, sport, position, university, home town, tags, handles or description. All
    /// must match; the last one may be the beginning of a word. Without words every listed athlete
    /// matches.
    pub q: Option<Text<0, 200>>,
    /// Whether `total` must be exact up to 10,000. Without it, counting stops at most 100 records
    /// behind the page.
    pub exact_total: Option<bool>,
}

/// Selects an athlete by public URL.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Shared {
    /// The athlete's name in the public profile's URL.
    pub share_slug: Text<1, 120>,
}

/// A listed athlete, as the public sees them.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct PublicAthlete {
    /// The athlete's id.
    pub id: AthleteId,
    /// The display name.
    pub display_name: String,
    /// The sport.
    pub sport_id: Option<SportId>,
    /// The college.
    pub university_id: Option<CollegeId>,
    /// The position played.
    pub position: Option<String>,
    /// Year of study.
    pub class_year: Option<ClassYear>,
    /// The number on the jersey.
    pub jersey_number: Option<String>,
    /// The gender.
    pub gender: Option<Gender>,
    /// City of the home town.
    pub hometown_city: Option<String>,
    /// Two-letter state of the home town.
    pub hometown_state: Option<String>,
    /// The athlete's self-description.
    pub bio: Option<String>,
    /// A picture.
    pub photo_url: Option<String>,
    /// Search tags.
    pub tags: Vec<String>,
    /// Accounts on social networks, most followers first.
    pub socials: Vec<Social>,
    /// Activities the athlete does for brands; with prices only if the athlete shows them.
    pub activities: Vec<AthleteActivity>,
    /// The minimum payment for a deal.
    pub min_rate_cents: Option<Cents>,
    /// Whether the athlete currently accepts deals.
    pub available: bool,
    /// The athlete's name in the public profile's URL.
    pub share_slug: String,
}

impl From<AthleteProfile> for PublicAthlete {
    fn from(athlete: AthleteProfile) -> Self {
        let athlete = athlete.for_strangers();
        Self {
            id: athlete.id,
            display_name: athlete.display_name,
            sport_id: athlete.sport_id,
            university_id: athlete.university_id,
            position: athlete.position,
            class_year: athlete.class_year,
            jersey_number: athlete.jersey_number,
            gender: athlete.gender,
            hometown_city: athlete.hometown_city,
            hometown_state: athlete.hometown_state,
            bio: athlete.bio,
            photo_url: athlete.photo_url,
            tags: athlete.tags,
            socials: athlete.socials,
            activities: athlete.activities,
            min_rate_cents: athlete.min_rate_cents,
            available: athlete.available,
            share_slug: athlete.share_slug,
        }
    }
}

/// A listed athlete with their track record on the platform.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct PublicProfile {
    /// The record.
    #[serde(flatten)]
    pub athlete: PublicAthlete,
    /// The track record.
    pub statistics: Statistics,
}

/// The location of an athlete's public profile.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct ShareUrl {
    /// The absolute address of the athlete's public profile.
    pub url: String,
}

/// Finds listed athletes by words (contract: Core *Public*).
pub async fn search_athletes(
    cx: Cx<Anyone>,
    input: Paged<SearchPublic>,
) -> Result<Listing<PublicAthlete, Extent>> {
    let (input, paging) = input.parts();
    let SearchPublic { q, exact_total } = input;
    let own = SearchAthletes { q, exact_total, ..SearchAthletes::default() };
    athletes(cx, Paged { own, shared: paging }).await
}

/// Lists listed athletes with the filters of the search.
pub async fn athletes(
    cx: Cx<Anyone>,
    input: Paged<SearchAthletes>,
) -> Result<Listing<PublicAthlete, Extent>> {
    let (input, paging) = input.parts();
    let mut session = cx.read().await?;
    let (found, extent) = searching::page(&mut session, &input, None, paging, cx.now()).await?;
    Ok(found.map(PublicAthlete::from).with(extent))
}

/// The public records of those of the athletes who are listed and active, in the order of `ids`.
pub async fn listed_athletes(
    session: &mut Session,
    ids: &[AthleteId],
    now: Time,
) -> Result<Vec<PublicAthlete>> {
    let listed = store::listed(session, ids).await?;
    let mut found = profile::athletes(session, &listed, now).await?;
    let places: HashMap<AthleteId, usize> = ids.iter().copied().zip(0..).collect();
    found.sort_by_key(|athlete| places.get(&athlete.id).copied());
    Ok(found.into_iter().map(PublicAthlete::from).collect())
}

/// Lists listed brands. `total` counts 10,000 at most.
pub async fn brands(cx: Cx<Anyone>, input: Paged<BrandDirectory>) -> Result<Listing<PublicBrand>> {
    let (input, paging) = input.parts();
    let mut session = cx.read().await?;
    brand_search::page(&mut session, &input, paging).await
}

/// Returns the URL of an athlete's public profile; 404 if the athlete is not listed.
pub async fn share_url(cx: Cx<Anyone>, input: WhichAthlete) -> Result<ShareUrl> {
    let mut session = cx.read().await?;
    let slug = store::share_slug(&mut session, input.athlete_id).await?;
    let server = cx.platform().config().public_url.trim_end_matches('/');
    Ok(ShareUrl { url: format!("{server}{}/a/{slug}", Interface::Core.base()) })
}

/// Returns an athlete's public profile; 404 if the athlete is not listed.
pub async fn shared(cx: Cx<Anyone>, input: Shared) -> Result<PublicProfile> {
    let mut session = cx.read().await?;
    let id = store::by_slug(&mut session, &input.share_slug).await?;
    let (athlete, statistics) = profile::athlete_with_record(&mut session, id, cx.now()).await?;
    Ok(PublicProfile { athlete: athlete.into(), statistics })
}
