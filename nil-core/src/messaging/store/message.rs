//! The rows of messages, and each side's unread counters.

use sea_query::{Expr, ExprTrait as _, JoinType, Order, Query, SelectStatement};
use serde_json::json;

use super::conversation::Standing;
use super::people::NAME;
use crate::accounts::UserKind;
use crate::error::Result;
use crate::kernel::{ConversationId, Feed, FileId, Limit, MessageId, Time, UserId};
use crate::messaging::ChatMessage;
use crate::messaging::conversation::OPERATORS;
use crate::storage::{Among as _, FromRow, Session, Written, insert, sql};

/// A new message.
#[derive(Clone, Debug)]
pub struct NewMessage<'a> {
    pub conversation: ConversationId,
    pub sender: Option<UserId>,
    pub text: &'a str,
    pub files: &'a [FileId],
}

/// Writes messages with one statement; returns their ids in the same order.
pub async fn add(
    session: &mut Session,
    messages: &[NewMessage<'_>],
    now: Time,
) -> Result<Vec<(MessageId, ConversationId)>> {
    if messages.is_empty() {
        return Ok(Vec::new());
    }
    let mut rows = insert("message");
    for message in messages {
        rows = rows
            .set("conversation_id", message.conversation)
            .set("sender_id", message.sender)
            .set("text", message.text)
            .set("file_ids", json!(message.files))
            .set("created_at", now)
            .row();
    }
    session.all(rows.returning(&["id", "conversation_id"])).await
}

/// Where the statement that writes a message finds its id.
pub const WRITTEN: (&str, &str) = ("message", "(SELECT id FROM message_0)");

/// Whether a message is the first that its recipient has not read, for the statement that writes
/// it.
pub const IS_FIRST_UNREAD: &str = "EXISTS (SELECT 1 FROM participant_0 WHERE unread = 1)";

/// On PostgreSQL, writes a message and counts it for both sides, in the statement that has changed
/// the users' feeds before. Its id is drawn when the feeds are locked.
pub fn add_alone(session: &mut Session, message: &NewMessage<'_>, now: Time) -> Written {
    const ADD: &str = "INSERT INTO message (conversation_id, sender_id, text, file_ids, created_at) \
        SELECT $1, $2, $3, $4, $5 FROM (SELECT COUNT(*) FROM activity_0) locked";
    const COUNT: &str = "UPDATE participant p SET \
        last_message_id = GREATEST(p.last_message_id, written.id), \
        active_at = GREATEST(p.active_at, $3), \
        unread_count = p.unread_count + CASE WHEN p.user_id = $2 THEN 0 ELSE 1 END \
        FROM message_0 written WHERE p.conversation_id = $1";
    // The writer's own counter is of the other side's messages.
    const UNREAD: &str =
        "CASE WHEN p.user_id = written.sender_id THEN 0 ELSE p.unread_count END AS unread";
    let row = sql(ADD)
        .bind(message.conversation)
        .bind(message.sender)
        .bind(message.text)
        .bind(json!(message.files))
        .bind(now);
    let written = session.insert_one("message", row, "id, sender_id");
    let count = sql(COUNT).bind(message.conversation).bind(message.sender).bind(now);
    session.update_these("participant", count, UNREAD);
    written
}

/// One side of a conversation after a message.
#[derive(Clone, Copy, Debug, FromRow)]
pub struct Counted {
    pub user_id: UserId,
    pub unread_count: i64,
}

/// Updates both sides after a message: it is the last one, and unread for the side that did not
/// write it.
pub async fn count(
    session: &mut Session,
    conversation: ConversationId,
    message: MessageId,
    sender: Option<UserId>,
    now: Time,
) -> Result<Vec<Counted>> {
    session
        .all(
            sql(
                "UPDATE participant SET \
                 last_message_id = CASE WHEN last_message_id > $2 THEN last_message_id ELSE $2 END, \
                 active_at = CASE WHEN active_at > $4 THEN active_at ELSE $4 END, \
                 unread_count = unread_count + CASE WHEN user_id = $3 THEN 0 ELSE 1 END \
                 WHERE conversation_id = $1 RETURNING user_id, unread_count",
            )
            .bind(conversation)
            .bind(message)
            .bind(sender)
            .bind(now),
        )
        .await
}

/// Marks the other side's messages up to a message as read; returns how many there were. The
/// counter decreases by the number found unread, so that it stays right under concurrent writes.
pub async fn mark_read(
    session: &mut Session,
    standing: &Standing,
    user: UserId,
    newest: MessageId,
    now: Time,
) -> Result<u64> {
    let found = match standing.other_id {
        Some(other) => sql("UPDATE message SET read_at = $2 \
             WHERE conversation_id = $1 AND sender_id = $4 AND read_at IS NULL AND id <= $3")
        .bind(standing.id)
        .bind(now)
        .bind(newest)
        .bind(other),
        // The operators are on the other side.
        None => sql("UPDATE message SET read_at = $2 \
             WHERE conversation_id = $1 AND sender_id IS NULL AND read_at IS NULL AND id <= $3")
        .bind(standing.id)
        .bind(now)
        .bind(newest),
    };
    let read = session.run(found).await?;
    if read > 0 {
        session
            .run(
                sql("UPDATE participant SET unread_count = unread_count - $3 \
                     WHERE conversation_id = $1 AND user_id = $2")
                .bind(standing.id)
                .bind(user)
                .bind(i64::try_from(read).unwrap_or(i64::MAX)),
            )
            .await?;
    }
    Ok(read)
}

/// Messages with their senders.
fn select() -> SelectStatement {
    let own = |column: &'static str| ("message", column);
    let mut query = Query::select()
        .columns(
            [
                "id",
                "conversation_id",
                "sender_id",
                "text",
                "file_ids",
                "pinned_at",
                "read_at",
                "created_at",
            ]
            .map(own),
        )
        .expr_as(Expr::cust("COALESCE(app_user.kind, 'operator')"), "sender_kind")
        .expr_as(
            Expr::cust(format!(
                "CASE WHEN message.sender_id IS NULL THEN '{OPERATORS}' ELSE {NAME} END"
            )),
            "sender_name",
        )
        .from("message")
        .join(
            JoinType::LeftJoin,
            "app_user",
            Expr::col(("app_user", "id")).equals(own("sender_id")),
        )
        .take();
    for table in ["athlete", "partner", "agent"] {
        query.join(
            JoinType::LeftJoin,
            table,
            Expr::col((table, "user_id")).equals(own("sender_id")),
        );
    }
    query
}

/// The conversation's messages before an id, newest first.
pub async fn feed(
    session: &mut Session,
    conversation: ConversationId,
    before: Option<MessageId>,
    limit: Limit,
) -> Result<Feed<ChatMessage>> {
    let mut rows = select();
    rows.and_where(Expr::col(("message", "conversation_id")).eq(conversation.get()));
    let id = |message: &ChatMessage| message.id.get();
    session.feed(rows, "message", before, limit, id).await
}

/// The id of the latest message in the user's conversations; 0 if there is none.
pub async fn head(session: &mut Session, user: UserId) -> Result<i64> {
    session
        .value(
            sql("SELECT COALESCE(MAX(last_message_id), 0) FROM participant WHERE user_id = $1")
                .bind(user),
        )
        .await
}

/// The messages of the user's conversations after an id, oldest first, with a limit.
pub async fn after(
    session: &mut Session,
    user: UserId,
    after: i64,
    most: i64,
) -> Result<Vec<ChatMessage>> {
    // Only conversations with later activity are searched.
    let own = Query::select()
        .column("conversation_id")
        .from("participant")
        .and_where(Expr::col("user_id").eq(user.get()))
        .and_where(Expr::col("last_message_id").gt(after))
        .take();
    let mut query = select();
    query
        .and_where(Expr::col(("message", "conversation_id")).in_subquery(own))
        .and_where(Expr::col(("message", "id")).gt(after))
        .order_by(("message", "id"), Order::Asc)
        .limit(most.unsigned_abs());
    session.all(query).await
}

/// These messages.
pub async fn with_ids(session: &mut Session, ids: &[MessageId]) -> Result<Vec<ChatMessage>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let mut query = select();
    query.and_where(Expr::col(("message", "id")).among(ids.iter().map(|id| id.get())));
    session.all(query).await
}

