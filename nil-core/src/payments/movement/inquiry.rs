//! What the processor knows of a movement: the first request, and the questions after it.
//!
//! An unknown outcome is first looked up by its key. Only a movement that never arrived is sent
//! again, and only while the processor still remembers keys: under a forgotten key, money would
//! move twice. A key under which the processor answered that it could not act is of no more use:
//! once the processor says that nothing moved under it, there is a new attempt with a key of its
//! own.

use chrono::TimeDelta;

use super::{Movement, record};
use crate::error::Result;
use crate::kernel::{Identity as _, fitting, is_fitting};
use crate::metering::PROCESSOR_REQUESTS;
use crate::payments::store::movement::{self as store, Attempt};
use crate::platform::Platform;
use crate::ports::processor::{self, Answer, MoneyKind, Outage, Outcome, Request};

/// How long a movement is sent again under its key. Processors remember keys for 24 hours; one hour
/// is reserved for clock differences and requests in flight.
const SENT_AGAIN_FOR: TimeDelta = TimeDelta::hours(23);
/// How long a payout is attempted that the processor does not make: what cards were charged becomes
/// available there after some days.
const PAID_OUT_WITHIN: TimeDelta = TimeDelta::days(5);
/// The failure code of a movement that is unknown to the processor and too old to be sent again.
pub(in crate::payments) const NEVER_ARRIVED: &str = "never_arrived";
/// The failure code of a movement that the processor did not make in any attempt.
pub(in crate::payments) const NOT_MADE: &str = "not_made";

/// The failure code of a movement that an operator found not to have been made.
pub(in crate::payments) const DECIDED: &str = "decided_not_made";

/// What asking about a movement gave.
#[derive(Clone, Debug, Default)]
pub(in crate::payments) struct Heard {
    /// The outcome; none if it is still unknown.
    pub outcome: Option<Outcome>,
    /// The attempt that was asked about; none if nothing was asked.
    attempt: Option<Attempt>,
    /// Whether its key is of no more use.
    spent: bool,
}

impl Heard {
    /// An outcome that was learned without asking about the request.
    pub fn outcome(outcome: Outcome) -> Self {
        Self { outcome: Some(outcome), attempt: None, spent: false }
    }

    /// The attempt to be asked about later, and whether its key is spent; none if nothing was
    /// asked.
    pub fn put_off(&self) -> Option<(&Attempt, bool)> {
        self.attempt.as_ref().map(|attempt| (attempt, self.spent))
    }

    fn unknown(attempt: Attempt, spent: bool) -> Self {
        Self { outcome: None, attempt: Some(attempt), spent }
    }

    fn of(attempt: Attempt, outcome: Option<Outcome>) -> Self {
        Self { outcome, attempt: Some(attempt), spent: false }
    }
}

/// Sends a movement's request. One that is not the first, under a key that may be forgotten or
/// spent, is looked up before.
pub(in crate::payments) async fn ask<M: Movement>(
    platform: &Platform,
    movement: &M,
) -> Result<Heard> {
    match current(platform, movement).await? {
        Some(old) if old.spent || platform.now() - old.since >= SENT_AGAIN_FOR => {
            look_up(platform, movement, old).await
        }
        Some(attempt) => Ok(send(platform, movement, attempt).await),
        None => Ok(Heard::default()),
    }
}

/// The outcome of a movement that was requested before.
pub(in crate::payments) async fn ask_again<M: Movement>(
    platform: &Platform,
    movement: &M,
) -> Result<Heard> {
    match current(platform, movement).await? {
        Some(attempt) => look_up(platform, movement, attempt).await,
        None => Ok(Heard::default()),
    }
}

async fn look_up<M: Movement>(
    platform: &Platform,
    movement: &M,
    attempt: Attempt,
) -> Result<Heard> {
    let request = attempt.request(M::MOVES);
    let processor = platform.processor();
    // A look at one object is cheaper than a search for a key.
    let found = match movement.reference() {
        Some(reference) => processor.look_up(reference).await,
        None => processor.find(&request).await,
    };
    match found {
        Ok(Some(found)) => Ok(Heard::of(attempt, agreed(&request, found))),
        Ok(None) => never_arrived(platform, movement, attempt).await,
        Err(Outage { why, .. }) => {
            tracing::warn!(why, key = attempt.key, "the payment processor did not answer");
            Ok(Heard::unknown(attempt, false))
        }
    }
}

async fn current<M: Movement>(platform: &Platform, movement: &M) -> Result<Option<Attempt>> {
    let mut session = platform.db().read().await?;
    store::current(&mut session, record(movement.id())).await
}

