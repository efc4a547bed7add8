//! Every user's conversation with the operators; either side can start it.

use schemars::JsonSchema;
use serde::Deserialize;

use super::conversation::{ChatMessage, Conversation, ConversationKind};
use super::posting::{self, Letter};
use super::reading;
use super::store::conversation::{self as conversations, Topic};
use super::store::{message as messages, people};
use super::support::{ListSupport, SupportConversation};
use crate::accounts::UserStatus;
use crate::auth::{Operator, User};
use crate::error::{Result, codes};
use crate::kernel::{
    ConversationId, Feed, Followed, Limit, Listing, MessageId, Nothing, Text, UserId,
};
use crate::operation::{Cx, Done};
use crate::storage::first_of;

/// Selects messages of a support conversation.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct ReadSupport {
    /// The conversation.
    pub id: ConversationId,
    /// The number of messages, newest first.
    pub limit: Option<Limit>,
    /// Only messages before this one: `next_before_id` of the last response.
    pub before_id: Option<MessageId>,
}

/// A message from the operators.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Reply {
    /// The user's account.
    pub user_id: UserId,
    /// The text.
    pub text: Text<1, 4000>,
}

fn topic(user: UserId) -> Topic {
    Topic { kind: ConversationKind::Support, user, other: None, job: None }
}

/// Returns the caller's conversation with the operators, starting it if necessary (extension).
/// Messages are sent with `/sendMessage` as in any other.
pub async fn open(cx: Cx<User>, _: Nothing) -> Result<Done<Conversation>> {
    let user = cx.caller.user_id;
    let mut work = cx.begin().await?;
    let (id, new) = conversations::open_one(&mut work, topic(user), cx.now()).await?;
    if new {
        work.note(id, "begun");
    }
    let conversation = reading::one(&mut work, id, user).await?;
    work.done(conversation).await
}

/// Lists the support conversations that have messages, the last message first (extension).
pub async fn list(
    cx: Cx<Operator>,
    input: Followed<ListSupport>,
) -> Result<Listing<SupportConversation>> {
    let (input, place) = cx.place(input)?;
    let mut session = cx.read().await?;
    conversations::support_page(&mut session, &input, place).await
}

/// Returns the messages of a support conversation, newest first (extension). 404 for any other
/// conversation.
pub async fn read(cx: Cx<Operator>, input: ReadSupport) -> Result<Feed<ChatMessage>> {
    let mut session = cx.read().await?;
    if !conversations::is_support(&mut session, input.id).await? {
        return Err(codes::NOT_FOUND.into());
    }
    let limit = input.limit.unwrap_or_default();
    messages::feed(&mut session, input.id, input.before_id, limit).await
}

/// Writes to a user on behalf of the operators, starting the conversation if necessary (extension).
/// Marks the user's messages as read. 404 for an unknown account, 409 `recipient_unavailable` for
/// one that is not active.
pub async fn reply(cx: Cx<Operator>, input: Reply) -> Result<Done<ChatMessage>> {
    let mut work = cx.begin().await?;
    let found = people::people(&mut work, &[input.user_id]).await?;
    let person = first_of(found)?;
    if person.status != UserStatus::Active {
        return Err(codes::RECIPIENT_UNAVAILABLE.into());
    }
    let now = cx.now();
    let (id, new) = conversations::open_one(&mut work, topic(person.user_id), now).await?;
    if new {
        work.note(id, "begun");
    }
    messages::read_by_operators(&mut work, id, now).await?;
    let letter = Letter {
        conversation: id,
        sender: None,
        recipient: Some(&person),
        text: &input.text,
        files: &[],
    };
    let message = posting::post(&mut work, &letter).await?;
    work.done(message).await
}