/// The pinned messages of these conversations, oldest first.
pub async fn pinned(
    session: &mut Session,
    conversations: &[ConversationId],
) -> Result<Vec<ChatMessage>> {
    if conversations.is_empty() {
        return Ok(Vec::new());
    }
    let wanted = conversations.iter().map(|id| id.get());
    let mut query = select();
    query
        .and_where(Expr::col(("message", "conversation_id")).among(wanted))
        .and_where(Expr::col(("message", "pinned_at")).is_not_null())
        .order_by(("message", "id"), Order::Asc);
    session.all(query).await
}

/// A message to pin, with its conversation.
#[derive(Clone, Copy, Debug, FromRow)]
pub struct Pinnable {
    pub conversation_id: ConversationId,
    pub other_id: Option<UserId>,
}

/// The conversation of a message, if the user takes part in it.
pub async fn pinnable(
    session: &mut Session,
    id: MessageId,
    user: UserId,
) -> Result<Option<Pinnable>> {
    session
        .first(
            sql("SELECT m.conversation_id, p.other_id FROM message m \
                 JOIN participant p ON p.conversation_id = m.conversation_id AND p.user_id = $2 \
                 WHERE m.id = $1")
            .bind(id)
            .bind(user),
        )
        .await
}

/// The number of pinned messages in a conversation; locks the conversation, so that it cannot
/// change.
pub async fn pins(session: &mut Session, conversation: ConversationId) -> Result<i64> {
    session.lock("conversation", conversation).await?;
    session
        .value(
            sql("SELECT COUNT(*) FROM message \
                 WHERE conversation_id = $1 AND pinned_at IS NOT NULL")
            .bind(conversation),
        )
        .await
}

