//! The installation's mark, which is the first part of every key at the payment processor.

use crate::error::{Result, codes};
use crate::kernel::Random;
use crate::payments::ledger::Owner;
use crate::payments::store::movement as store;
use crate::platform::Platform;
use crate::ports::processor::Holder;
use crate::storage::Session;

/// Draws a new mark, for a database that was restored from a backup or copied: ids begin anew in
/// it, and under the old mark the processor would take their requests for earlier ones. Requests
/// that are on record keep their keys.
pub async fn renew_mark(platform: &Platform) -> Result<()> {
    let mut session = platform.db().begin().await?;
    renew_mark_in(&mut session, platform.random()).await?;
    session.commit().await
}

/// Draws a new mark in a transaction that fills a database.
pub async fn renew_mark_in(session: &mut Session, random: &dyn Random) -> Result<()> {
    let mut bytes = [0; 6];
    random.fill(&mut bytes);
    store::renew_mark(session, &hex::encode(bytes)).await
}

/// The mark, which tells one installation from another.
pub async fn mark(session: &mut Session) -> Result<String> {
    store::mark(session).await
}

/// Refuses a processor of other money than the database holds: its payments are unknown there, and
/// play money must not become a payout. Until the first payment, the processor can be changed.
pub async fn check_books(platform: &Platform) -> Result<()> {
    let own = platform.processor().books();
    let mut kept = store::books(&mut platform.db().read().await?).await?;
    if kept != Some(own) {
        let mut session = platform.db().begin().await?;
        store::claim_books(&mut session, own).await?;
        kept = store::books(&mut session).await?;
        session.commit().await?;
    }
    let Some(kept) = kept.filter(|kept| *kept != own) else {
        return Ok(());
    };
    Err(codes::UNAVAILABLE.saying(format!(
        "The database holds payments of the processor `{kept}`, and this one is `{own}`. Begin with a new database, \
         or with the processor's key from before."
    )))
}

/// An owner as the processor knows them.
pub(in crate::payments) async fn holder(platform: &Platform, owner: Owner) -> Result<Holder> {
    let mut session = platform.db().read().await?;
    let installation = store::mark(&mut session).await?;
    Ok(Holder { installation, name: owner.to_string() })
}
