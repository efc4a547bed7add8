//! What athletes offer to do at a price of their own, and brands' orders of it.
//!
//! An order that the athlete accepts *is* a deal: acceptance makes a job of it, hires and executes the
//! contract in one transaction (`deals::engaging`). From then on its work, money, rules and disclosure are
//! those of every deal, and the order only follows its contract (`orders::following`).

pub mod answering;
pub mod completing;
pub mod expiring;
pub mod handing_over;
pub mod listing;
pub mod offering;
pub mod ordering;
pub mod searching;
mod store;

pub use completing::conclude_unanswered;
pub use expiring::expire_unanswered;
