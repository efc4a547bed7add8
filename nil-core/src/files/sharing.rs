//! Who may see a file: the viewers of any record that it is part of.

use crate::content::{self, FileUse, Viewer};
use crate::error::Result;
use crate::kernel::{DealFileId, FileId, MessageId};
use crate::storage::Session;
use crate::{deal_folder, filings, messaging};

/// Whether the viewer may see any of the records that the file is part of.
pub(super) async fn is_shown_to(
    session: &mut Session,
    viewer: &Viewer,
    file: FileId,
) -> Result<bool> {
    for place in content::uses(session, file).await? {
        if may_see(session, viewer, place).await? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether the viewer may see the record, and so the files that are part of it.
async fn may_see(
    session: &mut Session,
    viewer: &Viewer,
    (kind, record): (FileUse, i64),
) -> Result<bool> {
    match kind {
        FileUse::Deliverable | FileUse::DisclosedJob | FileUse::Filing => {
            filings::may_see_part(session, viewer, (kind, record)).await
        }
        FileUse::Message => match MessageId::new(record) {
            Some(id) => messaging::may_see(session, viewer, id).await,
            None => Ok(false),
        },
        FileUse::DealFile => match DealFileId::new(record) {
            Some(id) => deal_folder::may_see(session, viewer, id).await,
            None => Ok(false),
        },
        // Pictures are not served by id, so that hidden users' pictures cannot be found by
        // guessing.
        FileUse::Photo | FileUse::Logo | FileUse::SiteLogo | FileUse::SiteFavicon => Ok(false),
    }
}
