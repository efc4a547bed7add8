//! Creates the contract of a hire.

use super::contract::Contract;
use super::document::Side;
use super::store::contract::{self as contracts, NewAssent, NewContract};
use super::terms::{Terms, sha256};
use crate::error::{Error, Result};
use crate::jobs::{Application, Job};
use crate::kernel::{BasisPoints, Cents};
use crate::operation::Work;
use crate::people::{AthleteFacts, PartnerFacts};

/// The contents of a contract besides its terms.
pub(crate) struct Made<'a> {
    pub(crate) application: &'a Application,
    pub(crate) job: &'a Job,
    pub(crate) athlete: &'a AthleteFacts,
    pub(crate) partner: &'a PartnerFacts,
    pub(crate) agreed: Cents,
    pub(crate) fee: BasisPoints,
}

/// Draws the number, freezes the terms and records the brand's assent.
pub(crate) async fn make(work: &mut Work, made: &Made<'_>, mut terms: Terms) -> Result<Contract> {
    let now = work.now();
    terms.number = contracts::NUMBERS.draw(work, now).await?;
    let hash = sha256(&terms);
    let until = now + work.platform().config().contract_open_for;
    let contract = contracts::add(
        work,
        NewContract {
            number: terms.number.clone(),
            application_id: made.application.id,
            job_id: made.job.id,
            athlete_id: made.athlete.id,
            partner_id: made.partner.id,
            college_id: made.athlete.college_id,
            agreed: made.agreed,
            fee: made.fee,
            agent_id: made.athlete.agent_id,
            commission: made.athlete.commission_basis_points,
            terms: serde_json::to_value(&terms).map_err(Error::internal)?,
            document_sha256: hash.clone(),
            expires_at: until,
            now,
        },
    )
    .await?;
    let assent = NewAssent {
        contract: contract.id,
        amendment: 0,
        side: Side::Brand,
        name: made.partner.contact.clone(),
        document_sha256: hash,
    };
    contracts::add_assent(work, &assent).await?;
    work.note(contract.id, "generated");
    Ok(contract)
}
