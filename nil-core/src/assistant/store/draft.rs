//! The rows of clarification drafts.

use sea_query::{Expr, ExprTrait as _, Order, Query};

use crate::assistant::{ClarificationDraft, DraftStatus};
use crate::error::Result;
use crate::kernel::{
    AthleteId, ClarificationDraftId, JobId, Listing, MessageId, Moved, Paging, PartnerId, Time,
};
use crate::storage::{
    Among as _, Narrow as _, Selected as _, Session, advance, insert, sql, update,
};

/// The brand of a job that the athlete has an application for, in any status.
pub async fn brand_of(
    session: &mut Session,
    athlete: AthleteId,
    job: JobId,
) -> Result<Option<PartnerId>> {
    let found: Option<(PartnerId,)> = session
        .first(
            sql("SELECT j.partner_id FROM application a JOIN job j ON j.id = a.job_id \
                 WHERE a.athlete_id = $1 AND a.job_id = $2 LIMIT 1")
            .bind(athlete)
            .bind(job),
        )
        .await?;
    Ok(found.map(|(partner,)| partner))
}

/// The number of the athlete's unsent drafts.
pub async fn pending(session: &mut Session, athlete: AthleteId) -> Result<i64> {
    session
        .value(
            sql("SELECT COUNT(*) FROM clarification_draft \
                 WHERE athlete_id = $1 AND status = 'pending'")
            .bind(athlete),
        )
        .await
}

/// A pending draft of the athlete with exactly this text about this job.
pub async fn same(
    session: &mut Session,
    athlete: AthleteId,
    job: JobId,
    text: &str,
) -> Result<Option<ClarificationDraft>> {
    session
        .first(
            Query::select()
                .columns(ClarificationDraft::COLUMNS.iter().copied())
                .from("clarification_draft")
                .and_where(Expr::col("athlete_id").eq(athlete.get()))
                .and_where(Expr::col("status").eq(DraftStatus::Pending.as_str()))
                .and_where(Expr::col("job_id").eq(job.get()))
                .and_where(Expr::col("draft_text").eq(text))
                .order_by("id", Order::Asc)
                .limit(1)
                .take(),
        )
        .await
}

/// Stores a draft.
pub async fn add(
    session: &mut Session,
    athlete: AthleteId,
    job: JobId,
    brand: PartnerId,
    text: &str,
    now: Time,
) -> Result<ClarificationDraft> {
    session
        .one(
            insert("clarification_draft")
                .set("athlete_id", athlete)
                .set("job_id", job)
                .set("brand_id", brand)
                .set("draft_text", text)
                .set("status", DraftStatus::Pending)
                .set("created_at", now)
                .set("updated_at", now)
                .returning(ClarificationDraft::COLUMNS),
        )
        .await
}

/// The athlete's draft, locked.
pub async fn lock(
    session: &mut Session,
    id: ClarificationDraftId,
    athlete: AthleteId,
) -> Result<ClarificationDraft> {
    const DRAFT: &str = "SELECT id, athlete_id, job_id, brand_id, draft_text, final_text, status, \
        sent_at, created_at, updated_at FROM clarification_draft WHERE id = $1 AND athlete_id = $2";
    session.one(sql(DRAFT).locking("FOR UPDATE").bind(id).bind(athlete)).await
}

/// Replaces the stored text of a pending draft.
pub async fn edit(
    session: &mut Session,
    id: ClarificationDraftId,
    text: &str,
    now: Time,
) -> Result<ClarificationDraft> {
    session
        .changed(
            update("clarification_draft")
                .set("draft_text", text)
                .set("updated_at", now)
                .when("id", id)
                .when("status", DraftStatus::Pending)
                .returning(ClarificationDraft::COLUMNS),
        )
        .await
}

/// Deletes a pending draft.
pub async fn remove(session: &mut Session, id: ClarificationDraftId) -> Result<()> {
    session
        .change(
            sql("DELETE FROM clarification_draft WHERE id = $1 AND status = 'pending'").bind(id),
        )
        .await
}

/// Marks the draft as sent, with the id of the message.
pub async fn sent(
    session: &mut Session,
    id: ClarificationDraftId,
    moved: Moved<DraftStatus>,
    final_text: Option<String>,
    message: MessageId,
    now: Time,
) -> Result<ClarificationDraft> {
    session
        .changed(
            advance("clarification_draft", id, moved, now)
                .set("final_text", final_text)
                .set("message_id", message)
                .set("sent_at", now)
                .returning(ClarificationDraft::COLUMNS),
        )
        .await
}

/// A page of the athlete's drafts, newest first.
pub async fn page(
    session: &mut Session,
    athlete: AthleteId,
    statuses: &[DraftStatus],
    paging: Paging,
) -> Result<Listing<ClarificationDraft>> {
    let mut rows = Query::select();
    rows.columns(ClarificationDraft::COLUMNS.iter().copied())
        .from("clarification_draft")
        .and_where(Expr::col("athlete_id").eq(athlete.get()))
        .only_among("status", statuses.iter().copied())
        .order_by("id", Order::Desc);
    session.page(rows, paging).await
}

/// These drafts of the athlete.
pub async fn with_ids(
    session: &mut Session,
    athlete: AthleteId,
    ids: &[ClarificationDraftId],
) -> Result<Vec<ClarificationDraft>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    session
        .all(
            Query::select()
                .columns(ClarificationDraft::COLUMNS.iter().copied())
                .from("clarification_draft")
                .and_where(Expr::col("athlete_id").eq(athlete.get()))
                .and_where(Expr::col("id").among(ids.iter().map(|id| id.get())))
                .take(),
        )
        .await
}
