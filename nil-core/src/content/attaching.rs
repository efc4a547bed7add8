//! Files become parts of records and stop being so. Who attaches a file must own it.

use super::file::StoredFile;
use super::store::file as files;
use super::storing::{self, Discarded, Written};
use super::usage::FileUse;
use crate::error::{Error, Result};
use crate::kernel::{FileId, UserId};
use crate::operation::Work;
use crate::storage::Session;

/// These files, which must be the user's own: 422 at `file_ids` otherwise, whether a file belongs
/// to another user or does not exist.
pub async fn owned(session: &mut Session, user: UserId, ids: &[FileId]) -> Result<Vec<StoredFile>> {
    owned_at(session, "file_ids", user, ids).await
}

/// These files, which must be the user's own: 422 at `field` of the input otherwise, whether a file
/// belongs to another user or does not exist.
pub(crate) async fn owned_at(
    session: &mut Session,
    field: &str,
    user: UserId,
    ids: &[FileId],
) -> Result<Vec<StoredFile>> {
    let found = files::of_user(session, user, ids).await?;
    let all = ids.iter().all(|id| found.iter().any(|file| file.id == *id));
    all.then_some(found).ok_or_else(|| strange(field))
}

/// The refusal of a file that is not the caller's.
pub(super) fn strange(field: &str) -> Error {
    Error::invalid(field, "must name files that you uploaded and that still exist")
}

/// Sets the record's files to exactly these, which [`owned`] found, in the transaction that writes
/// the record. A file deleted in between is 422 like a missing one.
pub async fn attach(
    work: &mut Work,
    files: &[StoredFile],
    kind: FileUse,
    record: i64,
) -> Result<()> {
    let before = files::used_by(work, kind, record).await?;
    // In order of id, as all rows are locked.
    let mut new: Vec<_> = files.iter().filter(|file| !before.contains(&file.id)).collect();
    new.sort_unstable_by_key(|file| file.id);
    new.dedup_by_key(|file| file.id);
    let is_left = |id: &FileId| !files.iter().any(|file| file.id == *id);
    exchange(work, "file_ids", (kind, record), before.into_iter().filter(is_left), &new).await
}

/// Takes files from the record.
async fn leave(
    work: &mut Work,
    place: (FileUse, i64),
    left: impl Iterator<Item = FileId>,
) -> Result<()> {
    let now = work.now();
    for id in left {
        files::drop_use(work, id, place, now).await?;
    }
    Ok(())
}

/// Takes files from the record, and makes new ones part of it; 422 at `field` for one that was
/// deleted in between.
async fn exchange(
    work: &mut Work,
    field: &str,
    place: (FileUse, i64),
    left: impl Iterator<Item = FileId>,
    new: &[&StoredFile],
) -> Result<()> {
    leave(work, place, left).await?;
    let now = work.now();
    for file in new {
        if !files::add_use(work, file, place, now).await? {
            return Err(strange(field));
        }
    }
    Ok(())
}

/// Sets the record's files to those with these ids: files it already has, whoever owns them, and
/// the user's own. 422 at `field` for any other.
pub async fn replace(
    work: &mut Work,
    (field, user): (&str, UserId),
    ids: &[FileId],
    kind: FileUse,
    record: i64,
) -> Result<()> {
    let before = files::used_by(work, kind, record).await?;
    let mut new: Vec<FileId> = ids.iter().filter(|id| !before.contains(id)).copied().collect();
    new.sort_unstable();
    new.dedup();
    let own = owned_at(work, field, user, &new).await?;
    let new: Vec<_> = own.iter().collect();
    let left = before.into_iter().filter(|id| !ids.contains(id));
    exchange(work, field, (kind, record), left, &new).await
}

/// Adds a file that was just written to the record.
pub async fn add_written(
    work: &mut Work,
    written: Written,
    (kind, record): (FileUse, i64),
) -> Result<FileId> {
    let file = storing::keep(work, written).await?;
    let now = work.now();
    if files::add_use(work, &file, (kind, record), now).await? {
        Ok(file.id)
    } else {
        Err(Error::internal("a file that was just kept is gone"))
    }
}

/// Removes all files from the record.
pub async fn let_go(work: &mut Work, kept: &[FileId], place: (FileUse, i64)) -> Result<()> {
    let before = files::used_by(work, place.0, place.1).await?;
    leave(work, place, before.into_iter().filter(|id| !kept.contains(id))).await
}

/// The existing files among these, regardless of their owner, for the records they are part of.
pub async fn found(session: &mut Session, ids: &[FileId]) -> Result<Vec<StoredFile>> {
    files::find_all(session, ids).await
}

/// The records that the file is part of.
pub async fn uses(session: &mut Session, file: FileId) -> Result<Vec<(FileUse, i64)>> {
    files::uses(session, file).await
}

/// The files that the record consists of.
pub async fn of_record(
    session: &mut Session,
    (kind, record): (FileUse, i64),
) -> Result<Vec<FileId>> {
    files::used_by(session, kind, record).await
}

/// Makes a file part of the record; answers whether it was still there.
pub async fn add(
    work: &mut Work,
    file: &StoredFile,
    (kind, record): (FileUse, i64),
) -> Result<bool> {
    let now = work.now();
    files::add_use(work, file, (kind, record), now).await
}

/// Takes the files from a record that is removed, in the caller's transaction, and deletes those
/// that are part of no other.
pub async fn discard_all(work: &mut Work, place: (FileUse, i64)) -> Result<Vec<Discarded>> {
    let documents = of_record(work, place).await?;
    let_go(work, &[], place).await?;
    let mut objects = Vec::with_capacity(documents.len());
    for document in documents {
        objects.push(storing::discard(work, document).await?);
    }
    Ok(objects)
}
