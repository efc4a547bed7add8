//! Money on its way between the platform and the payment processor.
//!
//! A charge, a refund, a payout, and the charge and the refund of a subscription are movements.
//! Each takes three steps:
//!
//! 1. **Intent.** A transaction writes the movement's row, and with it the ledger transfer that
//!    sets money aside, if the platform has the money already. If a call began it, the transaction
//!    also claims the call's idempotency key, which from now on waits for this row. It commits. For
//!    a payout on hold, this is the transaction that releases it.
//! 2. **Request.** The processor is asked outside any transaction, under a [`key`] that is made of
//!    the row's kind and id.
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
//! processor takes repeated requests for one. A new attempt after a failure is a new row with a new
//! key. Processors forget keys after a day, so [`ask_again`](Movement::ask_again) first looks the
//! movement up by its key, and does not send it again near the end of that day.
//!
//! Repeating a settlement changes nothing. It locks the row, or the subscription that the row
//! belongs to, then reads its status, and stops unless the outcome leads on from there. The second
//! of two settlements waits for that lock and then finds the movement settled. The ledger also
//! leaves out a transfer that it already has for the same reason and record.

mod inquiry;
pub(super) mod kinds;
pub(super) mod reconciling;

pub(super) use self::inquiry::{NEVER_ARRIVED, ask_again, name_of};
pub(super) use self::kinds::{KINDS, apply_outcome};
use chrono::TimeDelta;

use crate::error::{Kind, Result, codes};
use crate::kernel::{Identity, Rested, Time};
use crate::operation::{Cx, Done, Work, patiently};
use crate::platform::Platform;
use crate::ports::processor::{Outage, Outcome};

use crate::storage::Session;

/// How long the processor may take to confirm a payout or a refund before operators look at it.
pub const CONFIRMED_WITHIN: TimeDelta = TimeDelta::days(1);

/// A kind of movement: the facts that asking the processor needs, and how the outcome is settled.
/// The values are rows whose intent was committed.
pub(super) trait Movement: Sized + Send + Sync + 'static {
    /// The id of its row. Its kind is the first part of the key.
    type Id: Identity + Send + Sync;

    /// The id of its row.
    fn id(&self) -> Self::Id;

    /// Its idempotency key at the processor.
    fn key(&self) -> String {
        key(self.id())
    }

    /// The operation in the audit trail for its end outside a call. Stored responses have the shape
    /// of its responses.
    fn operation(&self) -> &'static str;

    /// The movement with this id.
    fn find(
        session: &mut Session,
        id: Self::Id,
    ) -> impl Future<Output = Result<Option<Self>>> + Send;

    /// Movements with an unknown outcome that have rested since they were last asked about.
    fn unsettled(
        session: &mut Session,
        rested: Rested,
        now: Time,
    ) -> impl Future<Output = Result<Vec<Self>>> + Send;

    /// Asks the processor for it under its key; `None` if there is no outcome.
    fn ask(&self, platform: &Platform) -> impl Future<Output = Option<Outcome>> + Send;

    /// Asks about it again, long after the first request; `None` if there is nothing to settle.
    fn ask_again(
        &self,
        platform: &Platform,
    ) -> impl Future<Output = Result<Option<Outcome>>> + Send;

    /// Whether an outcome can be settled. Only payouts are in transit.
    fn is_final(said: &Outcome) -> bool {
        !matches!(said, Outcome::InTransit(..))
    }

    /// Saves the processor's outcome. Repeating it changes nothing.
    fn settle(&self, work: &mut Work, said: &Outcome) -> impl Future<Output = Result<()>> + Send;

    /// Commits a settlement with the response of the call that began the movement; returns whether
    /// the movement has got further.
    fn answer(&self, work: Work) -> impl Future<Output = Result<bool>> + Send;

    /// Records that asking about it gave no outcome.
    fn touch(&self, work: &mut Work, now: Time) -> impl Future<Output = Result<()>> + Send;
}

/// The idempotency key of a movement at the processor, which also names the row that calls wait
/// for. Changing the kind of an id would change the keys of movements on their way.
pub(super) fn key<I: Identity>(id: I) -> String {
    format!("{}:{}", I::KIND, id.number())
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
    let said = movement.ask(cx.platform()).await;
    settle_and_answer(cx, movement, said.as_ref(), answer).await
}

/// The part of [`ask_and_answer`] that follows the processor's answer.
pub(super) async fn settle_and_answer<M, C, T, F, Fut>(
    cx: &Cx<C>,
    movement: &M,
    said: Option<&Outcome>,
    answer: F,
) -> Result<Done<T>>
where
    M: Movement,
    F: Fn(Work) -> Fut,
    Fut: Future<Output = Result<Done<T>>>,
{
    patiently(cx.platform(), || async {
        let mut work = cx.begin().await?;
        if let Some(said) = said {
            movement.settle(&mut work, said).await?;
        }
        answer(work).await
    })
    .await
}

/// The worker's way after the intent of a movement that no call began: asks the processor and
/// settles. Returns the processor's outcome.
pub(super) async fn ask_and_end<M: Movement>(
    platform: &Platform,
    movement: &M,
) -> Result<Option<Outcome>> {
    let said = movement.ask(platform).await;
    end(platform, movement, said.as_ref()).await?;
    Ok(said)
}

/// Settles a movement outside its call, and stores the response under that call's key if it has
/// none. Without a final outcome it only notes that the movement was asked about. Returns whether
/// the movement has got further.
pub(super) async fn end<M: Movement>(
    platform: &Platform,
    movement: &M,
    said: Option<&Outcome>,
) -> Result<bool> {
    let said = said.filter(|said| M::is_final(said));
    let ended = patiently(platform, || async {
        let about = said.map(|_| movement.key());
        let mut work = Work::resume(platform, movement.operation(), about).await?;
        let Some(said) = said else {
            let now = work.now();
            movement.touch(&mut work, now).await?;
            work.done(()).await?;
            return Ok(false);
        };
        movement.settle(&mut work, said).await?;
        movement.answer(work).await
    });
    match ended.await {
        // A declined charge is settled, too.
        Err(error) if error.kind() == Kind::Declined => Ok(true),
        ended => ended,
    }
}

/// Asks again about the movements of a kind that have no outcome; returns how many got further.
async fn reconcile<M: Movement>(platform: &Platform, rested: Rested) -> Result<usize> {
    let now = platform.now();
    let mut session = platform.db().read().await?;
    let open = M::unsettled(&mut session, rested, now).await?;
    drop(session);
    let mut settled = 0;
    for movement in &open {
        let ended = async {
            let said = movement.ask_again(platform).await?;
            end(platform, movement, said.as_ref()).await
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

/// The processor's answer; `None` if it decides nothing: an outage, or the key being in use by a
/// call that has not ended.
pub(super) fn verdict(answer: Result<Outcome, Outage>) -> Option<Outcome> {
    match answer {
        Ok(Outcome::Failed(_, reason)) if reason == "idempotency_key_in_use" => None,
        Ok(outcome) => Some(outcome),
        Err(Outage(why)) => {
            tracing::warn!(why, "the payment processor did not answer");
            None
        }
    }
}
