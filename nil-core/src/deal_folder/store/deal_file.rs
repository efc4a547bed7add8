//! The rows of files in folders: versions of documents.

use sea_query::{Cond, Expr, ExprTrait as _, LockType, Query, SelectStatement};

use crate::accounts::UserKind;
use crate::contracts::{Contract, ContractStatus};
use crate::deal_folder::deal_file::DealFileStatus;
use crate::deal_folder::direct_upload::UploadStatus;
use crate::error::{Error, Result};
use crate::kernel::{
    AthleteId, DealFileId, DirectUploadId, FileId, FollowedPage, JobId, Listing, Moved, Time,
    UserId,
};
use crate::storage::{FromRow, Key, Session, advance, insert, sorted, sql};

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
    /// The first version of the document; empty on that one itself.
    pub first_id: Option<DealFileId>,
    pub number: i64,
    pub status: DealFileStatus,
    pub decided_by: Option<UserId>,
    pub decided_at: Option<Time>,
    pub decision_note: Option<String>,
    pub created_at: Time,
    pub updated_at: Time,
}

impl DealFileRow {
    /// The document: the id of its first version.
    pub fn document_id(&self) -> DealFileId {
        self.first_id.unwrap_or(self.id)
    }
}

/// Where a version stands: in which document, at which number.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    pub document: Option<DealFileId>,
    pub number: i64,
}

impl Place {
    /// The first version of a new document.
    pub const FIRST: Self = Self { document: None, number: 1 };
}

/// A file to add.
#[derive(Clone, Debug)]
pub struct NewDealFile {
    pub user: UserId,
    pub file: FileId,
    pub upload: Option<DirectUploadId>,
    pub note: Option<String>,
    pub place: Place,
}

/// Who decided on a version, and what they wrote.
#[derive(Clone, Debug)]
pub struct Decision {
    pub user: UserId,
    pub note: Option<String>,
}

const OWN: [&str; 14] = [
    "id",
    "job_id",
    "athlete_id",
    "file_id",
    "user_id",
    "note",
    "first_id",
    "number",
    "status",
    "decided_by",
    "decided_at",
    "decision_note",
    "created_at",
    "updated_at",
];

fn own(column: &'static str) -> Expr {
    Expr::col(("deal_file", column))
}

fn select() -> SelectStatement {
    Query::select()
        .columns(OWN.map(|column| ("deal_file", column)))
        .expr_as(Expr::col(("app_user", "kind")), "added_by")
        .from("deal_file")
        .inner_join("app_user", Expr::col(("app_user", "id")).equals(("deal_file", "user_id")))
        .take()
}

fn with_id(id: DealFileId) -> SelectStatement {
    let mut query = select();
    query.and_where(own("id").eq(id.get()));
    query
}

/// Adds a version in the state `open`.
pub async fn add(
    session: &mut Session,
    deal: &Contract,
    new: &NewDealFile,
    now: Time,
) -> Result<DealFileRow> {
    let id: DealFileId = session
        .value(
            insert("deal_file")
                .set("job_id", deal.job_id)
                .set("athlete_id", deal.athlete_id)
                .set("file_id", new.file)
                .set("user_id", new.user)
                .set("upload_id", new.upload)
                .set("note", new.note.clone())
                .set("first_id", new.place.document)
                .set("number", new.place.number)
                .set("status", DealFileStatus::Open)
                .set("created_at", now)
                .set("updated_at", now)
                .returning(&["id"]),
        )
        .await?;
    again(session, id).await
}

/// A version that is there.
pub async fn again(session: &mut Session, id: DealFileId) -> Result<DealFileRow> {
    let found = find(session, id).await?;
    found.ok_or_else(|| Error::internal("a version that was just written"))
}

/// The version, regardless of who added it.
pub async fn find(session: &mut Session, id: DealFileId) -> Result<Option<DealFileRow>> {
    session.first(with_id(id)).await
}

/// The version, locked, regardless of who added it.
pub async fn lock(session: &mut Session, id: DealFileId) -> Result<DealFileRow> {
    let mut query = with_id(id);
    query.lock_with_tables(LockType::Update, ["deal_file"]);
    session.one(query).await
}

/// The version, if it is in the folder of this deal.
pub async fn of_deal(
    session: &mut Session,
    id: DealFileId,
    job: JobId,
    athlete: AthleteId,
) -> Result<DealFileRow> {
    let mut query = with_id(id);
    query.and_where(own("job_id").eq(job.get())).and_where(own("athlete_id").eq(athlete.get()));
    session.one(query).await
}

/// The version, if this user added it.
pub async fn of_user(session: &mut Session, id: DealFileId, user: UserId) -> Result<DealFileRow> {
    let mut query = with_id(id);
    query.and_where(own("user_id").eq(user.get()));
    session.one(query).await
}

/// The version created from an upload, if it still exists.
pub async fn of_upload(session: &mut Session, upload: DirectUploadId) -> Result<DealFileRow> {
    let mut query = select();
    query.and_where(own("upload_id").eq(upload.get()));
    session.one(query).await
}

/// Records that the bytes of an upload have arrived.
pub async fn receive(
    session: &mut Session,
    upload: DirectUploadId,
    moved: Moved<UploadStatus>,
    file: FileId,
    now: Time,
) -> Result<()> {
    session.change(advance("direct_upload", upload, moved, now).set("file_id", file)).await
}

/// Changes the state of a locked version.
pub async fn decide(
    session: &mut Session,
    id: DealFileId,
    moved: Moved<DealFileStatus>,
    decision: &Decision,
    now: Time,
) -> Result<()> {
    let row = advance("deal_file", id, moved, now)
        .set("decided_by", decision.user)
        .set("decided_at", now)
        .set("decision_note", decision.note.clone());
    session.change(row).await
}

/// A page of the documents of a folder, each in its newest version, newest first.
pub async fn page(
    session: &mut Session,
    job: JobId,
    athlete: AthleteId,
    place: FollowedPage,
) -> Result<Listing<DealFileRow>> {
    let mut rows = select();
    rows.and_where(own("job_id").eq(job.get()))
        .and_where(own("athlete_id").eq(athlete.get()))
        .and_where(own("status").ne(DealFileStatus::Replaced.as_str()));
    session.follow(sorted(rows, [Key::down(own("id"))]), place).await
}

/// A page of the versions of a document, newest first.
pub async fn versions(
    session: &mut Session,
    document: DealFileId,
    place: FollowedPage,
) -> Result<Listing<DealFileRow>> {
    let mut rows = select();
    let of = Cond::any().add(own("id").eq(document.get())).add(own("first_id").eq(document.get()));
    rows.cond_where(of);
    session.follow(sorted(rows, [Key::down(own("number"))]), place).await
}

/// Removes a locked version.
pub async fn remove(session: &mut Session, id: DealFileId) -> Result<()> {
    session.change(sql("DELETE FROM deal_file WHERE id = $1").bind(id)).await
}

/// Whether a contract of this job and athlete has not ended.
pub async fn deal_is_open(session: &mut Session, job: JobId, athlete: AthleteId) -> Result<bool> {
    let unended = sql("SELECT COUNT(*) FROM contract WHERE job_id = $1 AND athlete_id = $2 \
                     AND status IN ($3, $4)")
    .bind(job)
    .bind(athlete)
    .bind(ContractStatus::Generated)
    .bind(ContractStatus::Active);
    let open: i64 = session.value(unended).await?;
    Ok(open > 0)
}
