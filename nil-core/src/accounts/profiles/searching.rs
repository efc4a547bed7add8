//! Athlete search for users with an account.

use super::athlete_search::SearchAthletes;
use super::brand_search::BrandDirectory;
use crate::accounts::AthleteProfile;
pub use crate::accounts::store::search::Seeker;
use crate::accounts::store::{brand_search, profile, search as store};
use crate::auth::User;
use crate::error::Result;
use crate::kernel::{Extent, Listing, Paged, Paging, Time};
use crate::operation::Cx;
use crate::platform::Platform;
use crate::storage::{Session, plans_of};

/// Searches active athletes (contract: `/searchAthleteV2`). Every user finds the listed ones;
/// unlisted ones are found by themselves, their agent, and brands with a live application of
/// theirs. The records show what strangers may see.
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

/// The database's query plan for an athlete search. For operators, and for the test suites, which
/// check that indexes are used.
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
