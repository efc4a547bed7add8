//! Who may see a disclosed job, for the files that are part of it.

use super::store::disclosed_job as store;
use crate::content::Viewer;
use crate::error::Result;
use crate::kernel::DisclosedJobId;
use crate::storage::Session;

/// The athlete, the agent who represents them, and the institution's officers (for their sports) once
/// it was handed in.
pub(crate) async fn may_see(
    session: &mut Session,
    viewer: &Viewer,
    id: DisclosedJobId,
) -> Result<bool> {
    store::is_shown_to(session, viewer, id).await
}
