//! Who is told what about an athlete's disclosures: the athlete and their agent of everything, the
//! brand of what the clearinghouse says about its own contract, the institution's officers of what
//! they have to look at.
//!
//! A brand's message names its own contract and nothing of the athlete's other deals.

use super::clearance::{Clearance, ClearanceWord};
use super::disclosed_job::DisclosedJob;
use super::store::attestation::Unanswered;
use super::store::clearance as clearances;
use super::store::person::Person;
use crate::error::Result;
use crate::feed::{Concerned, Published};
use crate::kernel::{ClearanceId, Date, PortalUserId, Time, UserId, day_in};
use crate::notifications::Event;
use crate::notifications::outbox::{Message, Recipient};
use crate::operation::Work;
use crate::people::officers;
use crate::wording;

/// The deal that a message is about.
#[derive(Clone, Debug)]
pub(super) struct Deal {
    pub(super) title: String,
    pub(super) payer: String,
}

impl From<&DisclosedJob> for Deal {
    fn from(job: &DisclosedJob) -> Self {
        Self { title: job.title.clone(), payer: job.payer_name.clone() }
    }
}

/// The athlete and their agent.
pub(super) fn side_of(person: &Person) -> impl Iterator<Item = Recipient> {
    let users: [Option<UserId>; 2] = [Some(person.user_id), person.agent_user_id];
    users.into_iter().flatten().map(Recipient::User)
}

/// An event about a disclosed deal, for the institution's webhooks.
fn publishes(event: Event, job: &DisclosedJob) -> Published {
    Published::new(event, Concerned::Institution(job.college_id))
        .with(job.id)
        .with(job.athlete_id)
        .worth("amount_cents", job.amount_cents)
}

fn message(event: Event, to: Recipient, person: &Person, deal: &Deal) -> Message {
    Message::new(event, to)
        .with("athlete_name", person.display_name.clone())
        .with("company_name", deal.payer.clone())
        .with("disclosure_title", deal.title.clone())
}

/// Tells the athlete and their agent what the institution decided.
pub(super) fn of_decision(
    work: &mut Work,
    event: Event,
    (person, job): (&Person, &DisclosedJob),
    reason: Option<&str>,
) {
    work.publish(publishes(event, job));
    for to in side_of(person) {
        let told = message(event, to, person, &Deal::from(job))
            .with("reason", reason.unwrap_or_default())
            .with("disclosed_job_id", job.id.get());
        work.send(told);
    }
}

/// The event of a step at the clearinghouse.
const fn event_of(word: ClearanceWord) -> Event {
    match word {
        ClearanceWord::Submitted => Event::ClearanceSubmitted,
        ClearanceWord::Flagged => Event::DisclosedJobFlagged,
        ClearanceWord::Cleared => Event::ClearanceCleared,
        ClearanceWord::NotCleared => Event::ClearanceNotCleared,
        ClearanceWord::Arbitration => Event::ClearanceArbitration,
    }
}

/// Tells a step at the clearinghouse to the athlete, their agent and, for a contract, its brand.
/// Officers are told that a deal was submitted or flagged, except the one who recorded it.
pub(super) async fn of_step(
    work: &mut Work,
    step: ClearanceWord,
    (person, clearance): (&Person, &Clearance),
    recorded_by: Option<PortalUserId>,
    reason: Option<&str>,
) -> Result<()> {
    let payer = clearances::payer(work, clearance.id).await?;
    let event = event_of(step);
    // A deal that the institution was never shown is none of its events.
    let concerned = match clearance.contract_id {
        Some(contract) => Some(Concerned::Contract(contract)),
        None => payer.is_shown.then_some(Concerned::Institution(clearance.college_id)),
    };
    if let Some(concerned) = concerned {
        work.publish(
            Published::new(event, concerned)
                .with(clearance.id)
                .with(clearance.athlete_id)
                .saying("status", step.as_str())
                .worth("amount_cents", clearance.amount_cents),
        );
    }
    let brand = payer.brand_user_id.map(Recipient::User);
    let mut to: Vec<Recipient> = side_of(person).chain(brand).collect();
    if payer.is_shown && event.is_for_portal_users() {
        let own = officers(work, clearance.college_id, person.sport_id).await?;
        let others = own.into_iter().filter(|officer| Some(*officer) != recorded_by);
        to.extend(others.map(Recipient::Portal));
    }
    let deal = Deal { title: clearance.title.clone(), payer: payer.name };
    for to in to {
        let told = message(event, to, person, &deal)
            .with("reason", reason.unwrap_or_default())
            .with("clearance_id", clearance.id.get());
        work.send(told);
    }
    Ok(())
}

