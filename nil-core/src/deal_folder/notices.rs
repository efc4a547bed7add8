//! Tells the other side what happened in the folder, and copies texts to a minor's guardian.

use super::browsing::lost;
use super::party::user_of;
use super::store::deal_file::DealFileRow;
use crate::auth::Party;
use crate::content;
use crate::contracts::Contract;
use crate::error::{Error, Result};
use crate::kernel::UserId;
use crate::messaging;
use crate::notifications::Event;
use crate::notifications::outbox::{Message, Recipient};
use crate::operation::Work;
use crate::people;

/// What happened to a version.
#[derive(Clone, Copy, Debug)]
pub(super) struct News<'a> {
    pub(super) event: Event,
    /// What the caller wrote.
    pub(super) text: Option<&'a str>,
}

/// Tells the other side. If an agent acts, the athlete is told too; if the brand acts, the
/// athlete's agent. The guardian of an athlete under 18 gets a copy of what was written.
pub(super) async fn tell(
    work: &mut Work,
    caller: &Party,
    contract: &Contract,
    row: &DealFileRow,
    news: News<'_>,
) -> Result<()> {
    let brand = people::partner(work, contract.partner_id).await?;
    let athlete = people::facts(work, contract.athlete_id).await?;
    let athlete = athlete.ok_or_else(|| Error::internal("a contract without its athlete"))?;
    let file = content::found(work, &[row.file_id]).await?.pop();
    let name = file.ok_or_else(|| lost(row))?.name;
    let (sender, others): (String, Vec<UserId>) = match caller {
        Party::Athlete(_) => (athlete.display_name.clone(), vec![brand.user_id]),
        Party::Agent(_) => {
            let agency = athlete.agency_name.clone().unwrap_or_else(|| "The agent".into());
            (agency, vec![brand.user_id, athlete.user_id])
        }
        Party::Partner(_) => {
            let athletes = [Some(athlete.user_id), athlete.agent_user_id];
            (brand.company_name.clone(), athletes.into_iter().flatten().collect())
        }
    };
    for user in others {
        let mut message = Message::new(news.event, Recipient::User(user))
            .with("sender_name", sender.clone())
            .with("document_name", name.clone())
            .with("version", row.number)
            .with("job_title", contract.job_title())
            .with("job_id", contract.job_id.get())
            .with("athlete_id", contract.athlete_id.get())
            .with("deal_file_id", row.id.get());
        if let Some(text) = news.text {
            message = message.with("note", text);
        }
        work.send(message);
    }
    let Some(text) = news.text else {
        return Ok(());
    };
    let writer = user_of(caller);
    let reader = match caller {
        Party::Athlete(_) => brand.user_id,
        Party::Partner(_) | Party::Agent(_) => athlete.user_id,
    };
    messaging::copy_between(work, writer, reader, text).await
}

/// The event of a version that was added.
pub(super) const fn of_added(row: &DealFileRow) -> Event {
    if row.number > 1 { Event::DealFileReplaced } else { Event::DealFileAdded }
}
