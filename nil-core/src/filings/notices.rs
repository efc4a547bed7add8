//! Notifies an institution's officers and owners about filings, according to their sports, and the
//! parties of a contract made on the platform of notices that are due.

use super::deadlines;
use super::filing::Filing;
use super::particulars::Side;
use super::store::filing as store;
use super::store::person as people;
use crate::auth::PortalUser;
use crate::error::Result;
use crate::feed::{Concerned, HookOwner, Published};
use crate::kernel::{FilingId, Time, day_in};
use crate::notifications::Event;
use crate::notifications::outbox::{Message, Recipient};
use crate::operation::Work;
use crate::people::officers;
use crate::wording;

/// Notifies that a filing was submitted.
pub(super) async fn of_submission(
    work: &mut Work,
    officer: &PortalUser,
    filing: &Filing,
) -> Result<()> {
    let by = people::officer_name(work, officer.id).await?;
    let school = people::school(work, filing.college_id).await?;
    tell(
        work,
        filing,
        |message| {
            message.with("submitted_by", by.clone()).with("college_name", school.name.clone())
        },
        Event::DisclosureSubmitted,
    )
    .await
}

/// Notifies that a filing was drafted, because the athlete has an agent.
pub(super) async fn of_draft(work: &mut Work, filing: &Filing) -> Result<()> {
    let school = people::school(work, filing.college_id).await?;
    let day = |at: Option<Time>| {
        let day = at.map(|at| wording::day(day_in(at, school.zone())));
        day.unwrap_or_default()
    };
    tell(
        work,
        filing,
        |message| {
            message
                .with("agent_name", agent_of(filing))
                .with("college_name", school.name.clone())
                .with("due_on", day(filing.notice_due_at))
                .with("cancel_until", day(filing.cancellation_ends_at))
        },
        Event::AgencyContractDrafted,
    )
    .await
}

/// Notifies that the athlete cancelled the contract in time.
pub(super) async fn of_cancellation(work: &mut Work, filing: &Filing) -> Result<()> {
    let with = |message: Message| message.with("agent_name", agent_of(filing));
    tell(work, filing, with, Event::AgencyContractCancelled).await
}

/// Notifies that one side has given notice now.
pub(super) async fn of_notice(work: &mut Work, id: FilingId, side: Side) -> Result<()> {
    let Some(filing) = store::lock(work, id).await? else {
        return Ok(());
    };
    let school = people::school(work, filing.college_id).await?;
    let by = match side {
        Side::Agent => agent_of(&filing),
        Side::Athlete => filing.athlete_name.clone(),
    };
    let late = filing.notice_due_at.is_some_and(|due| work.now() > due);
    let timeliness = if late { "The notice is late." } else { "The notice is in time." };
    tell(
        work,
        &filing,
        |message| {
            message
                .with("agent_name", agent_of(&filing))
                .with("college_name", school.name.clone())
                .with("given_by", by.clone())
                .with("timeliness", timeliness)
        },
        Event::AgentNoticeGiven,
    )
    .await
}

/// Notifies officers that a notice is due soon and missing, and the parties of a contract made on
/// the platform who have not given theirs.
pub(super) async fn of_due_notice(work: &mut Work, filing: &Filing, due_at: Time) -> Result<()> {
    let school = people::school(work, filing.college_id).await?;
    let day = wording::day(day_in(due_at, school.zone()));
    let to_officer =
        |message: Message| message.with("for_officer", true).with("due_on", day.clone());
    tell(work, filing, to_officer, Event::DisclosureDue).await?;
    if filing.representation_id.is_none() {
        return Ok(());
    }
    let due_on = wording::moment(due_at, school.zone());
    for side in deadlines::missing(&filing.particulars.notices) {
        let user = match (side, filing.agent_id) {
            (Side::Athlete, _) => people::user_of_athlete(work, filing.athlete_id).await?,
            (Side::Agent, Some(agent)) => people::user_of_agent(work, agent).await?,
            (Side::Agent, None) => continue,
        };
        let message = Message::new(Event::AgentNoticeDue, Recipient::User(user))
            .with("athlete_name", filing.athlete_name.clone())
            .with("agent_name", agent_of(filing))
            .with("college_name", school.name.clone())
            .with("due_on", due_on.clone())
            .with("disclosure_id", filing.id.get());
        work.send(message);
    }
    Ok(())
}

/// The agent's name, for messages.
fn agent_of(filing: &Filing) -> String {
    let agent = &filing.particulars.agent;
    let name = agent.name.as_ref().or(agent.business.as_ref());
    name.cloned().unwrap_or_else(|| "an agent".to_owned())
}

async fn tell(
    work: &mut Work,
    filing: &Filing,
    with: impl Fn(Message) -> Message,
    event: Event,
) -> Result<()> {
    if event.is_heard_by(HookOwner::Institution) {
        let concerned = Concerned::Institution(filing.college_id);
        work.publish(Published::new(event, concerned).with(filing.id).with(filing.athlete_id));
    }
    for officer in officers(work, filing.college_id, filing.sport_id).await? {
        let message = Message::new(event, Recipient::Portal(officer))
            .with("athlete_name", filing.athlete_name.clone())
            .with("disclosure_title", filing.title())
            .with("disclosure_id", filing.id.get());
        work.send(with(message));
    }
    Ok(())
}
