//! Money on its way between the platform and the payment processor.
//!
//! A charge, a refund, a payout, and the charge and the refund of a subscription are movements.
//! Each takes three steps:
//!
//! 1. **Intent.** A transaction writes the movement's row, the key of its request ([`begin`]), and
//!    the ledger transfer that sets money aside, if the platform has the money already. If a call
//!    began it, the transaction also claims the call's idempotency key, which from now on waits for
//!    this row. It commits. For a payout on hold, this is the transaction that releases it.
//! 2. **Request.** The processor is asked outside any transaction, under that key. The key is made
//!    of the installation's mark, the row's kind and id, and the number of the attempt: ids begin
//!    anew in a second installation, and after a backup was restored.
//! 3. **Settlement.** A second transaction locks the row and writes the outcome: its status, the
//!    ledger transfers, the audit rows, the messages, and the response under every key that waits
//!    for the row.
//!
//! Four callers settle: the call itself ([`ask_and_answer`]), the worker for movements that it
//! began ([`ask_and_end`]), the webhook ([`apply_outcome`]) and the reconciler ([`KINDS`]). They
//! come in any order, any number of times, and at once.
//!
//! # Why no money is lost or moved twice
//!
//! The process may die between any two steps.
//!
//! - *Before the intent commits*, nothing has happened: there is no row, and the processor knows
//!   nothing. The same call can be made again.
//! - *After the intent, before the request*, the row says that the outcome is unknown. The
//!   reconciler finds it, learns that the processor does not know its key, and sends the request.
//! - *After the request, before the settlement*, the processor has acted or has refused, and the
//!   row still says that the outcome is unknown. The webhook or the reconciler reads the outcome
//!   from the processor and settles it. An outage during the request looks the same from here:
//!   neither success nor failure.
//! - *After the settlement*, there is nothing left to do. The response is stored with it, so that
//!   the call, made again, gets the same response.
//!
//! So no movement is forgotten: while its row has no outcome, [`unsettled`](Movement::unsettled)
//! lists it. Money that was set aside has left the wallet in the transaction of the intent, so
//! nothing else can spend it in the meantime.
//!
//! No movement is made twice, for three reasons. The key belongs to the row: it is known before the
//! first request, it outlives the process, and every request for the row carries it, so the
//! processor takes repeated requests for one. Only a processor that answered it could not act, and
//! that says nothing moved under the key, is asked under another one. Processors forget keys after
//! a day, so [`ask_again`] first looks the movement up by its key, and does not send it again near
//! the end of that day.
//!
//! What the processor knows under a key counts only if its kind, amount and currency are those of
//! the request. Anything else is an error in the log, and the outcome stays unknown.
//!
//! Repeating a settlement changes nothing. It locks the row, or the subscription that the row
//! belongs to, then reads its status, and stops unless the outcome leads on from there. The second
//! of two settlements waits for that lock and then finds the movement settled. The ledger also
//! leaves out a transfer that it already has for the same reason and record.

use chrono::TimeDelta;
use chrono_tz::Tz;

pub(super) mod confirming;
pub mod deciding;
mod inquiry;
pub(super) mod kinds;
pub(super) mod mark;
pub(super) mod reconciling;
pub mod request;

pub(super) use self::inquiry::{DECIDED, Heard, NEVER_ARRIVED, NOT_MADE, ask, ask_again};
pub(super) use self::kinds::{KINDS, apply_outcome};
use crate::error::{Kind, Result, codes};
use crate::kernel::{Cents, Identity, Rested, Time, start_of_day};
use crate::operation::{Cx, Done, Work, patiently};
use crate::payments::store::movement::{self as store, What};
use crate::platform::Platform;
use crate::ports::processor::{Answer, MoneyKind, Outage, Outcome, Request};
use crate::storage::Session;

