//! Removes leftovers: files that were never completed or used, and objects without a file. Any
//! number of workers may do this concurrently.

use chrono::TimeDelta;
use schemars::JsonSchema;
use serde::Serialize;

use super::file::StoredFile;
use super::store::file as files;
use super::storing;
use crate::error::{Error, Result, codes};
use crate::operation::Work;
use crate::platform::Platform;
use crate::schedule::due;

/// How long a file may be unused.
const UNUSED_FOR: TimeDelta = TimeDelta::hours(24);

/// The result of a sweep.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct SweptFiles {
    /// Files that were not used for a day.
    pub unused: usize,
    /// Objects without a file.
    pub relics: usize,
}

/// Deletes files that were not used for a day, and checks one of the 256 shelves of objects for
/// relics; each call checks the next shelf.
pub async fn sweep(platform: &Platform) -> Result<SweptFiles> {
    Ok(SweptFiles {
        unused: delete_unused(platform).await?,
        relics: sweep_shelf(platform, platform.next_shelf()).await?,
    })
}

async fn delete_unused(platform: &Platform) -> Result<usize> {
    let unused = |behind| async move {
        let mut session = platform.db().read().await?;
        files::unused_since(&mut session, platform.now() - UNUSED_FOR, behind).await
    };
    due::each("file", unused, |file| delete(platform, file)).await
}

/// Returns whether this call deleted it.
async fn delete(platform: &Platform, file: StoredFile) -> Result<bool> {
    let mut work = Work::resume(platform, "core.file.delete", None).await?;
    let Some(discarded) = storing::end(&mut work, &file, "deleted_unused").await? else {
        // It was used after all, or another worker was faster.
        return Ok(false);
    };
    work.done(()).await?;
    discarded.removed(platform).await.map_err(away)?;
    Ok(true)
}

/// Sets aside the objects on a shelf that belong to no file. A file's row is written before its
/// object, so this never affects an object that is being written.
pub async fn sweep_shelf(platform: &Platform, number: u8) -> Result<usize> {
    if number == 0 {
        platform.objects().tidy(platform.now()).await.map_err(away)?;
    }
    let standing = platform.objects().shelf(number).await.map_err(away)?;
    let mut relics = 0;
    for some in standing.chunks(500) {
        let mut session = platform.db().read().await?;
        let known = files::known_keys(&mut session, some).await?;
        drop(session);
        for key in some.iter().filter(|key| !known.iter().any(|known| known == key.as_str())) {
            platform.objects().set_aside(key, platform.now()).await.map_err(away)?;
            relics += 1;
        }
    }
    Ok(relics)
}

fn away(error: std::io::Error) -> Error {
    Error::from(codes::UNAVAILABLE).because(error)
}
