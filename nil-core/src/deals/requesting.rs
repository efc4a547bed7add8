//! Athletes request a cancellation or a later due date; brands accept or dismiss the request.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::browsing as deals;
use super::deal::Deal;
use super::{DeliverableStatus, amending, ending, transition};
use crate::auth::{Athlete, Partner};
use crate::contracts::store::contract as contracts;
use crate::contracts::store::request::{self as requests, NewRequest};
use crate::contracts::{Contract, ContractRequest, ContractStatus, RequestEvent, RequestKind};
use crate::error::{Error, Result, codes};
use crate::feed::Concerned;
use crate::jobs::{Application, ApplicationEvent, places};
use crate::kernel::{AthleteId, Date, DeliverableId, JobId, Machine as _, Text};
use crate::notifications::Event;
use crate::notifications::outbox::{Message, Recipient};
use crate::operation::{Cx, Done, Work};
use crate::people::{facts, partner};

/// How often a later date can be requested for one deliverable.
const EXTENSIONS: i64 = 2;

/// A deal the athlete is not available for.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct NotAvailable {
    /// The job the athlete is hired for.
    pub job_id: JobId,
    /// The reason; the brand sees it.
    pub reason: Option<Text<1, 2000>>,
}

/// A request for a later due date.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct RequestNewDueDate {
    /// The job the athlete is hired for.
    pub job_id: JobId,
    /// The deliverable.
    pub deliverable_id: DeliverableId,
    /// The proposed date; later than the current one.
    pub proposed_due_on: Date,
    /// The reason; the brand sees it.
    pub reason: Text<1, 2000>,
}

/// The deal whose pending requests are dismissed.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct DismissRequest {
    /// The job.
    pub job_id: JobId,
    /// The athlete.
    pub athlete_id: AthleteId,
}

/// The request to accept.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct AcceptRequest {
    /// The job.
    pub job_id: JobId,
    /// The athlete.
    pub athlete_id: AthleteId,
    /// The kind of request.
    pub kind: RequestKind,
}

/// The request to withdraw.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct WithdrawRequest {
    /// The job.
    pub job_id: JobId,
    /// The kind of request.
    pub kind: RequestKind,
}

/// The result of dismissing requests.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Dismissed {
    /// The number of requests dismissed.
    pub dismissed: usize,
}

/// Requests a cancellation (`CC`). The contract remains in force until the brand accepts; a pending
/// request for a later date is withdrawn. 409 `not_hired`, `request_pending`.
pub async fn not_available(cx: Cx<Athlete>, input: NotAvailable) -> Result<Done<ContractRequest>> {
    let mut work = cx.begin().await?;
    let (contract, application, pending) = own_deal(&mut work, input.job_id, cx.caller.id).await?;
    if pending.iter().any(|request| request.kind == RequestKind::Cancellation) {
        return Err(codes::REQUEST_PENDING.into());
    }
    let moved = application.status.on(ApplicationEvent::RequestCancellation)?;
    let by = format!("athlete:{}", cx.caller.id);
    for request in pending {
        let withdrawn = request.status.on(RequestEvent::Withdraw)?;
        requests::change(&mut work, &request, withdrawn, &by, cx.now()).await?;
    }
    let request = NewRequest {
        contract: contract.id,
        kind: RequestKind::Cancellation,
        raised_by: by,
        reason: input.reason.map(|reason| reason.trim().to_owned()),
        deliverable: None,
        now: cx.now(),
    };
    let request = requests::add(&mut work, request).await?;
    transition::change(&mut work, &application, moved, None).await?;
    raised(&mut work, &contract, &request).await?;
    work.done(request).await
}

