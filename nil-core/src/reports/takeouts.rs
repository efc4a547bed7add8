//! Takeouts in the queue: one of an account is made at a time, and its newest file can be fetched.

use chrono_tz::Tz;

use super::report::{ReportRow, Takeout};
use super::requesting::code;
use super::sending::ready;
use super::store;
use crate::content::reading::Sent;
use crate::error::{Result, codes};
use crate::feed::{Message, Recipient, withdraw_all};
use crate::kernel::{ExportReportId, Time, UserId};
use crate::notifications::Event;
use crate::operation::Work;
use crate::wording::moment;

/// Queues a takeout of an account, or returns the one that waits or is being made. A file that is
/// ready is deleted: the new one takes its place.
pub(crate) async fn queue(work: &mut Work, user: UserId) -> Result<Takeout> {
    // Requests of one account wait for each other: one of them queues.
    work.lock("app_user", user).await?;
    let newest = store::takeout_of(work, user).await?;
    if let Some(open) = newest.filter(ReportRow::is_open) {
        return Ok(Takeout::from(&open));
    }
    let now = work.now();
    let replaced = store::replace_takeouts(work, user, now).await?;
    withdraw_all(work, &replaced).await?;
    let code = code(work.platform());
    let row = store::add_takeout(work, code, user, now).await?;
    work.note(user, "takeout");
    Ok(Takeout::from(&row))
}

/// The file of an account's newest takeout. 404 if none was asked for, 409 `not_ready` until it is
/// made, 409 `export_failed` if it was given up, 410 `export_expired` a week after it became ready.
pub(crate) async fn file(work: &mut Work, user: UserId) -> Result<Sent> {
    let Some(row) = store::takeout_of(work, user).await? else {
        return Err(codes::NOT_FOUND.saying("Ask for a takeout first: `POST /takeout`."));
    };
    let file = ready(&row, work)?;
    work.note(row.id, "downloaded");
    Ok(file)
}

/// The time zone in which a takeout's owner reads dates, with the account locked: whoever closes or
/// suspends it locks it first, and the takeout of an account that is not in use (nothing) does not
/// become ready.
pub(super) async fn lock_owner(work: &mut Work, user: UserId) -> Result<Option<Tz>> {
    work.lock("app_user", user).await?;
    store::owners_zone(work, user).await
}

/// Tells the owner that the takeout can be fetched, and until when. The message is withdrawn with
/// the file.
pub(super) fn tell(
    work: &mut Work,
    takeout: ExportReportId,
    (user, zone): (UserId, Tz),
    until: Time,
) {
    let page = work.platform().config().page_of_the_front_end("/takeout");
    let message = Message::new(Event::TakeoutReady, Recipient::User(user))
        .about(takeout)
        .with("expires_on", moment(until, zone));
    work.send(match page {
        Some(page) => message.with("url", page),
        None => message,
    });
}
