//! Who may use a deal's folder.

use super::store::deal_file as store;
use crate::auth::Party;
use crate::content::Viewer;
use crate::contracts::showing;
use crate::error::{Result, codes};
use crate::kernel::{AthleteId, DealFileId, JobId, UserId};
use crate::operation::Work;
use crate::storage::Session;

/// The account of a party.
pub(super) fn user_of(party: &Party) -> UserId {
    match party {
        Party::Athlete(athlete) => athlete.user_id,
        Party::Partner(partner) => partner.user_id,
        Party::Agent(agent) => agent.user_id,
    }
}

/// 404 unless the caller is a party to a contract of this job and this athlete, or currently represents the athlete.
pub(super) async fn check(
    session: &mut Session,
    caller: &Party,
    job: JobId,
    athlete: AthleteId,
) -> Result<()> {
    let viewer = Viewer::of_party(caller);
    if showing::is_party(session, &viewer, job, athlete).await? {
        return Ok(());
    }
    Err(codes::NOT_FOUND.into())
}

/// Sets on whose behalf an agent acts, for the audit trail.
pub(super) fn act(work: &mut Work, caller: &Party, athlete: AthleteId) {
    if matches!(caller, Party::Agent(_)) {
        work.act_for(Some(athlete));
    }
}

/// Whether the viewer may see a file of a folder.
pub(crate) async fn may_see(
    session: &mut Session,
    viewer: &Viewer,
    id: DealFileId,
) -> Result<bool> {
    match store::find(session, id).await? {
        Some(row) => showing::is_party(session, viewer, row.job_id, row.athlete_id).await,
        None => Ok(false),
    }
}
