//! Who may use a deal's folder, and on which side of the deal they are.

use super::store::deal_file::{self as store, DealFileRow};
use crate::accounts::UserKind;
use crate::auth::Party;
use crate::content::Viewer;
use crate::contracts::{Contract, ContractStatus, showing};
use crate::error::{Result, codes};
use crate::kernel::{AthleteId, DealFileId, JobId, UserId};
use crate::operation::Work;
use crate::people;
use crate::storage::Session;

/// A side of a deal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// The athlete and their agents.
    Athlete,
    /// The brand.
    Brand,
}

impl Side {
    /// The side of the caller.
    pub(super) const fn of(party: &Party) -> Self {
        match party {
            Party::Athlete(_) | Party::Agent(_) => Self::Athlete,
            Party::Partner(_) => Self::Brand,
        }
    }

    /// The side of the user who added a version.
    pub(super) const fn of_version(row: &DealFileRow) -> Self {
        match row.added_by {
            UserKind::Partner => Self::Brand,
            UserKind::Athlete | UserKind::Agent | UserKind::Fan => Self::Athlete,
        }
    }
}

/// The account of a party.
pub(super) fn user_of(party: &Party) -> UserId {
    match party {
        Party::Athlete(athlete) => athlete.user_id,
        Party::Partner(partner) => partner.user_id,
        Party::Agent(agent) => agent.user_id,
    }
}

/// 404 unless the viewer is a party to a contract of this job and this athlete, currently
/// represents the athlete, or reads the executed contracts of the athlete's institution.
pub(super) async fn check(
    session: &mut Session,
    viewer: &Viewer,
    job: JobId,
    athlete: AthleteId,
) -> Result<Contract> {
    let contract = showing::newest(session, viewer, job, athlete).await?;
    contract.ok_or_else(|| codes::NOT_FOUND.into())
}

/// The newest contract of this job and this athlete, for a party who changes the folder. 404 unless
/// the caller is a party to it or currently represents the athlete; 409 `deal_ended` after the deal
/// has ended. The contract, and an agent's representation, stay as they are until the transaction
/// ends.
pub(super) async fn lock(
    work: &mut Work,
    caller: &Party,
    job: JobId,
    athlete: AthleteId,
) -> Result<Contract> {
    if let Party::Agent(agent) = caller {
        people::lock_acting(work, agent.id, athlete).await?;
    }
    let found = check(work, &Viewer::of_party(caller), job, athlete).await?;
    let contract = showing::lock_shared(work, found.id).await?;
    is_open(&contract)?;
    if matches!(caller, Party::Agent(_)) {
        work.act_for(Some(athlete));
    }
    Ok(contract)
}

/// 409 `deal_ended` after the deal has ended.
pub(super) fn is_open(contract: &Contract) -> Result<()> {
    match contract.status {
        ContractStatus::Generated | ContractStatus::Active => Ok(()),
        ContractStatus::Completed | ContractStatus::Cancelled | ContractStatus::Expired => {
            Err(codes::DEAL_ENDED.into())
        }
    }
}

/// A version that the caller wants to answer or change, locked, with the contract of its deal.
pub(super) async fn lock_version(
    work: &mut Work,
    caller: &Party,
    id: DealFileId,
) -> Result<(Contract, DealFileRow)> {
    let row = store::find(work, id).await?.ok_or(codes::NOT_FOUND)?;
    let contract = lock(work, caller, row.job_id, row.athlete_id).await?;
    // It may have changed before it was locked.
    let row = store::lock(work, id).await?;
    Ok((contract, row))
}

/// The version, if the viewer may see its folder; 404 otherwise.
pub(super) async fn seen(
    session: &mut Session,
    viewer: &Viewer,
    id: DealFileId,
) -> Result<DealFileRow> {
    let row = store::find(session, id).await?.ok_or(codes::NOT_FOUND)?;
    check(session, viewer, row.job_id, row.athlete_id).await?;
    Ok(row)
}

/// Whether the viewer may see a file of a folder.
pub(crate) async fn may_see(
    session: &mut Session,
    viewer: &Viewer,
    id: DealFileId,
) -> Result<bool> {
    match store::find(session, id).await? {
        Some(row) => {
            let found = showing::newest(session, viewer, row.job_id, row.athlete_id).await?;
            Ok(found.is_some())
        }
        None => Ok(false),
    }
}
