//! The platform's fee, added to a payment, and the agent's commission, deducted from it.

use crate::kernel::{BasisPoints, Cents, proportion};

/// The amounts of one payment line, or the sum of several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct LineCents {
    /// The athlete's amount, commission included.
    pub amount: Cents,
    /// The platform's fee; the brand pays it on top.
    pub fee: Cents,
    /// The agent's commission, deducted from the amount.
    pub commission: Cents,
}

impl LineCents {
    /// A line at the contract's frozen rates, after `before` was paid under it. The rates apply to
    /// the running total, rounded half to even, and the line bears the difference: an amount costs
    /// the same in one payment as in several.
    pub(crate) fn after(
        before: Self,
        amount: Cents,
        fee: BasisPoints,
        commission: Option<BasisPoints>,
    ) -> Self {
        let total = before.amount + amount;
        let commission = commission.map_or(Cents::ZERO, |rate| rate.of(total) - before.commission);
        Self {
            amount,
            fee: (fee.of(total) - before.fee).max(Cents::ZERO),
            commission: commission.max(Cents::ZERO).min(amount),
        }
    }

    /// The sum of this and `line`.
    pub(crate) fn and(self, line: Self) -> Self {
        Self {
            amount: self.amount + line.amount,
            fee: self.fee + line.fee,
            commission: self.commission + line.commission,
        }
    }

    /// What the card is charged.
    pub(crate) fn total(self) -> Cents {
        self.amount + self.fee
    }
}

/// The part of `sum` that corresponds to `of` out of `whole`.
pub(crate) fn share(sum: Cents, of: Cents, whole: Cents) -> Cents {
    proportion(sum, of.get(), whole.get())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn rate(points: i64) -> BasisPoints {
        BasisPoints::new(points).unwrap()
    }

    #[test]
    fn a_line_is_rounded_half_to_even() {
        let first = LineCents::default();
        let line = LineCents::after(first, Cents(125), rate(1_000), Some(rate(2_000)));
        assert_eq!((line.fee, line.commission), (Cents(12), Cents(25)));
        assert_eq!(line.total(), Cents(137));
        let line = LineCents::after(first, Cents(135), rate(1_000), None);
        assert_eq!((line.fee, line.commission), (Cents(14), Cents(0)));
    }

    #[test]
    fn small_lines_bear_the_fee_of_their_sum() {
        let mut paid = LineCents::default();
        for _ in 0..4_000 {
            let line = LineCents::after(paid, Cents(5), rate(1_000), Some(rate(900)));
            paid = paid.and(line);
        }
        assert_eq!((paid.fee, paid.commission), (Cents(2_000), Cents(1_800)));
    }

    proptest! {
        #[test]
        fn any_split_of_an_amount_costs_the_same(
            amount in 1i64..2_000_000_000, fee in 0i64..=10_000, commission in 0i64..=10_000,
            cuts in prop::collection::vec(1i64..500_000_000, 0..40),
        ) {
            let (fee, commission) = (rate(fee), Some(rate(commission)));
            let whole = LineCents::after(LineCents::default(), Cents(amount), fee, commission);
            let mut paid = LineCents::default();
            for wanted in cuts.into_iter().map(Cents).chain([Cents(amount)]) {
                let part = wanted.min(whole.amount - paid.amount);
                if part == Cents::ZERO { break; }
                let line = LineCents::after(paid, part, fee, commission);
                prop_assert!(line.commission <= line.amount);
                paid = paid.and(line);
            }
            prop_assert_eq!(paid, whole);
        }

        #[test]
        fn what_failed_meanwhile_is_made_good_by_the_next_line(
            parts in prop::collection::vec(1i64..100_000, 2..20), failed in 0usize..20,
            points in 0i64..=10_000,
        ) {
            let fee = rate(points);
            let mut lines = Vec::new();
            for part in parts {
                let before = lines.iter().copied().fold(LineCents::default(), LineCents::and);
                lines.push(LineCents::after(before, Cents(part), fee, None));
            }
            lines.remove(failed % lines.len());
            let left = lines.iter().copied().fold(LineCents::default(), LineCents::and);
            // One cent for the failed payment, and half a cent of rounding.
            prop_assert!((left.fee.get() * 10_000 - left.amount.get() * points).abs() <= 15_000);
            let next = left.and(LineCents::after(left, Cents(100_000), fee, None));
            prop_assert_eq!(next.fee, fee.of(next.amount).max(left.fee));
        }
    }
}
