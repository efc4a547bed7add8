//! Athletes cancel the contract with an agent in time; the institutions' filings say so.

use schemars::JsonSchema;
use serde::Deserialize;

use super::notices;
use super::noticing::rewritten;
use super::store::filing as store;
use crate::agents::{Representation, cancelling};
use crate::auth::Athlete;
use crate::error::Result;
use crate::kernel::RepresentationId;
use crate::operation::{Cx, Done};

/// The contract with an agent that the athlete cancels.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct CancelAgent {
    /// The representation (default: the active one).
    pub representation_id: Option<RepresentationId>,
}

/// Cancels the contract with an agent within the time that the law gives the athlete: fourteen
/// days, unless the institution's rule sets another number. The representation ends, nothing is
/// owed for it: deals agreed under it carry no commission, and commission already taken goes back
/// to the athlete. An end by either side does not take the right away. Agent, athlete, a minor's
/// guardian and the institution's officers are notified. 404 without such a representation, 409
/// `illegal_transition` for an invitation or one cancelled before, 409 `cancellation_over` after
/// the last day.
pub async fn cancel(cx: Cx<Athlete>, input: CancelAgent) -> Result<Done<Representation>> {
    let mut work = cx.begin().await?;
    let cancelled = cancelling::cancel(&mut work, cx.caller.id, input.representation_id).await?;
    let now = cx.now();
    for filing in store::lock_of_representation(&mut work, cancelled.id).await? {
        let mut particulars = filing.particulars.clone();
        particulars.contract.cancelled_at = Some(now);
        let note = "The athlete cancelled the contract in time.";
        rewritten(&mut work, &filing, particulars, note).await?;
        notices::of_cancellation(&mut work, &filing).await?;
    }
    work.done(cancelled).await
}
