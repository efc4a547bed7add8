//! Contracts and requests, for views that show them beside other records.

use super::store::contract::Reader;
use super::store::{amendment, contract, request};
use super::{Contract, ContractRequest};
use crate::content::Viewer;
use crate::error::Result;
use crate::kernel::{ApplicationId, AthleteId, ContractId, JobId};
use crate::storage::Session;

/// The contracts of these applications.
pub(crate) async fn contracts(
    session: &mut Session,
    applications: &[ApplicationId],
) -> Result<Vec<Contract>> {
    let found = contract::of_applications(session, applications).await?;
    with_amendments(session, found).await
}

/// These contracts with their amendments.
pub(crate) async fn with_amendments(
    session: &mut Session,
    mut contracts: Vec<Contract>,
) -> Result<Vec<Contract>> {
    let ids: Vec<_> = contracts.iter().map(|contract| contract.id).collect();
    for amendment in amendment::amendments(session, &ids).await? {
        let own = |contract: &&mut Contract| contract.id == amendment.contract_id;
        if let Some(contract) = contracts.iter_mut().find(own) {
            contract.amendments.push(amendment);
        }
    }
    Ok(contracts)
}

/// The requests about these contracts, oldest first.
pub(crate) async fn requests(
    session: &mut Session,
    contracts: &[ContractId],
) -> Result<Vec<ContractRequest>> {
    request::of_contracts(session, contracts).await
}

/// The newest contract of this job and athlete that the viewer may read: a party or the athlete's
/// current agent in any state, an institution only after both sides have agreed to it.
pub async fn newest(
    session: &mut Session,
    viewer: &Viewer,
    job: JobId,
    athlete: AthleteId,
) -> Result<Option<Contract>> {
    let reader = match viewer {
        Viewer::Athlete(id) => Reader::Athlete(*id),
        Viewer::Partner(id) => Reader::Partner(*id),
        Viewer::Agent(id) => Reader::Agent(*id),
        Viewer::College(id, sports) => {
            Reader::College(*id, sports.iter().map(|sport| sport.get()).collect())
        }
        Viewer::Fan(_) => return Ok(None),
    };
    let found = contract::readable(session, job, Some(athlete), &reader).await?;
    let shown = |contract: &Contract| {
        !matches!(viewer, Viewer::College(..)) || contract.executed_at.is_some()
    };
    Ok(found.into_iter().next().filter(shown))
}

/// A contract, kept from changing until the transaction ends.
pub async fn lock_shared(session: &mut Session, id: ContractId) -> Result<Contract> {
    contract::lock_shared(session, id).await
}
