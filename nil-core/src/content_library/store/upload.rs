//! The rows of uploads.

use sea_query::{Expr, ExprTrait as _, LockType, Query, SelectStatement};

use crate::content::MediaType;
use crate::content_library::upload::{ContentUploadStatus, Upload};
use crate::error::Result;
use crate::kernel::{ContentItemId, ContentUploadId, Moved, OperatorId, Time};
use crate::ports::objects::ObjectKey;
use crate::schedule::due::{self, Behind, Page, due_ids};
use crate::storage::{FromRow, Selected as _, Session, Stored, advance, insert, sql};

/// An upload to announce.
#[derive(Clone, Debug, Stored)]
pub struct NewUpload {
    #[row(rename = "operator_id")]
    pub operator: OperatorId,
    pub place: i64,
    #[row(rename = "item_id")]
    pub item: Option<ContentItemId>,
    pub name: String,
    pub media_type: MediaType,
    pub size: i64,
    pub part_size: i64,
    #[row(skip)]
    pub key: ObjectKey,
    pub store_ref: Option<String>,
    pub expires_at: Time,
}

/// Adds an upload in the state `created`.
pub async fn add(session: &mut Session, new: &NewUpload, now: Time) -> Result<Upload> {
    session
        .one(
            insert("multipart_upload")
                .with(new.columns())
                .set("object_key", new.key.as_str())
                .set("status", ContentUploadStatus::Created)
                .set("created_at", now)
                .set("updated_at", now)
                .returning(Upload::COLUMNS),
        )
        .await
}

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

fn select(id: ContentUploadId) -> SelectStatement {
    Query::select()
        .columns(Upload::COLUMNS.iter().copied())
        .from("multipart_upload")
        .and_where(Expr::col("id").eq(id.get()))
        .take()
}

/// The upload, whoever announced it.
pub async fn find(session: &mut Session, id: ContentUploadId) -> Result<Option<Upload>> {
    session.first(select(id)).await
}

/// The upload, whoever announced it, locked.
pub async fn lock(session: &mut Session, id: ContentUploadId) -> Result<Option<Upload>> {
    let mut query = select(id);
    query.lock(LockType::Update);
    session.first(query).await
}

/// The upload, if this operator announced it; 404 otherwise.
pub async fn find_of(
    session: &mut Session,
    id: ContentUploadId,
    operator: OperatorId,
) -> Result<Upload> {
    let mut query = select(id);
    query.and_where(Expr::col("operator_id").eq(operator.get()));
    session.one(query).await
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

/// Changes its state.
pub async fn change(
    session: &mut Session,
    id: ContentUploadId,
    moved: Moved<ContentUploadStatus>,
    now: Time,
) -> Result<()> {
    let row = advance("multipart_upload", id, moved, now);
    session.change(row).await
}

/// Uploads whose time was over before that instant, oldest first.
pub async fn late(
    session: &mut Session,
    now: Time,
    behind: Behind,
) -> Result<Page<ContentUploadId>> {
    const DUE: &str =
        due_ids!("multipart_upload", "expires_at", "status = 'created' AND expires_at <= $1");
    due::ids(session, DUE, now, behind).await
}
