//! Athletes submit work, brands decide on it, and both list outstanding work.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::deliverable::{Deliverable, DeliverableEvent, DeliverableStatus};
use super::disclosure::check_disclosure;
use super::store::deliverable::{self as deliverables, Submission, Wanted};
use super::{settling, watching};
use crate::auth::{Athlete, Partner, Party};
use crate::content::{self, FileUse};
use crate::contracts::{Contract, ContractStatus};
use crate::error::{Error, Result, codes};
use crate::feed::{Concerned, Published};
use crate::jobs::MediaPlatform;
use crate::jobs::store::job as jobs;
use crate::jobs::store::listing::Side;
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{
    AthleteId, DeliverableId, FileId, Followed, FollowedPage, JobId, LAST_ZONE, Listing,
    Machine as _, Many, PartnerId, Text, WebUrl,
};
use crate::notifications::Event;
use crate::notifications::outbox::{Message, Recipient};
use crate::operation::{Cx, Done, Work};
use crate::orders::{OrderEvent, order_sync};
use crate::{people, wording};

/// Work to submit.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Submit {
    /// The deliverable.
    pub deliverable_id: DeliverableId,
    /// The address of the publication.
    pub post_url: Option<WebUrl>,
    /// The addresses, if there are several.
    pub post_urls: Option<Many<WebUrl, 0, 100>>,
    /// The caption of the publication.
    pub caption: Option<Text<0, 4000>>,
    /// Files that prove it, or that are the work.
    pub file_ids: Option<Many<FileId, 0, 100>>,
}

vocabulary! {
    /// A brand's decision about submitted work.
    Decision {
        /// It is as agreed.
        Approved = "approved",
        /// It is not as agreed.
        Denied = "denied",
    }
}

/// A decision about submitted work.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct ChangeStatus {
    /// The deliverable.
    pub deliverable_id: DeliverableId,
    /// The decision.
    pub status: Decision,
    /// A note for the athlete. Required if the work is denied: it says what to change.
    pub note: Option<Text<1, 4000>>,
}

/// Work to send back.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Deny {
    /// The deliverable (the row that joins a milestone and a hired athlete).
    pub milestones_athlete_rel: DeliverableId,
    /// What should be changed.
    pub note: Text<1, 4000>,
}

/// The outstanding deliverables to list.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ListOutstanding {
    /// Of this job only.
    pub job_id: Option<JobId>,
    /// Of this athlete only (for agents and partners).
    pub athlete_id: Option<AthleteId>,
}

/// The overdue deliverables to list.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ListOverdue {
    /// Of this job only.
    pub job_id: Option<JobId>,
    /// Of this athlete only (for agents and partners).
    pub athlete_id: Option<AthleteId>,
}

/// Submits a deliverable, for the first time or again. The contract must be active (409
/// `contract_not_active`). A quantity of N needs N links or files, links must lead to the
/// milestone's platform, and files must be the caller's own (422). Files of an earlier submission
/// that are not named again are removed from it.
pub async fn submit(cx: Cx<Athlete>, input: Submit) -> Result<Done<Deliverable>> {
    let mut work = cx.begin().await?;
    let deliverable = hand_in(&mut work, &cx.caller, input, Proof::Always).await?;
    work.done(deliverable).await
}

/// When work needs proof by a link or a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Proof {
    /// Always.
    Always,
    /// Except for work done in person, where the brand was present.
    UnlessInPerson,
}

/// Submits a deliverable of the caller.
pub(crate) async fn hand_in(
    work: &mut Work,
    caller: &Athlete,
    input: Submit,
    proof: Proof,
) -> Result<Deliverable> {
    let urls = links(&input);
    let mut files = Many::or_none(input.file_ids);
    files.sort_unstable();
    files.dedup();
    let nothing = urls.is_empty() && files.is_empty();
    if nothing && proof == Proof::Always {
        return Err(no_proof(proof));
    }
    let (contract, deliverable) =
        held(work, input.deliverable_id, |contract| contract.athlete_id == caller.id).await?;
    let in_person = deliverable.platform == MediaPlatform::InPerson;
    if nothing && !in_person {
        return Err(no_proof(proof));
    }
    let needs_none = nothing && in_person;
    if !needs_none && count(&urls).max(count(&files)) < deliverable.quantity {
        let wanted = deliverable.quantity;
        let why = format!("{wanted} links or files are required");
        return Err(Error::invalid("post_urls", why));
    }
    lead_there(&urls, deliverable.platform)?;
    is_active(&contract)?;
    let moved = deliverable.status.on(DeliverableEvent::Submit)?;
    let files = content::owned(work, caller.user_id, &files).await?;
    let caption = input.caption.map(|caption| caption.trim().to_owned());
    let caption = caption.filter(|caption| !caption.is_empty());
    let required = deliverable.disclosure_required;
    let submission = Submission {
        check: check_disclosure(required, &deliverable.hashtags, caption.as_deref()),
        post_urls: urls.into_iter().map(|(_, url)| url).collect(),
        file_ids: files.iter().map(|file| file.id).collect(),
        caption,
    };
    let now = work.now();
    deliverables::submit(work, &deliverable, moved, &submission, now).await?;
    let record = deliverable.id.get();
    content::attach(work, &files, FileUse::Deliverable, record).await?;
    work.note(deliverable.id, "submitted");
    order_sync::follow(work, contract.id, OrderEvent::Deliver).await?;
    tell_of_submission(work, &contract, &deliverable).await?;
    deliverables::again(work, deliverable.id, now).await
}

