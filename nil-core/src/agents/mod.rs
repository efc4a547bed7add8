//! Agents and the athletes they represent: invited, accepted, acting, ended.
//!
//! An agent may do for an athlete what a representation that is active *now* allows; every such act
//! says in the audit trail for whom it was done. What was agreed stays on the contract: its agent and
//! commission are frozen at hire.

pub mod acting;
pub mod answering;
pub mod browsing;
pub mod ending;
pub mod inviting;
mod lapsing;
mod representation;
mod store;
mod telling;

pub use lapsing::expire_unanswered;
pub use representation::{Representation, RepresentationEvent, RepresentationStatus};
