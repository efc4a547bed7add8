//! A clarification draft: an unsent question to a brand about one of the athlete's deals.

use schemars::JsonSchema;
use serde::Serialize;

use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{AthleteId, ClarificationDraftId, JobId, Machine, Move, PartnerId, Time};
use crate::storage::FromRow;

vocabulary! {
    /// The status of a clarification draft.
    DraftStatus {
        /// Not sent.
        Pending = "pending",
        /// Sent to the brand.
        Sent = "sent",
    }
}

/// An event in a draft's life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DraftEvent {
    /// The athlete sends it.
    Send,
}

impl Machine for DraftStatus {
    type Event = DraftEvent;
    const NAME: &'static str = "clarification draft";
    const STATES: &'static [Self] = Self::ALL;
    const INITIAL: &'static [Self] = &[Self::Pending];
    const TERMINAL: &'static [Self] = &[Self::Sent];
    const MOVES: &'static [Move<Self>] = &[
        // POST /athlete/ai-athlete-assistant/clarification-drafts/{id}/send
        (Self::Pending, DraftEvent::Send, Self::Sent),
    ];
}

/// The maximum number of unsent drafts per athlete.
pub(super) const MOST_PENDING: i64 = 50;

/// A clarification draft.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct ClarificationDraft {
    /// The draft's id.
    pub id: ClarificationDraftId,
    /// The athlete.
    pub athlete_id: AthleteId,
    /// The job the question is about.
    pub job_id: JobId,
    /// The brand it goes to: the partner's id.
    pub brand_id: PartnerId,
    /// The stored text; sending does not change it.
    pub draft_text: String,
    /// The text that was sent, if it differs from the stored one.
    pub final_text: Option<String>,
    /// The status.
    pub status: DraftStatus,
    /// When it was sent.
    pub sent_at: Option<Time>,
    /// When it was written.
    pub created_at: Time,
    /// When it was last changed.
    pub updated_at: Time,
}
