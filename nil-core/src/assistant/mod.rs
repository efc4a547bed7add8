//! The athletes' assistant: answers questions from the athlete's own records and names its sources.
//! If the records do not answer, it proposes a question to the brand, which only the athlete can
//! send.
//!
//! Tables: `assistant_message`, `clarification_draft`, `assistant_waitlist`. State machine:
//! `DraftStatus`.
//!
//! 1. [`asking`] stores the question, lets a model or the built-in `rules` answer, and stores the
//!    answer.
//! 2. `tools` reads the athlete's records for both; `rows` is their form.
//! 3. [`hosting`] offers the same tools to an external model host.
//! 4. [`drafting`] stores questions to brands; [`clarifying`] sends them through messaging.
//! 5. [`remembering`] lists messages and marks them as read; [`waiting`] is the waiting list.
//!
//! Called by the Core interface's operations.

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
