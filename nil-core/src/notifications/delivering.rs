//! Delivers mails and text messages: at once, in the morning if they can wait, and again if the
//! courier failed.

use std::collections::{BTreeSet, HashMap};
use std::panic::AssertUnwindSafe;
use std::time::Duration;

use chrono::TimeDelta;
use futures::{FutureExt as _, StreamExt as _, stream};

use super::Event;
use super::outbox::{Channel, OutboxStatus, Recipient};
use super::quiet::OwnQuietHours;
use super::store::outbox::{self as store, Due, Waiting};
use super::store::{person, quiet, undeliverable};
use super::undeliverable::compared;
use super::unsubscribing;
use crate::error::Result;
use crate::kernel::{OutboxId, Time};
use crate::metering::OUTBOX_ATTEMPTS;
use crate::platform::Platform;
use crate::ports::courier::{Courier, Letter, Outcome};
use crate::storage::Session;

/// How long a claimed message is reserved: longer than the delivery of a batch can take.
const LEASE: TimeDelta = TimeDelta::minutes(10);
/// The courier's time limit for one message.
const PATIENCE: Duration = Duration::from_mins(1);
/// The number of concurrent deliveries; a batch of fifty then takes seven minutes at most.
const AT_ONCE: usize = 8;
/// A message is given up after this many attempts (somewhat over a day).
const MOST_ATTEMPTS: i64 = 10;
const FIRST_WAIT: TimeDelta = TimeDelta::seconds(30);
const LONGEST_WAIT: TimeDelta = TimeDelta::hours(6);

/// A message claimed by this worker, with the number of the attempt.
pub(super) struct Claimed {
    letter: Letter,
    attempt: i64,
}

/// Why a message that cannot be opened is given up.
pub(super) const SHUT: &str = "it was sealed with another secret key and cannot be opened";
/// Why a message with a secret is given up.
pub(super) const TOO_LATE: &str = "its secret expired before it could be sent";
/// Why a message is given up whose address takes no more.
const RETURNED: &str = "the address takes no more messages: see `nil admin undeliverable list`";
/// Why a text message is given up that somebody may have received.
const MAYBE_SENT: &str =
    "it may have been sent: the server that handed it over stopped before it knew";

/// Processes the messages that are due: postpones those that can wait until morning, gives up those
/// that are too late, cannot be opened or may have been sent, and claims the rest for the courier.
pub(super) async fn claim(
    session: &mut Session,
    platform: &Platform,
    now: Time,
    letters: &[&Due],
) -> Result<Vec<Claimed>> {
    let (mut ready, mut late, mut doubtful) = (Vec::new(), Vec::new(), Vec::new());
    let mut returned = Vec::new();
    let mut waiting: HashMap<Time, Vec<OutboxId>> = HashMap::new();
    let closed = Closed::of(session, letters).await?;
    let own = quiet::of_owners(session, letters.iter().map(|due| due.recipient.as_str())).await?;
    for due in letters {
        if due.expires_at.is_some_and(|end| end <= now) {
            late.push(due.id);
        } else if due.channel == Channel::Sms && due.lost_its_outcome() && !must_arrive(&due.event)
        {
            doubtful.push(due.id);
        } else if closed.holds(due) {
            returned.push(due.id);
        } else if let Some(end) = quiet_until(session, platform, now, due, &own).await? {
            waiting.entry(end).or_default().push(due.id);
        } else {
            ready.push(*due);
        }
    }
    for (until, ids) in waiting {
        store::postpone(session, &ids, until, now).await?;
    }
    store::end(session, &late, OutboxStatus::Dead, Some(TOO_LATE)).await?;
    store::end(session, &returned, OutboxStatus::Dead, Some(RETURNED)).await?;
    store::end_due(session, &doubtful, now, OutboxStatus::Dead, Some(MAYBE_SENT)).await?;
    let (mut opened, mut shut) = (Vec::new(), Vec::new());
    let mails = ready.iter().any(|due| due.channel == Channel::Email);
    let sender = if mails { store::sender(session).await? } else { None };
    for due in ready {
        match claimed(platform, due, sender.as_ref()) {
            Ok(letter) => opened.push(letter),
            Err(error) => {
                tracing::error!(%error, id = %due.id, "a message cannot be opened");
                shut.push(due.id);
            }
        }
    }
    store::end(session, &shut, OutboxStatus::Dead, Some(SHUT)).await?;
    let ids: Vec<OutboxId> = opened.iter().map(|one| one.letter.id).collect();
    store::claim(session, &ids, now + LEASE, now).await?;
    Ok(opened)
}

