//! Asks the processor about everything with an unknown outcome: after a crash, a time-out or a lost
//! webhook.

use super::kinds::Reconciled;
use crate::error::Result;
use crate::kernel::Rested;
use crate::payments::disputes::watching::watch;
use crate::payments::methods::forgetting::forget_removed;
use crate::payments::movement;
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
