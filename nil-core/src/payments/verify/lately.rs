//! What is known of the books between two checks of the whole: when the last one found nothing
//! wrong, and whether the newest transfers balance.

use crate::error::Result;
use crate::kernel::Time;
use crate::payments::store::ledger;
use crate::platform::Platform;
use crate::storage::{sql, update};

/// Notes that a check of the whole installation has found nothing wrong. For the command line.
pub async fn note_verified(platform: &Platform) -> Result<()> {
    let mut session = platform.db().begin().await?;
    let note = update("installation").set("verified_at", platform.now()).when("id", 1_i64);
    session.run(note).await?;
    session.commit().await
}

/// When a check of the whole installation last found nothing wrong; none before the first one.
pub async fn verified_at(platform: &Platform) -> Result<Option<Time>> {
    let mut session = platform.db().read().await?;
    session.value(sql("SELECT verified_at FROM installation WHERE id = 1")).await
}

/// How many of the newest five hundred transfers of the ledger do not sum to zero. It reads these
/// only, because it is asked several times a minute.
pub async fn unbalanced_lately(platform: &Platform) -> Result<i64> {
    ledger::unbalanced_lately(&mut platform.db().read().await?).await
}