fn no_proof(proof: Proof) -> Error {
    let field = match proof {
        Proof::Always => "post_url",
        Proof::UnlessInPerson => "post_urls",
    };
    Error::invalid(field, "a link or a file is required")
}

/// The links of a submission without duplicates, each with its field.
fn links(input: &Submit) -> Vec<(String, String)> {
    let one = input.post_url.iter().map(|url| ("post_url".to_owned(), url));
    let several = input.post_urls.iter().flat_map(|urls| urls.iter().enumerate());
    let several = several.map(|(at, url)| (format!("post_urls.{at}"), url));
    let mut links: Vec<(String, String)> = Vec::new();
    for (field, url) in one.chain(several) {
        if !links.iter().any(|(_, known)| **known == **url) {
            links.push((field, url.to_string()));
        }
    }
    links
}

/// 422 for every link that does not lead to the platform.
fn lead_there(links: &[(String, String)], platform: MediaPlatform) -> Result<()> {
    let stray = links.iter().filter(|(_, url)| !platform.is_at(url));
    let why = format!("must lead to {}", platform.sites().join(" or "));
    let wrong = stray.fold(None, |error: Option<Error>, (field, _)| {
        let error = error.unwrap_or_else(|| codes::VALIDATION_FAILED.into());
        Some(error.at(field.clone(), why.clone()))
    });
    wrong.map_or(Ok(()), Err)
}

/// An event about a deliverable in this state, for the brand's webhooks.
pub(super) fn publishes(
    event: Event,
    deliverable: &Deliverable,
    status: DeliverableStatus,
) -> Published {
    Published::new(event, Concerned::Contract(deliverable.contract_id))
        .with(deliverable.id)
        .with(deliverable.contract_id)
        .with(deliverable.job_id)
        .saying("status", status.as_str())
        .worth("amount_cents", deliverable.amount_cents)
}

/// Notifies the brand of work to review.
async fn tell_of_submission(
    work: &mut Work,
    contract: &Contract,
    deliverable: &Deliverable,
) -> Result<()> {
    let status = DeliverableStatus::Submitted;
    work.publish(publishes(Event::DeliverableSubmitted, deliverable, status));
    let partner = people::partner(work, contract.partner_id).await?;
    let facts = people::facts(work, contract.athlete_id).await?;
    let job = jobs::find(work, contract.job_id).await?;
    if let Some(athlete) = facts {
        let to = Recipient::User(partner.user_id);
        work.send(
            Message::new(Event::DeliverableSubmitted, to)
                .with("athlete_name", athlete.display_name)
                .with("deliverable_title", deliverable.title.clone())
                .with("job_title", job.title)
                .with("job_id", contract.job_id.get())
                .with("deliverable_id", deliverable.id.get()),
        );
    }
    Ok(())
}

fn count<T>(items: &[T]) -> i64 {
    i64::try_from(items.len()).unwrap_or(i64::MAX)
}

/// Approves submitted work or sends it back. If this approves the last deliverable and nothing is
/// left to pay, the contract is completed.
pub async fn change_status(cx: Cx<Partner>, input: ChangeStatus) -> Result<Done<Deliverable>> {
    let note = input.note.map(|note| note.trim().to_owned());
    if note.is_none() && input.status == Decision::Denied {
        return Err(Error::invalid(
            "note",
            "is required if the work is denied: say what to change",
        ));
    }
    decide(cx, input.deliverable_id, input.status, note).await
}

/// Sends submitted work back, with a note.
pub async fn deny(cx: Cx<Partner>, input: Deny) -> Result<Done<Deliverable>> {
    let note = Some(input.note.trim().to_owned());
    decide(cx, input.milestones_athlete_rel, Decision::Denied, note).await
}

async fn decide(
    cx: Cx<Partner>,
    id: DeliverableId,
    decision: Decision,
    note: Option<String>,
) -> Result<Done<Deliverable>> {
    let mut work = cx.begin().await?;
    let deliverable = decide_on(&mut work, cx.caller.id, id, decision, note).await?;
    work.done(deliverable).await
}

/// Decides on work in this brand's deals.
pub(crate) async fn decide_on(
    work: &mut Work,
    partner: PartnerId,
    id: DeliverableId,
    decision: Decision,
    note: Option<String>,
) -> Result<Deliverable> {
    let (contract, deliverable) = held(work, id, |contract| contract.partner_id == partner).await?;
    settle_review(work, &contract, deliverable, decision, note).await
}

