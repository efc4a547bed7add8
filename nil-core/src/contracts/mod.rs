//! Contracts: what was agreed at hire, frozen, checked for completeness and set as a document; and
//! what becomes of it.

mod amending;
mod amendment;
pub mod clause;
pub(crate) mod commission;
pub mod confirming;
mod contract;
pub mod document;
pub mod downloading;
pub(crate) mod drafting;
pub mod ending;
mod escalating;
pub(crate) mod exclusivity;
pub mod listing;
pub(crate) mod making;
mod request;
pub mod requesting;
pub(crate) mod settling;
pub(crate) mod showing;
mod store;
pub mod terms;

pub use amendment::{Amendment, AmendmentKind, DueDateChange};
pub use contract::{Contract, ContractEvent, ContractStatus};
pub use ending::expire_unconfirmed;
pub use escalating::escalate_unanswered;
pub use request::{ContractRequest, RequestEvent, RequestKind, RequestStatus};
pub(crate) use settling::complete_settled;
