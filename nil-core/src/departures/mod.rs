//! A person leaves: their account is closed, their personal data erased, and what others need of it
//! kept.
//!
//! Table: `departure`. The state machine of accounts is `accounts::UserStatus`.
//!
//! 1. [`closing`]: the user, or an operator, closes an account. `remaining` refuses it while
//!    something is unsettled.
//! 2. `ending` ends what needs nobody else: applications, representations, jobs, a subscription.
//! 3. `erasing` erases; [`finishing`] (worker) does so once more an hour later.
//! 4. [`retention`] says of every column of the database what becomes of it, and why.
//!    `docs/retention.md` is made from it, and a test holds it against the schema.
//!
//! The Core and Admin interfaces' operations call it; the worker calls [`finishing`].

pub mod closing;
mod departure;
mod ending;
mod erasing;
mod finishing;
mod remaining;
pub mod retention;
mod store;

pub use departure::{Departure, Left, Unsettled};
pub use finishing::finish;
