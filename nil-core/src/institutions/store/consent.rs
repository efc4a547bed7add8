//! The rows of institutions' consents.

use sea_query::{Expr, ExprTrait as _, Query};

use crate::auth::PortalUser;
use crate::error::Result;
use crate::institutions::job_consent::JobConsent;
use crate::kernel::{AthleteId, JobId};
use crate::storage::{Among as _, Session, Stored as _, insert};

/// Whether the portal user may see the athlete and the athlete has an application or invitation for
/// the job.
pub async fn applicant(
    session: &mut Session,
    officer: &PortalUser,
    athlete: AthleteId,
    job: JobId,
) -> Result<bool> {
    let applicants = Query::select()
        .column("athlete_id")
        .from("application")
        .and_where(Expr::col("job_id").eq(job.get()))
        .and_where(Expr::col("athlete_id").eq(athlete.get()))
        .take();
    let mut query = Query::select()
        .column("id")
        .from("athlete")
        .and_where(Expr::col("id").eq(athlete.get()))
        .and_where(Expr::col("university_id").eq(officer.college_id.get()))
        .and_where(Expr::col("id").in_subquery(applicants))
        .take();
    if !officer.sports.is_empty() {
        let sports = officer.sports.iter().map(|sport| sport.get());
        query.and_where(Expr::col("sport_id").among(sports));
    }
    session.exists(query).await
}

/// Saves an institution's decision; it replaces the previous one.
pub async fn save(session: &mut Session, consent: &JobConsent) -> Result<()> {
    session
        .run(insert("institution_consent").with(consent.columns()).or_update(
            &["college_id", "athlete_id", "job_id"],
            &["granted", "note", "decided_by", "decided_at"],
        ))
        .await
        .map(|_| ())
}
