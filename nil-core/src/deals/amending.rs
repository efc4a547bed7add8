//! Numbered amendments: changes that the parties agree to after signing. The signed terms stay
//! unchanged.

use super::transition;
use crate::contracts::document::Side;
use crate::contracts::store::amendment as amendments;
use crate::contracts::store::contract::{self as contracts, NewAssent};
use crate::contracts::{AmendmentKind, Contract, ContractRequest, DueDateChange, chained};
use crate::error::{Error, Result, codes};
use crate::kernel::end_of_day;
use crate::operation::Work;
use crate::people::{facts, partner};

/// Moves a due date that both sides have agreed on, and stores the change as an amendment. Its hash
/// covers the previous document, so that the order of amendments can be proved.
pub(super) async fn move_due_date(
    work: &mut Work,
    contract: &Contract,
    request: &ContractRequest,
) -> Result<()> {
    let (Some(id), Some(on)) = (request.deliverable_id, request.proposed_due_on) else {
        return Err(Error::internal("a request for a later date without a date"));
    };
    let deliverable = transition::deliverable(work, id, contract.id).await?;
    let athlete = facts(work, contract.athlete_id).await?.ok_or(codes::NOT_FOUND)?;
    let brand = partner(work, contract.partner_id).await?;
    transition::move_due(work, &deliverable, on, end_of_day(on, athlete.zone())).await?;
    let change = DueDateChange {
        deliverable_id: id,
        title: deliverable.title.clone(),
        from: deliverable.due_on,
        to: on,
    };
    let kind = AmendmentKind::DueDate;
    let before = amendments::last_hash(work, contract.id).await?;
    let before = before.unwrap_or_else(|| contract.document_sha256.clone());
    let hash = chained(&before, kind, &change)?;
    let number = amendments::amend(work, contract.id, kind, &change, &hash).await?;
    let sides = [(Side::Athlete, athlete.legal_name()), (Side::Brand, brand.contact)];
    for (side, name) in sides {
        let assent = NewAssent {
            contract: contract.id,
            amendment: number,
            side,
            name,
            document_sha256: hash.clone(),
        };
        contracts::add_assent(work, &assent).await?;
    }
    work.note(contract.id, "amended");
    Ok(())
}
