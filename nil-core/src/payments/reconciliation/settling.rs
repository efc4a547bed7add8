//! Operators list the differences between the processor's statement and our rows, and settle them.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::difference::{DifferenceEvent, ListDifferences, ProcessorDifference};
use crate::auth::Operator;
use crate::error::Result;
use crate::kernel::{Combined, Listing, Machine as _, ProcessorDifferenceId, Sifted, Text, days};
use crate::operation::{Cx, Done};
use crate::payments::store::difference as store;

/// A difference to settle.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct SettleDifference {
    /// The difference, which must be open.
    pub id: ProcessorDifferenceId,
    /// What was found out and done.
    pub note: Text<1, 2000>,
}

/// Selects a difference.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct OneDifference {
    /// The difference.
    pub id: ProcessorDifferenceId,
}

/// Lists differences between the processor's statement and our rows, newest first (extension). `q`
/// looks in keys, ids of the processor and details. 422 for days in the wrong order.
pub async fn list(
    cx: Cx<Operator>,
    input: Sifted<ListDifferences>,
) -> Result<Listing<ProcessorDifference>> {
    let (Combined { own: input, shared: sift }, place) = cx.place(input)?;
    let span = days(input.from, input.to)?;
    let mut session = cx.read().await?;
    store::page(&mut session, &input, span, &sift, place).await
}

/// Shows a difference between the processor's statement and our rows (extension). 404 for an
/// unknown one.
pub async fn view(cx: Cx<Operator>, input: OneDifference) -> Result<ProcessorDifference> {
    let mut session = cx.read().await?;
    store::find(&mut session, input.id).await
}

/// Settles a difference with a note (extension). It moves no money. It is not reported again,
/// unless it is found with other facts. 404 for an unknown difference, 409 `illegal_transition` for
/// one that is not open.
pub async fn settle(
    cx: Cx<Operator>,
    input: SettleDifference,
) -> Result<Done<ProcessorDifference>> {
    let mut work = cx.begin().await?;
    let known = store::locked(&mut work, input.id).await?;
    let moved = known.status.on(DifferenceEvent::Settle)?;
    let by = cx.facts().actor.clone();
    let now = work.now();
    store::settle(&mut work, input.id, moved, (&by, &input.note), now).await?;
    let settled = store::locked(&mut work, input.id).await?;
    let what = json!({ "kind": settled.kind, "key": settled.key, "line_id": settled.line_id });
    work.note_change(input.id, "settled", None, what);
    work.done(settled).await
}
