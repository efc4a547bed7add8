//! Asks the processor about everything with an unknown outcome: after a crash, a time-out or a lost
//! webhook.

use super::kinds::Reconciled;
use crate::error::Result;
use crate::kernel::Rested;
use crate::payments::disputes::watching::watch;
use crate::payments::methods::forgetting::forget_removed;
use crate::payments::{movement, store};
use crate::platform::Platform;

/// One round: asks about everything that has been open for
/// [`Config::reconcile_after`](crate::Config) or longer (or since an instant ahead of the clock),
/// under the same keys as before, and answers the calls that began it. Several workers may run it
/// at once.
pub async fn reconcile(platform: &Platform) -> Result<Reconciled> {
    let rested = Rested::of(platform.config().reconcile_after, platform.now());
    let mut round = Reconciled::default();
    let mut failed = None;
    for kind in &movement::KINDS {
        match (kind.reconcile)(platform, rested).await {
            Ok(settled) => *(kind.tally)(&mut round) += settled,
            // It must not keep the other kinds from being settled.
            Err(error) => failed = failed.or(Some(error)),
        }
    }
    if let Err(error) = forget_removed(platform).await {
        failed = failed.or(Some(error));
    }
    if let Err(error) = watch(platform).await {
        failed = failed.or(Some(error));
    }
    failed.map_or(Ok(round), Err)
}

/// For how many seconds the oldest movement of each kind has had no outcome; 0 if all have one.
/// Those that wait for their cardholder, or are in transit, have got as far as they can.
pub async fn unsettled(platform: &Platform) -> Result<Vec<(&'static str, i64)>> {
    let since = store::movement::unsettled(&mut platform.db().read().await?).await?;
    let age = |kind: &str| {
        let oldest = since.iter().find(|(known, _)| known == kind).and_then(|(_, since)| *since);
        oldest.map_or(0, |since| (platform.now() - since).num_seconds().max(0))
    };
    Ok(movement::KINDS.iter().map(|kind| (kind.name, age(kind.name))).collect())
}
