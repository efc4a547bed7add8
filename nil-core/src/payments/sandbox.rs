//! Controls the embedded processor, playing the outside world: for `nil sandbox`, the demonstration
//! and tests. With any other processor these return 404.

use super::store;
use crate::auth::{Anyone, Principal};
use crate::error::{Error, Result, codes};
use crate::kernel::{
    Cents, DisputeId, Identity, PaymentId, PayoutId, RefundId, Secret, SubscriptionRefundId,
};
use crate::platform::Platform;
use crate::ports::processor::{DisputeKind, DisputeState, Restriction, Sandbox};

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
    match sandbox.subject_of_page(page) {
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

/// The processor stops payouts to the account of an owner such as `athlete:3`, or lets them go on.
/// Returns whether the owner has finished onboarding; 404 for an owner without an account.
pub async fn restrict(
    platform: &Platform,
    owner: &str,
    restriction: Option<Restriction>,
) -> Result<bool> {
    let mut session = platform.db().read().await?;
    let account = store::account::of_owner(&mut session, owner).await?;
    drop(session);
    let reference = account.and_then(|account| account.processor_account_id);
    let reference = reference.ok_or(codes::NOT_FOUND)?;
    let done = sandbox(platform)?.restrict(&reference, restriction).await?;
    deliver_events(platform).await?;
    Ok(done)
}

/// The cardholder confirms a charge on its page, or refuses to: `page` is the last part of the
/// page's path. Returns whether it waited for that.
pub async fn confirm_on_page(platform: &Platform, page: &str, confirmed: bool) -> Result<bool> {
    let sandbox = sandbox(platform)?;
    let Some(charge) = sandbox.subject_of_page(page) else { return Ok(false) };
    let done = sandbox.confirm(charge, confirmed).await?;
    deliver_events(platform).await?;
    Ok(done)
}

/// The cardholder of a payment confirms its charge, or refuses to. Returns whether it waited for
/// that; 404 for an unknown payment.
pub async fn confirm(platform: &Platform, payment: PaymentId, confirmed: bool) -> Result<bool> {
    let mut session = platform.db().read().await?;
    let charge = store::dispute::charge_of(&mut session, payment).await?;
    drop(session);
    let Some(charge) = charge.ok_or(codes::NOT_FOUND)? else { return Ok(false) };
    let done = sandbox(platform)?.confirm(&charge, confirmed).await?;
    deliver_events(platform).await?;
    Ok(done)
}

/// A test card is entered on a page: `page` is the last part of the page's path. Returns whether
/// the page was open and the card is a test card.
pub async fn enter_card(platform: &Platform, page: &str, number: &str) -> Result<bool> {
    let sandbox = sandbox(platform)?;
    match sandbox.subject_of_page(page) {
        Some(form) => sandbox.enter_card(form, number).await,
        None => Ok(false),
    }
}

/// The numbers of the test cards, and what happens to a charge of each.
#[must_use]
pub fn test_cards() -> Vec<(&'static str, &'static str)> {
    Sandbox::test_cards()
}

/// Whether the embedded processor has issued a page with this last part of its path.
#[must_use]
pub fn is_page(platform: &Platform, page: &str) -> bool {
    sandbox(platform).is_ok_and(|sandbox| sandbox.subject_of_page(page).is_some())
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

/// A bank begins a dispute of the charge of a payment: of all of it, or of an amount. Returns its
/// id; none if the charge is not of so much. 409 for a payment that was not charged.
pub async fn dispute(
    platform: &Platform,
    payment: PaymentId,
    (kind, amount): (DisputeKind, Option<Cents>),
) -> Result<Option<DisputeId>> {
    let mut session = platform.db().read().await?;
    let charge = store::dispute::charge_of(&mut session, payment).await?;
    drop(session);
    let charge = charge.ok_or(codes::NOT_FOUND)?;
    let charge =
        charge.ok_or_else(|| codes::ILLEGAL_TRANSITION.saying("This payment was not charged."))?;
    let Some(reference) = sandbox(platform)?.open_dispute(&charge, kind, amount).await? else {
        return Ok(None);
    };
    deliver_events(platform).await?;
    let mut session = platform.db().read().await?;
    store::dispute::named(&mut session, &reference).await
}

/// A bank goes on with a dispute, or decides it. Returns whether that can follow from where it is;
/// 404 for an unknown dispute.
pub async fn turn_dispute(
    platform: &Platform,
    dispute: DisputeId,
    to: DisputeState,
) -> Result<bool> {
    let mut session = platform.db().read().await?;
    let dispute = store::dispute::find(&mut session, dispute).await?.ok_or(codes::NOT_FOUND)?;
    drop(session);
    let done = sandbox(platform)?.turn_dispute(&dispute.processor_dispute_id, to).await?;
    deliver_events(platform).await?;
    Ok(done)
}

/// Somebody charges a card in the processor's own console. The platform hears of it only by the
/// statement.
pub async fn charge_by_hand(platform: &Platform, amount: Cents) -> Result<()> {
    sandbox(platform)?.charge_by_hand(amount).await
}

/// A refund of a payment fails days after it succeeded, as for cards that were closed. Returns
/// whether it had succeeded; 404 for an unknown one.
pub async fn fail_refund(platform: &Platform, refund: RefundId) -> Result<bool> {
    fail_late(platform, refund).await
}

/// The same of a subscription.
pub async fn fail_subscription_refund(
    platform: &Platform,
    refund: SubscriptionRefundId,
) -> Result<bool> {
    fail_late(platform, refund).await
}

async fn fail_late<I: Identity>(platform: &Platform, refund: I) -> Result<bool> {
    let mut session = platform.db().read().await?;
    let attempt = store::movement::current(&mut session, (I::KIND, refund.number())).await?;
    drop(session);
    let key = attempt.ok_or(codes::NOT_FOUND)?.key;
    let done = sandbox(platform)?.fail_refund(&key).await?;
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