async fn send<M: Movement>(platform: &Platform, movement: &M, attempt: Attempt) -> Heard {
    let request = attempt.request(M::MOVES);
    let answer = movement.send(platform, &request).await;
    count(M::Id::KIND, answer.as_ref());
    match answer {
        None => Heard::unknown(attempt, false),
        Some(Ok(Answer::Taken(taken))) => {
            let outcome = agreed(&request, taken);
            Heard::of(attempt, outcome)
        }
        Some(Ok(Answer::NotNow(why))) => {
            tracing::warn!(why, key = request.key, "the payment processor cannot do it now");
            Heard::unknown(attempt, true)
        }
        Some(Ok(Answer::Refused(why))) => {
            tracing::error!(why, key = request.key, "the payment processor refuses a request");
            Heard::unknown(attempt, true)
        }
        Some(Err(Outage { why, answered })) => {
            tracing::warn!(why, key = request.key, "the payment processor did not answer");
            Heard::unknown(attempt, answered)
        }
    }
}

/// Counts what the processor said to a request.
fn count(kind: &'static str, answer: Option<&Result<Answer, Outage>>) {
    let answer = match answer {
        None => return,
        Some(Ok(Answer::Taken(_))) => "taken",
        Some(Ok(Answer::NotNow(_))) => "not_now",
        Some(Ok(Answer::Refused(_))) => "refused",
        Some(Err(_)) => "unknown",
    };
    metrics::counter!(PROCESSOR_REQUESTS, "kind" => kind, "answer" => answer).increment(1);
}

/// What to do about a request that the processor is sure not to have taken up.
async fn never_arrived<M: Movement>(
    platform: &Platform,
    movement: &M,
    attempt: Attempt,
) -> Result<Heard> {
    if movement.reference().is_some() {
        tracing::error!(key = attempt.key, "the payment processor has lost a movement");
        return Ok(Heard::unknown(attempt, false));
    }
    let now = platform.now();
    let failed = |why: &str| Outcome::Failed { id: None, why: why.into() };
    if !attempt.spent {
        if now - attempt.since < SENT_AGAIN_FOR {
            return Ok(send(platform, movement, attempt).await);
        }
        return Ok(Heard::of(attempt, Some(failed(NEVER_ARRIVED))));
    }
    let patience = match M::MOVES {
        MoneyKind::Payout => PAID_OUT_WITHIN,
        MoneyKind::Charge | MoneyKind::Refund => SENT_AGAIN_FOR,
    };
    if now - attempt.first_since >= patience {
        return Ok(Heard::of(attempt, Some(failed(NOT_MADE))));
    }
    let mut session = platform.db().begin().await?;
    let again = store::again(&mut session, record(movement.id()), attempt, now).await?;
    session.commit().await?;
    match again {
        Some(attempt) => Ok(send(platform, movement, attempt).await),
        None => Ok(Heard::default()),
    }
}

/// The outcome of what the processor knows under a request's key, if it is what was requested.
/// Anything else is another movement: its outcome says nothing about ours.
pub(super) fn agreed(request: &Request, found: processor::Movement) -> Option<Outcome> {
    if found.is_of(request) {
        return kept(&request.key, found.outcome);
    }
    tracing::error!(
        key = request.key,
        asked = ?(request.kind, request.amount, &request.currency),
        found = ?(&found.key, found.kind, found.amount, &found.currency),
        "the payment processor knows another movement under this key"
    );
    None
}

/// The outcome with words that fit into a column. References are not shortened, because the
/// processor would not know them any more: an outcome that none can be kept of stays unknown.
fn kept(key: &str, outcome: Outcome) -> Option<Outcome> {
    let reference = match &outcome {
        Outcome::Succeeded { id, .. }
        | Outcome::InTransit { id, .. }
        | Outcome::NeedsAction { id, .. } => Some(id),
        Outcome::Failed { id, .. } => id.as_ref(),
    };
    if reference.is_some_and(|reference| !is_fitting(reference)) {
        tracing::error!(key, "the payment processor's reference cannot be kept");
        return None;
    }
    Some(match outcome {
        Outcome::Failed { id, why } => Outcome::Failed { id, why: fitting(&why).into_owned() },
        other => other,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_shortened_and_references_are_not() {
        let failed = |id: &str, why: String| Outcome::Failed { id: Some(id.into()), why };
        let kept = |outcome| kept("a:charge:1:1", outcome);
        let usual = failed("ch_1", "card_declined".into());
        assert_eq!(kept(usual.clone()), Some(usual));
        let Some(Outcome::Failed { why, .. }) = kept(failed("ch_1", "no\0".repeat(90))) else {
            panic!("an outcome");
        };
        assert!(is_fitting(&why) && why.starts_with("nono"), "{why}");
        assert_eq!(kept(failed(&"c".repeat(251), "lost".into())), None);
        let until = "2026-11-20".parse().unwrap();
        let moving = |id: String| Outcome::InTransit { id, until };
        assert_eq!(kept(moving("c".repeat(251))), None);
        assert!(kept(moving("c".repeat(250))).is_some());
    }
}
