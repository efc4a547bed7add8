//! Searches for services.

use chrono::Months;

use super::offer::SearchOffers;
use super::store;
use crate::auth::User;
use crate::error::Result;
use crate::kernel::{Date, LAST_ZONE, Listing, Paged, Time, day_in};
use crate::operation::Cx;
use crate::orders::Offer;
use crate::people::ADULT;
use crate::platform::Platform;
use crate::storage::plans_of;

/// Searches the services that can be ordered (extension): active offers of listed athletes with
/// active accounts who are of age or have their guardian's consent. `total` counts at most 10,000.
pub async fn search(cx: Cx<User>, input: Paged<SearchOffers>) -> Result<Listing<Offer>> {
    let (input, paging) = input.parts();
    let mut session = cx.read().await?;
    store::offer::search(&mut session, &input, born_by(cx.now()), paging).await
}

/// The database's query plans for a search of offers: for operators, and for the tests that check
/// the use of indexes.
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
