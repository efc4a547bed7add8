//! Athletes and officers make, see and revoke the addresses of their calendars.

use super::feed::CalendarFeed;
use super::owner::Owner;
use super::store;
use crate::auth::{Athlete, PortalUser};
use crate::error::Result;
use crate::kernel::Nothing;
use crate::keys::{fingerprint, new_token};
use crate::operation::{Cx, Done};

/// Makes the secret address of a calendar with the deadlines of the athlete's deals (extension).
/// The address is shown once; an earlier one stops. It is read without a log-in until it is
/// revoked or the account ends.
pub async fn make_for_athlete(cx: Cx<Athlete>, _: Nothing) -> Result<Done<CalendarFeed>> {
    let owner = Owner::from(&cx.caller);
    make(cx, owner).await
}

/// Makes the secret address of a calendar with the institution's deadlines, of the sports that the
/// officer may see when it is read (extension). The address is shown once; an earlier one stops. It
/// is read without a log-in until it is revoked or the officer is deactivated.
pub async fn make_for_officer(cx: Cx<PortalUser>, _: Nothing) -> Result<Done<CalendarFeed>> {
    let owner = Owner::from(&cx.caller);
    make(cx, owner).await
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

async fn make<C>(cx: Cx<C>, owner: Owner) -> Result<Done<CalendarFeed>> {
    let secret = new_token(cx.platform().random());
    let mut work = cx.begin().await?;
    let made = store::make(&mut work, owner, &fingerprint(secret.expose()), cx.now()).await?;
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
    if store::revoke(&mut work, owner).await? {
        work.note(owner.subject(), "calendar_revoked");
    }
    work.done(CalendarFeed::default()).await
}
