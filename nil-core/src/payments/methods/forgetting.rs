//! The processor forgets cards that were removed, so that nothing can charge them any more.

use crate::error::Result;
use crate::payments::store;
use crate::platform::Platform;
use crate::ports::processor::Outage;

/// Has the processor forget removed cards. One that it could not be asked about is tried again in
/// the next round; a card that is being charged waits for the outcome.
pub(in crate::payments) async fn forget_removed(platform: &Platform) -> Result<()> {
    let mut session = platform.db().read().await?;
    let cards = store::method::to_forget(&mut session).await?;
    drop(session);
    for (id, reference) in cards {
        match platform.processor().forget_card(&reference).await {
            Ok(()) => {
                let mut session = platform.db().begin().await?;
                store::method::forgotten(&mut session, id, platform.now()).await?;
                session.commit().await?;
            }
            Err(Outage { why, .. }) => {
                tracing::warn!(why, card = %id, "the payment processor did not forget a card");
                return Ok(());
            }
        }
    }
    Ok(())
}
