//! Expires uploads that were not completed in time, and removes their bytes.

use super::direct_upload::UploadEvent;
use super::store::upload as store;
use crate::content::storing;
use crate::error::Result;
use crate::kernel::{DirectUploadId, Machine as _};
use crate::operation::Work;
use crate::platform::Platform;
use crate::schedule::due;

/// Expires uploads that were not completed in time; returns their number. Any number of workers may do this
/// concurrently.
pub async fn expire_uploads(platform: &Platform) -> Result<usize> {
    let late = |behind| async move {
        let mut session = platform.db().read().await?;
        store::late(&mut session, platform.now(), behind).await
    };
    due::each("upload", late, |id| expire(platform, id)).await
}

/// Returns whether this call expired it.
async fn expire(platform: &Platform, id: DirectUploadId) -> Result<bool> {
    let mut work = Work::resume(platform, "core.deal_folder.create_upload", None).await?;
    let Some(upload) = store::lock(&mut work, id).await? else {
        return Ok(false);
    };
    // It may just have been completed, or another worker was faster.
    let Ok(moved) = upload.status.on(UploadEvent::Expire) else {
        return Ok(false);
    };
    let now = work.now();
    store::change(&mut work, id, moved, now).await?;
    work.note(upload.id, "expired");
    let discarded = match upload.file_id {
        Some(file) => Some(storing::discard(&mut work, file).await?),
        None => None,
    };
    work.done(()).await?;
    if let Some(discarded) = discarded {
        discarded.remove(platform).await;
    }
    Ok(true)
}