/// A kind of movement: the facts that asking the processor needs, and how the outcome is settled.
/// The values are rows whose intent was committed.
pub(super) trait Movement: Sized + Send + Sync + 'static {
    /// The id of its row. Its kind is a part of the key.
    type Id: Identity + Send + Sync;

    /// What it moves.
    const MOVES: MoneyKind;

    /// The id of its row.
    fn id(&self) -> Self::Id;

    /// The operation in the audit trail for its end outside a call. Stored responses have the shape
    /// of its responses.
    fn operation(&self) -> &'static str;

    /// The movement with this id.
    fn find(
        session: &mut Session,
        id: Self::Id,
    ) -> impl Future<Output = Result<Option<Self>>> + Send;

    /// Sends its request to the processor; `None` if there is nothing to send it to.
    fn send(
        &self,
        platform: &Platform,
        request: &Request,
    ) -> impl Future<Output = Option<Result<Answer, Outage>>> + Send;

    /// The processor's reference, once it has said that the movement is under way.
    fn reference(&self) -> Option<&str> {
        None
    }

    /// Whether an outcome is settled, and answers the call. Only payouts are in transit.
    fn is_final(said: &Outcome) -> bool {
        !matches!(said, Outcome::InTransit { .. })
    }

    /// Saves the processor's outcome. Repeating it changes nothing.
    fn settle(&self, work: &mut Work, said: &Outcome) -> impl Future<Output = Result<()>> + Send;

    /// Commits a settlement with the response of the call that began the movement; returns whether
    /// the movement has got further.
    fn answer(&self, work: Work) -> impl Future<Output = Result<bool>> + Send;
}

/// The name of a movement, such as `charge:57`: in the ledger, and for the calls that wait for it.
pub(super) fn name<I: Identity>(id: I) -> String {
    format!("{}:{}", I::KIND, id.number())
}

/// A movement's record as its requests name it.
fn record<I: Identity>(id: I) -> store::Record {
    (I::KIND, id.number())
}

/// Writes the first request of a movement, in the transaction of its intent.
pub(super) async fn begin<I: Identity>(work: &mut Work, id: I, amount: Cents) -> Result<()> {
    begin_as(work, id, amount, ("", false)).await
}

/// As [`begin`], with what the bank's statement shows of it, and whether a payout is to arrive
/// within minutes.
pub(super) async fn begin_as<I: Identity>(
    work: &mut Work,
    id: I,
    amount: Cents,
    (label, instant): (&str, bool),
) -> Result<()> {
    let (currency, label) = ("usd".into(), label.into());
    let what = What { amount_cents: amount, currency, label, instant };
    let now = work.now();
    store::begin(work, record(id), &what, now).await
}

/// How long a movement rests that has not arrived by its day.
const LATE: TimeDelta = TimeDelta::hours(1);
/// How long a charge rests that the cardholder must confirm.
const CONFIRMING: TimeDelta = TimeDelta::minutes(10);

/// When the processor is asked again after an outcome: on the day of arrival, and then every hour;
/// while the cardholder can confirm a charge, every ten minutes.
fn next_look(said: &Outcome, now: Time) -> Option<Time> {
    match said {
        Outcome::InTransit { until, .. } => Some(start_of_day(*until, Tz::UTC).max(now + LATE)),
        Outcome::NeedsAction { until, .. } => Some((now + CONFIRMING).min(*until).max(now)),
        Outcome::Succeeded { .. } | Outcome::Failed { .. } => None,
    }
}

/// The movement with this id, whose intent was committed.
pub(super) async fn committed<M: Movement>(platform: &Platform, id: M::Id) -> Result<M> {
    let mut session = platform.db().read().await?;
    M::find(&mut session, id).await?.ok_or_else(|| codes::NOT_FOUND.into())
}

/// The call's own way after the intent: asks the processor, settles, and answers the call. Without
/// an outcome the call is answered with the movement under way.
pub(super) async fn ask_and_answer<M, C, T, F, Fut>(
    cx: &Cx<C>,
    movement: &M,
    answer: F,
) -> Result<Done<T>>
where
    M: Movement,
    F: Fn(Work) -> Fut,
    Fut: Future<Output = Result<Done<T>>>,
{
    let heard = ask(cx.platform(), movement).await?;
    settle_and_answer(cx, movement, &heard, answer).await
}

