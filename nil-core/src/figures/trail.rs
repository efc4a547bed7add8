//! The audit trail of an institution's users.

use chrono_tz::Tz;

use super::period;
use super::store::trail as store;
use super::trail_entry::{Asked, ListTrail, TrailEntry};
use crate::auth::PortalUser;
use crate::error::{Error, Result};
use crate::kernel::{Followed, Listing, start_of_day};
use crate::operation::Cx;

/// Lists actions by the institution's portal users, and by others on those users and the
/// institution's settings; newest first. Entries have no sport: callers limited to certain sports
/// see only their own actions.
pub async fn list(cx: Cx<PortalUser>, input: Followed<ListTrail>) -> Result<Listing<TrailEntry>> {
    let (input, place) = cx.place(input)?;
    if input.from.zip(input.to).is_some_and(|(from, to)| to < from) {
        return Err(Error::invalid("to", "must not be before `from`"));
    }
    let mut session = cx.read().await?;
    let zone: Tz = super::store::zone(&mut session, cx.caller.college_id).await?;
    let asked = Asked {
        caller: cx.caller.clone(),
        since: input.from.map(|day| start_of_day(day, zone)),
        until: input.to.map(|day| period::after(day, zone)),
        input,
    };
    store::page(&mut session, &asked, place).await
}
