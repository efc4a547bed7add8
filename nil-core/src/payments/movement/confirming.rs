//! Charges that cardholders must confirm with their banks.
//!
//! Such a charge was made without the cardholder and has moved nothing. Its payer is led to a page
//! of the processor, which leads back. If nothing comes of it within a day, the charge has failed.

use super::{Movement, ask_again, committed, end};
use crate::error::Result;
use crate::payments::ChargeStatus;
use crate::payments::methods::unavailable;
use crate::platform::Platform;

/// A charge of a card.
pub(in crate::payments) trait OfCard: Movement {
    /// Its status.
    fn status(&self) -> ChargeStatus;

    /// The processor's id of the card.
    fn card(&self) -> &str;

    /// The processor's id of a charge that waits for its cardholder.
    fn waits_as(&self) -> Option<&str> {
        self.reference().filter(|_| self.status() == ChargeStatus::RequiresAction)
    }
}

/// A charge as the processor knows it now, settled if it has an outcome.
async fn renewed<M: OfCard>(platform: &Platform, id: M::Id) -> Result<M> {
    let charge: M = committed(platform, id).await?;
    if !charge.status().is_open() {
        return Ok(charge);
    }
    let heard = ask_again(platform, &charge).await?;
    end(platform, &charge, &heard).await?;
    committed(platform, id).await
}

/// The address where a charge is confirmed, which leads back to another one; none if there is
/// nothing to confirm. 503 if the processor does not answer.
pub(in crate::payments) async fn address<M: OfCard>(
    platform: &Platform,
    id: M::Id,
    back: &str,
) -> Result<Option<String>> {
    let charge: M = renewed(platform, id).await?;
    let Some(name) = charge.waits_as() else { return Ok(None) };
    let processor = platform.processor();
    let address = processor.confirmation(name, charge.card(), back).await.map_err(unavailable)?;
    if address.is_none() {
        // It was decided without the cardholder.
        renewed::<M>(platform, id).await?;
    }
    Ok(address)
}

/// Gives up a charge that waits for its cardholder. Returns whether it waited; it may have been
/// confirmed just before. 503 if the processor does not answer.
pub(in crate::payments) async fn give_up<M: OfCard>(
    platform: &Platform,
    id: M::Id,
) -> Result<bool> {
    let charge: M = renewed(platform, id).await?;
    let Some(name) = charge.waits_as() else { return Ok(false) };
    platform.processor().give_up(name).await.map_err(unavailable)?;
    renewed::<M>(platform, id).await?;
    Ok(true)
}
