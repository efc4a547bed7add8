//! Athletes and officers make, see and revoke the addresses of their calendars.

use chrono::TimeDelta;

use super::feed::CalendarFeed;
use super::owner::Owner;
use super::store;
use crate::auth::{Athlete, PortalUser};
use crate::error::Result;
use crate::feed::{Event, Message, Recipient};
use crate::kernel::{Nothing, PortalUserId, UserId, noted_lately};
use crate::keys::{fingerprint, new_token};
use crate::operation::{Cx, Done, Work};

/// How often an owner is told of new addresses: a program that makes one after the other sends no
/// flood of mails.
const TOLD_EVERY: TimeDelta = TimeDelta::minutes(5);

/// Makes the secret address of a calendar with the deadlines of the athlete's deals (extension).
/// The address is shown once; an earlier one stops. It is read without a log-in until it is
/// revoked, the account's password is set anew or the account ends. The athlete is told by mail.
pub async fn make_for_athlete(cx: Cx<Athlete>, _: Nothing) -> Result<Done<CalendarFeed>> {
    let owner = Owner::from(&cx.caller);
    let told = Recipient::User(cx.caller.user_id);
    make(cx, owner, told).await
}

/// Makes the secret address of a calendar with the institution's deadlines, of the sports that the
/// officer may see when it is read (extension). The address is shown once; an earlier one stops. It
/// is read without a log-in until it is revoked, the officer's password is set anew or the officer
/// is deactivated. The officer is told by mail.
pub async fn make_for_officer(cx: Cx<PortalUser>, _: Nothing) -> Result<Done<CalendarFeed>> {
    let owner = Owner::from(&cx.caller);
    let told = Recipient::Portal(cx.caller.id);
    make(cx, owner, told).await
}

/// Shows whether the athlete's calendar has an address, since when, and when it was last read
/// (extension). The address itself is not known any more.
pub async fn show_to_athlete(cx: Cx<Athlete>, _: Nothing) -> Result<CalendarFeed> {
    show(&cx, Owner::from(&cx.caller)).await
}

/// Shows whether the officer's calendar has an address, since when, and when it was last read
/// (extension). The address itself is not known any more.
pub async fn show_to_officer(cx: Cx<PortalUser>, _: Nothing) -> Result<CalendarFeed> {
    show(&cx, Owner::from(&cx.caller)).await
}

/// Revokes the address of the athlete's calendar: it is 404 at once (extension). Without an address
/// nothing changes.
pub async fn revoke_for_athlete(cx: Cx<Athlete>, _: Nothing) -> Result<Done<CalendarFeed>> {
    let owner = Owner::from(&cx.caller);
    revoke(cx, owner).await
}

/// Revokes the address of the officer's calendar: it is 404 at once (extension). Without an address
/// nothing changes.
pub async fn revoke_for_officer(cx: Cx<PortalUser>, _: Nothing) -> Result<Done<CalendarFeed>> {
    let owner = Owner::from(&cx.caller);
    revoke(cx, owner).await
}

/// Revokes the address of an athlete who sets a new password: whoever knew the old one may have
/// made it. Other users have none.
pub async fn revoke_of_user(work: &mut Work, user: UserId) -> Result<()> {
    if let Some(athlete) = store::revoke_of_user(work, user).await? {
        work.note(athlete, "calendar_revoked");
    }
    Ok(())
}

/// Revokes the address of an officer who sets a new password.
pub async fn revoke_of_officer(work: &mut Work, officer: PortalUserId) -> Result<()> {
    revoke_of(work, Owner::Officer(officer)).await
}

async fn make<C>(cx: Cx<C>, owner: Owner, told: Recipient) -> Result<Done<CalendarFeed>> {
    let secret = new_token(cx.platform().random());
    let mut work = cx.begin().await?;
    let earlier = store::of_owner(&mut work, owner).await?;
    let made = store::make(&mut work, owner, &fingerprint(secret.expose()), cx.now()).await?;
    if !earlier.is_some_and(|one| noted_lately(one.created_at, cx.now(), TOLD_EVERY)) {
        work.send(Message::new(Event::CalendarMade, told));
    }
    work.note(owner.subject(), "calendar_made");
    let address = owner.address(cx.platform().config(), &secret);
    work.done(CalendarFeed { address: Some(address), ..made.into() }).await
}

async fn show<C>(cx: &Cx<C>, owner: Owner) -> Result<CalendarFeed> {
    let mut session = cx.read().await?;
    let made = store::of_owner(&mut session, owner).await?;
    Ok(made.map(CalendarFeed::from).unwrap_or_default())
}

async fn revoke<C>(cx: Cx<C>, owner: Owner) -> Result<Done<CalendarFeed>> {
    let mut work = cx.begin().await?;
    revoke_of(&mut work, owner).await?;
    work.done(CalendarFeed::default()).await
}

async fn revoke_of(work: &mut Work, owner: Owner) -> Result<()> {
    if store::revoke(work, owner).await? {
        work.note(owner.subject(), "calendar_revoked");
    }
    Ok(())
}
