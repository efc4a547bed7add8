//! The parts of an operation.
//!
//! An operation gets its input (`fields`, `input`, `shape`, `keeping`, with `explain` for errors) and its context
//! [`Cx`]. A writing operation opens one transaction, [`Work`], which also writes the audit rows (`audit`), the messages
//! and the answer for an idempotency key (`idempotency`). It returns [`Done`] for a write,
//! [`Listing`](crate::kernel::Listing) for a page, [`Download`] for a file, [`EventStream`] for live events, or
//! [`Redirect`] for another address. `retrying` repeats what the database aborted, and `signed` accepts each signed
//! request once. The dispatcher, which knows all operations, is in `catalog`.
//!
//! Tables: `audit_entry`, `audit_seal`, `audit_unsealed`, `idempotency`, `used_nonce`.

mod answer;
pub mod audit;
mod base64;
mod call;
mod cx;
mod download;
mod events;
mod explain;
mod facts;
mod fields;
pub(crate) mod idempotency;
mod input;
mod keeping;
mod retrying;
mod shape;
mod signed;
mod work;

pub use answer::{Answer, AnswerSchema, Beside, Body, Done, Gives, RecordOrFile, Redirect, Reply};
pub use call::Call;
pub use cx::Cx;
pub use download::{Download, Pieces};
pub use events::{Beat, EventStream};
pub use facts::{Facts, SessionCookie};
pub use fields::Fields;
pub use input::read;
pub use work::{Subject, Work};

pub(crate) use base64::{LARGEST_IN_JSON, decoded, too_large};
pub(crate) use facts::Key;
pub(crate) use input::shared;
pub(crate) use keeping::BESIDE;
pub(crate) use retrying::{ATTEMPTS, back_off, run_typed};
pub(crate) use shape::Shape;
