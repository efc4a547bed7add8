//! What of a lost dispute payees bear: operators say it for payments made from now on.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::dispute::DisputeTerms;
use crate::auth::Operator;
use crate::error::Result;
use crate::kernel::{BasisPoints, Nothing};
use crate::operation::{Cx, Done, Subject};
use crate::payments::store::dispute as store;

/// What payees bear from now on.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct SaveDisputeTerms {
    /// The share of the disputed amount that the athlete and the agent give back, in hundredths of
    /// a percent.
    pub payee_basis_points: BasisPoints,
}

/// Lists what payees bear of lost disputes, the latest terms first (extension). Without any, the
/// platform bears everything.
pub async fn list(cx: Cx<Operator>, _: Nothing) -> Result<Vec<DisputeTerms>> {
    let mut session = cx.read().await?;
    store::all_terms(&mut session).await
}

/// Sets what payees bear of lost disputes of payments made from now on (extension). Payments that
/// were made before keep the terms of their day. Repeating it changes nothing.
pub async fn save(cx: Cx<Operator>, input: SaveDisputeTerms) -> Result<Done<DisputeTerms>> {
    let mut work = cx.begin().await?;
    let rate = input.payee_basis_points;
    let known = store::all_terms(&mut work).await?.into_iter().next();
    if let Some(known) = known.filter(|known| known.payee_basis_points == rate) {
        return work.done(known).await;
    }
    let by = (cx.facts().actor.clone(), cx.now());
    let saved = store::add_terms(&mut work, rate, by).await?;
    let what = json!({ "payee_basis_points": rate });
    work.note_change(Subject::from(cx.caller.id), "dispute_terms_saved", None, what);
    work.done(saved).await
}
