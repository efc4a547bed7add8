//! The rows of files and of their uses.

use sea_query::{Expr, ExprTrait as _, Query};

use crate::content::file::{Checked, FileOwner, FileStatus, StoredFile};
use crate::content::usage::FileUse;
use crate::error::Result;
use crate::kernel::{FileId, Moved, Time, UserId};
use crate::ports::objects::ObjectKey;
use crate::schedule::due::{Behind, Page};
use crate::storage::{
    Among as _, Narrow as _, Selected as _, Session, Stored, Update, advance, insert, sql, update,
};

/// A file whose bytes are about to be written.
#[derive(Debug, Stored)]
pub struct NewFile {
    #[row(skip)]
    pub owner: FileOwner,
    pub name: String,
    #[row(skip)]
    pub content: Checked,
    #[row(skip)]
    pub key: ObjectKey,
    #[row(skip)]
    pub now: Time,
}

/// Adds a file in the state `writing`.
pub async fn add(session: &mut Session, new: &NewFile) -> Result<StoredFile> {
    session
        .one(
            insert("stored_file")
                .with(new.columns())
                .with(new.content.columns())
                .set("user_id", new.owner.user())
                .set("college_id", new.owner.college())
                .set("object_key", new.key.as_str())
                .set("status", FileStatus::Writing)
                .set("uses", 0_i64)
                .set("created_at", new.now)
                .set("updated_at", new.now)
                .returning(StoredFile::COLUMNS),
        )
        .await
}

/// The number of bytes the owner keeps, including files being written. The caller locks the
/// account, so that two concurrent uploads cannot both take the last room.
pub async fn kept_by(session: &mut Session, owner: FileOwner) -> Result<i64> {
    let (table, id, text) = match owner {
        FileOwner::User(user) => (
            "app_user",
            user.get(),
            "SELECT CAST(COALESCE(SUM(size), 0) AS BIGINT) FROM stored_file \
             WHERE user_id = $1 AND status IN ('writing', 'stored')",
        ),
        FileOwner::College(college) => (
            "college",
            college.get(),
            "SELECT CAST(COALESCE(SUM(size), 0) AS BIGINT) FROM stored_file \
             WHERE college_id = $1 AND status IN ('writing', 'stored')",
        ),
        // What operators upload is not counted: each file replaces the one before.
        FileOwner::Site => return Ok(0),
    };
    session.lock(table, id).await?;
    session.value(sql(text).bind(id)).await
}

/// Changes the state of a file that is part of no record; 409 if it changed or became part of one
/// in the meantime.
pub async fn change(
    session: &mut Session,
    id: FileId,
    moved: Moved<FileStatus>,
    now: Time,
) -> Result<StoredFile> {
    session.changed(changing(id, moved, now)).await
}

/// Changes the state of a file that is part of no record; none if it changed or became part of one
/// in the meantime.
pub async fn try_change(
    session: &mut Session,
    id: FileId,
    moved: Moved<FileStatus>,
    now: Time,
) -> Result<Option<StoredFile>> {
    session.first(changing(id, moved, now)).await
}

fn changing(id: FileId, moved: Moved<FileStatus>, now: Time) -> Update {
    let deleted = (moved.to() == FileStatus::Deleted).then_some(now);
    advance("stored_file", id, moved, now)
        .set("deleted_at", deleted)
        .when("uses", 0_i64)
        .returning(StoredFile::COLUMNS)
}

/// The existing files of the user among these, in order of id.
pub async fn of_user(
    session: &mut Session,
    user: UserId,
    ids: &[FileId],
) -> Result<Vec<StoredFile>> {
    stored(session, ids, Some(user)).await
}

/// The existing files among these, regardless of their owner, in order of id.
pub async fn find_all(session: &mut Session, ids: &[FileId]) -> Result<Vec<StoredFile>> {
    stored(session, ids, None).await
}

async fn stored(
    session: &mut Session,
    ids: &[FileId],
    user: Option<UserId>,
) -> Result<Vec<StoredFile>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let mut rows = Query::select();
    rows.columns(StoredFile::COLUMNS.iter().copied())
        .from("stored_file")
        .and_where(Expr::col("id").among(ids.iter().map(|id| id.get())))
        .only("user_id", user)
        .and_where(Expr::col("status").eq("stored"))
        .order_by("id", sea_query::Order::Asc);
    session.all(rows).await
}

/// The records the file is part of.
pub async fn uses(session: &mut Session, file: FileId) -> Result<Vec<(FileUse, i64)>> {
    session
        .all(sql("SELECT kind, record_id FROM file_use WHERE file_id = $1 ORDER BY at").bind(file))
        .await
}

/// The files of the record.
pub async fn used_by(session: &mut Session, kind: FileUse, record: i64) -> Result<Vec<FileId>> {
    let rows: Vec<(FileId,)> = session
        .all(
            sql("SELECT file_id FROM file_use WHERE kind = $1 AND record_id = $2 ORDER BY file_id")
                .bind(kind)
                .bind(record),
        )
        .await?;
    Ok(rows.into_iter().map(|(id,)| id).collect())
}

