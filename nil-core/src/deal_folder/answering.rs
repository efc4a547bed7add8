//! The other side approves a version or asks for edits; the side that added it takes it back.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::browsing::complete;
use super::deal_file::{DealFile, DealFileEvent};
use super::notices::{self, News};
use super::party::{self, Side};
use super::store::deal_file::{self as store, Decision};
use crate::auth::Party;
use crate::error::{Code, Result, codes};
use crate::kernel::{DealFileId, Machine as _, Text};
use crate::notifications::Event;
use crate::operation::{Cx, Done};
use crate::storage::first_of;

/// The version to approve.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct ApproveFile {
    /// The version. 409 `illegal_transition` if there is a newer one.
    pub id: DealFileId,
}

/// The version to edit.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct RequestEdits {
    /// The version. 409 `illegal_transition` if there is a newer one.
    pub id: DealFileId,
    /// What to change. Both sides see it, and the guardian of an athlete under 18 gets a copy.
    pub note: Text<1, 2000>,
}

/// The document to void.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct VoidFile {
    /// Its newest version.
    pub id: DealFileId,
    /// Why it no longer counts. Both sides see it, and the guardian of an athlete under 18 gets a
    /// copy.
    pub reason: Text<1, 2000>,
}

/// Approves the version that the other side added last. It is final then: neither side can replace
/// or void it. 404 for a deal of other parties, 409 `own_version` for a version of the caller's
/// side, `illegal_transition` for one that was replaced, voided or approved, `deal_ended` after the
/// deal has ended.
pub async fn approve(cx: Cx<Party>, input: ApproveFile) -> Result<Done<DealFile>> {
    decide(cx, input.id, (DealFileEvent::Approve, Event::DealFileApproved), None).await
}

/// Asks the other side to edit the version that it added last. 409 like an approval.
pub async fn request_edits(cx: Cx<Party>, input: RequestEdits) -> Result<Done<DealFile>> {
    let note = Some(input.note.trim().to_owned());
    let event = (DealFileEvent::RequestEdits, Event::DealFileEditsRequested);
    decide(cx, input.id, event, note).await
}

/// Voids a document whose newest version the caller's side added; all versions stay readable. 404
/// for a deal of other parties, 409 `others_version` for a version of the other side,
/// `illegal_transition` for one that is not the newest or that the other side has approved,
/// `deal_ended` after the deal has ended.
pub async fn void(cx: Cx<Party>, input: VoidFile) -> Result<Done<DealFile>> {
    let reason = Some(input.reason.trim().to_owned());
    decide(cx, input.id, (DealFileEvent::Void, Event::DealFileVoided), reason).await
}

/// The refusal of an event by this side of the deal, for a version of that side.
fn refusal(event: DealFileEvent, by: Side, of: Side) -> Option<Code> {
    match event {
        DealFileEvent::Approve | DealFileEvent::RequestEdits if by == of => {
            Some(codes::OWN_VERSION)
        }
        DealFileEvent::Void if by != of => Some(codes::OTHERS_VERSION),
        _ => None,
    }
}

async fn decide(
    cx: Cx<Party>,
    id: DealFileId,
    (event, told): (DealFileEvent, Event),
    note: Option<String>,
) -> Result<Done<DealFile>> {
    let mut work = cx.begin().await?;
    let (contract, row) = party::lock_version(&mut work, &cx.caller, id).await?;
    if let Some(code) = refusal(event, Side::of(&cx.caller), Side::of_version(&row)) {
        return Err(code.into());
    }
    let moved = row.status.on(event)?;
    let state = moved.to().as_str();
    let decision = Decision { user: party::user_of(&cx.caller), note: note.clone() };
    store::decide(&mut work, id, moved, &decision, cx.now()).await?;
    let after = note.as_ref().map(|note| json!({ "note": note }));
    work.note_change(id, state, json!({ "status": row.status }), after);
    let news = News { event: told, text: note.as_deref() };
    notices::tell(&mut work, &cx.caller, &contract, &row, news).await?;
    let row = store::again(&mut work, id).await?;
    let decided = first_of(complete(&mut work, vec![row]).await?)?;
    work.done(decided).await
}
