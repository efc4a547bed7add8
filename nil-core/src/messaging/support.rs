//! Conversations between users and the operators, as operators list them.

use schemars::JsonSchema;
use sea_query::Order;
use serde::{Deserialize, Serialize};

use crate::accounts::UserKind;
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{ConversationId, Text, Time, UserId};

vocabulary! {
    /// The order of support conversations.
    SupportSort {
        /// The latest message first.
        Latest = "-updated_at",
        /// The conversation without a message for the longest time first.
        Earliest = "updated_at",
    }
}

impl SupportSort {
    pub(super) const fn order(self) -> Order {
        match self {
            Self::Latest => Order::Desc,
            Self::Earliest => Order::Asc,
        }
    }
}

/// Selects support conversations.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ListSupport {
    /// Part of the user's name or e-mail, or of the last message.
    pub q: Option<Text<0, 100>>,
    /// The order (default the latest message first).
    pub sort: Option<SupportSort>,
}

/// The summary of a support conversation.
#[derive(Clone, Debug, Serialize, JsonSchema, crate::storage::FromRow)]
#[non_exhaustive]
pub struct SupportConversation {
    /// The conversation's id.
    pub id: ConversationId,
    /// The user's account.
    pub user_id: UserId,
    /// The kind of user.
    pub kind: UserKind,
    /// The display name.
    pub name: String,
    /// The beginning of the newest message.
    pub last_text: Option<String>,
    /// Whether the newest message is from the user.
    pub waiting: bool,
    /// When the latest message was sent.
    pub updated_at: Time,
}