/// Pins or unpins a message; returns whether that changed anything.
pub async fn pin(session: &mut Session, id: MessageId, pinned_at: Option<Time>) -> Result<bool> {
    let changed = match pinned_at {
        Some(at) => sql("UPDATE message SET pinned_at = $2 WHERE id = $1 AND pinned_at IS NULL")
            .bind(id)
            .bind(at),
        None => sql("UPDATE message SET pinned_at = NULL WHERE id = $1 AND pinned_at IS NOT NULL")
            .bind(id),
    };
    Ok(session.run(changed).await? > 0)
}

/// Marks the user's messages in their support conversation as read by the operators.
pub async fn read_by_operators(
    session: &mut Session,
    conversation: ConversationId,
    now: Time,
) -> Result<()> {
    session
        .run(
            sql("UPDATE message SET read_at = $2 \
                 WHERE conversation_id = $1 AND sender_id IS NOT NULL AND read_at IS NULL")
            .bind(conversation)
            .bind(now),
        )
        .await
        .map(|_| ())
}

/// Whether the user of this kind with this record takes part in the message's conversation.
pub async fn is_shown_to(
    session: &mut Session,
    id: MessageId,
    kind: UserKind,
    profile: i64,
) -> Result<bool> {
    session
        .exists(
            sql("SELECT m.id FROM message m \
                 JOIN participant p ON p.conversation_id = m.conversation_id \
                 JOIN app_user u ON u.id = p.user_id LEFT JOIN athlete t ON t.user_id = u.id \
                 LEFT JOIN partner b ON b.user_id = u.id LEFT JOIN agent g ON g.user_id = u.id \
                 LEFT JOIN fan f ON f.user_id = u.id WHERE m.id = $1 AND u.kind = $2 \
                 AND COALESCE(t.id, b.id, g.id, f.id) = $3 LIMIT 1")
            .bind(id)
            .bind(kind)
            .bind(profile),
        )
        .await
}
