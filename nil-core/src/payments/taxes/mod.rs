//! Tax forms: what payees and payers state, what is withheld from payments, and the year's
//! information returns.
//!
//! Tables: `tax_form`, `tax_form_request`, `tax_threshold`, `tax_return`, `backup_withholding`,
//! `payment_payee`, `refund_withheld`. The payer of athletes and agents is the brand (decisions 31,
//! 43). No taxpayer number leaves the platform but in the returns; elsewhere its last four digits
//! stand for it.

pub mod asking;
pub(super) mod backup_withholding;
pub mod filing;
pub(super) mod form;
pub mod handing_in;
mod payee;
pub mod request;
mod return_columns;
pub(super) mod return_form;
pub mod returning;
mod returns;
pub mod summary;
mod taking;
pub mod thresholds;
mod tin;
pub mod withholding;
pub(super) mod year;

pub use asking::ask_before_returns;
pub(super) use asking::{ask_for_hold, ask_if_held, ask_if_near, lacks_form};
pub use backup_withholding::{BackupWithholding, WithholdingNotice};
pub use form::{TaxClass, TaxDetails, TaxForm};
pub(super) use payee::hold;
pub use request::{AskReason, ListTaxRequests, TaxFormRequest, TaxRequestStatus};
pub use return_form::{ReturnForm, TaxThreshold};
pub(super) use taking::{going_back, note_refund, note_return, of_refund, take};
pub use tin::{TinKind, TypedTin};
