//! The messages between an athlete and the assistant.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::draft::ClarificationDraft;
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{AssistantMessageId, ClarificationDraftId, JobId, Time};
use crate::storage::FromRow;

vocabulary! {
    /// The author of a message.
    Role {
        /// The athlete.
        Athlete = "athlete",
        /// The assistant.
        Assistant = "assistant",
    }
}

vocabulary! {
    /// The kind of record an answer is based on.
    SourceKind {
        /// An application with all related records.
        Deal = "deal",
        /// A deliverable.
        Deliverable = "deliverable",
        /// A contract.
        Contract = "contract",
        /// A payment.
        Payment = "payment",
        /// The athlete's wallet; its id is the athlete's.
        Wallet = "wallet",
    }
}

/// A record that an answer is based on; always one of the athlete's own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Source {
    /// The kind of record.
    pub kind: SourceKind,
    /// The record's id.
    pub id: i64,
    /// The record's name.
    pub title: String,
}

/// A question, or an answer.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
pub struct AssistantMessage {
    /// The message's id.
    pub id: AssistantMessageId,
    /// The author.
    pub role: Role,
    /// The text.
    pub text: String,
    /// The job it is about, if the athlete named one.
    pub job_id: Option<JobId>,
    /// The records an answer is based on.
    #[row(json)]
    pub sources: Vec<Source>,
    /// The question to the brand that an answer proposes: a pending draft, which only the athlete
    /// can send. Null if there is none, or no longer.
    #[row(skip)]
    pub draft: Option<ClarificationDraft>,
    /// The answering model: `rules`, or a model's name.
    pub model: Option<String>,
    /// When the athlete read the answer.
    pub read_at: Option<Time>,
    /// When it was written.
    pub created_at: Time,
    #[serde(skip)]
    pub(super) draft_id: Option<ClarificationDraftId>,
}
