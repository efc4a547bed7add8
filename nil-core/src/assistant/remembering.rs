//! The history of messages, and which were read.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::message::AssistantMessage;
use super::store::{draft as drafts, message as messages};
use crate::auth::Athlete;
use crate::error::Result;
use crate::kernel::{AssistantMessageId, Feed, Limit, Nothing};
use crate::operation::{Cx, Done};

/// Selects messages of the history.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct History {
    /// The number of messages, newest first.
    pub limit: Option<Limit>,
    /// Only messages before this one: `next_before_id` of the last response.
    pub before_id: Option<AssistantMessageId>,
}

/// The number of unread answers.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Unread {
    /// The number.
    pub unread_count: i64,
}

/// The number of answers marked as read.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct MarkedRead {
    /// The number.
    pub read: u64,
}

/// Lists the messages of the calling athlete and the assistant, newest first (extension).
pub async fn history(cx: Cx<Athlete>, input: History) -> Result<Feed<AssistantMessage>> {
    let limit = input.limit.unwrap_or_default();
    let mut session = cx.read().await?;
    let athlete = cx.caller.id;
    let mut feed = messages::feed(&mut session, athlete, input.before_id, limit).await?;
    let ids: Vec<_> = feed.items.iter().filter_map(|message| message.draft_id).collect();
    let known = drafts::with_ids(&mut session, athlete, &ids).await?;
    for message in &mut feed.items {
        let own = known.iter().find(|draft| Some(draft.id) == message.draft_id);
        message.draft = own.cloned();
    }
    Ok(feed)
}

/// Counts the calling athlete's unread answers (extension).
pub async fn unread(cx: Cx<Athlete>, _: Nothing) -> Result<Unread> {
    let mut session = cx.read().await?;
    let unread_count = messages::unread(&mut session, cx.caller.id).await?;
    Ok(Unread { unread_count })
}

/// Marks every answer as read (extension).
pub async fn mark_read(cx: Cx<Athlete>, _: Nothing) -> Result<Done<MarkedRead>> {
    let mut work = cx.begin().await?;
    let read = messages::mark_read(&mut work, cx.caller.id, cx.now()).await?;
    if read > 0 {
        work.note(cx.caller.id, "read_assistant");
    }
    work.done(MarkedRead { read }).await
}
