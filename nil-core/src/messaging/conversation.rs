//! A conversation and its messages, as its participants see them.

use schemars::JsonSchema;
use serde::Serialize;

use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{ConversationId, FileId, JobId, MessageId, Time, UserId};
use crate::storage::FromRow;

vocabulary! {
    /// The relation that lets two users write to each other.
    ConversationKind {
        /// An athlete and a brand: the athlete applied for one of the brand's jobs.
        Deal = "deal",
        /// An agent and an athlete they represent.
        Representation = "representation",
        /// An agent and a brand: an athlete of the agent applied for one of the brand's jobs.
        Agency = "agency",
        /// A user and the operators.
        Support = "support",
    }
}

vocabulary! {
    /// The kind of sender.
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

/// The maximum number of pinned messages in a conversation.
pub(crate) const MOST_PINS: i64 = 20;

/// The sender of a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct Sender {
    /// The account; null for the operators.
    #[row(rename = "sender_id")]
    pub user_id: Option<UserId>,
    /// The kind of user.
    #[row(rename = "sender_kind")]
    pub kind: SenderKind,
    /// The display name: an athlete's, a company's, an agency's.
    #[row(rename = "sender_name")]
    pub name: String,
}

impl Sender {
    /// The operators, who all write under one name.
    pub(crate) fn operators() -> Self {
        Self { user_id: None, kind: SenderKind::Operator, name: OPERATORS.into() }
    }
}

/// The operators' name in conversations.
pub(crate) const OPERATORS: &str = "Support";

/// A message.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct ChatMessage {
    /// The message's id.
    pub id: MessageId,
    /// The conversation.
    pub conversation_id: ConversationId,
    /// The sender.
    #[row(flatten)]
    pub sender: Sender,
    /// The text, 4,000 characters at most.
    pub text: String,
    /// The attached files.
    #[row(json, rename = "file_ids")]
    pub attachments: Vec<FileId>,
    /// When it was pinned, for both sides.
    pub pinned_at: Option<Time>,
    /// When the other side read it.
    pub read_at: Option<Time>,
    /// When it was sent.
    pub created_at: Time,
}

/// A participant of a conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Correspondent {
    /// The account; null for the operators.
    pub user_id: Option<UserId>,
    /// The kind of user.
    pub kind: SenderKind,
    /// The display name.
    pub name: String,
    /// Their picture or logo.
    pub picture_url: Option<String>,
}

/// A conversation.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Conversation {
    /// The conversation's id.
    pub id: ConversationId,
    /// The relation between the two users.
    pub kind: ConversationKind,
    /// The job it is about; null if it has no job.
    pub job_id: Option<JobId>,
    /// Both sides, the caller first.
    pub participants: Vec<Correspondent>,
    /// The newest message.
    pub last_message: Option<ChatMessage>,
    /// How many messages the caller has not read.
    pub unread_count: i64,
    /// The pinned messages, oldest first; 20 at most.
    pub pinned: Vec<ChatMessage>,
    /// When it was started.
    pub created_at: Time,
    /// When the latest message was sent.
    pub updated_at: Time,
}