/// Approves work in this brand's deals unless it is already approved; returns whether it did.
pub(crate) async fn approve_once(
    work: &mut Work,
    partner: PartnerId,
    id: DeliverableId,
) -> Result<bool> {
    let (contract, deliverable) = held(work, id, |contract| contract.partner_id == partner).await?;
    if deliverable.status == DeliverableStatus::Approved {
        return Ok(false);
    }
    settle_review(work, &contract, deliverable, Decision::Approved, None).await?;
    Ok(true)
}

/// Stores a brand's or an operator's decision, and its consequences.
pub(super) async fn settle_review(
    work: &mut Work,
    contract: &Contract,
    deliverable: Deliverable,
    decision: Decision,
    note: Option<String>,
) -> Result<Deliverable> {
    let now = work.now();
    is_active(contract)?;
    let event = match decision {
        Decision::Approved => DeliverableEvent::Approve,
        Decision::Denied => DeliverableEvent::Deny,
    };
    let moved = deliverable.status.on(event)?;
    deliverables::review(work, deliverable.id, moved, note.clone(), now).await?;
    work.note(deliverable.id, moved.to().as_str());
    let published = match decision {
        Decision::Approved => Event::DeliverableApproved,
        Decision::Denied => Event::DeliverableDenied,
    };
    work.publish(publishes(published, &deliverable, moved.to()));
    if moved.to() == DeliverableStatus::Denied {
        order_sync::follow(work, contract.id, OrderEvent::Return).await?;
    }
    let partner = people::partner(work, contract.partner_id).await?;
    let facts = people::facts(work, contract.athlete_id).await?;
    let job = jobs::find(work, contract.job_id).await?;
    let zone = facts.as_ref().map(people::AthleteFacts::zone);
    if let Some(athlete) = facts {
        let to = Recipient::User(athlete.user_id);
        let message = match decision {
            Decision::Approved => Message::new(Event::DeliverableApproved, to)
                .with("amount", job.offer(deliverable.amount_cents)),
            Decision::Denied => Message::new(Event::DeliverableDenied, to)
                .with("due_on", wording::day(deliverable.due_on))
                .with("note", note.unwrap_or_else(|| "No note was left.".into())),
        };
        work.send(
            message
                .with("company_name", partner.company_name)
                .with("deliverable_title", deliverable.title.clone())
                .with("job_title", job.title)
                .with("job_id", contract.job_id.get())
                .with("deliverable_id", deliverable.id.get()),
        );
    }
    if moved.to() == DeliverableStatus::Approved {
        let zone = zone.unwrap_or(LAST_ZONE);
        watching::begin(work, contract, &deliverable, zone).await?;
        settling::complete_settled(work, &[contract.id]).await?;
    }
    deliverables::again(work, deliverable.id, now).await
}

/// The deliverable with its contract, which is locked; 404 unless it is the caller's.
async fn held(
    work: &mut Work,
    id: DeliverableId,
    is_own: impl Fn(&Contract) -> bool,
) -> Result<(Contract, Deliverable)> {
    let contract = settling::lock_of_deliverable(work, id).await?;
    if !is_own(&contract) {
        return Err(codes::NOT_FOUND.into());
    }
    let deliverable = deliverables::find(work, id).await?;
    Ok((contract, deliverable))
}

fn is_active(contract: &Contract) -> Result<()> {
    if contract.status == ContractStatus::Active {
        Ok(())
    } else {
        Err(codes::CONTRACT_NOT_ACTIVE.into())
    }
}

/// The work in the caller's deals that is not yet approved, most urgent first.
pub async fn outstanding(
    cx: Cx<Party>,
    input: Followed<ListOutstanding>,
) -> Result<Listing<Deliverable>> {
    let (input, place) = cx.place(input)?;
    let wanted = Wanted {
        side: Side::of(&cx.caller),
        job: input.job_id,
        athlete: input.athlete_id,
        overdue_only: false,
    };
    list(&cx, &wanted, place).await
}

/// The overdue work in the caller's deals: neither submitted nor approved by the end of its day in
/// the institution's time zone.
pub async fn overdue(cx: Cx<Party>, input: Followed<ListOverdue>) -> Result<Listing<Deliverable>> {
    let (input, place) = cx.place(input)?;
    let wanted = Wanted {
        side: Side::of(&cx.caller),
        job: input.job_id,
        athlete: input.athlete_id,
        overdue_only: true,
    };
    list(&cx, &wanted, place).await
}

async fn list(
    cx: &Cx<Party>,
    wanted: &Wanted,
    place: FollowedPage,
) -> Result<Listing<Deliverable>> {
    let mut session = cx.read().await?;
    let page = deliverables::outstanding(&mut session, wanted, place, cx.now()).await?;
    drop(session);
    let whose = page.items.iter().map(|deliverable| deliverable.athlete_id);
    people::party_looked_at(cx, whose, "deliverables_seen").await?;
    Ok(page)
}