/// The part of [`ask_and_answer`] that follows the processor's answer.
pub(super) async fn settle_and_answer<M, C, T, F, Fut>(
    cx: &Cx<C>,
    movement: &M,
    heard: &Heard,
    answer: F,
) -> Result<Done<T>>
where
    M: Movement,
    F: Fn(Work) -> Fut,
    Fut: Future<Output = Result<Done<T>>>,
{
    patiently(cx.platform(), || async {
        let mut work = cx.begin().await?;
        write_down(&mut work, movement, heard).await?;
        answer(work).await
    })
    .await
}

/// Settles the outcome of a movement, or notes that it was asked about. Returns whether there is an
/// outcome.
async fn write_down<M: Movement>(work: &mut Work, movement: &M, heard: &Heard) -> Result<bool> {
    let now = work.now();
    if let Some(said) = heard.outcome.as_ref().filter(|said| M::is_final(said)) {
        movement.settle(work, said).await?;
        store::look_at(work, record(movement.id()), next_look(said, now), now).await?;
        return Ok(true);
    }
    if let Some((attempt, spent)) = heard.put_off() {
        store::put_off(work, attempt, spent, now).await?;
    }
    Ok(false)
}

/// The worker's way after the intent of a movement that no call began: asks the processor and
/// settles. Returns the processor's outcome.
pub(super) async fn ask_and_end<M: Movement>(
    platform: &Platform,
    movement: &M,
) -> Result<Option<Outcome>> {
    let heard = ask(platform, movement).await?;
    end(platform, movement, &heard).await?;
    Ok(heard.outcome)
}

/// Settles a movement outside its call, and stores the response under that call's key if it has
/// none. Without a final outcome it only notes that the movement was asked about. Returns whether
/// the movement has got further.
pub(super) async fn end<M: Movement>(
    platform: &Platform,
    movement: &M,
    heard: &Heard,
) -> Result<bool> {
    let ended = patiently(platform, || async {
        let said = heard.outcome.as_ref().filter(|said| M::is_final(said));
        let about = said.map(|_| name(movement.id()));
        let mut work = Work::resume(platform, movement.operation(), about).await?;
        if write_down(&mut work, movement, heard).await? {
            let waits = matches!(said, Some(Outcome::NeedsAction { .. }));
            return Ok(movement.answer(work).await? && !waits);
        }
        work.done(()).await?;
        Ok(false)
    });
    match ended.await {
        // A declined charge is settled, too.
        Err(error) if error.kind() == Kind::Declined => Ok(true),
        ended => ended,
    }
}

/// Asks again about a movement, and settles what is known of it. Returns whether it got further.
async fn look_again<M: Movement>(platform: &Platform, movement: &M) -> Result<bool> {
    let heard = ask_again(platform, movement).await?;
    end(platform, movement, &heard).await
}

/// Asks again about the movements of a kind that have no outcome; returns how many got further.
async fn reconcile<M: Movement>(platform: &Platform, rested: Rested) -> Result<usize> {
    let mut session = platform.db().read().await?;
    let due = store::due(&mut session, M::Id::KIND, rested).await?;
    drop(session);
    let mut settled = 0;
    for id in due.into_iter().filter_map(M::Id::numbered) {
        let ended = async {
            let movement: M = committed(platform, id).await?;
            look_again(platform, &movement).await
        };
        settled += counted(ended.await);
    }
    Ok(settled)
}

/// Counts a settled movement. An error is logged and does not stop the others.
pub(super) fn counted(ended: Result<bool>) -> usize {
    ended.map_or_else(
        |error| {
            tracing::error!(%error, "an outcome could not be settled");
            0
        },
        usize::from,
    )
}
