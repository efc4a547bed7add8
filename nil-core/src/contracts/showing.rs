//! Contracts and requests, for the views that show them beside other records.

use super::store::{contract, request};
use super::{Contract, ContractRequest};
use crate::error::Result;
use crate::kernel::{ApplicationId, ContractId};
use crate::storage::Session;

/// The contracts of these applications.
pub(crate) async fn contracts(
    session: &mut Session,
    applications: &[ApplicationId],
) -> Result<Vec<Contract>> {
    contract::of_applications(session, applications).await
}

/// The requests about these contracts, oldest first.
pub(crate) async fn requests(
    session: &mut Session,
    contracts: &[ContractId],
) -> Result<Vec<ContractRequest>> {
    request::of_contracts(session, contracts).await
}
