//! The rollup: totals of each institution's transactions, kept beside the rows. A figure of whole
//! months without filters reads a few rows of it instead of all transactions (decision 16).
//!
//! 1. Triggers note each change of a transaction in `college_transaction_change`; they add nothing
//!    up.
//! 2. `keeping` adds the noted changes: the worker for every institution, a reader for its own if
//!    they are few. It locks the institution's row of `college_kept`; `change` is the arithmetic.
//! 3. The totals are by `month` in the institution's time zone and by `Dimension`: `college_total`
//!    has sums, `college_athletes` different athletes across months, `college_amount` counts for
//!    medians.
//! 4. `store::total` answers from the rollup if `Wanted::whole_months` allows it. Otherwise it
//!    groups the rows, or counts them up in one pass (`tally`). Both ways give the same `sums`.
//! 5. With a new edition of the time zones' rules, an institution's totals begin anew.

mod change;
pub(crate) mod keeping;
pub(super) mod month;
pub(super) mod store;
pub(super) mod sums;
mod tally;
