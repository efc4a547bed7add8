//! A refund: part or all of a payment goes back to the brand's card.

use chrono::TimeDelta;
use schemars::JsonSchema;
use serde::Serialize;

use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{Cents, DisputeId, Machine, Move, PaymentId, RefundId, Time};
use crate::payments::charges::fee;
use crate::payments::movement;
use crate::storage::FromRow;

/// How long the processor may take to confirm a refund or a payout before operators look at it.
pub const CONFIRMED_WITHIN: TimeDelta = TimeDelta::days(1);

vocabulary! {
    /// The status of a refund.
    RefundStatus {
        /// Sent to the processor; the outcome is awaited, the money is set aside.
        Pending = "pending",
        /// The card was refunded.
        Succeeded = "succeeded",
        /// The processor refused; the money went back to where it came from.
        Failed = "failed",
    }
}

/// The outcome of a refund.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefundEvent {
    /// The processor refunded the card.
    Succeed,
    /// The processor refused, or could not deliver what it had reported as refunded.
    Fail,
}

impl Machine for RefundStatus {
    type Event = RefundEvent;
    const NAME: &'static str = "refund";
    const STATES: &'static [Self] = Self::ALL;
    const INITIAL: &'static [Self] = &[Self::Pending];
    const TERMINAL: &'static [Self] = &[Self::Failed];
    const MOVES: &'static [Move<Self>] = &[
        (Self::Pending, RefundEvent::Succeed, Self::Succeeded), // POST /payment-refund
        (Self::Pending, RefundEvent::Fail, Self::Failed),
        // Days later: the card was closed. Or a lost dispute was decided anew.
        (Self::Succeeded, RefundEvent::Fail, Self::Failed),
    ];
}

vocabulary! {
    /// Whether the platform's fee is refunded too.
    RefundFee {
        /// The platform keeps it.
        None = "none",
        /// In proportion to the part that is refunded.
        Proportional = "proportional",
        /// The whole remaining fee.
        All = "all",
    }
}

/// A refund.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct Refund {
    /// The refund's id.
    pub id: RefundId,
    /// The payment.
    pub payment_id: PaymentId,
    /// How much of the payment's amount is refunded.
    pub amount_cents: Cents,
    /// How much of the platform's fee is refunded in addition.
    pub fee_cents: Cents,
    /// How much of the amount is the agent's commission, returned by the agent.
    pub commission_cents: Cents,
    /// The reason.
    pub reason: String,
    /// The status.
    pub status: RefundStatus,
    /// The processor's code for the refusal.
    pub failure_code: Option<String>,
    /// The lost dispute by which the card got its money back; none if an operator refunded it.
    pub dispute_id: Option<DisputeId>,
    /// The requester, such as `operator:1`.
    pub requested_by: String,
    /// When it was requested.
    pub created_at: Time,
    /// When it was last changed.
    pub updated_at: Time,
}

impl Refund {
    /// Its name in ledger transfers, and for the calls that wait for it.
    #[must_use]
    pub fn name(&self) -> String {
        movement::name(self.id)
    }

    /// What the card is refunded: amount and fee.
    #[must_use]
    pub fn total(&self) -> Cents {
        self.amount_cents + self.fee_cents
    }
}

/// The three amounts of a payment or a refund.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Parts {
    /// The athlete's amount, commission included.
    pub amount: Cents,
    /// The platform's fee.
    pub fee: Cents,
    /// The agent's commission.
    pub commission: Cents,
}

/// What was refunded of a payment so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Returned {
    /// The amounts of all its refunds.
    pub all: Parts,
    /// The amount of the refunds with `proportional` fee, which need not be all.
    pub with_fee: Cents,
    /// The fee that those refunds returned.
    pub fee_in_parts: Cents,
}

