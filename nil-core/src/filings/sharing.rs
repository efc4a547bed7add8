//! Who may see a filing, and which files a portal user may attach to one.

use super::store::filing as store;
use crate::content::{self, FileUse, Viewer};
use crate::error::Result;
use crate::kernel::{DeliverableId, DisclosedJobId, FileId, FilingId};
use crate::storage::Session;
use crate::{deals, disclosures};

/// The users of the institution's portal, for their sports.
pub(crate) async fn may_see(session: &mut Session, viewer: &Viewer, id: FilingId) -> Result<bool> {
    store::is_shown_to(session, viewer, id).await
}

/// Whether the file is part of work, a disclosed job or a filing that the officer may see. Chats, folders
/// of deals and pictures are not an institution's to read.
pub(super) async fn is_shown_to(
    session: &mut Session,
    viewer: &Viewer,
    file: FileId,
) -> Result<bool> {
    for (kind, record) in content::uses(session, file).await? {
        let shown = match kind {
            FileUse::Deliverable => match DeliverableId::new(record) {
                Some(id) => deals::sharing::may_see(session, viewer, id).await?,
                None => false,
            },
            FileUse::DisclosedJob => match DisclosedJobId::new(record) {
                Some(id) => disclosures::sharing::may_see(session, viewer, id).await?,
                None => false,
            },
            FileUse::Filing => match FilingId::new(record) {
                Some(id) => may_see(session, viewer, id).await?,
                None => false,
            },
            FileUse::Message | FileUse::DealFile | FileUse::Photo | FileUse::Logo => false,
        };
        if shown {
            return Ok(true);
        }
    }
    Ok(false)
}
