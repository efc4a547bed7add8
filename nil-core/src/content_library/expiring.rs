//! Ends uploads that were not completed in time, and removes what was deleted long ago. Any number
//! of workers may do this concurrently.

use super::arranging::KEPT;
use super::item::DEEPEST;
use super::store::item as items;
use super::upload::Upload;
use crate::content::announcing;
use crate::content::storing::not_written;
use crate::error::Result;
use crate::kernel::ContentItemId;
use crate::operation::Work;
use crate::platform::Platform;
use crate::ports::objects::ObjectKey;
use crate::schedule::due;

/// Aborts uploads that were not completed in time, with what has arrived of them; returns their
/// number.
pub async fn expire_uploads(platform: &Platform) -> Result<usize> {
    announcing::expire::<Upload>(platform).await
}

/// Removes items that were deleted 30 days ago, with all versions and their objects; returns their
/// number. What is in a folder goes before the folder.
pub async fn remove_deleted(platform: &Platform) -> Result<usize> {
    let mut removed = 0;
    for _ in 0..=DEEPEST {
        match remove_emptied(platform).await? {
            0 => break,
            count => removed += count,
        }
    }
    Ok(removed)
}

async fn remove_emptied(platform: &Platform) -> Result<usize> {
    let old = |behind| async move {
        let mut session = platform.db().read().await?;
        items::deleted_before(&mut session, platform.now() - KEPT, behind).await
    };
    due::each("item", old, |id| remove(platform, id)).await
}

/// Returns whether this call removed it.
async fn remove(platform: &Platform, id: ContentItemId) -> Result<bool> {
    let mut work = Work::resume(platform, "admin.content.delete", None).await?;
    let since = work.now() - KEPT;
    let Some(keys) = items::remove(&mut work, id, since).await? else {
        // It was restored, or another worker was faster.
        return Ok(false);
    };
    work.note(id, "removed");
    work.done(()).await?;
    for key in keys.iter().filter_map(|key| ObjectKey::parse(key)) {
        // If this fails, the worker finds it later as an object that no record needs.
        platform.objects().remove(&key).await.map_err(not_written)?;
    }
    Ok(true)
}
