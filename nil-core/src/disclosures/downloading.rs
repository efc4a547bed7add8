//! The contract of a disclosed job as a file, for the institution. Every download is recorded in the audit trail.

use schemars::JsonSchema;
use serde::Deserialize;

use super::browsing;
use super::store::person as people;
use super::summary;
use crate::auth::PortalUser;
use crate::content::{self, archiving, reading};
use crate::error::{Error, Result};
use crate::kernel::{AthleteId, DisclosedJobId};
use crate::operation::{Cx, Download};

/// A disclosed job of an athlete.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct OfAthleteAndDisclosedJob {
    /// The athlete.
    pub athlete_id: AthleteId,
    /// The disclosed job.
    pub disclosed_job_id: DisclosedJobId,
}

/// The contract that the athlete submitted with a disclosed job: the file, or a ZIP if there are several. If there is
/// none, a PDF summary of the disclosed terms. 404 for a draft, another athlete's job, or another institution's.
pub async fn contract(cx: Cx<PortalUser>, input: OfAthleteAndDisclosedJob) -> Result<Download> {
    let mut work = cx.look().await?;
    let OfAthleteAndDisclosedJob { athlete_id, disclosed_job_id } = input;
    let job = browsing::of_college(&mut work, &cx.caller, athlete_id, disclosed_job_id, cx.now());
    let job = job.await?;
    let person = people::find(&mut work, job.athlete_id).await?;
    let mut files = content::found(&mut work, &job.documents).await?;
    work.note(job.id, "contract_downloaded");
    work.seen().await?;
    files.sort_by_key(|file| job.documents.iter().position(|own| *own == file.id));
    let name = format!("disclosed-job-{}", job.id);
    match files.pop() {
        Some(only) if files.is_empty() => reading::send(cx.platform(), only).await,
        Some(last) => {
            files.push(last);
            let name = format!("{name}.zip");
            Ok(archiving::archive(cx.platform(), name, files, cx.now()))
        }
        None => {
            let set = move || summary::pdf(&job, &person);
            let bytes = tokio::task::spawn_blocking(set).await;
            let bytes = bytes.map_err(Error::internal)?.map_err(Error::internal)?;
            Ok(Download::of(format!("{name}.pdf"), "application/pdf", bytes))
        }
    }
}
