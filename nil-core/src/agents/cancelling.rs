//! Athletes cancel the contract with an agent within the time that the law gives them: nothing is
//! owed for it.
//!
//! Deals that were agreed under it stay, but their agent gets no commission: what has not been paid
//! yet goes to the athlete alone, and what has been paid goes back from the agent's wallet to the
//! athlete's.

use serde_json::json;

use super::notices;
use super::representation::{EndReason, Representation, RepresentationEvent, RepresentationStatus};
use super::store::{self, Facts};
use crate::contracts;
use crate::error::{Result, codes};
use crate::kernel::{AthleteId, Machine as _, RepresentationId};
use crate::operation::Work;
use crate::payments;

/// Cancels an athlete's contract with an agent in the transaction of the caller; without an id the
/// active one. 404 without one, 409 `illegal_transition` for an invitation or one cancelled before,
/// 409 `cancellation_over` after the last day.
pub async fn cancel(
    work: &mut Work,
    athlete: AthleteId,
    id: Option<RepresentationId>,
) -> Result<Representation> {
    let now = work.now();
    let athlete = store::lock_athlete(work, athlete).await?;
    let id = match id {
        Some(id) => id,
        None => store::active_of(work, athlete.id).await?.ok_or(codes::NOT_FOUND)?,
    };
    let held = store::lock_of_athlete(work, id, &athlete).await?;
    let ended = held.status == RepresentationStatus::Ended;
    let repeated = held.end_reason == Some(EndReason::CancelledInTime);
    // The right to cancel outlives an end that either side has brought about.
    let moved =
        if ended && !repeated { None } else { Some(held.status.on(RepresentationEvent::Cancel)?) };
    if !held.can_be_cancelled(now) {
        return Err(codes::CANCELLATION_OVER.into());
    }
    let cancelled = match moved {
        Some(moved) => {
            let facts = Facts { end_reason: Some(EndReason::CancelledInTime), ..Facts::default() };
            store::change(work, held.id, moved, facts, now).await?
        }
        None => store::mark_cancelled(work, held.id, now).await?,
    };
    let since = held.accepted_at.unwrap_or(held.created_at);
    let deals = contracts::waiving::waive(work, held.agent_id, athlete.id, since).await?;
    payments::give_commission_back(work, (held.agent_id, athlete.id), &deals).await?;
    let before = json!({ "status": held.status, "end_reason": held.end_reason });
    let after = json!({
        "status": cancelled.status, "end_reason": cancelled.end_reason, "contracts": deals,
    });
    work.note_change(cancelled.id, "cancelled", before, after);
    let agent = store::agent(work, held.agent_id).await?;
    notices::cancelled(work, &agent, &athlete, &cancelled);
    Ok(cancelled)
}
