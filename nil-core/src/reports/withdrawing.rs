//! Files of exports are withdrawn when somebody leaves: those made before may hold the data that is erased.

use super::report::{ExportEvent, ExportStatus};
use super::store;
use crate::error::Result;
use crate::kernel::Machine as _;
use crate::operation::Work;

/// Withdraws every file that is ready: its time is over, and [`remove_expired`](super::remove_expired) deletes it. What is
/// being written begins anew. Operators can request the exports again.
pub(crate) async fn withdraw_made(work: &mut Work) -> Result<()> {
    let now = work.now();
    for id in store::withdraw_ready(work, now).await? {
        work.note(id, "export_withdrawn");
    }
    let moved = ExportStatus::Processing.on(ExportEvent::PutBack)?;
    store::overtake(work, moved, now).await
}
