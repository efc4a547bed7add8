//! Files: handed over, checked for what they are, kept as objects, made part of records, shown to
//! whoever may see the record.
//!
//! Other areas take ids of files in three steps: [`owned`] before they write (422 unless every one is
//! the caller's), [`attach`] in the transaction that writes their record, and a line in
//! [`FileUse`](using::FileUse) that says who may see such a record.

pub(crate) mod archiving;
mod carried;
pub mod file;
pub mod library;
pub mod naming;
pub mod picturing;
pub mod reading;
pub mod signing;
pub mod sniffing;
mod store;
pub mod storing;
pub mod sweeping;
pub mod using;

pub use carried::FileContent;
pub use file::{FileEvent, FileOwner, FileStatus, MediaType, StoredFile};
pub use signing::Link;
pub(crate) use signing::Slot;
pub use using::{FileUse, Viewer};
pub(crate) use using::{add_shown, add_written, attach, found, let_go, owned, replace};
