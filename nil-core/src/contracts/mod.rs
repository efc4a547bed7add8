//! Contracts: the terms agreed at hire, and what happens to them.
//!
//! Hiring (in `jobs`) writes the terms (`drafting`), checks that no clause is missing (`clause`) and that no other
//! contract excludes them (`exclusivity`), and creates the contract (`making`). The athlete confirms (`confirming`) or
//! the contract expires; `ending` cancels it. Athletes request a cancellation or a later date and brands decide
//! (`requesting`); `escalating` passes unanswered requests to operators. An agreed change is a numbered amendment
//! (`amending`), because terms never change. After each approval and payment, `settling` completes contracts that are
//! done and paid. `downloading` prints the terms as a PDF (`document`).
//!
//! Tables: `contract`, `contract_assent`, `contract_amendment`, `contract_request`. State machines: [`ContractStatus`],
//! [`RequestStatus`].

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
pub(crate) mod wording;

pub use amendment::{Amendment, AmendmentKind, DueDateChange};
pub use contract::{Contract, ContractEvent, ContractStatus};
pub use ending::expire_unconfirmed;
pub use escalating::escalate_unanswered;
pub use request::{ContractRequest, RequestEvent, RequestKind, RequestStatus};
pub(crate) use settling::complete_settled;
