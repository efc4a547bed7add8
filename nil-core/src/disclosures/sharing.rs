//! Who may see a disclosed job, for its files.

use super::store::disclosed_job as store;
use crate::content::Viewer;
use crate::error::Result;
use crate::kernel::DisclosedJobId;
use crate::storage::Session;

/// The athlete, their current agent, and the institution's officers (for their sports) after
/// submission.
pub async fn may_see(session: &mut Session, viewer: &Viewer, id: DisclosedJobId) -> Result<bool> {
    store::is_shown_to(session, viewer, id).await
}
