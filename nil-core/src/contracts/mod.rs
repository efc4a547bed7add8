//! Contracts: what was agreed at hire, frozen, checked for completeness and set as a document.
//!
//! It owns the tables `contract`, `contract_assent`, `contract_amendment` and `contract_request` with both machines. In order: `drafting`
//! writes the terms from what stands, `clause` finds what is missing, `exclusivity` refuses what another contract
//! excludes, `making` freezes it all; `showing`, `listing` and `downloading` show it. What moves a contract on is in
//! `deals`.

pub(crate) mod amendment;
pub mod clause;
pub(crate) mod commission;
mod contract;
pub mod document;
pub mod downloading;
pub(crate) mod drafting;
pub(crate) mod exclusivity;
pub mod listing;
pub(crate) mod making;
mod request;
pub(crate) mod showing;
pub(crate) mod store;
pub mod terms;

pub use amendment::{Amendment, AmendmentKind, DueDateChange};
pub use contract::{Contract, ContractEvent, ContractStatus};
pub use request::{ContractRequest, RequestEvent, RequestKind, RequestStatus};
