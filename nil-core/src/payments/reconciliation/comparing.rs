//! Compares the processor's statement with our rows: once a day, and over any days.

use chrono::{Days, TimeDelta};
use schemars::JsonSchema;
use serde::Serialize;

use super::difference::ProcessorDifference;
use super::judging::{Finding, judge, missing};
use super::reading::read;
use crate::error::{Error, Result};
use crate::kernel::{Cents, Date, Time, midnight, utc_day};
use crate::payments::store::difference;
use crate::payments::store::statement::{self as store, PAGE, Span};
use crate::platform::Platform;

/// By how much the processor's clock and ours may differ.
const CLOCKS: TimeDelta = TimeDelta::hours(1);
/// How long after a day its statement is compared.
const AFTER_A_DAY: TimeDelta = TimeDelta::hours(1);
/// How long after its request the line of a movement may come: as long as it is sent again.
const SENT_WITHIN: TimeDelta = TimeDelta::hours(24);
/// How long after it a movement may come back.
const COMES_BACK_WITHIN: TimeDelta = TimeDelta::days(35);
/// How many days are compared each day, the new one included: each one three times, so that what
/// was too young is looked at, too.
const AGAIN: u64 = 3;
/// The most days of one comparison; longer spans are compared in parts.
const AT_ONCE: u64 = 31;
/// How many open differences a report names.
const NAMED: u64 = 100;

/// What comparisons came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Compared {
    /// Lines of the statement.
    pub lines: usize,
    /// Differences that are new, or open again.
    pub found: usize,
    /// Open differences that are gone.
    pub gone: usize,
}

/// A comparison and what is open after it, of all days.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Comparison {
    /// The first day, by UTC.
    pub from: Date,
    /// The last day, by UTC.
    pub to: Date,
    /// Lines of the statement.
    pub lines: i64,
    /// What the balance gained or lost by them, after fees.
    pub net_cents: Cents,
    /// Differences that are new, or open again.
    pub found: usize,
    /// Open differences that are gone.
    pub gone: usize,
    /// How many are open; 10,001 stands for more than 10,000.
    pub open: i64,
    /// The oldest of these, at most 100.
    pub oldest: Vec<ProcessorDifference>,
}

/// Compares the days that are due: each one an hour after its end, and the two before it again.
/// After a time without a worker, all days since then. For the worker; any number may run it.
pub async fn compare_due(platform: &Platform) -> Result<Compared> {
    let today = utc_day(platform.now() - AFTER_A_DAY);
    let last = store::compared_until(&mut platform.db().read().await?).await?;
    if last == Some(today) {
        return Ok(Compared::default());
    }
    // A clock may have been ahead.
    let last = last.filter(|last| *last < today);
    let from = match last {
        Some(last) => back(last, AGAIN - 1),
        None => back(today, AGAIN),
    };
    in_parts(platform, from, today, true).await
}

/// Compares the statement of these days with our rows, the last one included; by default those that
/// are compared each day.
pub async fn compare(
    platform: &Platform,
    from: Option<Date>,
    to: Option<Date>,
) -> Result<Comparison> {
    let now = platform.now();
    let to = to.unwrap_or_else(|| back(utc_day(now - AFTER_A_DAY), 1));
    let from = from.unwrap_or_else(|| back(to, AGAIN - 1));
    if to < from {
        return Err(Error::invalid("to", "must not be before `from`"));
    }
    if to > utc_day(now) {
        return Err(Error::invalid("to", "must not be in the future"));
    }
    let until = to.succ_opt().unwrap_or(to);
    let Compared { found, gone, .. } = in_parts(platform, from, until, false).await?;
    let mut session = platform.db().read().await?;
    let span = (midnight(from), midnight(until));
    let (lines, net_cents) = store::sum(&mut session, span).await?;
    let (open, _) = difference::open(&mut session).await?;
    let oldest = difference::oldest_open(&mut session, NAMED).await?;
    Ok(Comparison { from, to, lines, net_cents, found, gone, open, oldest })
}

/// How many differences are open, up to 10,001, and for how many seconds the oldest has been.
pub async fn open_differences(platform: &Platform) -> Result<(i64, i64)> {
    let (count, since) = difference::open(&mut platform.db().read().await?).await?;
    let age = since.map_or(0, |since| (platform.now() - since).num_seconds().max(0));
    Ok((count, age))
}

fn back(day: Date, days: u64) -> Date {
    day.checked_sub_days(Days::new(days)).unwrap_or(day)
}

/// Compares from one day to before another, some days at a time. What is done stays done.
async fn in_parts(
    platform: &Platform,
    from: Date,
    until: Date,
    is_daily: bool,
) -> Result<Compared> {
    let mut all = Compared::default();
    let mut from = from;
    while from < until {
        let next = from.checked_add_days(Days::new(AT_ONCE)).unwrap_or(until).min(until);
        let part = compare_span(platform, (midnight(from), midnight(next))).await?;
        all.lines += part.lines;
        all.found += part.found;
        all.gone += part.gone;
        from = next;
        if is_daily {
            let mut session = platform.db().begin().await?;
            store::compared(&mut session, from).await?;
            session.commit().await?;
        }
    }
    Ok(all)
}

async fn compare_span(platform: &Platform, (from, until): Span) -> Result<Compared> {
    let now = platform.now();
    read(platform, (from - CLOCKS, until + COMES_BACK_WITHIN), now).await?;
    let mut session = platform.db().snapshot().await?;
    let mut all = Compared::default();
    // Before the first row of the span.
    let mut behind = (from, String::new());
    loop {
        let page = store::lines(&mut session, until, (behind.0, &behind.1)).await?;
        all.lines += page.len();
        let findings = page.iter().filter_map(|entry| judge(entry, now)).collect();
        all.found += write_down(platform, findings, now).await?;
        match page.last().filter(|_| page.len() >= PAGE) {
            Some(last) => behind = (last.at, last.line_id.clone()),
            None => break,
        }
    }
    // Younger requests may still be sent.
    let late = until.min(now - SENT_WITHIN - CLOCKS);
    let mut behind = (from, String::new());
    loop {
        let page = store::missing(&mut session, late, (behind.0, &behind.1)).await?;
        let last = page.last().filter(|_| page.len() >= PAGE);
        let last = last.map(|last| (last.since, last.key.clone()));
        let findings = page.into_iter().map(missing).collect();
        all.found += write_down(platform, findings, now).await?;
        match last {
            Some(last) => behind = last,
            None => break,
        }
    }
    drop(session);
    let mut session = platform.db().begin().await?;
    let gone = difference::vanish(&mut session, (from, until), late, now).await?;
    session.commit().await?;
    all.gone = usize::try_from(gone).unwrap_or(usize::MAX);
    Ok(all)
}

/// Writes what was found; returns how many are new, or open again.
async fn write_down(platform: &Platform, findings: Vec<Finding>, now: Time) -> Result<usize> {
    if findings.is_empty() {
        return Ok(0);
    }
    let mut session = platform.db().begin().await?;
    let mut new = 0;
    for finding in findings {
        tracing::warn!(
            kind = %finding.kind,
            about = finding.about,
            detail = finding.detail,
            "the processor's statement differs from our rows"
        );
        new += usize::from(difference::found(&mut session, finding, now).await?);
    }
    session.commit().await?;
    Ok(new)
}
