//! Sends a clarification draft to its brand, once.

use schemars::JsonSchema;
use serde::Deserialize;

use super::draft::{ClarificationDraft, DraftEvent};
use super::store::draft as drafts;
use crate::auth::Athlete;
use crate::error::Result;
use crate::kernel::{ClarificationDraftId, Machine as _, Text};
use crate::messaging;
use crate::operation::{Cx, Done};

/// Selects a draft and its final text.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct SendClarification {
    /// The draft.
    pub id: ClarificationDraftId,
    /// The text to send instead of the stored one, 1,000 characters at most; null or omitted sends
    /// the stored text.
    pub final_text: Option<Text<1, 1000>>,
}

/// Sends a draft to the brand, in the athlete's and the brand's conversation about that job
/// (specification 4.1). All errors of the request or the draft are 422 here: another athlete's
/// draft, a draft already sent, a brand whose account takes no messages.
///
/// Locks the draft while sending, so that only one of several concurrent calls delivers it.
pub async fn send(cx: Cx<Athlete>, input: SendClarification) -> Result<Done<ClarificationDraft>> {
    let mut work = cx.begin().await?;
    let draft = drafts::lock(&mut work, input.id, cx.caller.id).await?;
    let moved = draft.status.on(DraftEvent::Send)?;
    let final_text = input.final_text.map(Text::into_string);
    let text = final_text.as_deref().unwrap_or(&draft.draft_text);
    let (athlete, brand) = (cx.caller.user_id, draft.brand_id);
    let delivered =
        messaging::to_partner_about(&mut work, athlete, brand, draft.job_id, text).await?;
    let now = cx.now();
    let draft = drafts::sent(&mut work, draft.id, moved, final_text, delivered.id, now).await?;
    work.note(draft.id, "sent");
    work.done(draft).await
}
