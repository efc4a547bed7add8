//! The parts of every operation: its call, input, context, transaction and answer.
//! `catalog/dispatch.rs` runs operations.
//!
//! 1. A frontend makes a [`Call`]. Its [`Fields`] are read by the shape of the input (`shape`,
//!    `body`, `base64` for files in JSON) and converted into the operation's struct (`input`, with
//!    `as_text` for values that came as text and `explain` for errors). `signed` accepts each
//!    signed request once. A body that is too large for memory is `streamed`.
//! 2. The operation gets its context [`Cx`]; `facts` holds the call's time, address and idempotency
//!    key. A writing operation opens one transaction, [`Work`], which collects audit rows
//!    (`audit`), messages, and the answer to store under the idempotency key (`idempotency`). A
//!    list that is followed by key gets its page from `following`. `declared` tells the order of an
//!    input's fields.
//! 3. It returns [`Done`] for a write, [`Listing`](crate::kernel::Listing) for a page, [`Download`]
//!    for a file, [`EventStream`] for live events, or [`Redirect`] for another address.
//! 4. `retrying` runs typed operations for Rust callers and repeats aborted transactions.
//!    A change of a record that somebody else has changed meanwhile is refused by `revision`.
//! 5. [`chain`] seals audit rows in a hash chain and checks it; [`proof`] writes the chain for
//!    people without the database.
//!
//! Tables: `idempotency`, `used_nonce`, `audit_entry`, `audit_seal`, `audit_unsealed`.

mod answer;
mod as_text;
pub mod audit;
mod base64;
mod body;
mod call;
pub mod chain;
mod cx;
mod declared;
mod download;
mod events;
mod explain;
mod facts;
mod fields;
mod following;
pub mod idempotency;
mod input;
mod nesting;
pub mod proof;
mod retrying;
mod revision;
pub mod searching;
mod shape;
mod signed;
mod streamed;
mod typesetting;
mod work;

pub use answer::{Answer, AnswerSchema, Beside, Body, Done, Gives, RecordOrFile, Redirect, Reply};
pub use audit::Subject;
pub use call::Call;
pub use cx::Cx;
pub use declared::{Order, declared};
pub use download::{Download, FileBytes, OpenPart, Pieces};
pub use events::{Beat, EventStream};
pub use facts::{Facts, SessionCookie};
pub use fields::Fields;
pub use input::read;
pub use revision::{Revisable, Revised, without};
pub use work::Work;

pub use base64::{LARGEST_IN_JSON, decoded, too_large};
pub use body::BESIDE;
pub use facts::Key;
pub use input::shared;
pub use retrying::{ATTEMPTS, back_off, patiently, run_typed};
pub use shape::Shape;
pub use streamed::Inlet;
pub use streamed::{Streamed, broken_off};
pub use typesetting::typeset;
