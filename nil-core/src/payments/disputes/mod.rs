//! Disputes: cardholders take charges back through their banks.
//!
//! A bank takes the money at once, and decides weeks later. Until then the platform has advanced
//! it, and what of the disputed payments is still in wallets waits there. Of a lost dispute, payees
//! bear what the terms in force when they were paid say (none by default): it is taken back as a
//! refund takes it. The platform bears the rest, and what the processor keeps.
//!
//! The processor says what becomes of a dispute: by an event, in its list, which is read every
//! hour, and when an operator answers. [`applying`] takes all of them, in any order and any number
//! of times.

pub(super) mod applying;
mod booking;
pub mod dispute;
mod evidence;
mod evidence_contracts;
mod evidence_document;
pub mod listing;
pub mod responding;
pub mod terms;
pub(super) mod watching;
