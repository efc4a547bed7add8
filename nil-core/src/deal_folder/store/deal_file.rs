//! The rows of files in folders.

use sea_query::{Expr, ExprTrait as _, LockType, Order, Query, SelectStatement};
use sqlx::FromRow;

use crate::accounts::UserKind;
use crate::error::{Error, Result};
use crate::kernel::{
    AthleteId, DealFileId, DirectUploadId, FileId, JobId, Listing, Paging, Time, UserId,
};
use crate::storage::{Session, insert, sql};

/// A file of a folder, without the data of the file itself.
#[derive(Clone, Debug, FromRow)]
pub struct DealFileRow {
    pub id: DealFileId,
    pub job_id: JobId,
    pub athlete_id: AthleteId,
    pub file_id: FileId,
    pub user_id: UserId,
    pub added_by: UserKind,
    pub note: Option<String>,
    pub created_at: Time,
    pub updated_at: Time,
}

/// A file to add.
#[derive(Clone, Debug)]
pub struct NewDealFile {
    pub job: JobId,
    pub athlete: AthleteId,
    pub user: UserId,
    pub file: FileId,
    pub upload: Option<DirectUploadId>,
    pub note: Option<String>,
}

fn select() -> SelectStatement {
    let own =
        ["id", "job_id", "athlete_id", "file_id", "user_id", "note", "created_at", "updated_at"];
    Query::select()
        .columns(own.map(|column| ("deal_file", column)))
        .expr_as(Expr::col(("app_user", "kind")), "added_by")
        .from("deal_file")
        .inner_join("app_user", Expr::col(("app_user", "id")).equals(("deal_file", "user_id")))
        .take()
}

/// Adds a file.
pub async fn add(session: &mut Session, new: &NewDealFile, now: Time) -> Result<DealFileRow> {
    let id: DealFileId = session
        .value(
            insert("deal_file")
                .set("job_id", new.job)
                .set("athlete_id", new.athlete)
                .set("file_id", new.file)
                .set("user_id", new.user)
                .set("upload_id", new.upload)
                .set("note", new.note.clone())
                .set("created_at", now)
                .set("updated_at", now)
                .returning(&["id"]),
        )
        .await?;
    let found = find(session, id).await?;
    found.ok_or_else(|| Error::internal("the saved file was not found"))
}

/// The file, regardless of who added it.
pub async fn find(session: &mut Session, id: DealFileId) -> Result<Option<DealFileRow>> {
    let mut query = select();
    query.and_where(Expr::col(("deal_file", "id")).eq(id.get()));
    session.first(query).await
}

/// The file, locked, if this user added it.
pub async fn hold_of(session: &mut Session, id: DealFileId, user: UserId) -> Result<DealFileRow> {
    let mut query = select();
    query
        .and_where(Expr::col(("deal_file", "id")).eq(id.get()))
        .and_where(Expr::col(("deal_file", "user_id")).eq(user.get()))
        .lock_with_tables(LockType::Update, ["deal_file"]);
    session.one(query).await
}

/// The file created from an upload, if it still exists.
pub async fn of_upload(session: &mut Session, upload: DirectUploadId) -> Result<DealFileRow> {
    let mut query = select();
    query.and_where(Expr::col(("deal_file", "upload_id")).eq(upload.get()));
    session.one(query).await
}

/// A page of a folder, newest first.
pub async fn page(
    session: &mut Session,
    job: JobId,
    athlete: AthleteId,
    paging: Paging,
) -> Result<Listing<DealFileRow>> {
    let mut rows = select();
    rows.and_where(Expr::col(("deal_file", "job_id")).eq(job.get()))
        .and_where(Expr::col(("deal_file", "athlete_id")).eq(athlete.get()))
        .order_by(("deal_file", "id"), Order::Desc);
    session.page(rows, paging).await
}

/// Removes a locked file.
pub async fn remove(session: &mut Session, id: DealFileId) -> Result<()> {
    session.change(sql("DELETE FROM deal_file WHERE id = $1").bind(id)).await
}
