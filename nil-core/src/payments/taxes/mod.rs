//! Tax forms: what payees and payers state, what is withheld from payouts, and the year's information returns.
//!
//! Tables: `tax_form`, `tax_form_request`, `backup_withholding`. The payer of an athlete is the brand, as in the athlete's yearly summary
//! (decision 31). No taxpayer number leaves the platform but in the returns; elsewhere its last four digits stand for it.

mod asking;
mod form;
pub mod handing_in;
mod payee;
pub mod request;
pub mod returning;
mod returns;
mod tin;
pub mod withholding;

pub use asking::ask_before_returns;
pub(super) use asking::{ask, ask_if_held, ask_if_near, lacks_form};
pub use form::{TaxClass, TaxForm};
pub(super) use payee::hold;
pub use request::{AskReason, TaxFormRequest, TaxRequestStatus};
pub use tin::TinKind;
pub(super) use withholding::withheld_of;
pub use withholding::{BackupWithholding, WithholdingNotice};