/// The addresses of a batch that take no more messages.
struct Closed {
    mails: BTreeSet<String>,
    texts: BTreeSet<String>,
}

impl Closed {
    async fn of(session: &mut Session, letters: &[&Due]) -> Result<Self> {
        let of = |channel| {
            let letters = letters.iter().filter(move |due| due.channel == channel);
            letters.filter_map(|due| due.address.as_deref())
        };
        Ok(Self {
            mails: undeliverable::among(session, Channel::Email, of(Channel::Email)).await?,
            texts: undeliverable::among(session, Channel::Sms, of(Channel::Sms)).await?,
        })
    }

    /// Whether a message is not sent: its address takes none, and its recipient can do without it.
    fn holds(&self, due: &Due) -> bool {
        let closed = if due.channel == Channel::Sms { &self.texts } else { &self.mails };
        let address = due.address.as_deref().map(compared);
        address.is_some_and(|address| closed.contains(&address)) && !must_arrive(&due.event)
    }
}

/// Whether the recipient cannot do without a message of this event: it does not wait for the
/// morning, and it is better sent twice than never.
fn must_arrive(event: &str) -> bool {
    event.parse::<Event>().is_ok_and(Event::is_required)
}

/// When the recipient's quiet hours end, if they apply now and the event can wait: the recipient's
/// own hours, else the site's.
async fn quiet_until(
    session: &mut Session,
    platform: &Platform,
    now: Time,
    due: &Due,
    own: &HashMap<String, OwnQuietHours>,
) -> Result<Option<Time>> {
    if must_arrive(&due.event) {
        return Ok(None);
    }
    // Stored hours were validated; if their zone is no longer known, the site's hours apply.
    let own = own.get(&due.recipient).map(OwnQuietHours::window);
    if let Some(Ok(own)) = own {
        return Ok(own.end(now, None));
    }
    let Some(quiet) = platform.config().quiet_hours else {
        return Ok(None);
    };
    let zone = match Recipient::named(&due.recipient, due.address.as_deref()) {
        Some(who) => person::find(session, &who).await?.and_then(|one| one.zone()),
        None => None,
    };
    Ok(quiet.end(now, zone))
}

fn claimed(platform: &Platform, due: &Due, sender: Option<&String>) -> Result<Claimed> {
    let body = match &due.sealed {
        Some(sealed) => {
            let body = platform.vault().open("outbox", sealed)?;
            String::from_utf8_lossy(&body).into_owned()
        }
        None => due.body.clone().unwrap_or_default(),
    };
    let unsubscribe = match due.event.parse() {
        Ok(event) if due.channel == Channel::Email => {
            unsubscribing::address(platform, &due.recipient, event)
        }
        _ => None,
    };
    Ok(Claimed {
        attempt: due.attempts + 1,
        letter: Letter {
            id: due.id,
            channel: due.channel,
            to: due.address.clone().unwrap_or_default(),
            event: due.event.clone(),
            subject: due.subject.clone(),
            body,
            from: sender.filter(|_| due.channel == Channel::Email).cloned(),
            unsubscribe,
        },
    })
}

/// Delivers claimed messages and stores each result as soon as it is known.
pub(super) async fn hand_over(platform: &Platform, claimed: Vec<Claimed>) -> Result<()> {
    let each = claimed.into_iter().map(|one| async move {
        let outcome = match platform.config().courier_for(one.letter.channel) {
            Some(courier) => carry(courier, &one.letter).await,
            None => Outcome::TryAgain("no courier carries it".into()),
        };
        settle(platform, &one, outcome).await
    });
    let outcomes: Vec<Result<()>> = stream::iter(each).buffer_unordered(AT_ONCE).collect().await;
    outcomes.into_iter().collect()
}

/// Nobody knows what a courier did that panics or does not answer. A mail is handed over again: its
/// id tells programs for mails that it is the same one.
async fn carry(courier: &dyn Courier, letter: &Letter) -> Outcome {
    let carrying = AssertUnwindSafe(async { courier.hand_over(letter).await }).catch_unwind();
    let why = match tokio::time::timeout(PATIENCE, carrying).await {
        Ok(Ok(outcome)) => return outcome,
        Ok(Err(_)) => "the courier panicked",
        Err(_) => "the courier did not answer in time",
    };
    match letter.channel {
        Channel::Sms => Outcome::Unknown(why.into()),
        _ => Outcome::TryAgain(why.into()),
    }
}

