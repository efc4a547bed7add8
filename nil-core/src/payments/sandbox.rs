//! Controls the embedded processor, playing the outside world: for `nil sandbox`, the demonstration
//! and tests. With any other processor these return 404.

use super::store;
use crate::auth::{Anyone, Principal};
use crate::error::{Error, Result, codes};
use crate::kernel::{PayoutId, Secret};
use crate::platform::Platform;
use crate::ports::processor::Sandbox;

fn sandbox(platform: &Platform) -> Result<&Sandbox> {
    platform
        .processor()
        .sandbox()
        .ok_or_else(|| codes::NOT_FOUND.saying("The embedded processor is not in use."))
}

/// Delivers the sandbox's undelivered events, signed, as it would to the webhook; returns how many.
pub async fn deliver_events(platform: &Platform) -> Result<usize> {
    let sandbox = sandbox(platform)?;
    let mut delivered = 0;
    loop {
        let events = sandbox.undelivered().await?;
        if events.is_empty() {
            return Ok(delivered);
        }
        for (id, signature, body) in events {
            let body = String::from_utf8(body).map_err(Error::internal)?;
            let input = super::webhook::Webhook {
                signature: Some(Secret::new(signature)),
                body: Some(body),
            };
            let caller = Anyone(Principal::Anonymous);
            platform.call(caller, super::webhook::receive, input).await?;
            sandbox.delivered(&id).await?;
            delivered += 1;
        }
    }
}

/// Opens an onboarding page, as its owner does: `address` is the owner's URL or its end. Returns
/// whether the page exists; the URL cannot be guessed from the account.
pub async fn open_onboarding(platform: &Platform, address: &str) -> Result<bool> {
    let sandbox = sandbox(platform)?;
    let address = address.split_once('?').map_or(address, |(page, _)| page);
    let page = address.rsplit_once('/').map_or(address, |(_, page)| page);
    match sandbox.account_of_page(page) {
        Some(account) => finish_onboarding(platform, account).await,
        None => Ok(false),
    }
}

/// Completes the onboarding page of an account as its owner would. For tests and hosts, which know
/// the account without its page. Returns whether the account exists.
pub async fn finish_onboarding(platform: &Platform, account: &str) -> Result<bool> {
    let done = sandbox(platform)?.finish_onboarding(account).await?;
    deliver_events(platform).await?;
    Ok(done)
}

/// Lets a payout arrive now instead of in two days; returns whether it was on its way.
pub async fn let_arrive(platform: &Platform, payout: PayoutId) -> Result<bool> {
    let transfer = transfer(platform, payout).await?;
    let done = sandbox(platform)?.let_arrive(&transfer).await?;
    deliver_events(platform).await?;
    Ok(done)
}

/// Simulates a late bank return of a payout. Returns whether it was sent and not returned before.
pub async fn return_payout(platform: &Platform, payout: PayoutId) -> Result<bool> {
    let transfer = transfer(platform, payout).await?;
    let done = sandbox(platform)?.return_transfer(&transfer).await?;
    deliver_events(platform).await?;
    Ok(done)
}

/// The processor's id of a payout; 404 for an unknown one, 409 for one that was not sent.
async fn transfer(platform: &Platform, payout: PayoutId) -> Result<String> {
    let mut session = platform.db().read().await?;
    let payout = store::payout::find(&mut session, payout).await?;
    let payout = payout.ok_or(codes::NOT_FOUND)?;
    payout
        .processor_transfer_id
        .ok_or_else(|| codes::ILLEGAL_TRANSITION.saying("This payout was not sent."))
}
