//! The operators' dashboard: what waits for them, and how the last thirty days went. [`audit_log`]
//! searches the audit trail.
//!
//! It reads accounts, jobs, applications, contracts, payments, payouts, refunds, the outbox and the
//! ledger, and owns no tables. Every figure comes from an index over what waits or over thirty
//! days: a view costs the same, however old the platform is.

pub mod audit_log;
mod overview;
mod store;

use std::collections::BTreeMap;

use chrono::Days;

use crate::auth::{Operator, Permission};
use crate::backoffice::site;
use crate::error::{Error, Result};
use crate::kernel::{Date, Nothing, midnight, utc_day};
use crate::notifications::backlog;
use crate::notifications::outbox::Channel;
use crate::operation::Cx;

use overview::DAYS;
pub use overview::{Backlog, Books, Dashboard, DayFigures, JobsInStatus, Queue, QueueKind};

/// What waits for operators, and how the last thirty days went. Money is for operators with the
/// permission `finance`.
pub async fn view(cx: Cx<Operator>, _: Nothing) -> Result<Dashboard> {
    let (now, finance) = (cx.now(), cx.caller.may(Permission::Finance));
    let today = utc_day(now);
    let first = today.checked_sub_days(Days::new(DAYS - 1)).unwrap_or(today);
    let mut days: BTreeMap<Date, DayFigures> = first
        .iter_days()
        .take_while(|day| *day <= today)
        .map(|day| (day, DayFigures::new(day, finance)))
        .collect();
    let mut session = cx.read().await?;
    for part in store::days(&mut session, midnight(first)).await? {
        if let Some(day) = part.day.parse().ok().and_then(|day| days.get_mut(&day)) {
            day.add(&part);
        }
    }
    let mut outbox = Vec::new();
    for channel in Channel::ALL.iter().copied() {
        let (count, due) = backlog(&mut session, channel).await?;
        let overdue_seconds = due.map_or(0, |due| (now - due).num_seconds().max(0));
        outbox.push(Backlog { channel, count, overdue_seconds });
    }
    let days: Vec<DayFigures> = days.into_values().collect();
    Ok(Dashboard {
        queues: store::queues(&mut session, now).await?,
        jobs: store::jobs(&mut session).await?,
        outbox,
        books: if finance { Some(store::books(&mut session).await?) } else { None },
        today: days.last().cloned().ok_or_else(|| Error::internal("a series without days"))?,
        days,
        unset: site::letterhead(&mut session).await?.missing(),
    })
}
