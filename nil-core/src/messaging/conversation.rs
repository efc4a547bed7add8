//! A conversation and its messages, as its participants see them.

use schemars::JsonSchema;
use serde::Serialize;
use sqlx::FromRow;

use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{ConversationId, FileId, JobId, MessageId, Time, UserId};

vocabulary! {
    /// What makes two people write to each other.
    ConversationKind {
        /// An athlete and a brand: an application of the one for a job of the other.
        Deal = "deal",
        /// An agent and an athlete whom they represent.
        Representation = "representation",
        /// An agent and a brand: an application of an athlete whom the agent represents.
        Agency = "agency",
        /// A user and the operators.
        Support = "support",
    }
}

vocabulary! {
    /// Who writes.
    SenderKind {
        /// An athlete.
        Athlete = "athlete",
        /// A brand.
        Partner = "partner",
        /// An agent.
        Agent = "agent",
        /// A fan.
        Fan = "fan",
        /// The operators.
        Operator = "operator",
    }
}

/// How many messages of a conversation may be pinned at the same time.
pub(crate) const MOST_PINS: i64 = 20;

/// Who wrote a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema, FromRow)]
pub struct Sender {
    /// The account; null for the operators.
    #[sqlx(rename = "sender_id")]
    pub user_id: Option<UserId>,
    /// What kind of user it is.
    #[sqlx(rename = "sender_kind")]
    pub kind: SenderKind,
    /// The name they are known by: an athlete's, a company's, an agency's.
    #[sqlx(rename = "sender_name")]
    pub name: String,
}

impl Sender {
    /// The operators, all of them alike.
    pub(crate) fn operators() -> Self {
        Self { user_id: None, kind: SenderKind::Operator, name: OPERATORS.into() }
    }
}

/// What the operators are called in a conversation.
pub(crate) const OPERATORS: &str = "Support";

/// A message.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
pub struct ChatMessage {
    /// Its id.
    pub id: MessageId,
    /// The conversation.
    pub conversation_id: ConversationId,
    /// Who wrote it.
    #[sqlx(flatten)]
    pub sender: Sender,
    /// What it says, 4,000 characters at most.
    pub text: String,
    /// Files that come with it.
    #[sqlx(json, rename = "file_ids")]
    pub attachments: Vec<FileId>,
    /// Since when it has been pinned, for both sides.
    pub pinned_at: Option<Time>,
    /// When the other side read it.
    pub read_at: Option<Time>,
    /// When it was written.
    pub created_at: Time,
}

/// Somebody who takes part in a conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Correspondent {
    /// The account; null for the operators.
    pub user_id: Option<UserId>,
    /// What kind of user it is.
    pub kind: SenderKind,
    /// The name they are known by.
    pub name: String,
    /// Their picture or logo.
    pub picture_url: Option<String>,
}

/// A conversation.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Conversation {
    /// Its id.
    pub id: ConversationId,
    /// What makes the two write to each other.
    pub kind: ConversationKind,
    /// The job it is about; null where it is about nothing in particular.
    pub job_id: Option<JobId>,
    /// Both sides, the caller first.
    pub participants: Vec<Correspondent>,
    /// The newest message.
    pub last_message: Option<ChatMessage>,
    /// How many messages the caller has not read.
    pub unread_count: i64,
    /// The pinned messages, oldest first; 20 at most.
    pub pinned: Vec<ChatMessage>,
    /// When it began.
    pub created_at: Time,
    /// When it was last written in.
    pub updated_at: Time,
}
