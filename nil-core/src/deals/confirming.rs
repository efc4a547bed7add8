//! Athletes confirm their availability, which executes the contract.

use schemars::JsonSchema;
use serde::Deserialize;

use super::browsing as deals;
use super::deal::Deal;
use super::transition;
use crate::auth::Athlete;
use crate::contracts::document::Side;
use crate::contracts::store::contract::{self as contracts, NewAssent};
use crate::contracts::terms::Terms;
use crate::contracts::{Contract, ContractEvent, ContractStatus};
use crate::disclosures::threshold;
use crate::error::{Error, Result, codes};
use crate::feed::Concerned;
use crate::jobs::ApplicationEvent;
use crate::kernel::{Cents, JobId, Machine as _};
use crate::notifications::Event;
use crate::notifications::outbox::{Message, Recipient};
use crate::operation::{Cx, Done, Work};
use crate::people::{facts, officers, partner};
use crate::wording;

/// The deal to confirm.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct ConfirmAvailability {
    /// The job the athlete is hired for.
    pub job_id: JobId,
}

/// Executes the contract: from now on work can be submitted. 409 `not_hired` if there is nothing to
/// confirm; also refused after the time to confirm is over.
pub async fn confirm_availability(
    cx: Cx<Athlete>,
    input: ConfirmAvailability,
) -> Result<Done<Deal>> {
    let mut work = cx.begin().await?;
    let Some(contract) = contracts::lock_live(&mut work, input.job_id, cx.caller.id).await? else {
        return Err(super::requesting::nothing_hired(&mut work, input.job_id, cx.caller.id).await);
    };
    if contract.status == ContractStatus::Generated && contract.expires_at < cx.now() {
        return Err(codes::ILLEGAL_TRANSITION.saying("The time to confirm this contract is over."));
    }
    let deal = execute(&mut work, &contract).await?;
    work.done(deal).await
}

/// Executes a locked contract with its athlete's assent, and notifies everyone involved.
pub(crate) async fn execute(work: &mut Work, contract: &Contract) -> Result<Deal> {
    let now = work.now();
    let moved = contract.status.on(ContractEvent::Execute)?;
    let application = transition::lock(work, contract.application_id).await?;
    let confirmed = application.status.on(ApplicationEvent::Confirm)?;
    let contract = contracts::change(work, contract.id, moved, now).await?;
    transition::change(work, &application, confirmed, None).await?;
    work.note(contract.id, "executed");
    let athlete = facts(work, contract.athlete_id).await?.ok_or(codes::NOT_FOUND)?;
    let assent = NewAssent {
        contract: contract.id,
        amendment: 0,
        side: Side::Athlete,
        name: athlete.legal_name(),
        document_sha256: contract.document_sha256.clone(),
    };
    contracts::add_assent(work, &assent).await?;
    let brand = partner(work, contract.partner_id).await?;
    let terms: Terms = serde_json::from_value(contract.terms.clone()).map_err(Error::internal)?;
    let goods = Cents(terms.compensation.product_value_cents.unwrap_or_default());
    let worth = contract.agreed_amount_cents + goods;
    let with = (brand.company_name.as_str(), worth);
    threshold::of_contract(work, contract.id, athlete.id, with).await?;
    let deal = deals::of_application(work, application.id, now).await?;
    let due = deal.deliverables.iter().map(|deliverable| deliverable.due_on).min();
    let parties = [Some(athlete.user_id), Some(brand.user_id), athlete.agent_user_id];
    let mut told: Vec<Recipient> = parties.into_iter().flatten().map(Recipient::User).collect();
    if let Some(college) = athlete.college_id {
        let own = officers(work, college, athlete.sport_id).await?;
        told.extend(own.into_iter().map(Recipient::Portal));
    }
    let concerned = Concerned::Contract(contract.id);
    work.publish(contract.publishes(Event::ContractExecuted, concerned));
    for to in told {
        work.send(
            Message::new(Event::ContractExecuted, to)
                .with("athlete_name", athlete.display_name.clone())
                .with("company_name", brand.company_name.clone())
                .with("contract_number", contract.number.clone())
                .with("due_on", wording::optional_day(due))
                .with("job_title", contract.job_title())
                .with("job_id", contract.job_id.get())
                .with("contract_id", contract.id.get()),
        );
    }
    Ok(deal)
}
