//! Who may see submitted work, for its files.

use super::store::deliverable as deliverables;
use crate::content::Viewer;
use crate::error::Result;
use crate::kernel::DeliverableId;
use crate::storage::Session;

/// Both parties, the athlete's current agent (not a former one, even if the contract names them),
/// and the institution's officers (for their sports).
pub async fn may_see(session: &mut Session, viewer: &Viewer, id: DeliverableId) -> Result<bool> {
    deliverables::is_shown_to(session, viewer, id).await
}
