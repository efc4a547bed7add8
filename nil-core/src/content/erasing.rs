//! The files of a user who leaves.

use super::file::{FileEvent, FileStatus};
use super::store::file as files;
use super::storing::Discarded;
use crate::error::Result;
use crate::kernel::{Machine as _, UserId};
use crate::operation::Work;

/// Deletes the files of a user who leaves, apart from those that are part of records which stay
/// (work under a contract, agreed documents, disclosures, messages that another user keeps); these
/// lose the names that the user gave them. The objects are removed after the commit; what remains
/// of them is set aside later, because no record needs it.
pub async fn erase_of(work: &mut Work, user: UserId) -> Result<Vec<Discarded>> {
    let now = work.now();
    files::drop_own_uses(work, user).await?;
    let mut gone = Vec::new();
    for (status, event) in
        [(FileStatus::Writing, FileEvent::Abandon), (FileStatus::Stored, FileEvent::Delete)]
    {
        let moved = status.on(event)?;
        for (id, key) in files::delete_unused_of(work, user, moved, now).await? {
            work.note(id, "deleted");
            gone.push(Discarded::object(&key));
        }
    }
    files::unname(work, user).await?;
    Ok(gone)
}
