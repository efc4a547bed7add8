//! Searches for services.

use chrono::Months;
use schemars::JsonSchema;
use serde::Deserialize;

use super::store;
use crate::auth::User;
use crate::error::Result;
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{
    AthleteId, Cents, CollegeId, Date, LAST_ZONE, Listing, Many, Paged, SportId, Text, Time, day_in,
};
use crate::operation::Cx;
use crate::orders::{Offer, ServiceKind};
use crate::people::ADULT;
use crate::platform::Platform;
use crate::storage::plans_of;

vocabulary! {
    /// The order of offers.
    OfferSort {
        /// Best match first; without words the newest first.
        Relevance = "relevance",
        /// Newest first.
        Newest = "newest",
        /// Cheapest first.
        PriceUp = "price",
        /// Most expensive first.
        PriceDown = "-price",
    }
}

/// The offers to search. An offer must meet all conditions; for a list, one value is enough.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
pub struct SearchOffers {
    /// The order (default `relevance` with `q`, else `newest`).
    pub sort: Option<OfferSort>,
    /// Words of the title and description. An offer must contain all of them; the last one may be the beginning of a
    /// word. Accents and case do not count.
    pub q: Option<Text<0, 200>>,
    /// Of this athlete.
    pub athlete_id: Option<AthleteId>,
    /// Of these kinds.
    pub kinds: Option<Many<ServiceKind, 1, 13>>,
    /// Of athletes of these sports.
    pub sport_ids: Option<Many<SportId, 1, 100>>,
    /// Of athletes of these universities.
    pub university_ids: Option<Many<CollegeId, 1, 100>>,
    /// At this price or a higher one, in cents.
    pub min_price_cents: Option<Cents>,
    /// At this price or a lower one, in cents.
    pub max_price_cents: Option<Cents>,
}

/// Searches the services that can be ordered (extension): active offers of listed athletes with active accounts who are
/// of age or have their guardian's consent. `total` counts at most 10,000.
pub async fn search(cx: Cx<User>, input: Paged<SearchOffers>) -> Result<Listing<Offer>> {
    let (input, paging) = input.parts();
    let mut session = cx.read().await?;
    store::offer::search(&mut session, &input, born_by(cx.now()), paging).await
}

/// The database's query plans for a search of offers: for operators, and for the tests that check the use of indexes.
pub async fn plans(platform: &Platform, input: Paged<SearchOffers>) -> Result<Vec<String>> {
    let (input, paging) = input.parts();
    let mut session = platform.db().read().await?;
    let of_age = born_by(platform.now());
    let found = store::offer::found(session.dialect(), &input, of_age);
    plans_of(&mut session, found, paging).await
}

/// The latest birthday of people who are of age now, wherever they are.
fn born_by(now: Time) -> Date {
    let today = day_in(now, LAST_ZONE);
    today.checked_sub_months(Months::new(ADULT * 12)).unwrap_or(Date::MIN)
}
