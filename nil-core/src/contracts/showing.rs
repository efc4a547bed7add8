//! Contracts and requests, for the views that show them beside other records.

use super::store::{amendment, contract, request};
use super::{Contract, ContractRequest};
use crate::error::Result;
use crate::kernel::{ApplicationId, ContractId};
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
