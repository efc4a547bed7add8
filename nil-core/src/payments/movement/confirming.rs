//! Charges that cardholders must confirm with their banks.
//!
//! Such a charge was made without the cardholder and has moved nothing. Its payer is led to a page
//! of the processor, which leads back. If nothing comes of it within a day, the charge has failed.

use super::{Movement, committed, look_again};
use crate::error::Result;
use crate::payments::methods::unavailable;
use crate::payments::store::payment::OfCard;
use crate::platform::Platform;

/// A charge of a card.
pub(in crate::payments) trait CardCharge: Movement {
    /// What every charge of a card has.
    fn of_card(&self) -> &OfCard;
}

/// A charge as the processor knows it now, settled if it has an outcome.
async fn renewed<M: CardCharge>(platform: &Platform, id: M::Id) -> Result<M> {
    let charge: M = committed(platform, id).await?;
    if !charge.of_card().status.is_open() {
        return Ok(charge);
    }
    look_again(platform, &charge).await?;
    committed(platform, id).await
}

/// The address where a charge is confirmed, which leads back to another one; none if there is
/// nothing to confirm. 503 if the processor does not answer.
pub(in crate::payments) async fn address<M: CardCharge>(
    platform: &Platform,
    id: M::Id,
    back: &str,
) -> Result<Option<String>> {
    let charge: M = renewed(platform, id).await?;
    let of_card = charge.of_card();
    let Some(name) = of_card.waits_as() else { return Ok(None) };
    let asked = platform.processor().confirmation(name, &of_card.processor_ref, back);
    let address = asked.await.map_err(unavailable)?;
    if address.is_none() {
        // It was decided without the cardholder.
        look_again(platform, &charge).await?;
    }
    Ok(address)
}

/// Gives up a charge that waits for its cardholder. Returns whether it waited; it may have been
/// confirmed just before. 503 if the processor does not answer.
pub(in crate::payments) async fn give_up<M: CardCharge>(
    platform: &Platform,
    id: M::Id,
) -> Result<bool> {
    let charge: M = renewed(platform, id).await?;
    let Some(name) = charge.of_card().waits_as() else { return Ok(false) };
    platform.processor().give_up(name).await.map_err(unavailable)?;
    look_again(platform, &charge).await?;
    Ok(true)
}
