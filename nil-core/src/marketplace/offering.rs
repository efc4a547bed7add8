//! Athletes create and change offers.

use super::offer::{Content, SaveOffer};
use super::store;
use crate::auth::Athlete;
use crate::backoffice::least_amount;
use crate::error::{Result, codes};
use crate::kernel::{Amount, Listing, Nothing, Paged};
use crate::operation::{Cx, Done};
use crate::orders::Offer;

/// The maximum number of offers of one athlete.
const MOST: i64 = 100;

/// Creates or changes an offer of the calling athlete (extension). Existing orders do not change.
/// 404 for another athlete's offer, 409 `too_many_offers` for the hundred and first.
pub async fn save(cx: Cx<Athlete>, input: SaveOffer) -> Result<Done<Offer>> {
    let mut work = cx.begin().await?;
    let price = input.price_cents.map(Amount::cents);
    least_amount::check(&mut work, "price_cents", price).await?;
    let Some(id) = input.id else {
        let content = Content::new(&input, None)?;
        if store::offer::count_held(&mut work, cx.caller.id).await? >= MOST {
            return Err(codes::TOO_MANY_OFFERS.into());
        }
        let offer = store::offer::add(&mut work, cx.caller.id, &content, cx.now()).await?;
        work.note(offer.id, "offered");
        return work.done(offer).await;
    };
    let before = store::offer::lock_of(&mut work, id, cx.caller.id).await?;
    let content = Content::new(&input, Some(&before))?;
    let offer = store::offer::rewrite(&mut work, id, &content, cx.now()).await?;
    work.note_change(
        offer.id,
        "changed",
        serde_json::json!({ "price_cents": before.price_cents, "active": before.active }),
        serde_json::json!({ "price_cents": offer.price_cents, "active": offer.active }),
    );
    work.done(offer).await
}

/// The calling athlete's offers, including inactive ones, newest first (extension).
pub async fn mine(cx: Cx<Athlete>, input: Paged<Nothing>) -> Result<Listing<Offer>> {
    let (Nothing {}, paging) = input.parts();
    let mut session = cx.read().await?;
    store::offer::page_of(&mut session, cx.caller.id, paging).await
}
