//! The kinds of movements in one list, for the webhook and the reconciler, which do not know in
//! advance which kind they have.

use futures::future::BoxFuture;
use schemars::JsonSchema;
use serde::Serialize;

use super::inquiry::agreed;
use super::{Heard, Movement, committed, end, look_again, reconcile};
use crate::error::{Result, codes};
use crate::kernel::{Identity as _, Rested};
use crate::operation::{Subject, Work};
use crate::payments::payouts::bank_return;
use crate::payments::payouts::settling_payouts::BankTransfer;
use crate::payments::store;
use crate::payments::subscriptions::SubscriptionRefund;
use crate::platform::Platform;
use crate::ports::processor::{self, Outcome};

type Applied<'a> = BoxFuture<'a, Result<()>>;
type Counted<'a> = BoxFuture<'a, Result<usize>>;

/// What can be done with a movement of a kind by its number alone.
pub(in crate::payments) struct MovementKind {
    /// The kind of its ids, which is a part of its keys.
    pub name: &'static str,
    /// Asks again about one of them; returns whether it got further.
    pub ask: for<'a> fn(&'a Platform, i64) -> BoxFuture<'a, Result<bool>>,
    /// Settles an outcome of one of them.
    pub settle: for<'a> fn(&'a mut Work, i64, &'a Outcome) -> Applied<'a>,
    apply: for<'a> fn(&'a Platform, i64, &'a processor::Movement) -> Applied<'a>,
    /// Asks again about those without an outcome; returns how many got further.
    pub reconcile: for<'a> fn(&'a Platform, Rested) -> Counted<'a>,
    /// Where a round counts them.
    pub tally: fn(&mut Reconciled) -> &mut usize,
}

/// All kinds, in the order in which they are reconciled.
pub(in crate::payments) const KINDS: [MovementKind; 5] = [
    kind::<store::payment::Charge>(|round| &mut round.charges),
    kind::<store::refund::OpenRefund>(|round| &mut round.refunds),
    MovementKind {
        reconcile: |platform, rested| Box::pin(payouts(platform, rested)),
        ..kind::<BankTransfer>(|round| &mut round.payouts)
    },
    kind::<store::subscription_charge::Charge>(|round| &mut round.subscriptions),
    kind::<SubscriptionRefund>(|round| &mut round.subscriptions),
];

const fn kind<M: Movement>(tally: fn(&mut Reconciled) -> &mut usize) -> MovementKind {
    MovementKind {
        name: M::Id::KIND,
        ask: |platform, number| Box::pin(ask::<M>(platform, number)),
        settle: |work, number, said| Box::pin(settle::<M>(work, number, said)),
        apply: |platform, number, said| Box::pin(apply::<M>(platform, number, said)),
        reconcile: |platform, rested| Box::pin(reconcile::<M>(platform, rested)),
        tally,
    }
}

impl MovementKind {
    /// One of them in the audit trail.
    pub fn subject(&self, number: i64) -> Subject {
        Subject { kind: self.name, id: number }
    }
}

async fn ask<M: Movement>(platform: &Platform, number: i64) -> Result<bool> {
    let id = M::Id::numbered(number).ok_or(codes::NOT_FOUND)?;
    let movement: M = committed(platform, id).await?;
    look_again(platform, &movement).await
}

async fn settle<M: Movement>(work: &mut Work, number: i64, said: &Outcome) -> Result<()> {
    let id = M::Id::numbered(number).ok_or(codes::NOT_FOUND)?;
    let movement = M::find(work, id).await?.ok_or(codes::NOT_FOUND)?;
    movement.settle(work, said).await
}

/// Payouts that have arrived can still come back.
async fn payouts(platform: &Platform, rested: Rested) -> Result<usize> {
    let settled = reconcile::<BankTransfer>(platform, rested).await?;
    Ok(settled + bank_return::reconcile(platform).await?)
}

async fn apply<M: Movement>(
    platform: &Platform,
    number: i64,
    found: &processor::Movement,
) -> Result<()> {
    let Some(id) = M::Id::numbered(number) else {
        return Ok(());
    };
    let mut session = platform.db().read().await?;
    let attempt = store::movement::current(&mut session, (M::Id::KIND, number)).await?;
    let movement = M::find(&mut session, id).await?;
    drop(session);
    let (Some(attempt), Some(movement)) = (attempt, movement) else {
        return Ok(());
    };
    match agreed(&attempt.request(M::MOVES), found.clone()) {
        Some(outcome) => end(platform, &movement, &Heard::outcome(outcome)).await.map(|_| ()),
        None => Ok(()),
    }
}

/// Settles what the processor knows under the key of a movement. A key that is not ours changes
/// nothing.
pub(in crate::payments) async fn apply_outcome(
    platform: &Platform,
    found: &processor::Movement,
) -> Result<()> {
    let mut session = platform.db().read().await?;
    let named = store::movement::named(&mut session, &found.key).await?;
    drop(session);
    let Some((name, number)) = named else {
        return Ok(());
    };
    let Some(kind) = KINDS.iter().find(|kind| kind.name == name) else {
        return Ok(());
    };
    (kind.apply)(platform, number, found).await
}

/// What one round settled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Reconciled {
    /// Charges.
    pub charges: usize,
    /// Payouts with a new status.
    pub payouts: usize,
    /// Refunds.
    pub refunds: usize,
    /// Charges for subscriptions, and refunds of them.
    pub subscriptions: usize,
}

#[cfg(test)]
mod tests {
    use super::super::name;
    use super::*;
    use crate::kernel::{ChargeId, SubscriptionRefundId};

    #[test]
    fn names_of_movements_on_their_way_keep_their_form() {
        let names = KINDS.map(|kind| kind.name);
        let expected = ["charge", "refund", "payout", "subscription_charge", "subscription_refund"];
        assert_eq!(names, expected);
        assert_eq!(name(ChargeId::new(7).unwrap()), "charge:7");
        assert_eq!(name(SubscriptionRefundId::new(12).unwrap()), "subscription_refund:12");
    }
}
