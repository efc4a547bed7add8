//! Contracts: the terms agreed at hire, and the records of what happens to them.
//!
//! Hiring (in `deals`) writes the terms (`drafting`), checks that no clause is missing (`clause`)
//! and that no other contract excludes them (`exclusivity`), and creates the contract (`making`).
//! Terms never change; an agreed change is a numbered amendment. `showing` and `listing` read
//! contracts, `downloading` prints the terms as a PDF (`document`), `agreement` within another one.
//! `deals` moves contracts and requests; `waiving` ends the commission of an agent whose contract
//! was cancelled in time.
//!
//! Tables: `contract`, `contract_assent`, `contract_amendment`, `contract_request`. State machines:
//! [`ContractStatus`], [`RequestStatus`].

pub(crate) mod agreement;
mod amendment;
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
pub mod showing;
pub(crate) mod store;
pub mod terms;
pub(crate) mod waiving;

pub(crate) use amendment::chained;
pub use amendment::{Amendment, AmendmentKind, DueDateChange};
pub use contract::{Contract, ContractEvent, ContractStatus};
pub use request::{ContractRequest, RequestEvent, RequestKind, RequestStatus};
