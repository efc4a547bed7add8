//! Operators answer disputes: they hand evidence in, or accept that the money is gone.

use schemars::JsonSchema;
use serde::Deserialize;

use super::applying::apply;
use super::dispute::{Dispute, DisputeEvent, DisputeStatus};
use super::evidence::Collected;
use super::evidence_document;
use crate::auth::Operator;
use crate::error::{Result, codes};
use crate::kernel::{DisputeId, Machine as _, Text};
use crate::operation::{Cx, Done, Download, typeset};
use crate::payments::methods::unavailable;
use crate::payments::store::dispute as store;
use crate::ports::processor::{Evidence, Verdict};

/// Selects a dispute.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct OneDispute {
    /// The dispute.
    pub id: DisputeId,
}

/// An answer to a dispute.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct AnswerDispute {
    /// The dispute.
    pub id: DisputeId,
    /// Why the charge is right, in the platform's own words.
    pub statement: Text<1, 5000>,
}

/// Downloads the evidence against a dispute as it is handed in: the deals, who agreed to them, the
/// work and the messages (extension). 404 for an unknown dispute.
pub async fn download_evidence(cx: Cx<Operator>, input: OneDispute) -> Result<Download> {
    let mut work = cx.begin_audited_read().await?;
    let dispute = store::find(&mut work, input.id).await?.ok_or(codes::NOT_FOUND)?;
    let collected = Collected::of(&mut work, dispute).await?;
    work.note(input.id, "evidence_downloaded");
    work.finish_read().await?;
    print(&cx, collected).await
}

async fn print(cx: &Cx<Operator>, collected: Collected) -> Result<Download> {
    let (platform, account) = (cx.platform(), &cx.facts().actor);
    let fonts = platform.fonts();
    let name = format!("{}.pdf", collected.dispute.processor_dispute_id);
    typeset(platform, account, name, move || evidence_document::pdf(&fonts, &collected)).await
}

/// Hands evidence in against a dispute, for good (extension): the statement, and the document of
/// `admin.dispute.download_evidence`. The bank decides in the weeks after. 404 for an unknown
/// dispute, 409 `illegal_transition` for one that does not await evidence, `dispute_refused` if the
/// processor does not take it, such as after its due date; 503 if it does not respond.
pub async fn answer(cx: Cx<Operator>, input: AnswerDispute) -> Result<Done<Dispute>> {
    let mut session = cx.read().await?;
    let mut dispute = store::find(&mut session, input.id).await?.ok_or(codes::NOT_FOUND)?;
    // An answer that the processor took, but that was not written down here, is completed.
    let unwritten = dispute.status == DisputeStatus::UnderReview && dispute.answered_at.is_none();
    if !unwritten {
        dispute.status.on(DisputeEvent::Answer)?;
    }
    dispute.statement = Some(input.statement.to_string());
    let reference = dispute.processor_dispute_id.clone();
    let payer = dispute.payer_name.clone();
    let collected = Collected::of(&mut session, dispute).await?;
    drop(session);
    let product = collected.product();
    let document = print(&cx, collected).await?.into_bytes().await?;
    let statement = input.statement.to_string();
    let evidence = Evidence { product, customer: payer, statement, document };
    let verdict = cx.platform().processor().answer_dispute(&reference, &evidence).await;
    heard(&cx, verdict.map_err(unavailable)?).await?;
    let mut work = cx.begin().await?;
    let by = (cx.facts().actor.clone(), cx.now());
    store::answer(&mut work, input.id, &input.statement, by).await?;
    work.note(input.id, "evidence_handed_in");
    let dispute = store::find(&mut work, input.id).await?.ok_or(codes::INTERNAL)?;
    work.done(dispute).await
}

/// Accepts a dispute: it is lost, and payees bear what the terms say (extension). 404 for an
/// unknown dispute, 409 `illegal_transition` for one that does not await evidence,
/// `dispute_refused` if the processor does not take it; 503 if it does not respond.
pub async fn accept(cx: Cx<Operator>, input: OneDispute) -> Result<Done<Dispute>> {
    let mut session = cx.read().await?;
    let dispute = store::find(&mut session, input.id).await?.ok_or(codes::NOT_FOUND)?;
    drop(session);
    dispute.status.on(DisputeEvent::Answer)?;
    let reference = dispute.processor_dispute_id;
    let verdict = cx.platform().processor().accept_dispute(&reference).await;
    heard(&cx, verdict.map_err(unavailable)?).await?;
    let mut work = cx.begin().await?;
    work.note(input.id, "accepted");
    let dispute = store::find(&mut work, input.id).await?.ok_or(codes::INTERNAL)?;
    work.done(dispute).await
}

/// What the processor says after an answer is applied as its event would be.
async fn heard(cx: &Cx<Operator>, verdict: Verdict) -> Result<()> {
    match verdict {
        Ok(said) => apply(cx.platform(), &said).await.map(|_| ()),
        Err(why) => {
            let words = format!("The processor does not take this answer: {why}.");
            Err(codes::DISPUTE_REFUSED.saying(words))
        }
    }
}
