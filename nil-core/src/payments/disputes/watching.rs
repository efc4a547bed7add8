//! Events can be lost: the processor's list of disputes is read every hour, and open ones are
//! looked up.

use chrono::TimeDelta;

use super::applying::apply;
use crate::error::Result;
use crate::payments::store::dispute as store;
use crate::platform::Platform;
use crate::ports::processor::Dispute;

/// The pause between two readings of the processor's list.
const PAUSE: TimeDelta = TimeDelta::hours(1);
/// How far back the list is read: lists lag, and clocks differ.
const OVERLAP: TimeDelta = TimeDelta::days(2);
/// How long an open dispute is not looked up after the processor was asked about it.
const RESTS: TimeDelta = TimeDelta::hours(6);

/// Reads the list if it is due, and looks up open disputes. A processor that does not respond is
/// asked again in the next round.
pub(crate) async fn watch(platform: &Platform) -> Result<()> {
    let now = platform.now();
    let mut session = platform.db().read().await?;
    let due = store::list_due(&mut session, now, (PAUSE, OVERLAP)).await?;
    let open = store::unwatched(&mut session, now - RESTS).await?;
    drop(session);
    if let Some(since) = due {
        match platform.processor().disputes(since).await {
            Ok(found) => {
                let mut all = true;
                for said in &found {
                    all &= applied(platform, said).await.is_some();
                }
                if all {
                    let mut session = platform.db().begin().await?;
                    store::list_read(&mut session, now).await?;
                    session.commit().await?;
                }
            }
            Err(outage) => tracing::warn!(why = outage.why, "disputes could not be listed"),
        }
    }
    for reference in open {
        let said = platform.processor().dispute(&reference).await;
        let is_ours = match said {
            Ok(Some(said)) => applied(platform, &said).await.unwrap_or_default(),
            Ok(None) | Err(_) => false,
        };
        if !is_ours {
            let mut session = platform.db().begin().await?;
            store::looked_at(&mut session, &reference, now).await?;
            session.commit().await?;
        }
    }
    Ok(())
}

/// Applies what the processor says of a dispute; returns whether it is one of ours, nothing if it
/// could not be applied. Such a one must not keep the others from it: it is in the log, and in the
/// list that is read next.
async fn applied(platform: &Platform, said: &Dispute) -> Option<bool> {
    match apply(platform, said).await {
        Ok(is_ours) => Some(is_ours),
        Err(error) => {
            tracing::error!(%error, dispute = said.reference, "a dispute could not be applied");
            None
        }
    }
}
