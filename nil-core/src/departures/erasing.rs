//! Erases a person's data. Running it again changes nothing.

use super::departure::Leaving;
use super::store::erasing as store;
use crate::accounts::signing_in::log_in_queue;
use crate::content::{self, Discarded};
use crate::error::Result;
use crate::operation::Work;
use crate::reports;

/// The name of a person who has left, in the notifications of others.
const FORMER: &str = "a former user";

/// Erases the data of a closed account, as [`retention`](super::retention) says. The number of
/// statements does not depend on how much there is. Returns the objects to remove after the commit.
pub(super) async fn erase(
    work: &mut Work,
    person: &Leaving,
    names: &[String],
) -> Result<Vec<Discarded>> {
    let now = work.now();
    for name in names {
        store::rename_in_notifications(work, person.id, name, FORMER).await?;
    }
    store::forget_documents(work, person.id, FORMER).await?;
    if let Some(email) = &person.email {
        store::claim_invitations(work, person, email).await?;
        log_in_queue::forget(work, email).await?;
    }
    let others = store::others_gone(work, person.id).await?;
    store::erase(work, person, now).await?;
    reports::withdraw_made(work).await?;
    let mut objects = Vec::new();
    for user in others.into_iter().chain([person.id]) {
        objects.extend(content::erase_of(work, user).await?);
    }
    Ok(objects)
}
