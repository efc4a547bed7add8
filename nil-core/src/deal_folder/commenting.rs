//! A party comments on a version of a document.

use schemars::JsonSchema;
use serde::Deserialize;

use super::comment::DealFileComment;
use super::notices::{self, News};
use super::party;
use super::store::comment::{self as store, NewComment};
use crate::auth::Party;
use crate::error::{Result, codes};
use crate::kernel::{DealFileId, Text};
use crate::notifications::Event;
use crate::operation::{Cx, Done};

/// The maximum number of comments on one version.
const MOST: i64 = 500;

/// A comment on a version.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct CommentOnFile {
    /// The version.
    pub id: DealFileId,
    /// What to say about it. Both sides see it, and the guardian of an athlete under 18 gets a
    /// copy.
    pub text: Text<1, 2000>,
}

/// Comments on a version of a document, in any state of it; the other side is told. 404 for a deal
/// of other parties, 409 `deal_ended` after the deal has ended, `too_many_comments` after 500 on
/// one version.
pub async fn comment(cx: Cx<Party>, input: CommentOnFile) -> Result<Done<DealFileComment>> {
    let mut work = cx.begin().await?;
    let (contract, row) = party::lock_version(&mut work, &cx.caller, input.id).await?;
    if store::count(&mut work, row.id).await? >= MOST {
        return Err(codes::TOO_MANY_COMMENTS.into());
    }
    let new = NewComment {
        document: row.document_id(),
        version: row.id,
        user: party::user_of(&cx.caller),
        text: input.text.trim().to_owned(),
    };
    let comment = store::add(&mut work, &new, cx.now()).await?;
    work.note(comment.id, "written");
    let news = News { event: Event::DealFileCommented, text: Some(&comment.text) };
    notices::tell(&mut work, &cx.caller, &contract, &row, news).await?;
    work.done(comment).await
}
