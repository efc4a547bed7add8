//! Lists conversations, and reads messages.

use std::collections::HashMap;

use schemars::JsonSchema;
use serde::Deserialize;

use super::access::sender_kind;
use super::conversation::{ChatMessage, Conversation, Correspondent, OPERATORS, SenderKind};
use super::store::conversation::{self as conversations, Standing};
use super::store::message as messages;
use super::store::people::{self, Person};
use crate::accounts::UserKind;
use crate::auth::User;
use crate::content::Viewer;
use crate::error::{Result, codes};
use crate::kernel::{ConversationId, Feed, Followed, Limit, Listing, MessageId, Nothing, UserId};
use crate::notifications::FeedKind;
use crate::operation::{Cx, Done, Work};
use crate::storage::{Session, first_of};

/// Selects messages.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct ReadMessages {
    /// The conversation.
    pub conversation_id: ConversationId,
    /// The number of messages, newest first.
    pub limit: Option<Limit>,
    /// Only messages before this one: `next_before_id` of the last response.
    pub before_id: Option<MessageId>,
}

/// Lists the caller's conversations, those with unread messages first, then by recency.
pub async fn conversations(
    cx: Cx<User>,
    input: Followed<Nothing>,
) -> Result<Listing<Conversation>> {
    let (Nothing {}, place) = cx.place(input)?;
    let mut session = cx.read().await?;
    let user = cx.caller.user_id;
    let (found, place) = conversations::page(&mut session, user, place).await?.split();
    Ok(place.of(assemble(&mut session, user, found).await?))
}

/// Returns the messages of one conversation, newest first, and marks the other side's messages as
/// read. 404 for a conversation of others.
///
/// Looks everything up before the transaction: if nothing is unread, no write lock is needed.
/// Messages that arrive in the meantime stay unread, because they are not in the response.
pub async fn messages(cx: Cx<User>, input: ReadMessages) -> Result<Done<Feed<ChatMessage>>> {
    let user = cx.caller.user_id;
    let mut session = cx.read().await?;
    let standing = conversations::standing(&mut session, input.conversation_id, user).await?;
    let standing = standing.ok_or(codes::NOT_FOUND)?;
    let limit = input.limit.unwrap_or_default();
    let mut feed = messages::feed(&mut session, standing.id, input.before_id, limit).await?;
    drop(session);
    let mut work = cx.begin().await?;
    if let Some(newest) = standing.last_message_id.filter(|_| standing.unread_count > 0) {
        mark_read(&mut work, &standing, user, newest).await?;
        for message in &mut feed.items {
            if message.sender.user_id != Some(user) && message.id <= newest {
                message.read_at = message.read_at.or(Some(cx.now()));
            }
        }
    }
    work.done_feed(feed).await
}

/// Marks the other side's messages up to a message as read.
async fn mark_read(
    work: &mut Work,
    standing: &Standing,
    user: UserId,
    newest: MessageId,
) -> Result<()> {
    let now = work.now();
    // The sender sees the read receipt. The feeds are locked first, as in posting a message, so
    // that two users who write and read at once do not deadlock.
    let mut both = vec![user];
    both.extend(standing.other_id);
    work.touch_now(&both, FeedKind::Messages).await?;
    if messages::mark_read(work, standing, user, newest, now).await? > 0 {
        work.note(standing.id, "read");
    }
    Ok(())
}

/// Whether the viewer takes part in the message's conversation, and may see its attachments.
pub async fn may_see(session: &mut Session, viewer: &Viewer, message: MessageId) -> Result<bool> {
    let (kind, profile) = match viewer {
        Viewer::Athlete(id) => (UserKind::Athlete, id.get()),
        Viewer::Partner(id) => (UserKind::Partner, id.get()),
        Viewer::Agent(id) => (UserKind::Agent, id.get()),
        Viewer::Fan(id) => (UserKind::Fan, id.get()),
        // Institutions may not read chats.
        Viewer::College(..) => return Ok(false),
    };
    messages::is_shown_to(session, message, kind, profile).await
}

/// A conversation as one participant sees it.
pub(super) async fn one(
    session: &mut Session,
    id: ConversationId,
    user: UserId,
) -> Result<Conversation> {
    let standing = conversations::standing(session, id, user).await?;
    let standing = standing.ok_or(codes::NOT_FOUND)?;
    let all = assemble(session, user, vec![standing]).await?;
    first_of(all)
}

/// Loads conversations with a fixed number of three statements.
async fn assemble(
    session: &mut Session,
    user: UserId,
    found: Vec<Standing>,
) -> Result<Vec<Conversation>> {
    let mut ids: Vec<UserId> = found.iter().filter_map(|one| one.other_id).collect();
    ids.push(user);
    ids.sort_unstable();
    ids.dedup();
    let people = people::people(session, &ids).await?;
    let people: HashMap<UserId, Person> = people.into_iter().map(|p| (p.user_id, p)).collect();
    let last: Vec<MessageId> = found.iter().filter_map(|one| one.last_message_id).collect();
    let last = messages::with_ids(session, &last).await?;
    let conversations: Vec<ConversationId> = found.iter().map(|one| one.id).collect();
    let pinned = messages::pinned(session, &conversations).await?;
    let correspondent = |id: Option<UserId>| match id.and_then(|id| people.get(&id)) {
        Some(person) => Correspondent {
            user_id: Some(person.user_id),
            kind: sender_kind(person.kind),
            name: person.name.clone(),
            picture_url: person.picture_url.clone(),
        },
        None => Correspondent {
            user_id: None,
            kind: SenderKind::Operator,
            name: OPERATORS.into(),
            picture_url: None,
        },
    };
    let of = |id: ConversationId| move |message: &&ChatMessage| message.conversation_id == id;
    Ok(found
        .into_iter()
        .map(|one| Conversation {
            id: one.id,
            kind: one.kind,
            job_id: one.job_id,
            participants: vec![correspondent(Some(user)), correspondent(one.other_id)],
            last_message: last.iter().find(of(one.id)).cloned(),
            unread_count: one.unread_count,
            pinned: pinned.iter().filter(of(one.id)).cloned().collect(),
            created_at: one.created_at,
            updated_at: one.active_at,
        })
        .collect())
}
