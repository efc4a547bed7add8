//! Files of exports are withdrawn when somebody leaves: those made before may hold the data that is
//! erased.

use super::report::{ExportEvent, ExportStatus};
use super::store;
use crate::error::Result;
use crate::feed::withdraw_all;
use crate::kernel::Machine as _;
use crate::operation::Work;

/// Withdraws every file that is ready: its time is over, [`remove_expired`](super::remove_expired)
/// deletes it, and nobody is told any more that it is ready. What is being written begins anew, and
/// is taken first: what becomes ready meanwhile is withdrawn. Operators can request the exports
/// again.
pub(crate) async fn withdraw_made(work: &mut Work) -> Result<()> {
    let now = work.now();
    let moved = ExportStatus::Processing.on(ExportEvent::PutBack)?;
    store::overtake(work, moved, now).await?;
    let withdrawn = store::withdraw_ready(work, now).await?;
    for id in &withdrawn {
        work.note(*id, "export_withdrawn");
    }
    withdraw_all(work, &withdrawn).await.map(|_| ())
}
