//! Users start conversations, send messages, and pin them.

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
use crate::notifications::FeedKind;
use crate::operation::{Cx, Done, Work};
use crate::storage::first_of;

/// The other side and the topic of a conversation.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct Start {
    /// The account of the other side.
    pub user_id: UserId,
    /// The job it is about; omit it for a conversation without a job.
    pub job_id: Option<JobId>,
}

/// A message to send.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct SendMessage {
    /// The conversation; give this or `user_id`.
    #[schemars(extend("examples" = [null]))]
    pub conversation_id: Option<ConversationId>,
    /// The recipient, in the conversation without a job; give this or `conversation_id`.
    pub user_id: Option<UserId>,
    /// The text.
    pub text: Text<1, 4000>,
    /// Attachments: files of the caller.
    #[schemars(extend("examples" = [null]))]
    pub file_ids: Option<Many<FileId, 0, 10>>,
}

/// A message to pin or to unpin.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct Pin {
    /// The message.
    pub message_id: MessageId,
    /// Whether to pin it.
    pub pinned: bool,
}

/// Starts a conversation, or returns the existing one of these two users about that job (contract:
/// Core *Chat and notifications*). 403 for fans, 404 for a user without a relation to the caller
/// (about this job), 409 `recipient_unavailable` for an account that is not active.
pub async fn start(cx: Cx<User>, input: Start) -> Result<Done<Conversation>> {
    let mut work = cx.begin().await?;
    let reach = Reach::of(&mut work, &cx.caller, &[input.user_id], input.job_id).await?;
    let other = reach.to(input.user_id)?;
    let topic = reach.topic(other, input.job_id)?;
    let (id, new) = conversations::open_one(&mut work, topic, cx.now()).await?;
    if new {
        work.note(id, "begun");
        work.touch(topic.user, FeedKind::Messages);
        work.touch(other.user_id, FeedKind::Messages);
    }
    let conversation = reading::one(&mut work, id, cx.caller.user_id).await?;
    work.done(conversation).await
}

/// Sends a message. 404 for a conversation of others and for a user without a relation to the
/// caller, 403 for fans (except to the operators), 409 `recipient_unavailable` or
/// `conversation_closed`, 422 for files that are not the caller's.
///
/// The permission is checked before the transaction, which keeps the write lock short.
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
            let work = cx.begin().await?;
            letter(id).post(work, &pair).await
        }
        (None, Some(user)) => {
            let reach = Reach::of(&mut cx.read().await?, &cx.caller, &[user], None).await?;
            let recipient = reach.to(user)?.clone();
            let topic = reach.topic(&recipient, None)?;
            let mut work = cx.begin().await?;
            // Conversations are never deleted.
            let id = match reach.conversation() {
                Some(id) => id,
                None => posting::begin(&mut work, topic).await?,
            };
            let pair = Pair { sender: reach.caller, recipient: Some(recipient) };
            letter(id).post(work, &pair).await
        }
        _ => Err(Error::invalid("conversation_id", "give either `conversation_id` or `user_id`")),
    }
}

/// A message with its conversation.
struct Sending<'a> {
    conversation: ConversationId,
    text: &'a str,
    files: &'a [FileId],
}

impl Sending<'_> {
    /// Posts it with its files, which must belong to the sender: 422 at `file_ids` otherwise.
    async fn post(self, mut work: Work, pair: &Pair) -> Result<Done<ChatMessage>> {
        let mut letter = Letter::between(self.conversation, pair, self.text);
        if self.files.is_empty() {
            if work.can_be_one_statement() {
                return Box::pin(posting::post_alone(work, &letter)).await;
            }
            let message = posting::post(&mut work, &letter).await?;
            return work.done(message).await;
        }
        let mut files = self.files.to_vec();
        files.sort_unstable();
        files.dedup();
        let kept = content::owned(&mut work, pair.sender.user_id, &files).await?;
        letter.files = &files;
        let message = posting::post(&mut work, &letter).await?;
        content::attach(&mut work, &kept, FileUse::Message, message.id.get()).await?;
        work.done(message).await
    }
}

/// Pins a message for both sides, or unpins it; repeating it changes nothing. 404 for a message in
/// a conversation of others, 409 `too_many_pins` beyond 20.
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
        work.touch(cx.caller.user_id, FeedKind::Messages);
        if let Some(other) = found.other_id {
            work.touch(other, FeedKind::Messages);
        }
    }
    let message = messages::with_ids(&mut work, &[input.message_id]).await?;
    let message = first_of(message)?;
    work.done(message).await
}
