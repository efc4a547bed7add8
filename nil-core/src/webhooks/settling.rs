//! Notes what came of a try.

use chrono::TimeDelta;
use metrics::counter;

use super::delivery::DeliveryStatus;
use super::ending;
use super::endpoint::DisabledWhy;
use super::pauses::pause_after;
use super::store::delivery::{DueDelivery, Tried};
use super::store::endpoint::Claimed;
use super::store::{delivery, endpoint};
use crate::error::Result;
use crate::kernel::Time;
use crate::metering::WEBHOOK_DELIVERIES;
use crate::operation::Work;
use crate::platform::Platform;
use crate::ports::outbound::Answer;

/// How long an endpoint may fail before it is switched off.
const PATIENCE: TimeDelta = TimeDelta::days(5);
/// The operation that the trail names.
const BY: &str = "core.webhook.save";

/// What came of a try for the endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Arrived,
    Gone,
    Failed,
}

impl Outcome {
    fn of(answer: &Result<Answer, String>) -> Self {
        match answer {
            Ok(answer) if answer.status.is_success() => Self::Arrived,
            Ok(answer) if answer.status.as_u16() == 410 => Self::Gone,
            Ok(_) | Err(_) => Self::Failed,
        }
    }
}

/// Stores what came of a try; returns whether the delivery arrived.
pub(super) async fn settle(
    platform: &Platform,
    to: &Claimed,
    due: &DueDelivery,
    answer: Result<Answer, String>,
) -> Result<bool> {
    let outcome = Outcome::of(&answer);
    let chance = platform.draw();
    let mut work = Work::resume(platform, BY, None).await?;
    let now = work.now();
    let pause = pause_after(due.attempts + 1, chance).filter(|_| outcome == Outcome::Failed);
    let status = match (outcome, pause) {
        (Outcome::Arrived, _) => DeliveryStatus::Delivered,
        (_, Some(_)) => DeliveryStatus::Pending,
        (_, None) => DeliveryStatus::Failed,
    };
    // The endpoint's row is locked first, as by those who change the endpoint.
    let is_over = if outcome == Outcome::Arrived {
        endpoint::answers(&mut work, to.id).await?;
        None
    } else {
        let since = endpoint::fails(&mut work, to.id, now).await?;
        let too_long = since.is_some_and(|since| now - since >= PATIENCE);
        match outcome {
            Outcome::Gone => Some(DisabledWhy::Gone),
            _ => too_long.then_some(DisabledWhy::Failing),
        }
    };
    let row = tried(answer, status, pause.map(|pause| now + pause));
    delivery::settle(&mut work, due, row, now).await?;
    if let Some(why) = is_over {
        ending::end(&mut work, (to.id, &to.url), to.owner()?, why).await?;
    }
    work.done(()).await?;
    let named = match (outcome, status) {
        (Outcome::Arrived, _) => "delivered",
        (Outcome::Gone, _) => "gone",
        (Outcome::Failed, DeliveryStatus::Failed) => "given_up",
        (Outcome::Failed, _) => "failed",
    };
    counter!(WEBHOOK_DELIVERIES, "outcome" => named).increment(1);
    Ok(outcome == Outcome::Arrived)
}

/// The row of a try.
fn tried(answer: Result<Answer, String>, status: DeliveryStatus, next_at: Option<Time>) -> Tried {
    match answer {
        Ok(answer) => {
            let said = i64::from(answer.status.as_u16());
            let text = String::from_utf8_lossy(&answer.body).replace('\0', "\u{fffd}");
            let error =
                (!answer.status.is_success()).then(|| format!("the receiver answered {said}"));
            Tried { status, next_at, answer_status: Some(said), answer: Some(text), error }
        }
        Err(why) => Tried { status, next_at, answer_status: None, answer: None, error: Some(why) },
    }
}
