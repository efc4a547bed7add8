//! The rows of questions and answers, and of the waiting list.

use sea_query::{Expr, ExprTrait as _, Query};

use crate::assistant::{AssistantMessage, Role, Source};
use crate::error::Result;
use crate::kernel::{
    AssistantMessageId, AthleteId, ClarificationDraftId, Feed, JobId, Limit, Time,
};
use crate::storage::{Session, Stored, insert, sql};

const COLUMNS: &[&str] =
    &["id", "role", "text", "job_id", "sources", "draft_id", "model", "read_at", "created_at"];

/// A message to store.
#[derive(Clone, Copy, Debug, Stored)]
pub struct NewMessage<'a> {
    #[row(rename = "athlete_id")]
    pub athlete: AthleteId,
    pub role: Role,
    pub text: &'a str,
    #[row(rename = "job_id")]
    pub job: Option<JobId>,
    #[row(json)]
    pub sources: &'a [Source],
    #[row(rename = "draft_id")]
    pub draft: Option<ClarificationDraftId>,
    pub model: Option<&'a str>,
}

/// Stores a message.
pub async fn add(
    session: &mut Session,
    new: NewMessage<'_>,
    now: Time,
) -> Result<AssistantMessage> {
    session
        .one(
            insert("assistant_message")
                .with(new.columns())
                .set("created_at", now)
                .returning(COLUMNS),
        )
        .await
}

/// The messages of the athlete and the assistant, optionally before an id, newest first.
pub async fn feed(
    session: &mut Session,
    athlete: AthleteId,
    before: Option<AssistantMessageId>,
    limit: Limit,
) -> Result<Feed<AssistantMessage>> {
    let rows = Query::select()
        .columns(COLUMNS.iter().copied())
        .from("assistant_message")
        .and_where(Expr::col("athlete_id").eq(athlete.get()))
        .take();
    let id = |message: &AssistantMessage| message.id.get();
    session.feed(rows, "assistant_message", before, limit, id).await
}

/// The number of the athlete's unread answers.
pub async fn unread(session: &mut Session, athlete: AthleteId) -> Result<i64> {
    session
        .value(
            sql("SELECT COUNT(*) FROM assistant_message \
                 WHERE athlete_id = $1 AND role = 'assistant' AND read_at IS NULL")
            .bind(athlete),
        )
        .await
}

/// Marks all answers as read; returns how many there were.
pub async fn mark_read(session: &mut Session, athlete: AthleteId, now: Time) -> Result<u64> {
    session
        .run(
            sql("UPDATE assistant_message SET read_at = $2 \
                 WHERE athlete_id = $1 AND role = 'assistant' AND read_at IS NULL")
            .bind(athlete)
            .bind(now),
        )
        .await
}

/// Puts the athlete on the waiting list; returns whether they were not on it.
pub async fn join_waitlist(session: &mut Session, athlete: AthleteId, now: Time) -> Result<bool> {
    let joined = session
        .run(
            insert("assistant_waitlist")
                .set("athlete_id", athlete)
                .set("joined_at", now)
                .unless_exists(&["athlete_id"]),
        )
        .await?;
    Ok(joined > 0)
}

/// When the athlete joined the waiting list.
pub async fn waiting_since(session: &mut Session, athlete: AthleteId) -> Result<Option<Time>> {
    let found: Option<(Time,)> = session
        .first(sql("SELECT joined_at FROM assistant_waitlist WHERE athlete_id = $1").bind(athlete))
        .await?;
    Ok(found.map(|(since,)| since))
}
