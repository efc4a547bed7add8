//! What is taken of a payment: the platform's fee on top, the agent's commission from within.

use crate::kernel::{BasisPoints, Cents, proportion};

/// The cents of one line of a payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LineCents {
    /// What the athlete is paid, commission included.
    pub amount: Cents,
    /// The platform's fee; the brand pays it on top.
    pub fee: Cents,
    /// The agent's commission, out of the amount.
    pub commission: Cents,
}

impl LineCents {
    /// A line at the contract's frozen rates, each rounded half to even.
    pub(crate) fn new(amount: Cents, fee: BasisPoints, commission: Option<BasisPoints>) -> Self {
        Self {
            amount,
            fee: fee.of(amount),
            commission: commission.map_or(Cents::ZERO, |rate| rate.of(amount)),
        }
    }

    /// What the card is charged.
    pub(crate) fn total(self) -> Cents {
        self.amount + self.fee
    }
}

/// The part of `sum` that `of` is of `whole`.
pub(crate) fn share(sum: Cents, of: Cents, whole: Cents) -> Cents {
    proportion(sum, of.get(), whole.get())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_rounded_half_to_even() {
        let rate = |points| BasisPoints::new(points).unwrap();
        let line = LineCents::new(Cents(125), rate(1_000), Some(rate(2_000)));
        assert_eq!((line.fee, line.commission), (Cents(12), Cents(25)));
        assert_eq!(line.total(), Cents(137));
        let line = LineCents::new(Cents(135), rate(1_000), None);
        assert_eq!((line.fee, line.commission), (Cents(14), Cents(0)));
    }
}
