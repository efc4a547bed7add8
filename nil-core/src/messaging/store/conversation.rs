//! The rows of conversations and of their participants.

use std::collections::HashMap;

use sea_query::{Expr, ExprTrait as _, JoinType, Query, SelectStatement};

use crate::error::{Error, Result};
use crate::kernel::{
    ConversationId, FollowedPage, JobId, Listing, MessageId, PartnerId, Time, UserId,
};
use crate::messaging::ConversationKind;
use crate::messaging::support::{ListSupport, SupportConversation, SupportSort};
use crate::storage::{Among as _, Found, FromRow, Key, Session, contains, insert, sorted, sql};

/// The columns of a support conversation.
const SUPPORT: &str = "p.conversation_id AS id, p.user_id, u.kind, \
    substr(m.text, 1, 140) AS last_text, m.sender_id IS NOT NULL AS waiting, \
    p.active_at AS updated_at";

/// The name of the user of a support conversation.
const SUPPORTED: &str = "COALESCE(t.display_name, b.company_name, g.agency_name, \
    TRIM(COALESCE(u.first_name, '') || ' ' || COALESCE(u.last_name, '')))";

/// The topic of a conversation to find or start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Topic {
    pub kind: ConversationKind,
    pub user: UserId,
    /// The other side; `None` stands for the operators.
    pub other: Option<UserId>,
    pub job: Option<JobId>,
}

impl Topic {
    /// The unique key of the conversation: the same text from either side.
    pub fn key(&self) -> String {
        match self.other {
            Some(other) => Self::key_of(self.user, other, self.job),
            None => format!("support:{}", self.user),
        }
    }

    /// The key of two users.
    pub fn key_of(one: UserId, other: UserId, job: Option<JobId>) -> String {
        let (low, high) = (Ord::min(one, other), Ord::max(one, other));
        match job {
            Some(job) => format!("users:{low}:{high}:job:{job}"),
            None => format!("users:{low}:{high}"),
        }
    }
}

/// Finds or starts these conversations with four statements, regardless of their number; returns
/// the ids by key, and which are new. Concurrent starts are resolved by the unique key.
pub async fn open(
    session: &mut Session,
    topics: &[Topic],
    now: Time,
) -> Result<(HashMap<String, ConversationId>, Vec<ConversationId>)> {
    let mut keyed: Vec<(String, Topic)> = topics.iter().map(|t| (t.key(), *t)).collect();
    // A fixed order prevents deadlocks between calls that open the same conversations.
    keyed.sort_by(|(one, _), (other, _)| one.cmp(other));
    keyed.dedup_by(|(one, _), (other, _)| one == other);
    let mut rows = insert("conversation");
    for (key, topic) in &keyed {
        rows = rows
            .set("topic", key.as_str())
            .set("kind", topic.kind)
            .set("job_id", topic.job)
            .set("created_at", now)
            .row();
    }
    let rows = rows.unless_exists(&["topic"]).returning(&["topic", "id"]);
    let new: Vec<(String, ConversationId)> = session.all(rows).await?;
    let mut found: HashMap<String, ConversationId> = new.iter().cloned().collect();
    if found.len() < keyed.len() {
        let missing = keyed.iter().map(|(key, _)| key.as_str());
        let known = Query::select()
            .columns(["topic", "id"])
            .from("conversation")
            .and_where(Expr::col("topic").among(missing))
            .take();
        let known: Vec<(String, ConversationId)> = session.all(known).await?;
        found.extend(known);
    }
    let begun: Vec<(ConversationId, Topic)> = new
        .iter()
        .filter_map(|(key, id)| {
            let topic = keyed.iter().find(|(known, _)| known == key);
            topic.map(|(_, topic)| (*id, *topic))
        })
        .collect();
    join(session, &begun, now).await?;
    Ok((found, begun.into_iter().map(|(id, _)| id).collect()))
}

/// The conversation of a topic, and whether it is new.
pub async fn open_one(
    session: &mut Session,
    topic: Topic,
    now: Time,
) -> Result<(ConversationId, bool)> {
    let (found, new) = open(session, &[topic], now).await?;
    let id = found.into_values().next();
    let id = id.ok_or_else(|| Error::internal("a conversation was neither begun nor found"))?;
    Ok((id, !new.is_empty()))
}

async fn join(session: &mut Session, begun: &[(ConversationId, Topic)], now: Time) -> Result<()> {
    if begun.is_empty() {
        return Ok(());
    }
    let mut rows = insert("participant");
    for (id, topic) in begun {
        let sides = [(Some(topic.user), topic.other), (topic.other, Some(topic.user))];
        for (user, other) in sides {
            let Some(user) = user else { continue };
            rows = rows
                .set("conversation_id", *id)
                .set("user_id", user)
                .set("other_id", other)
                .set("unread_count", 0_i64)
                .set("active_at", now)
                .row();
        }
    }
    session.run(rows).await.map(|_| ())
}

/// One side of a conversation.
#[derive(Clone, Debug, FromRow)]
pub struct Standing {
    pub id: ConversationId,
    pub kind: ConversationKind,
    pub job_id: Option<JobId>,
    pub other_id: Option<UserId>,
    pub last_message_id: Option<MessageId>,
    pub unread_count: i64,
    pub created_at: Time,
    pub active_at: Time,
}

