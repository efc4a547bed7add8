//! The rows of announced uploads.

use sea_query::{Expr, ExprTrait as _, LockType, Query, SelectStatement};

use crate::content::MediaType;
use crate::deal_folder::direct_upload::{DirectUpload, UploadStatus};
use crate::error::Result;
use crate::kernel::{AthleteId, DealFileId, DirectUploadId, FileId, JobId, Moved, Time, UserId};
use crate::schedule::due::{self, Behind, Page, due_ids};
use crate::storage::{Selected as _, Session, Stored, advance, insert};

/// An upload to announce.
#[derive(Clone, Debug, Stored)]
pub struct NewUpload {
    #[row(rename = "user_id")]
    pub user: UserId,
    #[row(rename = "job_id")]
    pub job: JobId,
    #[row(rename = "athlete_id")]
    pub athlete: AthleteId,
    pub name: String,
    pub media_type: MediaType,
    pub size: i64,
    pub note: Option<String>,
    #[row(rename = "replaces_id")]
    pub replaces: Option<DealFileId>,
    pub expires_at: Time,
}

/// Adds an upload in the state `created`.
pub async fn add(session: &mut Session, new: &NewUpload, now: Time) -> Result<DirectUpload> {
    session
        .one(
            insert("direct_upload")
                .with(new.columns())
                .set("status", UploadStatus::Created)
                .set("created_at", now)
                .set("updated_at", now)
                .returning(DirectUpload::COLUMNS),
        )
        .await
}

fn select(id: DirectUploadId) -> SelectStatement {
    Query::select()
        .columns(DirectUpload::COLUMNS.iter().copied())
        .from("direct_upload")
        .and_where(Expr::col("id").eq(id.get()))
        .take()
}

/// The upload, regardless of who announced it.
pub async fn find(session: &mut Session, id: DirectUploadId) -> Result<Option<DirectUpload>> {
    session.first(select(id)).await
}

/// The upload, regardless of who announced it, locked.
pub async fn lock(session: &mut Session, id: DirectUploadId) -> Result<Option<DirectUpload>> {
    let mut query = select(id);
    query.lock(LockType::Update);
    session.first(query).await
}

/// The upload, locked, if this user announced it.
pub async fn lock_of(
    session: &mut Session,
    id: DirectUploadId,
    user: UserId,
) -> Result<DirectUpload> {
    let mut query = select(id);
    query.and_where(Expr::col("user_id").eq(user.get())).lock(LockType::Update);
    session.one(query).await
}

/// Records that its bytes have arrived.
pub async fn receive(
    session: &mut Session,
    id: DirectUploadId,
    moved: Moved<UploadStatus>,
    file: FileId,
    now: Time,
) -> Result<()> {
    let row = advance("direct_upload", id, moved, now).set("file_id", file);
    session.change(row).await
}

/// Changes its state.
pub async fn change(
    session: &mut Session,
    id: DirectUploadId,
    moved: Moved<UploadStatus>,
    now: Time,
) -> Result<()> {
    let row = advance("direct_upload", id, moved, now);
    session.change(row).await
}

/// Uploads whose time was over before that instant, oldest first.
pub async fn late(
    session: &mut Session,
    now: Time,
    behind: Behind,
) -> Result<Page<DirectUploadId>> {
    const DUE: &str = due_ids!(
        "direct_upload",
        "expires_at",
        "status IN ('created', 'received') AND expires_at <= $1"
    );
    due::ids(session, DUE, now, behind).await
}
