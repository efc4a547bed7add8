//! Athlete search for users with an account.

use schemars::JsonSchema;
use serde::Deserialize;

use super::directory::BrandDirectory;
pub use crate::accounts::store::search::Seeker;
use crate::accounts::store::{brand_search, profile, search as store};
use crate::accounts::{AthleteProfile, ClassYear, Gender, SocialNetwork};
use crate::auth::User;
use crate::error::Result;
use crate::kernel::Activity;
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{Cents, CollegeId, Extent, Listing, Many, Paged, Paging, SportId, Text, Time};
use crate::operation::Cx;
use crate::platform::Platform;
use crate::storage::{Session, plans_of};

vocabulary! {
    /// The order of athletes.
    AthleteSort {
        /// Best match first; without search words the newest first.
        Relevance = "relevance",
        /// The newest first.
        Newest = "newest",
        /// The oldest first.
        Oldest = "-newest",
        /// By name, A to Z; accented letters sort after Z.
        NameUp = "name",
        /// By name, Z to A.
        NameDown = "-name",
        /// The fewest followers over all networks first.
        FollowersUp = "followers",
        /// The most followers over all networks first.
        FollowersDown = "-followers",
        /// The lowest engagement rate first; each athlete's best account counts.
        EngagementUp = "engagement_rate",
        /// The highest engagement rate first.
        EngagementDown = "-engagement_rate",
    }
}

/// Filters for athletes. All must match; of a list, one match is enough.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
pub struct SearchAthletes {
    /// The order (default `relevance` with `q`, else `newest`).
    pub sort: Option<AthleteSort>,
    /// Words of the name, sport, position, university, home town, tags, handles or description. All must
    /// match; the last one may be the beginning of a word. Accents and case are ignored.
    pub q: Option<Text<0, 200>>,
    /// Of these sports.
    pub sport_ids: Option<Many<SportId, 1, 100>>,
    /// Of these universities.
    pub university_ids: Option<Many<CollegeId, 1, 100>>,
    /// With a university in one of these conferences (exact names).
    pub conferences: Option<Many<Text<1, 100>, 1, 50>>,
    /// Of these genders.
    pub genders: Option<Many<Gender, 1, 3>>,
    /// In one of these years of study.
    pub class_years: Option<Many<ClassYear, 1, 5>>,
    /// With a university in one of these states (two-letter codes).
    pub states: Option<Many<Text<2, 2>, 1, 60>>,
    /// With at least this many followers over all networks.
    pub min_followers: Option<i64>,
    /// With at most this many followers over all networks.
    pub max_followers: Option<i64>,
    /// With an account on one of these networks.
    pub platforms: Option<Many<SocialNetwork, 1, 9>>,
    /// Who accept this amount: those with a minimum of at most this, or with no minimum.
    pub max_rate_cents: Option<Cents>,
    /// Who currently accept deals, or who do not.
    pub is_available: Option<bool>,
    /// With one of these tags (whole tags; case is ignored).
    pub tags: Option<Many<Text<1, 40>, 1, 20>>,
    /// Who have opted in to one of these activities.
    pub activities: Option<Many<Activity, 1, 20>>,
    /// Whether `total` must be exact up to 10,000. Without it, counting stops at most 100 records behind the page.
    pub exact_total: Option<bool>,
}

/// Searches active athletes (contract: `/searchAthleteV2`). Every user finds the listed ones; unlisted ones
/// are found by themselves, their agent, and brands with a live application of theirs. The records show what
/// strangers may see.
pub async fn search(
    cx: Cx<User>,
    input: Paged<SearchAthletes>,
) -> Result<Listing<AthleteProfile, Extent>> {
    let (input, paging) = input.parts();
    let mut session = cx.read().await?;
    let caller = Seeker { kind: cx.caller.kind, profile: cx.caller.profile_id };
    let (found, extent) = page(&mut session, &input, Some(caller), paging, cx.now()).await?;
    Ok(found.map(AthleteProfile::for_strangers).with(extent))
}

/// A page of the listed athletes, and of unlisted ones that the caller is related to, in order.
pub(crate) async fn page(
    session: &mut Session,
    wanted: &SearchAthletes,
    caller: Option<Seeker>,
    paging: Paging,
    now: Time,
) -> Result<(Listing<AthleteProfile>, Extent)> {
    let found = store::found(session.dialect(), wanted, caller, paging);
    profile::athletes_found(session, found, paging, now).await
}

/// The database's query plan for an athlete search. For operators, and for the test suites, which check that
/// indexes are used.
pub async fn plans(
    platform: &Platform,
    input: Paged<SearchAthletes>,
    caller: Option<Seeker>,
) -> Result<Vec<String>> {
    let (input, paging) = input.parts();
    let mut session = platform.db().read().await?;
    let found = store::found(session.dialect(), &input, caller, paging);
    plans_of(&mut session, found, paging).await
}

/// The query plan for the directory of brands.
pub async fn brand_plans(platform: &Platform, input: Paged<BrandDirectory>) -> Result<Vec<String>> {
    let (input, paging) = input.parts();
    let mut session = platform.db().read().await?;
    let found = brand_search::found(session.dialect(), &input);
    plans_of(&mut session, found, paging).await
}
