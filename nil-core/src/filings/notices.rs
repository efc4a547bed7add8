//! Notifies an institution's officers and owners about filings, according to their sports.

use super::filing::Filing;
use super::store::person as people;
use crate::auth::PortalUser;
use crate::error::Result;
use crate::kernel::Time;
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

/// Notifies that a notice is due soon and missing.
pub(super) async fn of_due_notice(work: &mut Work, filing: &Filing, due_at: Time) -> Result<()> {
    let school = people::school(work, filing.college_id).await?;
    let day = wording::day(due_at.with_timezone(&school.zone()).date_naive());
    tell(work, filing, |message| message.with("due_on", day.clone()), Event::DisclosureDue).await
}

async fn tell(
    work: &mut Work,
    filing: &Filing,
    with: impl Fn(Message) -> Message,
    event: Event,
) -> Result<()> {
    let url = work.platform().config().public_url.clone();
    for officer in officers(work, filing.college_id, filing.sport_id).await? {
        let message = Message::new(event, Recipient::Portal(officer))
            .with("athlete_name", filing.athlete_name.clone())
            .with("disclosure_title", filing.title())
            .with("url", url.clone())
            .with("disclosure_id", filing.id.get());
        work.send(with(message));
    }
    Ok(())
}
