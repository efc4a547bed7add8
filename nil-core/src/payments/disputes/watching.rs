//! Events can be lost: the processor's list of disputes is read every hour, and open ones are
//! looked up.

use chrono::TimeDelta;

use super::applying::apply;
use crate::error::Result;
use crate::payments::store::dispute as store;
use crate::platform::Platform;
use crate::ports::processor;

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
                    all &= applied(platform, said).await;
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
        let known = match &said {
            Ok(Some(said)) => applied(platform, said).await,
            _ => false,
        };
        if !known {
            let mut session = platform.db().begin().await?;
            store::looked_at(&mut session, &reference, now).await?;
            session.commit().await?;
        }
    }
    Ok(())
}

/// Whether a dispute was applied. One that was not does not hold up the others; it is in the list
/// that is read next.
async fn applied(platform: &Platform, said: &processor::Dispute) -> bool {
    match apply(platform, said).await {
        Ok(_) => true,
        Err(error) => {
            tracing::error!(%error, dispute = said.reference, "a dispute was not applied");
            false
        }
    }
}
