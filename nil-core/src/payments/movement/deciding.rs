//! Operators see which requests to the processor have no outcome, and decide about one that the
//! processor cannot be asked about any more.

use chrono::TimeDelta;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::DECIDED;
use super::kinds::KINDS;
use super::request::ProcessorRequest;
use crate::auth::Operator;
use crate::error::{Error, Result, codes};
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{Cents, Combined, Listing, Nothing, Sifted, Text};
use crate::operation::{Cx, Done};
use crate::payments::store::movement as store;
use crate::ports::processor::Outcome;

/// How old a request must be: until then the processor remembers its key.
const UNDECIDED_FOR: TimeDelta = TimeDelta::hours(24);

vocabulary! {
    /// What an operator has found out about a request.
    DecidedOutcome {
        /// The money has moved.
        Succeeded = "succeeded",
        /// The money has not moved, and will not.
        Failed = "failed",
    }
}

/// A decision about a request without an outcome.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct DecideRequest {
    /// The request's key.
    pub key: Text<1, 255>,
    /// What became of it.
    pub outcome: DecidedOutcome,
    /// The processor's id of what was made; needed if it succeeded.
    pub processor_reference: Option<Text<1, 255>>,
    /// What the processor kept of a charge; 0 by default.
    #[schemars(extend("examples" = [0]))]
    pub fee_cents: Option<Cents>,
    /// How it was found out.
    pub note: Text<1, 2000>,
}

/// A request that was decided.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct DecidedRequest {
    /// The request, as it was.
    #[serde(flatten)]
    pub request: ProcessorRequest,
    /// What became of it.
    pub outcome: DecidedOutcome,
    /// Who decided it, such as `operator:3`.
    pub decided_by: String,
}

/// Lists the requests to the payment processor whose outcome is unknown, newest first (extension).
/// Charges that wait for their cardholder, and payouts in transit, are not among them.
pub async fn list(cx: Cx<Operator>, input: Sifted<Nothing>) -> Result<Listing<ProcessorRequest>> {
    let (Combined { own: Nothing {}, shared: sift }, place) = cx.place(input)?;
    let mut session = cx.read().await?;
    store::page(&mut session, &sift, place).await
}

/// Decides about a request whose outcome the processor cannot tell (extension): what it says now
/// counts more. The decision is on record, and the books follow it; the comparison with the
/// processor's statement names it if it was wrong. 404 for an unknown key; 409
/// `illegal_transition` if the request has an outcome, or another attempt followed it, or it is
/// younger than a day; 422 if the processor's id is missing.
pub async fn decide(cx: Cx<Operator>, input: DecideRequest) -> Result<Done<DecidedRequest>> {
    let key: String = (*input.key).into();
    let over =
        || codes::ILLEGAL_TRANSITION.saying("This request has an outcome, or was sent once more.");
    let mut session = cx.read().await?;
    let Some(request) = store::open_request(&mut session, &key).await? else {
        let known = store::named(&mut session, &key).await?;
        return Err(known.map_or_else(|| codes::NOT_FOUND.into(), |_| over()));
    };
    drop(session);
    let reference = input.processor_reference.as_deref().map(str::to_owned);
    let said = match (input.outcome, reference.clone()) {
        (DecidedOutcome::Succeeded, Some(id)) => Outcome::Succeeded {
            id,
            fee: input.fee_cents.unwrap_or(Cents::ZERO),
            available_at: None,
        },
        (DecidedOutcome::Succeeded, None) => {
            let needed = "is needed for a request that succeeded";
            return Err(Error::invalid("processor_reference", needed));
        }
        (DecidedOutcome::Failed, id) => Outcome::Failed { id, why: DECIDED.into() },
    };
    if input.fee_cents.is_some_and(|fee| fee < Cents::ZERO) {
        return Err(Error::invalid("fee_cents", "must not be negative"));
    }
    if cx.now() - request.since < UNDECIDED_FOR {
        let young = "This request is younger than a day. The processor is still asked about it.";
        return Err(codes::ILLEGAL_TRANSITION.saying(young));
    }
    let kind = KINDS.iter().find(|kind| kind.name == request.kind).ok_or(codes::INTERNAL)?;
    if (kind.ask)(cx.platform(), request.record_id).await? {
        return Err(over());
    }
    let mut work = cx.begin().await?;
    // The processor may have said that the charge waits for its cardholder.
    if store::open_request(&mut work, &key).await?.is_none() {
        return Err(over());
    }
    let by = cx.facts().actor.clone();
    (kind.settle)(&mut work, request.record_id, &said).await?;
    if !store::decide(&mut work, &key, (&by, &input.note), cx.now()).await? {
        return Err(over());
    }
    let what = json!({ "key": key, "outcome": input.outcome, "processor_reference": reference,
        "note": input.note });
    work.note_change(kind.subject(request.record_id), "decided", None, what);
    work.done(DecidedRequest { request, outcome: input.outcome, decided_by: by }).await
}
