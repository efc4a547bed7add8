//! The rows of comments on versions of documents.

use sea_query::{Expr, ExprTrait as _, Query, SelectStatement};

use crate::deal_folder::comment::DealFileComment;
use crate::error::Result;
use crate::kernel::{DealFileCommentId, DealFileId, FollowedPage, Listing, Time, UserId};
use crate::storage::{Key, Session, insert, sorted, sql};

/// A comment to add.
#[derive(Clone, Debug)]
pub struct NewComment {
    pub document: DealFileId,
    pub version: DealFileId,
    pub user: UserId,
    pub text: String,
}

const OWN: [&str; 6] = ["id", "document_id", "deal_file_id", "user_id", "text", "created_at"];

fn select() -> SelectStatement {
    Query::select()
        .columns(OWN.map(|column| ("deal_file_comment", column)))
        .expr_as(Expr::col(("deal_file", "number")), "version")
        .expr_as(Expr::col(("app_user", "kind")), "written_by")
        .from("deal_file_comment")
        .inner_join(
            "deal_file",
            Expr::col(("deal_file", "id")).equals(("deal_file_comment", "deal_file_id")),
        )
        .inner_join(
            "app_user",
            Expr::col(("app_user", "id")).equals(("deal_file_comment", "user_id")),
        )
        .take()
}

/// Adds a comment.
pub async fn add(session: &mut Session, new: &NewComment, now: Time) -> Result<DealFileComment> {
    let id: DealFileCommentId = session
        .value(
            insert("deal_file_comment")
                .set("document_id", new.document)
                .set("deal_file_id", new.version)
                .set("user_id", new.user)
                .set("text", new.text.clone())
                .set("created_at", now)
                .returning(&["id"]),
        )
        .await?;
    let mut query = select();
    query.and_where(Expr::col(("deal_file_comment", "id")).eq(id.get()));
    session.one(query).await
}

/// The number of comments on a version.
pub async fn count(session: &mut Session, version: DealFileId) -> Result<i64> {
    session
        .value(sql("SELECT COUNT(*) FROM deal_file_comment WHERE deal_file_id = $1").bind(version))
        .await
}

/// A page of the comments on a document, oldest first.
pub async fn page(
    session: &mut Session,
    document: DealFileId,
    place: FollowedPage,
) -> Result<Listing<DealFileComment>> {
    let mut rows = select();
    rows.and_where(Expr::col(("deal_file_comment", "document_id")).eq(document.get()));
    session.follow(sorted(rows, [Key::up(Expr::col(("deal_file_comment", "id")))]), place).await
}
