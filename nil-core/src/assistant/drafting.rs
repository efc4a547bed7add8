//! Athletes store questions to brands until they send them.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::draft::{ClarificationDraft, DraftStatus, MOST_PENDING};
use super::store::draft as drafts;
use crate::auth::Athlete;
use crate::error::{Result, codes};
use crate::kernel::{ClarificationDraftId, JobId, Listing, Many, Paged, Text};
use crate::operation::{Cx, Done, Work};

/// Filters for drafts.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct ListDrafts {
    /// Only drafts with these statuses.
    pub statuses: Option<Many<DraftStatus, 0, 2>>,
}

/// A question to store.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct SaveDraft {
    /// The job it is about: one that the athlete has an application for.
    pub job_id: JobId,
    /// The question, 1,000 characters at most.
    pub draft_text: Text<1, 1000>,
}

/// A new text for a draft.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct EditDraft {
    /// The draft.
    pub id: ClarificationDraftId,
    /// The question, 1,000 characters at most.
    pub draft_text: Text<1, 1000>,
}

/// Selects a draft to delete.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct RemoveDraft {
    /// The draft.
    pub id: ClarificationDraftId,
}

/// Lists the calling athlete's drafts, newest first (extension).
pub async fn list(
    cx: Cx<Athlete>,
    input: Paged<ListDrafts>,
) -> Result<Listing<ClarificationDraft>> {
    let (input, paging) = input.parts();
    let statuses = Many::or_none(input.statuses);
    let mut session = cx.read().await?;
    drafts::page(&mut session, cx.caller.id, &statuses, paging).await
}

/// Stores a question to the brand of a job (extension). 404 for a job the athlete has no
/// application for, 409 `too_many_drafts` beyond 50 unsent drafts.
pub async fn save(cx: Cx<Athlete>, input: SaveDraft) -> Result<Done<ClarificationDraft>> {
    let mut work = cx.begin().await?;
    let athlete = cx.caller.id;
    let brand = drafts::brand_of(&mut work, athlete, input.job_id).await?;
    let brand = brand.ok_or(codes::NOT_FOUND)?;
    if drafts::pending(&mut work, athlete).await? >= MOST_PENDING {
        return Err(codes::TOO_MANY_DRAFTS.into());
    }
    let (job, text) = (input.job_id, &input.draft_text);
    let draft = drafts::add(&mut work, athlete, job, brand, text, cx.now()).await?;
    work.note(draft.id, "drafted");
    work.done(draft).await
}

/// Replaces the text of an unsent draft (extension). 404 for another athlete's draft, 409 for a
/// sent one.
pub async fn edit(cx: Cx<Athlete>, input: EditDraft) -> Result<Done<ClarificationDraft>> {
    let mut work = cx.begin().await?;
    let before = pending(&mut work, input.id, cx.caller).await?;
    let draft = drafts::edit(&mut work, before.id, &input.draft_text, cx.now()).await?;
    work.note(draft.id, "edited");
    work.done(draft).await
}

/// Deletes an unsent draft (extension). 404 for another athlete's draft, 409 for a sent one.
pub async fn remove(cx: Cx<Athlete>, input: RemoveDraft) -> Result<Done<()>> {
    let mut work = cx.begin().await?;
    let draft = pending(&mut work, input.id, cx.caller).await?;
    drafts::remove(&mut work, draft.id).await?;
    let before = json!({ "job_id": draft.job_id });
    work.note_change(draft.id, "deleted", before, None);
    work.done(()).await
}

/// The athlete's unsent draft, locked.
async fn pending(
    work: &mut Work,
    id: ClarificationDraftId,
    athlete: Athlete,
) -> Result<ClarificationDraft> {
    let draft = drafts::lock(work, id, athlete.id).await?;
    if draft.status != DraftStatus::Pending {
        let why = "The draft has been sent and cannot be changed.";
        return Err(codes::ILLEGAL_TRANSITION.saying(why));
    }
    Ok(draft)
}