/// A query of a user's sides of conversations.
fn sides(user: UserId) -> SelectStatement {
    Query::select()
        .expr(Expr::cust(
            "c.id, c.kind, c.job_id, p.other_id, p.last_message_id, p.unread_count, \
             c.created_at, p.active_at",
        ))
        .from_as("participant", "p")
        .join_as(JoinType::InnerJoin, "conversation", "c", Expr::cust("c.id = p.conversation_id"))
        .and_where(Expr::col(("p", "user_id")).eq(user.get()))
        .take()
}

/// The user's side of a conversation, if they take part in it.
pub async fn standing(
    session: &mut Session,
    id: ConversationId,
    user: UserId,
) -> Result<Option<Standing>> {
    let mut row = sides(user);
    row.and_where(Expr::col(("p", "conversation_id")).eq(id.get()));
    session.first(row).await
}

/// A page of the user's conversations, those with unread messages first, then by recency.
pub async fn page(
    session: &mut Session,
    user: UserId,
    place: FollowedPage,
) -> Result<Listing<Standing>> {
    let count = Query::select()
        .expr(Expr::cust("COUNT(*)"))
        .from("participant")
        .and_where(Expr::col("user_id").eq(user.get()))
        .take();
    let keys = [
        // Repeats the index expression literally: with a bound value the index would not be used.
        Key::down(Expr::cust("(p.unread_count > 0)")),
        Key::down(Expr::col(("p", "active_at"))),
        Key::down(Expr::col(("p", "conversation_id"))),
    ];
    session.follow(Found::counted_by(sides(user), count).sorted(keys), place).await
}

/// Whether an agent may still write there: conversations with or through an agent end with the
/// representation. The ids are those of the two participants.
pub async fn still_represented(
    session: &mut Session,
    one: UserId,
    other: UserId,
    job: Option<JobId>,
) -> Result<bool> {
    const REPRESENTED: &str = "SELECT CAST(1 AS BIGINT) FROM representation r \
        JOIN agent g ON g.id = r.agent_id JOIN athlete t ON t.id = r.athlete_id \
        WHERE r.status = 'active' AND g.user_id IN ($1, $2) AND (t.user_id IN ($1, $2) \
        OR EXISTS (SELECT 1 FROM application a JOIN job j ON j.id = a.job_id \
        JOIN partner b ON b.id = j.partner_id WHERE a.athlete_id = t.id \
        AND b.user_id IN ($1, $2) AND j.id = COALESCE($3, j.id))) LIMIT 1";
    session.exists(sql(REPRESENTED).bind(one).bind(other).bind(job)).await
}

/// The account of the brand, if the athlete with this account has applied for this job of the
/// brand.
pub async fn user_of_applied(
    session: &mut Session,
    athlete: UserId,
    partner: PartnerId,
    job: JobId,
) -> Result<Option<UserId>> {
    let found: Option<(UserId,)> = session
        .first(
            sql("SELECT b.user_id FROM application a JOIN athlete t ON t.id = a.athlete_id \
                 JOIN job j ON j.id = a.job_id JOIN partner b ON b.id = j.partner_id \
                 WHERE t.user_id = $1 AND b.id = $2 AND j.id = $3 LIMIT 1")
            .bind(athlete)
            .bind(partner)
            .bind(job),
        )
        .await?;
    Ok(found.map(|(user,)| user))
}

/// Whether it is a support conversation.
pub async fn is_support(session: &mut Session, id: ConversationId) -> Result<bool> {
    session
        .exists(sql("SELECT id FROM conversation WHERE id = $1 AND kind = 'support'").bind(id))
        .await
}

/// A page of the support conversations that have messages.
pub async fn support_page(
    session: &mut Session,
    wanted: &ListSupport,
    place: FollowedPage,
) -> Result<Listing<SupportConversation>> {
    let order = wanted.sort.unwrap_or(SupportSort::Latest).order();
    let texts = [SUPPORTED, "u.email", "m.text"].map(Expr::cust);
    let mut rows = Query::select();
    rows.expr(Expr::cust(SUPPORT))
        .expr_as(Expr::cust(SUPPORTED), "name")
        .from_as("participant", "p");
    for (kind, table, alias, on) in [
        (JoinType::InnerJoin, "app_user", "u", "u.id = p.user_id"),
        (JoinType::InnerJoin, "message", "m", "m.id = p.last_message_id"),
        (JoinType::LeftJoin, "athlete", "t", "t.user_id = u.id"),
        (JoinType::LeftJoin, "partner", "b", "b.user_id = u.id"),
        (JoinType::LeftJoin, "agent", "g", "g.user_id = u.id"),
    ] {
        rows.join_as(kind, table, alias, Expr::cust(on));
    }
    rows.and_where(Expr::col(("p", "other_id")).is_null())
        .cond_where(contains(texts, wanted.q.as_deref()));
    let keys = ["active_at", "conversation_id"]
        .map(|column| Key::of(Expr::col(("p", column)), order.clone()));
    if wanted.q.is_some() {
        return session.follow(sorted(rows, keys), place).await;
    }
    // Without words only the participants need be read to count.
    let count = Query::select()
        .expr(Expr::cust("COUNT(*)"))
        .from("participant")
        .and_where(Expr::col("other_id").is_null())
        .and_where(Expr::col("last_message_id").is_not_null())
        .take();
    session.follow(Found::counted_by(rows, count).sorted(keys), place).await
}
