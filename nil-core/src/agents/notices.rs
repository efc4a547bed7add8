//! Notices of an invitation, of its acceptance and of the end.

use chrono_tz::Tz;

use super::representation::{OPEN_FOR, Representation};
use super::store::{AgentFacts, AthleteFacts};
use crate::institutions::AgentNotice;
use crate::kernel::{Time, day_in};
use crate::notifications::Event;
use crate::notifications::outbox::{Message, Recipient};
use crate::operation::Work;
use crate::people::is_under_age;
use crate::wording::{day, excerpt, moment, percent};

/// Notifies the invited athlete.
pub(super) fn invited(
    work: &mut Work,
    (to, zone): (Recipient, Tz),
    agent: &AgentFacts,
    invitation: &Representation,
) {
    let until = invitation.invited_at + OPEN_FOR;
    let mut message = message(Event::AgentInvited, to, agent, invitation)
        .with("expires_on", day(day_in(until, zone)));
    if let Some(text) = &invitation.message {
        message = message.with("message", text.as_str()).with("message_excerpt", excerpt(text));
    }
    work.send(message);
}

/// Notifies both sides, and a minor's guardian, of the new representation.
pub(super) fn linked(
    work: &mut Work,
    agent: &AgentFacts,
    athlete: &AthleteFacts,
    active: &Representation,
    rule: AgentNotice,
) {
    let signed_at = active.accepted_at.unwrap_or(work.now());
    let due = rule.due_after_signing(signed_at).unwrap_or(signed_at);
    let until = zoned(active.cancellable_until.unwrap_or(signed_at), athlete);
    for (to, name) in everybody(agent, athlete, work.now()) {
        let message = message(Event::AgentLinked, to, agent, active)
            .with("athlete_name", athlete.display_name.as_str())
            .with("notice_due_on", moment(due, athlete.zone()))
            .with("cancel_until", until.as_str());
        work.send(greeting(message, name));
    }
}

/// Notifies both sides, and a minor's guardian, of its end.
pub(super) fn unlinked(
    work: &mut Work,
    agent: &AgentFacts,
    athlete: &AthleteFacts,
    ended: &Representation,
) {
    let on = zoned(ended.ended_at.unwrap_or(work.now()), athlete);
    for (to, name) in everybody(agent, athlete, work.now()) {
        let message = message(Event::AgentUnlinked, to, agent, ended)
            .with("athlete_name", athlete.display_name.as_str())
            .with("ended_on", on.as_str());
        work.send(greeting(message, name));
    }
}

/// Notifies both sides, and a minor's guardian, that the athlete cancelled in time.
pub(super) fn cancelled(
    work: &mut Work,
    agent: &AgentFacts,
    athlete: &AthleteFacts,
    cancelled: &Representation,
) {
    let on = zoned(work.now(), athlete);
    for (to, name) in everybody(agent, athlete, work.now()) {
        let message = message(Event::AgentCancelled, to, agent, cancelled)
            .with("athlete_name", athlete.display_name.as_str())
            .with("cancelled_on", on.as_str());
        work.send(greeting(message, name));
    }
}

/// The values that every template of these events can use.
fn message(
    event: Event,
    to: Recipient,
    agent: &AgentFacts,
    representation: &Representation,
) -> Message {
    let share = representation.commission_basis_points.get();
    Message::new(event, to)
        .with("agent_name", agent.name.as_str())
        .with("agency_name", agent.agency_name.as_str())
        .with("commission", percent(share))
        .with("representation_id", representation.id.get())
        .with("agent_id", agent.id.get())
}

/// A recipient without an account is greeted by the name the athlete gave.
fn greeting(message: Message, name: Option<String>) -> Message {
    match name {
        Some(name) => message.with("first_name", name),
        None => message,
    }
}

/// Agent, athlete, and a minor's guardian; with the name of recipients without an account.
fn everybody(
    agent: &AgentFacts,
    athlete: &AthleteFacts,
    now: Time,
) -> Vec<(Recipient, Option<String>)> {
    let mut all =
        vec![(Recipient::User(agent.user_id), None), (Recipient::User(athlete.user_id), None)];
    let today = day_in(now, athlete.zone());
    let is_minor = is_under_age(athlete.date_of_birth, today);
    if let Some(address) = athlete.guardian_email.as_ref().filter(|_| is_minor) {
        let guardian = Recipient::Email(address.clone());
        all.push((guardian, athlete.guardian_name.clone()));
    }
    all
}

/// The date of an instant in the athlete's institution's time zone.
fn zoned(at: Time, athlete: &AthleteFacts) -> String {
    day(day_in(at, athlete.zone()))
}
