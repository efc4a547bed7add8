//! What only these uploads have in their rows.

use crate::content_library::upload::ContentUploadStatus;
use crate::error::Result;
use crate::kernel::{ContentItemId, ContentUploadId, Moved, OperatorId, Time};
use crate::storage::{FromRow, Session, advance, sql};

/// Uploads that are open. Bytes are those that they were announced with.
#[derive(Clone, Copy, Debug, FromRow)]
pub struct OpenUploads {
    /// The number of the operator's.
    pub count: i64,
    /// Their bytes.
    pub bytes: i64,
    /// The bytes of all operators' together.
    pub bytes_of_all: i64,
}

/// The open uploads of an operator and of all. Lock the tree before counting for a new one.
pub async fn open(session: &mut Session, operator: OperatorId, now: Time) -> Result<OpenUploads> {
    session
        .one(
            sql("SELECT CAST(COALESCE(SUM(CASE WHEN operator_id = $1 THEN 1 ELSE 0 END), 0) AS BIGINT) \
                 AS count, CAST(COALESCE(SUM(CASE WHEN operator_id = $1 THEN size ELSE 0 END), 0) \
                 AS BIGINT) AS bytes, CAST(COALESCE(SUM(size), 0) AS BIGINT) AS bytes_of_all \
                 FROM multipart_upload WHERE status = 'created' AND expires_at > $2")
            .bind(operator)
            .bind(now),
        )
        .await
}

/// Records what it became.
pub async fn complete(
    session: &mut Session,
    id: ContentUploadId,
    moved: Moved<ContentUploadStatus>,
    (item, version): (ContentItemId, i64),
    now: Time,
) -> Result<()> {
    let row =
        advance("multipart_upload", id, moved, now).set("item_id", item).set("version", version);
    session.change(row).await
}
