//! The range of compensation: what comparable deals paid, in quartiles that give no single deal
//! away.
//!
//! 1. `deal` holds what is compared: [`Work`] and [`Person`] on one side, the rows of
//!    `comparable_deal` on the other; `asker` says which of them the caller knows already.
//! 2. `widening` chooses the comparable deals: it drops criteria one after the other until there
//!    are enough.
//! 3. [`range`] makes the answer of them: rounded quartiles, where an amount stands, and both in
//!    words.
//! 4. [`asking`]: athletes and agents ask about a job or a kind of work, brands about a job they
//!    plan. Officers ask in `figures`, and packets for the clearinghouse show a range of deals that
//!    none of their readers knows.
//!
//! It reads `comparable_deal`, which database triggers maintain. Decision 34 says why the figures
//! are as coarse as they are. There are no state machines.

mod asker;
pub mod asking;
mod deal;
pub mod range;
mod store;
mod widening;

pub use asker::Asker;
pub use deal::{Person, Work};
pub use range::{Comparison, CompensationRange, Quartiles, Standing};
pub use range::{Question, of};
pub use widening::{Criterion, FollowerBand, SizeBand};
