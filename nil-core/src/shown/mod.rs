//! The records, inputs, answers, identifiers and states that operations take and give, in the
//! folders of the domains. [`api`](crate::api) has the operations themselves.
//!
//! Only what is named here is public. The other items of a domain are for the packages of this
//! workspace: the documentation hides them, and they change without notice.

mod business;
mod domain;
mod ground;
mod parties;

pub use business::*;
pub use domain::*;
pub use ground::*;
pub use parties::*;