async fn settle(platform: &Platform, one: &Claimed, outcome: Outcome) -> Result<()> {
    let now = platform.now();
    count(one.letter.channel, &outcome);
    let outcome = match outcome {
        Outcome::Unknown(why) if must_arrive(&one.letter.event) => Outcome::TryAgain(why),
        Outcome::Unknown(why) => Outcome::Never(format!("it may have been sent: {why}")),
        known => known,
    };
    let (status, why, next_at) = match outcome {
        Outcome::Sent => (OutboxStatus::Sent, None, now),
        Outcome::Never(why) | Outcome::Unknown(why) => (OutboxStatus::Dead, Some(why), now),
        Outcome::TryAgain(why) if one.attempt >= MOST_ATTEMPTS => {
            (OutboxStatus::Dead, Some(why), now)
        }
        Outcome::TryAgain(why) => {
            let wait = wait_after(one.attempt, platform.draw());
            (OutboxStatus::Pending, Some(why), now + wait)
        }
    };
    if let Some(why) = &why {
        let (id, attempt) = (one.letter.id.get(), one.attempt);
        tracing::warn!(id, attempt, why, "a message was not accepted by the courier");
    }
    let mut session = platform.db().begin().await?;
    store::settle(&mut session, one.letter.id, one.attempt, status, why, (next_at, now)).await?;
    session.commit().await
}

/// Notes for monitoring what a courier answered.
fn count(channel: Channel, outcome: &Outcome) {
    let outcome = match outcome {
        Outcome::Sent => "sent",
        Outcome::TryAgain(_) => "try_again",
        Outcome::Never(_) => "never",
        Outcome::Unknown(_) => "unknown",
    };
    let channel = channel.as_str();
    metrics::counter!(OUTBOX_ATTEMPTS, "channel" => channel, "outcome" => outcome).increment(1);
}

/// Since when the oldest of these has been due for its first attempt, or a little later: an attempt
/// that failed sets another time, and a mail server that is away must not make its mails look on
/// time.
pub(super) fn due_since(waiting: &Waiting) -> Time {
    let (pauses, lease) = if waiting.under_way {
        (waiting.attempts - 1, LEASE)
    } else {
        (waiting.attempts, TimeDelta::zero())
    };
    let waited: TimeDelta = (1..=pauses.min(MOST_ATTEMPTS)).map(|made| wait_after(made, 0)).sum();
    waiting.next_at - lease - waited
}

/// Four times longer after each attempt, plus up to a quarter at random, so that messages that
/// failed together are not retried together.
fn wait_after(attempt: i64, chance: u64) -> TimeDelta {
    let mut wait = FIRST_WAIT;
    for _ in 1..attempt {
        wait = (wait * 4).min(LONGEST_WAIT);
    }
    let quarter = u64::try_from(wait.num_milliseconds() / 4).unwrap_or(0);
    let more = i64::try_from(chance % (quarter + 1)).unwrap_or(0);
    wait + TimeDelta::milliseconds(more)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_grow_to_a_limit() {
        let wait = |attempt| wait_after(attempt, 0);
        assert_eq!((wait(1), wait(2)), (FIRST_WAIT, FIRST_WAIT * 4));
        assert_eq!((wait(7), wait(1_000)), (LONGEST_WAIT, LONGEST_WAIT));
        let longest = wait_after(1, u64::MAX);
        assert!(longest >= FIRST_WAIT && longest <= FIRST_WAIT * 5 / 4, "{longest}");
    }

    #[test]
    fn what_was_tried_has_been_due_since_before_its_first_attempt() {
        let first: Time = "2026-11-20T12:00:00Z".parse().unwrap();
        let since = |attempts, under_way, next_at| {
            due_since(&Waiting { attempts, under_way, count: 1, next_at })
        };
        assert_eq!(since(0, false, first), first);
        let mut at = first;
        for attempt in 1..MOST_ATTEMPTS {
            assert_eq!(since(attempt, true, at + LEASE), first, "attempt {attempt} is under way");
            at += wait_after(attempt, 0);
            assert_eq!(since(attempt, false, at), first, "after attempt {attempt}");
        }
    }
}
