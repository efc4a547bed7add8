//! The athletes' assistant: it answers from the athlete's own records, says where from, and where the
//! records do not answer proposes a question to the brand. Only the athlete sends that question.

pub mod asking;
pub mod clarifying;
mod draft;
pub mod drafting;
pub mod hosting;
mod message;
pub mod remembering;
mod rows;
mod rules;
mod store;
mod tools;
pub mod waiting;

pub use draft::{ClarificationDraft, DraftEvent, DraftStatus};
pub use message::{AssistantMessage, Role, Source, SourceKind};
pub use rows::{
    ContractOfDeal, ContractTermsRow, DealRow, DeliverableRow, PaymentRow, PaymentRows,
    PaymentsOfDeal, WalletRow,
};
