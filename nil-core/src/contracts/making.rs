//! Making the contract of a hire.

use super::contract::{Contract, ContractStatus};
use super::document::Side;
use super::drafting::exclusive_until;
use super::store::contract::{self as contracts, NewAssent, NewContract};
use super::terms::{Terms, sha256};
use crate::error::{Error, Result, codes};
use crate::jobs::people::{AthleteFacts, PartnerFacts};
use crate::jobs::{Application, Job};
use crate::kernel::{AthleteId, BasisPoints, Cents, Date};
use crate::operation::Work;

/// What a contract is made of besides its terms.
pub(crate) struct Made<'a> {
    pub(crate) application: &'a Application,
    pub(crate) job: &'a Job,
    pub(crate) athlete: &'a AthleteFacts,
    pub(crate) partner: &'a PartnerFacts,
    pub(crate) agreed: Cents,
    pub(crate) fee: BasisPoints,
}

/// Refuses (409 `exclusivity_conflict`) where a contract with another brand excludes the job, or where
/// the job would exclude what the athlete has promised another brand.
pub(crate) async fn check_exclusivity(
    work: &mut Work,
    job: &Job,
    athlete: AthleteId,
    today: Date,
) -> Result<()> {
    let begins = job.starts_on.unwrap_or(today).max(today);
    for other in contracts::promises(work, athlete, job.partner_id).await? {
        let Ok(terms) = serde_json::from_value::<Terms>(other.terms.clone()) else {
            continue;
        };
        let first = terms.dates.effective_on.unwrap_or(terms.dates.signed_on);
        let promised = other
            .exclusivity
            .filter(|promise| promise.category_id == job.category_id)
            .is_some_and(|promise| begins <= exclusive_until(first, promise.days));
        let runs = other.status != ContractStatus::Completed
            && terms.dates.term_ends_on.is_none_or(|last| last >= begins);
        let would_break = job
            .exclusivity
            .is_some_and(|promise| runs && promise.category_id == other.category_id);
        if promised || would_break {
            return Err(codes::EXCLUSIVITY_CONFLICT.saying(format!(
                "Contract {} with another brand excludes this one.",
                other.number
            )));
        }
    }
    Ok(())
}

/// Draws the number, freezes the terms and records the brand's assent.
pub(crate) async fn make(work: &mut Work, made: &Made<'_>, mut terms: Terms) -> Result<Contract> {
    let now = work.now();
    let year = now.format("%Y").to_string();
    let drawn = contracts::draw_number(work, &year).await?;
    terms.number = format!("NIL-{year}-{drawn:06}");
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
    work.note(contract.subject(), "generated");
    Ok(contract)
}
