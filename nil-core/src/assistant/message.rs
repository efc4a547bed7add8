//! What an athlete asked the assistant, and what it said.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sqlx::FromRow;

use super::draft::ClarificationDraft;
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{AssistantMessageId, ClarificationDraftId, JobId, Time};

vocabulary! {
    /// Who said something.
    Role {
        /// The athlete.
        Athlete = "athlete",
        /// The assistant.
        Assistant = "assistant",
    }
}

vocabulary! {
    /// What kind of record an answer rests on.
    SourceKind {
        /// An application with everything around it.
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

/// A record that an answer rests on; always the athlete's own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Source {
    /// What kind of record.
    pub kind: SourceKind,
    /// Its id.
    pub id: i64,
    /// What it is called.
    pub title: String,
}

/// A question, or an answer.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
pub struct AssistantMessage {
    /// Its id.
    pub id: AssistantMessageId,
    /// Who said it.
    pub role: Role,
    /// What was said.
    pub text: String,
    /// The job it is about, where the athlete said so.
    pub job_id: Option<JobId>,
    /// The records an answer rests on.
    #[sqlx(json)]
    pub sources: Vec<Source>,
    /// The question to the brand that an answer proposes: a pending draft, which only the athlete
    /// sends. Null where there is none, or none any more.
    #[sqlx(skip)]
    pub draft: Option<ClarificationDraft>,
    /// What answered: `rules`, or a model's name.
    pub model: Option<String>,
    /// When the athlete read an answer.
    pub read_at: Option<Time>,
    /// When it was said.
    pub created_at: Time,
    #[serde(skip)]
    pub(super) draft_id: Option<ClarificationDraftId>,
}