/// Requests a later due date (`EDD`), at most twice for a deliverable (409 `extension_limit`).
pub async fn request_new_due_date(
    cx: Cx<Athlete>,
    input: RequestNewDueDate,
) -> Result<Done<ContractRequest>> {
    let mut work = cx.begin().await?;
    let (contract, application, pending) = own_deal(&mut work, input.job_id, cx.caller.id).await?;
    let deliverable = transition::deliverable(&mut work, input.deliverable_id, contract.id).await?;
    if input.proposed_due_on <= deliverable.due_on {
        let why = format!("must be after {}", deliverable.due_on);
        return Err(Error::invalid("proposed_due_on", why));
    }
    if pending.iter().any(|request| request.kind == RequestKind::Extension) {
        return Err(codes::REQUEST_PENDING.into());
    }
    let moved = application.status.on(ApplicationEvent::RequestExtension)?;
    let over = [DeliverableStatus::Approved, DeliverableStatus::Void];
    if over.contains(&deliverable.status) {
        let sentence = "This deliverable is done; its date cannot be moved.";
        return Err(codes::ILLEGAL_TRANSITION.saying(sentence));
    }
    if requests::extensions(&mut work, deliverable.id).await? >= EXTENSIONS {
        return Err(codes::EXTENSION_LIMIT.into());
    }
    let request = NewRequest {
        contract: contract.id,
        kind: RequestKind::Extension,
        raised_by: format!("athlete:{}", cx.caller.id),
        reason: Some(input.reason.trim().to_owned()),
        deliverable: Some((deliverable.id, input.proposed_due_on)),
        now: cx.now(),
    };
    let request = requests::add(&mut work, request).await?;
    transition::change(&mut work, &application, moved, None).await?;
    raised(&mut work, &contract, &request).await?;
    work.done(request).await
}

/// Withdraws a pending request; the deal continues as before.
pub async fn withdraw(cx: Cx<Athlete>, input: WithdrawRequest) -> Result<Done<ContractRequest>> {
    let mut work = cx.begin().await?;
    let (contract, application, pending) = own_deal(&mut work, input.job_id, cx.caller.id).await?;
    let request = pending
        .into_iter()
        .find(|request| request.kind == input.kind)
        .ok_or(codes::NO_PENDING_REQUEST)?;
    let moved = request.status.on(RequestEvent::Withdraw)?;
    let by = format!("athlete:{}", cx.caller.id);
    let request = requests::change(&mut work, &request, moved, &by, cx.now()).await?;
    restore(&mut work, &contract, &application).await?;
    decided(&mut work, &contract, &request, "withdrawn").await?;
    work.done(request).await
}

/// Dismisses every pending request of a job and an athlete at once. The contract does not change;
/// the application returns to its previous state. 404 `no_pending_request` if nothing is pending.
pub async fn dismiss(cx: Cx<Partner>, input: DismissRequest) -> Result<Done<Dismissed>> {
    let mut work = cx.begin().await?;
    let (contract, pending) =
        brands_deal(&mut work, input.job_id, input.athlete_id, &cx.caller).await?;
    let application = transition::lock(&mut work, contract.application_id).await?;
    let by = format!("partner:{}", cx.caller.id);
    for request in &pending {
        let moved = request.status.on(RequestEvent::Dismiss)?;
        let request = requests::change(&mut work, request, moved, &by, cx.now()).await?;
        decided(&mut work, &contract, &request, "dismissed").await?;
    }
    restore(&mut work, &contract, &application).await?;
    let dismissed = pending.len();
    work.done(Dismissed { dismissed }).await
}

/// Accepts a request: a cancellation ends the contract, a later date becomes a numbered amendment.
pub async fn accept(cx: Cx<Partner>, input: AcceptRequest) -> Result<Done<Deal>> {
    let mut work = cx.begin().await?;
    let (contract, pending) =
        brands_deal(&mut work, input.job_id, input.athlete_id, &cx.caller).await?;
    let request = pending
        .into_iter()
        .find(|request| request.kind == input.kind)
        .ok_or(codes::NO_PENDING_REQUEST)?;
    let application = transition::lock(&mut work, contract.application_id).await?;
    let moved = request.status.on(RequestEvent::Accept)?;
    let by = format!("partner:{}", cx.caller.id);
    let request = requests::change(&mut work, &request, moved, &by, cx.now()).await?;
    decided(&mut work, &contract, &request, "accepted").await?;
    match request.kind {
        RequestKind::Extension => {
            amending::move_due_date(&mut work, &contract, &request).await?;
            restore(&mut work, &contract, &application).await?;
        }
        RequestKind::Cancellation => {
            ending::cancelled(&mut work, &contract, request.reason.as_deref()).await?;
            let moved = application.status.on(ApplicationEvent::Accept)?;
            transition::change(&mut work, &application, moved, request.reason.clone()).await?;
            places::free(&mut work, contract.job_id).await?;
        }
    }
    let deal = deals::of_application(&mut work, application.id, cx.now()).await?;
    work.done(deal).await
}

