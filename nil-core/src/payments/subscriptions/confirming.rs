//! Subscribers confirm charges with the banks of their cards, or give them up.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::subscriber::owner;
use super::subscription::Subscription;
use crate::auth::Subscriber;
use crate::error::{Result, codes};
use crate::kernel::{SubscriptionId, WebUrl};
use crate::operation::{Cx, Done};
use crate::payments::movement::confirming::{self, CardCharge};
use crate::payments::store::payment::OfCard;
use crate::payments::store::subscription as store;
use crate::payments::store::subscription_charge::{self as charges, Charge};
use crate::platform::Platform;

/// Where the confirmation returns to.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct ConfirmCharge {
    /// The page to return to from the bank.
    pub return_url: WebUrl,
}

/// A subscription, and where its charge is confirmed.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct ConfirmedSubscription {
    /// The subscription.
    #[serde(flatten)]
    pub subscription: Subscription,
    /// The absolute address of the page where the cardholder confirms the charge; null if there is
    /// nothing to confirm. It opens once, for minutes, and is for the cardholder alone.
    pub confirm_url: Option<String>,
}

impl CardCharge for Charge {
    fn of_card(&self) -> &OfCard {
        &self.of_card
    }
}

/// Asks for the page where the charge of the caller's subscription is confirmed with the card's
/// bank (extension). Ask again after the return from there: the charge then has its outcome, or can
/// be confirmed once more. 409 `not_subscribed`; 503 if the processor does not answer.
pub async fn confirm(
    cx: Cx<Subscriber>,
    input: ConfirmCharge,
) -> Result<Done<ConfirmedSubscription>> {
    let mut session = cx.read().await?;
    let subscription = store::live(&mut session, owner(cx.caller), false).await?;
    let id = subscription.ok_or(codes::NOT_SUBSCRIBED)?.id;
    let charge = charges::open_of(&mut session, id).await?;
    drop(session);
    let back = input.return_url.to_string();
    let confirm_url = match charge {
        Some(charge) => confirming::address::<Charge>(cx.platform(), charge, &back).await?,
        None => None,
    };
    let mut work = cx.begin().await?;
    if confirm_url.is_some() {
        work.note(id, "confirmation_begun");
    }
    let subscription = store::find(&mut work, id).await?;
    work.done(ConfirmedSubscription { subscription, confirm_url }).await
}

/// Gives up the charge of a subscription, if it waits for its cardholder.
pub(super) async fn give_up(platform: &Platform, subscription: SubscriptionId) -> Result<()> {
    let charge = charges::open_of(&mut platform.db().read().await?, subscription).await?;
    if let Some(charge) = charge {
        confirming::give_up::<Charge>(platform, charge).await?;
    }
    Ok(())
}
