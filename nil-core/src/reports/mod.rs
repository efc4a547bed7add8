//! Queued exports: an operator asks for a file, the worker makes it, and the operator downloads it
//! by its code.
//!
//! 1. [`requesting`] checks what is asked for and queues it; [`listing`] shows operators their own.
//! 2. [`making`] writes the file to the store of objects, part by part. A server holds an export
//!    for a minute at a time; if it dies, another server begins the export anew, and what the first
//!    one may still write is refused.
//! 3. [`sending`] sends the file to the operator who asked for it, and deletes it when its time is
//!    over.
//!
//! `takeouts` queues the copies of their data that users ask for, and tells them when they are
//! ready; the worker hands in who makes their files.
//!
//! `tables` maps each kind to its table and to the filters that apply to it.
//!
//! Table: `export_report`. State machine: [`ExportStatus`]. The view `needed_object` names its
//! objects.
//!
//! Called by the Admin operations and by the worker.

pub mod listing;
pub mod making;
mod report;
pub mod requesting;
pub mod sending;
mod sink;
mod store;
mod tables;
pub(crate) mod takeouts;
mod withdrawing;

pub use making::{MakeTakeout, TakeoutFile, work_off};
pub use report::{
    ExportEvent, ExportKind, ExportReport, ExportStatus, ListExports, OwnExport, Takeout,
};
pub use sending::remove_expired;
pub use store::ExportCounts;
pub use tables::ExportFilters;
pub(crate) use withdrawing::withdraw_made;
