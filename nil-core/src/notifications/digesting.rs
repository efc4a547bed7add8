//! Digests: an institution can choose one mail a day or a week instead of one per event. Events are
//! collected for each of its portal users and sent at eight in the morning by the institution's
//! clock; weekly digests on Mondays. Without a choice, every event is mailed at once.

use chrono::{DateTime, Datelike as _, Days, NaiveTime};
use chrono_tz::Tz;

use super::Event;
use super::outbox::{Message, Recipient};
use super::store::digest::{self as store, Gathered};
use crate::auth::Service;
use crate::error::Result;
use crate::kernel::{Date, PortalUserId, Time, day_in, zone_or_last};
use crate::notifications::Digest;
use crate::operation::{Cx, Done};
use crate::platform::Platform;
use crate::schedule::due::Failed;

/// The number of events listed in a digest; it gives the number of the others.
const LISTED: usize = 50;

/// Sends the digests that are due; returns their number. For the worker and the cron endpoint;
/// concurrent runs send each event only once.
pub async fn send_digests(platform: &Platform) -> Result<usize> {
    let now = platform.now();
    let mut session = platform.db().read().await?;
    let readers = store::readers(&mut session).await?;
    drop(session);
    let mut failed = Failed::default();
    let mut sent = 0;
    for reader in readers {
        let zone = zone_or_last(Some(&reader.time_zone));
        let until = due_until(reader.digest, zone, now);
        let Some(until) = until.filter(|until| reader.oldest < *until) else {
            continue;
        };
        let worker = Service::ourselves();
        let id = reader.portal_user_id;
        match platform.call(worker, send, (id, until, zone)).await {
            Ok(one) => sent += usize::from(one.into_inner()),
            Err(error) => failed.note("digest of a portal user", id, error)?,
        }
    }
    failed.or(sent)
}

/// Events before this instant are due now.
fn due_until(digest: Digest, zone: Tz, now: Time) -> Option<Time> {
    match digest {
        // The institution has switched to instant mails: the collected events are sent.
        Digest::Instant => Some(now),
        Digest::Daily => last_morning(now, zone, |_| true),
        Digest::Weekly => last_morning(now, zone, |day| day.weekday() == chrono::Weekday::Mon),
    }
}

/// The last eight o'clock in the morning of such a day.
fn last_morning(now: Time, zone: Tz, is_day: impl Fn(Date) -> bool) -> Option<Time> {
    let eight = NaiveTime::from_hms_opt(8, 0, 0)?;
    let today = day_in(now, zone);
    (0..=7)
        .filter_map(|back| today.checked_sub_days(Days::new(back)))
        .filter(|day| is_day(*day))
        .filter_map(|day| day.and_time(eight).and_local_timezone(zone).earliest())
        .map(|morning: DateTime<Tz>| morning.to_utc())
        .find(|morning| *morning <= now)
}

/// Sends the events collected for a portal user; returns whether there were any left to send.
async fn send(
    cx: Cx<Service>,
    (reader, until, zone): (PortalUserId, Time, Tz),
) -> Result<Done<bool>> {
    let mut work = cx.begin().await?;
    let gathered = store::take(&mut work, reader, until).await?;
    if gathered.is_empty() {
        return work.done(false).await;
    }
    work.send(
        Message::new(Event::InstitutionDigest, Recipient::Portal(reader))
            .with("count", gathered.len().to_string())
            .with("lines", lines(&gathered, zone)),
    );
    work.done(true).await
}

fn lines(gathered: &[Gathered], zone: Tz) -> String {
    let mut lines: Vec<String> = gathered
        .iter()
        .take(LISTED)
        .map(|one| {
            let day = one.created_at.with_timezone(&zone);
            format!("- {}: {}", day.format("%B %-d"), one.line)
        })
        .collect();
    if let Some(more) = gathered.len().checked_sub(LISTED).filter(|more| *more > 0) {
        lines.push(format!("- and {more} more"));
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Time {
        text.parse().unwrap()
    }

    fn due(digest: Digest, now: &str) -> String {
        let zone = chrono_tz::America::Chicago;
        due_until(digest, zone, at(now)).unwrap().to_rfc3339()
    }

    #[test]
    fn days_begin_at_eight_by_the_institutions_clock() {
        let daily = |now| due(Digest::Daily, now);
        assert_eq!(daily("2026-11-20T13:59:59Z"), "2026-11-19T14:00:00+00:00");
        assert_eq!(daily("2026-11-20T14:00:00Z"), "2026-11-20T14:00:00+00:00");
        // An hour earlier in summer, and correct across the clock change on 8 March.
        assert_eq!(daily("2026-07-01T13:00:00Z"), "2026-07-01T13:00:00+00:00");
        assert_eq!(daily("2026-03-08T13:00:00Z"), "2026-03-08T13:00:00+00:00");
        assert_eq!(daily("2026-03-08T12:59:59Z"), "2026-03-07T14:00:00+00:00");
    }

    #[test]
    fn weeks_begin_on_mondays() {
        let weekly = |now| due(Digest::Weekly, now);
        // 16 and 23 November 2026 are Mondays.
        assert_eq!(weekly("2026-11-22T23:00:00Z"), "2026-11-16T14:00:00+00:00");
        assert_eq!(weekly("2026-11-23T13:59:59Z"), "2026-11-16T14:00:00+00:00");
        assert_eq!(weekly("2026-11-23T14:00:00Z"), "2026-11-23T14:00:00+00:00");
    }

    #[test]
    fn whoever_wants_everything_at_once_waits_for_nothing() {
        let now = "2026-11-20T03:00:00Z";
        assert_eq!(due(Digest::Instant, now), "2026-11-20T03:00:00+00:00");
    }

    #[test]
    fn a_long_digest_says_how_much_it_leaves_out() {
        let one = |number: usize| Gathered {
            line: format!("Event {number}"),
            created_at: at("2026-11-20T12:00:00Z"),
        };
        let all: Vec<_> = (1..=52).map(one).collect();
        let text = lines(&all, Tz::UTC);
        assert!(text.starts_with("- November 20: Event 1\n"), "{text}");
        assert!(text.ends_with("Event 50\n- and 2 more"), "{text}");
        assert!(lines(&all[..50], Tz::UTC).ends_with("Event 50"));
    }
}