/// Tells the athlete and their agent that a deal must be submitted to the clearinghouse.
pub(super) fn of_duty(
    work: &mut Work,
    person: &Person,
    (deal, clearance): (&Deal, ClearanceId),
    until: Time,
) {
    for to in side_of(person) {
        let told = message(Event::DisclosureDue, to, person, deal)
            .with("due_on", last_day(person, until))
            .with("clearance_id", clearance.get());
        work.send(told);
    }
}

/// Asks the brand of a contract whether it is associated with the institution.
pub(super) fn of_attestation(
    work: &mut Work,
    (person, brand): (&Person, UserId),
    (deal, clearance): (&Deal, ClearanceId),
    last: Date,
) {
    let concerned = Concerned::BrandOf(brand);
    work.publish(Published::new(Event::AssociationRequested, concerned).with(clearance));
    let told = message(Event::AssociationRequested, Recipient::User(brand), person, deal)
        .with("college_name", person.college_name.clone().unwrap_or_default())
        .with("due_on", wording::day(last))
        .with("clearance_id", clearance.get());
    work.send(told);
}

/// Reminds the brand of a contract that it has not attested yet.
pub(super) fn of_due_attestation(work: &mut Work, clearance: ClearanceId, request: &Unanswered) {
    let told = Message::new(Event::AssociationDueSoon, Recipient::User(request.brand_user_id))
        .with("athlete_name", request.athlete.clone())
        .with("company_name", request.brand.clone())
        .with("college_name", request.institution.clone())
        .with("disclosure_title", request.title.clone())
        .with("deadline", wording::moment(request.due_at, request.zone()))
        .with("clearance_id", clearance.get());
    work.send(told);
}

/// Reminds the athlete, their agent and the institution's officers of a deal that goes to the
/// clearinghouse. Officers hear only of what they see: contracts, and disclosed jobs that were
/// submitted to them.
pub(super) async fn of_due_clearance(
    work: &mut Work,
    event: Event,
    (person, clearance): (&Person, &Clearance),
    until: Time,
) -> Result<()> {
    let payer = clearances::payer(work, clearance.id).await?;
    let mut to: Vec<Recipient> = side_of(person).collect();
    if payer.is_shown {
        let own = officers(work, clearance.college_id, person.sport_id).await?;
        to.extend(own.into_iter().map(Recipient::Portal));
    }
    let deal = Deal { title: clearance.title.clone(), payer: payer.name };
    for to in to {
        let told = message(event, to, person, &deal)
            .with("due_on", last_day(person, until))
            .with("clearance_id", clearance.id.get());
        work.send(told);
    }
    Ok(())
}

/// Reminds the athlete and their agent of a draft that the institution does not have yet.
pub(super) fn of_due_draft(
    work: &mut Work,
    event: Event,
    (person, job): (&Person, &DisclosedJob),
    until: Time,
) {
    for to in side_of(person) {
        let told = message(event, to, person, &Deal::from(job))
            .with("due_on", last_day(person, until))
            .with("disclosed_job_id", job.id.get());
        work.send(told);
    }
}

/// Tells the officers that a deal was submitted to them and, if so, that it came after its
/// deadline.
pub(super) async fn of_submission(
    work: &mut Work,
    person: &Person,
    job: &DisclosedJob,
    late: bool,
) -> Result<()> {
    let mut events = vec![Event::DisclosureSubmitted];
    events.extend(late.then_some(Event::DisclosureLate));
    for event in &events {
        work.publish(publishes(*event, job));
    }
    for officer in officers(work, job.college_id, person.sport_id).await? {
        for event in &events {
            let to = Recipient::Portal(officer);
            let told = message(*event, to, person, &Deal::from(job))
                .with("submitted_by", person.display_name.clone())
                .with("college_name", person.college_name.clone().unwrap_or_default())
                .with("due_on", last_day(person, job.due_at))
                .with("disclosed_job_id", job.id.get());
            work.send(told);
        }
    }
    Ok(())
}

/// The last day of a deadline, in the institution's time zone.
fn last_day(person: &Person, until: Time) -> String {
    wording::day(day_in(until, person.zone()))
}