/// The refusal if an athlete has no contract under way for a job: 404 if they were never involved
/// with it, so that callers cannot find out which jobs exist.
pub(super) async fn nothing_hired(work: &mut Work, job: JobId, athlete: AthleteId) -> Error {
    match transition::has_applied(work, job, athlete).await {
        Ok(true) => codes::NOT_HIRED.into(),
        Ok(false) => codes::NOT_FOUND.into(),
        Err(error) => error,
    }
}

/// The athlete's own contract under way, with its application and pending requests.
async fn own_deal(
    work: &mut Work,
    job: JobId,
    athlete: AthleteId,
) -> Result<(Contract, Application, Vec<ContractRequest>)> {
    let Some(contract) = contracts::lock_live(work, job, athlete).await? else {
        return Err(nothing_hired(work, job, athlete).await);
    };
    let application = transition::lock(work, contract.application_id).await?;
    let pending = requests::pending(work, &[contract.id]).await?;
    Ok((contract, application, pending))
}

/// The brand's contract under way with this athlete, and its pending requests; 404 if there are
/// none.
async fn brands_deal(
    work: &mut Work,
    job: JobId,
    athlete: AthleteId,
    caller: &Partner,
) -> Result<(Contract, Vec<ContractRequest>)> {
    let contract = contracts::lock_live(work, job, athlete)
        .await?
        .filter(|contract| contract.partner_id == caller.id)
        .ok_or(codes::NO_PENDING_REQUEST)?;
    let pending = requests::pending(work, &[contract.id]).await?;
    if pending.is_empty() {
        return Err(codes::NO_PENDING_REQUEST.into());
    }
    Ok((contract, pending))
}

/// Returns the application to the state that matches the contract.
async fn restore(work: &mut Work, contract: &Contract, application: &Application) -> Result<()> {
    let event = if contract.status == ContractStatus::Active {
        ApplicationEvent::RestoreConfirmed
    } else {
        ApplicationEvent::RestoreUnconfirmed
    };
    let moved = application.status.on(event)?;
    transition::change(work, application, moved, None).await.map(|_| ())
}

async fn raised(work: &mut Work, contract: &Contract, request: &ContractRequest) -> Result<()> {
    work.note(request.id, "raised");
    let concerned = Concerned::Brand(contract.partner_id);
    let asked = contract.publishes(Event::ContractRequestRaised, concerned);
    work.publish(asked.with(request.id).saying("request_kind", request.kind.as_str()));
    let brand = partner(work, contract.partner_id).await?;
    let Some(athlete) = facts(work, contract.athlete_id).await? else {
        return Ok(());
    };
    let reason = request.reason.clone();
    work.send(
        Message::new(Event::ContractRequestRaised, Recipient::User(brand.user_id))
            .with("contract_number", contract.number.clone())
            .with("job_title", contract.job_title())
            .with("reason", reason.unwrap_or_else(|| "No reason was given.".into()))
            .with("request_kind", request.kind.in_words())
            .with("requested_by", athlete.display_name)
            .with("job_id", contract.job_id.get())
            .with("contract_id", contract.id.get()),
    );
    Ok(())
}

/// Notifies the other side.
async fn decided(
    work: &mut Work,
    contract: &Contract,
    request: &ContractRequest,
    decision: &'static str,
) -> Result<()> {
    work.note(request.id, decision);
    let user = if decision == "withdrawn" {
        Some(partner(work, contract.partner_id).await?.user_id)
    } else {
        facts(work, contract.athlete_id).await?.map(|athlete| athlete.user_id)
    };
    if let Some(user) = user {
        work.send(
            Message::new(Event::ContractRequestDecided, Recipient::User(user))
                .with("contract_number", contract.number.clone())
                .with("decision", decision)
                .with("job_title", contract.job_title())
                .with("request_kind", request.kind.in_words())
                .with("job_id", contract.job_id.get())
                .with("contract_id", contract.id.get()),
        );
    }
    Ok(())
}
