//! Agents and the athletes they represent.
//!
//! An agent invites an athlete (`inviting`), who accepts or declines (`answering`); unanswered
//! invitations expire (`lapsing`). Either side can end the representation (`ending`), the athlete
//! can cancel it within the time that the law gives (`cancelling`), and both list it (`browsing`).
//! `notices` sends the notices. An agent may act for an athlete (`acting`) only while the
//! representation is active; each action names the athlete in the audit trail. Agreed deals do not
//! change: agent and commission are frozen on the contract at hire.
//!
//! Table: `representation`. State machine: [`RepresentationStatus`].

pub mod acting;
pub mod admin;
pub mod answering;
pub mod browsing;
pub mod cancelling;
pub mod ending;
pub mod inviting;
mod lapsing;
mod notices;
mod representation;
mod store;

pub use lapsing::expire_unanswered;
pub use representation::{EndReason, Representation, RepresentationEvent, RepresentationStatus};
pub use store::active;
