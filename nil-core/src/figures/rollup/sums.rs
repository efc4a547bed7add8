//! The totals of groups of transactions.

use super::month::Month;
use crate::figures::transaction::TransactionSource;
use crate::kernel::Cents;
use crate::storage::FromRow;

/// The totals of a group of transactions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, FromRow)]
pub struct Sums {
    pub count: i64,
    pub gross_cents: Cents,
    pub fee_cents: Cents,
    pub net_cents: Cents,
    pub refunded_cents: Cents,
}

impl std::ops::AddAssign for Sums {
    fn add_assign(&mut self, other: Self) {
        self.count += other.count;
        self.gross_cents += other.gross_cents;
        self.fee_cents += other.fee_cents;
        self.net_cents += other.net_cents;
        self.refunded_cents += other.refunded_cents;
    }
}

/// A group with its totals.
#[derive(Clone, Copy, Debug, FromRow)]
pub struct Group<K> {
    pub key: K,
    /// The number of different athletes in it.
    pub athletes: i64,
    #[row(flatten)]
    pub sums: Sums,
}

/// A month with its totals.
#[derive(Debug)]
pub struct MonthGroup {
    pub group: Group<Month>,
    /// The one or two middle gross amounts.
    pub middle: Vec<Cents>,
}

/// Totals by source and by month, the number of different athletes, and the one or two middle gross
/// amounts.
#[derive(Debug)]
pub struct Overall {
    pub sources: Vec<Group<TransactionSource>>,
    pub months: Vec<MonthGroup>,
    pub athletes: i64,
    /// Empty without transactions.
    pub middle: Vec<Cents>,
}