/// The parts of a refund of `amount`, after earlier refunds. Rounding applies to the running
/// totals, so that several partial refunds come to the same as one. The fee counts only refunds
/// that asked for their part of it: the fee left by the others stays with the platform.
pub(crate) fn parts(paid: Parts, before: Returned, amount: Cents, fee: RefundFee) -> Parts {
    let after = before.all.amount + amount;
    let commission = fee::share(paid.commission, after, paid.amount) - before.all.commission;
    let left = paid.fee - before.all.fee;
    let fee = match fee {
        RefundFee::None => Cents::ZERO,
        RefundFee::Proportional => {
            let with_fee = before.with_fee + amount;
            fee::share(paid.fee, with_fee, paid.amount) - before.fee_in_parts
        }
        RefundFee::All => left,
    };
    Parts {
        amount,
        fee: fee.max(Cents::ZERO).min(left),
        commission: commission.max(Cents::ZERO).min(amount),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn with(before: Returned, back: Parts, how: RefundFee) -> Returned {
        let in_part = |cents| {
            if how == RefundFee::Proportional { cents } else { Cents::ZERO }
        };
        Returned {
            all: Parts {
                amount: before.all.amount + back.amount,
                fee: before.all.fee + back.fee,
                commission: before.all.commission + back.commission,
            },
            with_fee: before.with_fee + in_part(back.amount),
            fee_in_parts: before.fee_in_parts + in_part(back.fee),
        }
    }

    proptest! {
        #[test]
        fn refunds_in_parts_come_to_the_whole(
            amount in 1i64..1_000_000, fee in 0i64..100_000, rate in 0i64..=10_000,
            cuts in prop::collection::vec(1i64..500_000, 0..8),
        ) {
            let commission = Cents(amount * rate / 10_000);
            let paid = Parts { amount: Cents(amount), fee: Cents(fee), commission };
            let mut before = Returned::default();
            let rest = cuts.into_iter().map(Cents).chain([Cents(amount)]);
            for wanted in rest {
                let part = wanted.min(paid.amount - before.all.amount);
                if part == Cents::ZERO { break; }
                let back = parts(paid, before, part, RefundFee::Proportional);
                prop_assert!(back.commission <= back.amount);
                before = with(before, back, RefundFee::Proportional);
                prop_assert!(before.all.fee <= paid.fee);
                prop_assert!(before.all.commission <= paid.commission);
            }
            prop_assert_eq!(before.all, paid);
        }

        #[test]
        fn no_more_of_the_fee_goes_back_than_was_asked_for(
            amount in 1i64..1_000_000, fee in 0i64..100_000, rate in 0i64..=10_000,
            cuts in prop::collection::vec((1i64..300_000, 0usize..9), 1..12),
        ) {
            let commission = Cents(amount * rate / 10_000);
            let paid = Parts { amount: Cents(amount), fee: Cents(fee), commission };
            let mut before = Returned::default();
            let mut asked = Cents::ZERO;
            let mut all = false;
            for (wanted, how) in cuts {
                let part = Cents(wanted).min(paid.amount - before.all.amount);
                if part == Cents::ZERO { break; }
                let how = match how {
                    0 => RefundFee::All,
                    1..=4 => RefundFee::None,
                    _ => RefundFee::Proportional,
                };
                let back = parts(paid, before, part, how);
                let kept = paid.fee - before.all.fee;
                match how {
                    RefundFee::None => prop_assert_eq!(back.fee, Cents::ZERO),
                    RefundFee::Proportional => asked += part,
                    RefundFee::All => {
                        all = true;
                        prop_assert_eq!(back.fee, kept);
                    }
                }
                before = with(before, back, how);
                prop_assert!(before.all.fee <= paid.fee);
                prop_assert_eq!(
                    before.all.commission,
                    fee::share(paid.commission, before.all.amount, paid.amount)
                );
                if !all {
                    prop_assert_eq!(before.all.fee, fee::share(paid.fee, asked, paid.amount));
                }
            }
        }
    }

    #[test]
    fn the_fee_goes_back_as_asked() {
        let paid = Parts { amount: Cents(1_000), fee: Cents(100), commission: Cents(150) };
        let back = |fee| parts(paid, Returned::default(), Cents(500), fee);
        assert_eq!(back(RefundFee::None).fee, Cents(0));
        assert_eq!(back(RefundFee::Proportional).fee, Cents(50));
        assert_eq!(back(RefundFee::All).fee, Cents(100));
        assert_eq!(back(RefundFee::None).commission, Cents(75));
    }
}