/// Adds the file to the record; returns whether the file still exists.
pub async fn add_use(
    session: &mut Session,
    file: &StoredFile,
    (kind, record): (FileUse, i64),
    now: Time,
) -> Result<bool> {
    let counted = update("stored_file")
        .add("uses", 1_i64)
        .set("updated_at", now)
        .when("id", file.id)
        .when("status", FileStatus::Stored);
    if session.run(counted).await? == 0 {
        return Ok(false);
    }
    let row = insert("file_use")
        .set("file_id", file.id)
        .set("kind", kind)
        .set("record_id", record)
        .set("at", now);
    session.run(row).await.map(|_| true)
}

/// Removes the file from the record.
pub async fn drop_use(
    session: &mut Session,
    file: FileId,
    (kind, record): (FileUse, i64),
    now: Time,
) -> Result<()> {
    let gone = session
        .run(
            sql("DELETE FROM file_use WHERE file_id = $1 AND kind = $2 AND record_id = $3")
                .bind(file)
                .bind(kind)
                .bind(record),
        )
        .await?;
    if gone > 0 {
        let row = update("stored_file").add("uses", -1_i64).set("updated_at", now).when("id", file);
        session.run(row).await?;
    }
    Ok(())
}

/// The user's stored files after this one, in order of id: some at a time.
pub async fn stored_of(
    session: &mut Session,
    user: UserId,
    behind: Option<FileId>,
) -> Result<Vec<StoredFile>> {
    session
        .all(
            sql("SELECT id, user_id, name, media_type, size, sha256, object_key, status, uses, \
                 created_at, updated_at FROM stored_file \
                 WHERE user_id = $1 AND status = 'stored' AND id > $2 ORDER BY id LIMIT 100")
            .bind(user)
            .bind(behind.map_or(0, FileId::get)),
        )
        .await
}

/// Takes a user's files out of the records that go with the user, and counts their uses anew.
pub async fn drop_own_uses(session: &mut Session, user: UserId) -> Result<()> {
    const DROPPED: &str = "DELETE FROM file_use \
        WHERE kind NOT IN ('deal_file', 'deliverable', 'disclosed_job', 'filing', 'message') \
        AND file_id IN (SELECT id FROM stored_file WHERE user_id = $1)";
    const COUNTED: &str = "UPDATE stored_file SET uses = \
        (SELECT COUNT(*) FROM file_use u WHERE u.file_id = stored_file.id) \
        WHERE user_id = $1 AND status = 'stored'";
    for text in [DROPPED, COUNTED] {
        session.run(sql(text).bind(user)).await?;
    }
    Ok(())
}

/// Deletes the user's files in this state that are part of no record; returns their ids and the
/// keys of their objects.
pub async fn delete_unused_of(
    session: &mut Session,
    user: UserId,
    moved: Moved<FileStatus>,
    now: Time,
) -> Result<Vec<(FileId, String)>> {
    let rows = update("stored_file")
        .set("updated_at", now)
        .set("deleted_at", now)
        .change(moved)
        .when("user_id", user)
        .when("uses", 0_i64)
        .returning(&["id", "object_key"]);
    session.all(rows).await
}

/// Gives all of the user's files names that say nothing.
pub async fn unname(session: &mut Session, user: UserId) -> Result<()> {
    const UNNAMED: &str = "UPDATE stored_file SET name = 'file-' || CAST(id AS TEXT) || \
        CASE media_type WHEN 'image/jpeg' THEN '.jpg' WHEN 'image/png' THEN '.png' \
        WHEN 'image/webp' THEN '.webp' WHEN 'image/gif' THEN '.gif' WHEN 'video/mp4' THEN '.mp4' \
        WHEN 'video/quicktime' THEN '.mov' WHEN 'application/pdf' THEN '.pdf' \
        WHEN 'text/csv' THEN '.csv' ELSE '.txt' END WHERE user_id = $1";
    session.run(sql(UNNAMED).bind(user)).await.map(|_| ())
}

/// Files that were never completed or have been unused since that instant.
pub async fn unused_since(
    session: &mut Session,
    since: Time,
    behind: Behind,
) -> Result<Page<StoredFile>> {
    let rows: Vec<StoredFile> = session
        .all(
            sql("SELECT id, user_id, name, media_type, size, sha256, object_key, status, uses, \
                 created_at, updated_at FROM stored_file WHERE status IN ('writing', 'stored') \
                 AND uses = 0 AND created_at < $1 AND updated_at < $1 \
                 AND (created_at, id) > ($2, $3) ORDER BY created_at, id LIMIT 500")
            .bind(since)
            .bind(behind.at)
            .bind(behind.id),
        )
        .await?;
    let rows = rows.into_iter().map(|file| (file.created_at, file.id, Some(file)));
    Ok(Page::of(rows.collect()))
}

/// Those of these keys whose objects are needed, by whichever record.
pub async fn known_keys(session: &mut Session, keys: &[ObjectKey]) -> Result<Vec<String>> {
    let rows: Vec<(String,)> = session
        .all(
            Query::select()
                .column("object_key")
                .from("needed_object")
                .and_where(Expr::col("object_key").among(keys.iter().map(ObjectKey::as_str)))
                .take(),
        )
        .await?;
    Ok(rows.into_iter().map(|(key,)| key).collect())
}
