//! Asking the processor again about everything whose outcome is not known: after a crash, a time-out,
//! a lost webhook.

use schemars::JsonSchema;
use serde::Serialize;

use super::{paying_out, refunding, settling, subscriptions};
use crate::error::Result;
use crate::platform::Platform;

/// What one round settled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Reconciled {
    /// Charges.
    pub charges: usize,
    /// Payouts that moved on.
    pub payouts: usize,
    /// Refunds.
    pub refunds: usize,
    /// Charges for subscriptions.
    pub subscriptions: usize,
}

/// One round: asks about what has been open for [`Config::reconcile_after`](crate::Config) or longer,
/// under the same keys as before, and ends the calls that began it. Any number of workers may do it at
/// once.
pub async fn reconcile(platform: &Platform) -> Result<Reconciled> {
    let before = platform.now() - platform.config().reconcile_after;
    // What goes wrong with one kind does not keep the others from being settled.
    let charges = settling::reconcile(platform, before).await;
    let refunds = refunding::reconcile(platform, before).await;
    let payouts = paying_out::reconcile(platform, before).await;
    let subscriptions = subscriptions::settling::reconcile(platform, before).await;
    Ok(Reconciled {
        charges: charges?,
        refunds: refunds?,
        payouts: payouts?,
        subscriptions: subscriptions?,
    })
}
