//! Which files a portal user may see, and so attach to a filing: those that are part of what
//! institutions read.

use super::store::filing as store;
use crate::content::{self, FileUse, Viewer};
use crate::error::Result;
use crate::kernel::{DeliverableId, DisclosedJobId, FileId, FilingId};
use crate::storage::Session;
use crate::{deals, disclosures};

/// Whether the viewer may see the record, if it is of a kind that institutions read: work, a
/// disclosed job or a filing. Chats, deal folders and pictures are not.
pub(crate) async fn may_see_part(
    session: &mut Session,
    viewer: &Viewer,
    (kind, record): (FileUse, i64),
) -> Result<bool> {
    match kind {
        FileUse::Deliverable => match DeliverableId::new(record) {
            Some(id) => deals::sharing::may_see(session, viewer, id).await,
            None => Ok(false),
        },
        FileUse::DisclosedJob => match DisclosedJobId::new(record) {
            Some(id) => disclosures::sharing::may_see(session, viewer, id).await,
            None => Ok(false),
        },
        FileUse::Filing => match FilingId::new(record) {
            Some(id) => store::is_shown_to(session, viewer, id).await,
            None => Ok(false),
        },
        FileUse::Message
        | FileUse::DealFile
        | FileUse::Photo
        | FileUse::Logo
        | FileUse::SiteLogo
        | FileUse::SiteFavicon => Ok(false),
    }
}

/// Whether the officer may see any record that institutions read and that the file is part of.
pub(super) async fn is_shown_to(
    session: &mut Session,
    viewer: &Viewer,
    file: FileId,
) -> Result<bool> {
    for place in content::uses(session, file).await? {
        if may_see_part(session, viewer, place).await? {
            return Ok(true);
        }
    }
    Ok(false)
}
