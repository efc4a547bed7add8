//! People begin conversations, write in them, and pin what they want to find again.

use schemars::JsonSchema;
use serde::Deserialize;

use super::access::{self, Pair, Reach};
use super::conversation::{ChatMessage, Conversation, MOST_PINS};
use super::posting::{self, Letter};
use super::reading;
use super::store::conversation as conversations;
use super::store::message as messages;
use crate::auth::User;
use crate::content::{self, FileUse};
use crate::error::{Error, Result, codes};
use crate::kernel::{ConversationId, FileId, JobId, Many, MessageId, Text, UserId};
use crate::notifications::Activity;
use crate::operation::{Cx, Done, Work};

/// With whom to begin a conversation.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct Start {
    /// The account of the other side.
    pub user_id: UserId,
    /// The job it is about; a conversation about nothing in particular where it is left out.
    pub job_id: Option<JobId>,
}

/// A message to send.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct SendMessage {
    /// The conversation; this or `user_id`.
    pub conversation_id: Option<ConversationId>,
    /// Whom to write to, in the conversation about nothing in particular; this or `conversation_id`.
    pub user_id: Option<UserId>,
    /// What to write.
    pub text: Text<1, 4000>,
    /// Files of the caller's own that come with it.
    pub file_ids: Option<Many<FileId, 0, 10>>,
}

/// A message to pin or to unpin.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct Pin {
    /// The message.
    pub message_id: MessageId,
    /// Whether it is to be pinned.
    pub pinned: bool,
}

/// Begins a conversation, or finds the one there is for these two and that job (contract: Core *Chat
/// and notifications*). 403 for fans, 404 for anybody the caller has nothing to do with (about this
/// job), 409 `recipient_unavailable` for an account that is not active.
pub async fn start(cx: Cx<User>, input: Start) -> Result<Done<Conversation>> {
    let mut work = cx.begin().await?;
    let reach = Reach::of(&mut work, &cx.caller, &[input.user_id], input.job_id).await?;
    let other = reach.to(input.user_id)?;
    let topic = reach.topic(other, input.job_id)?;
    let (id, new) = conversations::open_one(&mut work, topic, cx.now()).await?;
    if new {
        work.note(id, "begun");
        work.touch(topic.user, Activity::Messages);
        work.touch(other.user_id, Activity::Messages);
    }
    let conversation = reading::one(&mut work, id, cx.caller.user_id).await?;
    work.done(conversation).await
}

/// Sends a message. 404 for another's conversation and for anybody the caller has nothing to do with,
/// 403 for fans (except to the operators), 409 `recipient_unavailable` or `conversation_closed`, 422
/// for files that are not the caller's.
///
/// Who may write is looked up before the transaction: it holds the writer only while it writes.
pub async fn send(cx: Cx<User>, input: SendMessage) -> Result<Done<ChatMessage>> {
    let files = Many::or_none(input.file_ids);
    let letter = |conversation| Sending { conversation, text: &input.text, files: &files };
    match (input.conversation_id, input.user_id) {
        (Some(id), None) => {
            let found = access::writable(&mut cx.read().await?, id, cx.caller.user_id).await;
            let (_, pair) = found?;
            if pair.recipient.is_some() {
                access::refuse_fans(&cx.caller)?;
            }
            let mut work = cx.begin().await?;
            let message = letter(id).post(&mut work, &pair).await?;
            work.done(message).await
        }
        (None, Some(user)) => {
            let reach = Reach::of(&mut cx.read().await?, &cx.caller, &[user], None).await?;
            let recipient = reach.to(user)?.clone();
            let topic = reach.topic(&recipient, None)?;
            let mut work = cx.begin().await?;
            let (id, new) = conversations::open_one(&mut work, topic, cx.now()).await?;
            if new {
                work.note(id, "begun");
            }
            let pair = Pair { sender: reach.caller, recipient: Some(recipient) };
            let message = letter(id).post(&mut work, &pair).await?;
            work.done(message).await
        }
        _ => Err(Error::invalid("conversation_id", "give either `conversation_id` or `user_id`")),
    }
}

/// A message whose conversation is known.
struct Sending<'a> {
    conversation: ConversationId,
    text: &'a str,
    files: &'a [FileId],
}

impl Sending<'_> {
    /// Posts it with its files, which have to be the sender's own: 422 at `file_ids` otherwise.
    async fn post(self, work: &mut Work, pair: &Pair) -> Result<ChatMessage> {
        let mut letter = Letter::between(self.conversation, pair, self.text);
        if self.files.is_empty() {
            return posting::post(work, &letter).await;
        }
        let mut files = self.files.to_vec();
        files.sort_unstable();
        files.dedup();
        let kept = content::owned(work, pair.sender.user_id, &files).await?;
        letter.files = &files;
        let message = posting::post(work, &letter).await?;
        content::attach(work, &kept, FileUse::Message, message.id.get()).await?;
        Ok(message)
    }
}

/// Pins a message for both sides, or unpins it; doing so twice changes nothing. 404 for a message of
/// another's conversation, 409 `too_many_pins` beyond 20.
pub async fn pin(cx: Cx<User>, input: Pin) -> Result<Done<ChatMessage>> {
    let mut work = cx.begin().await?;
    let found = messages::pinnable(&mut work, input.message_id, cx.caller.user_id).await?;
    let found = found.ok_or(codes::NOT_FOUND)?;
    let pins = messages::pins(&mut work, found.conversation_id).await?;
    let at = input.pinned.then(|| cx.now());
    let changed = messages::pin(&mut work, input.message_id, at).await?;
    if changed && input.pinned && pins >= MOST_PINS {
        return Err(codes::TOO_MANY_PINS.into());
    }
    if changed {
        let action = if input.pinned { "pinned" } else { "unpinned" };
        work.note(input.message_id, action);
        work.touch(cx.caller.user_id, Activity::Messages);
        if let Some(other) = found.other_id {
            work.touch(other, Activity::Messages);
        }
    }
    let message = messages::with_ids(&mut work, &[input.message_id]).await?;
    let message = message.into_iter().next().ok_or(codes::NOT_FOUND)?;
    work.done(message).await
}
