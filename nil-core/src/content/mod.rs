//! Files: uploaded, checked by content, stored as objects, and attached to records.
//!
//! Users upload and delete files (`storing`, with `sniffing` and `naming`) and open signed addresses (`signing`,
//! `reading`). `picturing` serves profile pictures and those of the site, which `redrawing` makes safe to show;
//! `archiving` packs files into archives. The worker deletes unused files (`sweeping`); `checking` finds objects that are
//! gone. `files`, above the modules of these records, decides who may read a file by its id.
//!
//! Other areas use ids of files in three steps: [`owned`] before they write (422 unless every file is the caller's),
//! [`attach`] in the transaction that writes their record, and a line in [`FileUse`](attaching::FileUse) that says who may
//! see such a record.
//!
//! Tables: `stored_file`, `file_use`. State machine: [`FileStatus`].

pub mod archiving;
pub mod attaching;
pub mod checking;
mod erasing;
pub mod file;
pub mod naming;
pub mod picturing;
pub mod reading;
pub(crate) mod redrawing;
pub mod signing;
pub mod sniffing;
mod store;
pub mod storing;
pub mod sweeping;
mod upload;

pub use attaching::{FileUse, Viewer};
pub use attaching::{add, add_written, attach, found, let_go, of_record, owned, replace, uses};
pub use erasing::erase_of;
pub use file::{FileEvent, FileOwner, FileStatus, MediaType, StoredFile};
pub use signing::Link;
pub use signing::{Slot, picture_url};
pub use storing::Discarded;
pub use upload::FileContent;
