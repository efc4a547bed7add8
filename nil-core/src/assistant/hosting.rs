//! The tool gateway for external models: the assistant's own tools, limited to the athlete named by
//! the caller's token (specification 5: the gateway is authenticated both ways and scoped to an
//! athlete). It returns the same rows as the in-process assistant.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::asking;
use super::draft::{ClarificationDraft, MOST_PENDING};
use super::rows::{ContractTermsRow, DealRow, DeliverableRow, PaymentRows};
use super::store::draft as drafts;
use super::tools::{Proposal, Records, Tools};
use crate::auth::athlete_token::AthleteToken;
use crate::auth::{Athlete, ModelHost};
use crate::error::{Result, codes};
use crate::kernel::{JobId, Nothing, Secret, Text, Time};
use crate::operation::{Cx, Done, Work};

/// Selects the athlete's deals.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct LookUp {
    /// Only this job's deal; omit it for all of the athlete's deals.
    pub job_id: Option<JobId>,
}

/// Selects a contract.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct LookUpTerms {
    /// The job.
    pub job_id: JobId,
}

/// A question to propose to the athlete.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Propose {
    /// The job it is about: one that the athlete has an application for.
    pub job_id: JobId,
    /// The question to the brand, 1,000 characters at most.
    pub text: Text<1, 1000>,
}

/// A token for a model host.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct HandedToken {
    /// The token, for the header `X-Athlete-Token`.
    pub athlete_token: Secret,
    /// When it expires: ten minutes from now.
    pub expires_at: Time,
}

/// Returns the athlete's deals and their statuses, newest first (extension). 404 for a job that is
/// not one of the athlete's deals. For model hosts.
pub async fn deals(cx: Cx<ModelHost>, input: LookUp) -> Result<Done<Vec<DealRow>>> {
    let records = read(&cx, input.job_id).await?;
    let rows = Tools::over(&records).deals(input.job_id);
    seen(&cx, "read_deals").await?.done(rows).await
}

/// Returns the deliverables and their deadlines (extension). 404 for a job that is not one of the
/// athlete's deals. For model hosts.
pub async fn deliverables(cx: Cx<ModelHost>, input: LookUp) -> Result<Done<Vec<DeliverableRow>>> {
    let records = read(&cx, input.job_id).await?;
    let rows = Tools::over(&records).deliverables(input.job_id);
    seen(&cx, "read_deliverables").await?.done(rows).await
}

/// Returns what is owed, paid and paid out (extension). 404 for a job that is not one of the
/// athlete's deals. For model hosts.
pub async fn payments(cx: Cx<ModelHost>, input: LookUp) -> Result<Done<PaymentRows>> {
    let records = read(&cx, input.job_id).await?;
    let rows = Tools::over(&records).payments(input.job_id);
    seen(&cx, "read_payments").await?.done(rows).await
}

/// Returns the contract terms for a job (extension). 404 for a job that is not one of the athlete's
/// deals, or has no contract yet. For model hosts.
pub async fn contract_terms(
    cx: Cx<ModelHost>,
    input: LookUpTerms,
) -> Result<Done<ContractTermsRow>> {
    let records = read(&cx, Some(input.job_id)).await?;
    let terms = Tools::over(&records).contract_terms(input.job_id);
    let terms = terms.map_err(|why| codes::NOT_FOUND.saying(why))?;
    seen(&cx, "read_contract_terms").await?.done(terms).await
}

/// Proposes a question to the brand of a job: a pending draft, which only the athlete can send
/// (extension). A duplicate about the same job is not stored again. 404 for a job that is not one
/// of the athlete's deals, 409 `too_many_drafts` beyond 50 unsent drafts. For model hosts.
pub async fn draft_clarification(
    cx: Cx<ModelHost>,
    input: Propose,
) -> Result<Done<ClarificationDraft>> {
    let athlete = cx.caller.athlete.id;
    let mut work = seen(&cx, "proposed_clarification").await?;
    let pending = drafts::pending(&mut work, athlete).await?;
    let (job, text) = (input.job_id, input.text.trim());
    let known = drafts::same(&mut work, athlete, job, text).await?;
    if known.is_none() && pending >= MOST_PENDING {
        return Err(codes::TOO_MANY_DRAFTS.into());
    }
    let proposal = Proposal { job, text: text.to_owned() };
    let draft = asking::propose(&mut work, athlete, &proposal).await?;
    work.done(draft.ok_or(codes::NOT_FOUND)?).await
}

/// Issues a token that lets a model host use the assistant's tools for the calling athlete for ten
/// minutes (extension). It is useless without the host's own API key and signature.
pub async fn hand_token(cx: Cx<Athlete>, _: Nothing) -> Result<Done<HandedToken>> {
    let AthleteToken { token, expires_at } = cx.platform().mint_athlete_token(cx.caller.id).await?;
    let mut work = cx.begin().await?;
    work.note(cx.caller.id, "handed_assistant_token");
    work.done(HandedToken { athlete_token: token, expires_at }).await
}

async fn read(cx: &Cx<ModelHost>, job: Option<JobId>) -> Result<Records> {
    Records::read(&cx.by(cx.caller.athlete), job, true).await
}

/// Opens the transaction whose audit row records the host, the action and the athlete.
async fn seen(cx: &Cx<ModelHost>, action: &'static str) -> Result<Work> {
    let mut work = cx.begin().await?;
    let athlete = cx.caller.athlete.id;
    work.act_for(Some(athlete));
    work.note(athlete, action);
    Ok(work)
}
