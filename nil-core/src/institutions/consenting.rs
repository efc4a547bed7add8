//! Officers consent to single deals in categories that their institution restricts.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::job_consent::JobConsent;
use super::store::consent as store;
use crate::auth::PortalUser;
use crate::error::{Result, codes};
use crate::kernel::{AthleteId, JobId, Text};
use crate::operation::{Cx, Done};

/// An institution's decision on one athlete and one job.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct ConsentToJob {
    /// The athlete, who has applied for the job or is invited to it.
    pub athlete_id: AthleteId,
    /// The job.
    pub job_id: JobId,
    /// Whether the institution consents.
    pub granted: bool,
    /// The reason.
    pub note: Option<Text<1, 2000>>,
}

/// Grants or withdraws consent to one athlete's work on one job in a category that the institution
/// restricts (rule `restricted_categories`). Existing contracts are not affected. 404 for an
/// athlete of another institution, or without an application or invitation for the job.
pub async fn decide(cx: Cx<PortalUser>, input: ConsentToJob) -> Result<Done<JobConsent>> {
    let mut work = cx.begin().await?;
    let athlete = store::applicant(&mut work, &cx.caller, input.athlete_id, input.job_id).await?;
    if !athlete {
        return Err(codes::NOT_FOUND.into());
    }
    let consent = JobConsent {
        college_id: cx.caller.college_id,
        athlete_id: input.athlete_id,
        job_id: input.job_id,
        granted: input.granted,
        note: input.note.map(|note| note.trim().to_owned()),
        decided_by: format!("portal_user:{}", cx.caller.id),
        decided_at: cx.now(),
    };
    store::save(&mut work, &consent).await?;
    let after = json!({ "job_id": consent.job_id, "granted": consent.granted });
    work.note_change(input.athlete_id, "institution_consent", None, after);
    work.done(consent).await
}
