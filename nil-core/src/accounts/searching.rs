//! Searching athletes with an account of one's own.

use schemars::JsonSchema;
use serde::Deserialize;

use super::directory::BrandDirectory;
use super::store::{brand_search, profile, search as store};
use super::{AthleteProfile, ClassYear, Gender, SocialNetwork};
use crate::auth::User;
use crate::error::Result;
use crate::kernel::Activity;
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{
    AthleteId, Cents, CollegeId, Listing, Many, Paged, Paging, SportId, Text, Time,
};
use crate::operation::Cx;
use crate::platform::Platform;
use crate::storage::{Session, plans_of};

vocabulary! {
    /// How athletes are sorted.
    AthleteSort {
        /// Those that fit the words best first; without words the newest first.
        Relevance = "relevance",
        /// The newest first.
        Newest = "newest",
        /// The oldest first.
        Oldest = "-newest",
        /// By name, from A; accented letters come after Z.
        NameUp = "name",
        /// By name, from Z.
        NameDown = "-name",
        /// The fewest followers over all networks first.
        FollowersUp = "followers",
        /// The most followers over all networks first.
        FollowersDown = "-followers",
        /// The lowest engagement rate first; the best account of each athlete counts.
        EngagementUp = "engagement_rate",
        /// The highest engagement rate first.
        EngagementDown = "-engagement_rate",
    }
}

/// Which athletes. All conditions have to hold; of a list one is enough.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
pub struct SearchAthletes {
    /// The order (default `relevance` with `q`, else `newest`).
    pub sort: Option<AthleteSort>,
    /// Words of the name, sport, position, university, home town, tags, handles or description. All
    /// have to be there; the last one may be the beginning of a word. Accents and case do not count.
    pub q: Option<Text<0, 200>>,
    /// Of these sports.
    pub sport_ids: Option<Many<SportId, 1, 100>>,
    /// Of these universities.
    pub university_ids: Option<Many<CollegeId, 1, 100>>,
    /// Whose university plays in these conferences (exact names).
    pub conferences: Option<Many<Text<1, 100>, 1, 50>>,
    /// Of these genders.
    pub genders: Option<Many<Gender, 1, 3>>,
    /// In these years of their studies.
    pub class_years: Option<Many<ClassYear, 1, 5>>,
    /// Whose university lies in these states (two-letter codes).
    pub states: Option<Many<Text<2, 2>, 1, 60>>,
    /// With at least so many followers over all networks.
    pub min_followers: Option<i64>,
    /// With at most so many followers over all networks.
    pub max_followers: Option<i64>,
    /// With an account on one of these networks.
    pub platforms: Option<Many<SocialNetwork, 1, 9>>,
    /// Who take deals of this amount: those who ask for no more, or for no minimum.
    pub max_rate_cents: Option<Cents>,
    /// Who take deals at present, or who do not.
    pub is_available: Option<bool>,
    /// With one of these tags (whole tags; case does not count).
    pub tags: Option<Many<Text<1, 40>, 1, 20>>,
    /// Who have opted in to one of these activities.
    pub activities: Option<Many<Activity, 1, 20>>,
}

/// Searches athletes in use (contract: `/searchAthleteV2`). Everybody with an account finds the listed
/// ones; unlisted ones are found by themselves, their agent, and brands with a live application of
/// theirs. The records are shown as strangers see them. `total` counts 10,000 at most.
pub async fn search(cx: Cx<User>, input: Paged<SearchAthletes>) -> Result<Listing<AthleteProfile>> {
    let (input, paging) = input.parts();
    let mut session = cx.read().await?;
    let related = store::related(&mut session, &cx.caller).await?;
    let found = page(&mut session, &input, &related, paging, cx.now()).await?;
    Ok(found.map(AthleteProfile::for_strangers))
}

/// A page of athletes whom somebody with these relations may find, in order.
pub(super) async fn page(
    session: &mut Session,
    wanted: &SearchAthletes,
    related: &[AthleteId],
    paging: Paging,
    now: Time,
) -> Result<Listing<AthleteProfile>> {
    let (ids, place) = store::page(session, wanted, related, paging).await?.split();
    let mut records = profile::athletes(session, &ids, now).await?;
    let rank = |id| ids.iter().position(|found| *found == id);
    records.sort_by_key(|record| rank(record.id));
    Ok(place.of(records))
}

/// How the database goes about a search of athletes, in its own words: for operators who wonder and
/// for the suites, which hold it to its indexes.
pub async fn plans(
    platform: &Platform,
    input: Paged<SearchAthletes>,
    related: &[AthleteId],
) -> Result<Vec<String>> {
    let (input, paging) = input.parts();
    let mut session = platform.db().read().await?;
    let found = store::found(session.dialect(), &input, related, paging);
    plans_of(&mut session, found, paging).await
}

/// The same of a look at the directory of brands.
pub async fn brand_plans(platform: &Platform, input: Paged<BrandDirectory>) -> Result<Vec<String>> {
    let (input, paging) = input.parts();
    let mut session = platform.db().read().await?;
    let found = brand_search::found(session.dialect(), &input);
    plans_of(&mut session, found, paging).await
}
