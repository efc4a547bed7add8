//! The parts of an operation and the dispatcher that runs it.
//!
//! An operation gets its input (`fields`, `input`, `shape`, `keeping`, with `explain` for errors) and its context
//! [`Cx`]. A writing operation opens one transaction, [`Work`], which also collects audit rows, messages and the answer
//! for an idempotency key. It returns [`Done`] for a write, [`Listing`](crate::kernel::Listing) for a page,
//! [`Download`] for a file, [`EventStream`] for live events, or [`Redirect`] for another address. `dispatch` admits the
//! caller, reads the input, runs the operation, retries aborted transactions and replays stored answers.

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
