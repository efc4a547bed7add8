//! Calendar programs read the calendars behind secret addresses.

use chrono::TimeDelta;
use schemars::JsonSchema;
use serde::Deserialize;

use super::due::Due;
use super::store::{self, Period};
use super::writing::calendar;
use crate::auth::Anyone;
use crate::config::Config;
use crate::error::{Result, codes};
use crate::kernel::{CalendarFeedId, Text, Time, noted_lately};
use crate::keys::fingerprint;
use crate::operation::{Cx, Download};

/// How long after it a missed deadline is shown.
const MISSED: TimeDelta = TimeDelta::days(90);
/// How long a deadline is shown as cancelled that does not count any more.
const CANCELLED: TimeDelta = TimeDelta::days(30);
/// How often the last reading is stored: each time would make every reading a write.
const READING_NOTED_EVERY: TimeDelta = TimeDelta::minutes(5);
/// The media type of a calendar.
const ICALENDAR: &str = "text/calendar; charset=utf-8";

/// The address of a calendar.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct ReadCalendar {
    /// The secret, with `.ics` behind it.
    pub name: Text<1, 100>,
}

/// Answers the deadlines of an athlete's deals as an iCalendar file, for calendar programs
/// (extension): deliverables, contracts to confirm, invitations and orders to answer, disclosures,
/// submissions to the clearinghouse, notices of agency contracts. It has titles and no amounts.
/// What was missed is shown for 90 days, and what does not count any more for 30 days as
/// cancelled; at most 1,000 events, the earliest first. 404 for an address that is unknown or was
/// revoked, and while the account is not active.
pub async fn of_athlete(cx: Cx<Anyone>, input: ReadCalendar) -> Result<Download> {
    let mut session = cx.read().await?;
    let feed = store::feed_of_athlete(&mut session, &secret_hash(&input)?).await?;
    let dues = store::dues_of_athlete(&mut session, feed.athlete_id, period(cx.now())).await?;
    drop(session);
    let name = "Deadlines of your deals";
    answer(&cx, (feed.id, feed.read_at), name, &dues).await
}

/// Answers an institution's deadlines as an iCalendar file, for calendar programs (extension): what
/// the list of deadlines has, of the sports that its officer may see. Events are named, kept and
/// bounded as for an athlete, and name no athlete. 404 for an address that is unknown or was
/// revoked, and while the officer is not active.
pub async fn of_officer(cx: Cx<Anyone>, input: ReadCalendar) -> Result<Download> {
    let mut session = cx.read().await?;
    let feed = store::feed_of_officer(&mut session, &secret_hash(&input)?).await?;
    let sports = feed.sports.as_deref().unwrap_or_default();
    let scope = (feed.college_id, sports);
    let dues = store::dues_of_college(&mut session, scope, period(cx.now())).await?;
    drop(session);
    let name = format!("Deadlines: {}", feed.college);
    answer(&cx, (feed.id, feed.read_at), &name, &dues).await
}

/// The stored name of the secret in an address.
fn secret_hash(input: &ReadCalendar) -> Result<String> {
    let secret = input.name.strip_suffix(".ics").ok_or(codes::NOT_FOUND)?;
    Ok(fingerprint(secret))
}

fn period(now: Time) -> Period {
    Period { due_from: now - MISSED, ended_from: now - CANCELLED }
}

/// The calendar, once it is noted that it was read.
async fn answer(
    cx: &Cx<Anyone>,
    (id, read_at): (CalendarFeedId, Option<Time>),
    name: &str,
    dues: &[Due],
) -> Result<Download> {
    let now = cx.now();
    if !read_at.is_some_and(|at| noted_lately(at, now, READING_NOTED_EVERY)) {
        let mut work = cx.begin_audited_read().await?;
        store::note_reading(&mut work, id, now).await?;
        work.finish_read().await?;
    }
    let text = calendar(name, host(cx.platform().config()), dues);
    Ok(Download::of("deadlines.ics".to_owned(), ICALENDAR, text.into_bytes()))
}

/// The host of the platform's address.
fn host(config: &Config) -> &str {
    let address = config.server_url(false);
    let behind = address.split_once("://").map_or(address, |(_, rest)| rest);
    behind.split(['/', ':']).next().unwrap_or(behind)
}
