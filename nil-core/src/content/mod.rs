//! Files: uploaded, checked by content, stored as objects, and attached to records.
//!
//! Users upload and delete files (`storing`, with `sniffing` and `naming`) and open signed
//! addresses (`signing`, `reading`). `picturing` serves profile pictures and those of the site,
//! which `redrawing` makes safe to show; `archiving` packs files into archives. The worker deletes
//! unused files (`sweeping`); `checking` finds objects that are gone. `files`, above the modules of
//! these records, decides who may read a file by its id.
//!
//! [`announced`] says what an upload is, here and in `content_library` and `deal_folder`, which
//! announce uploads of their own.
//!
//! Other areas use ids of files in three steps: [`owned`] before they write (422 unless every file
//! is the caller's), [`attach`] in the transaction that writes their record, and a line in
//! [`FileUse`] that says who may see such a record.
//!
//! Tables: `stored_file`, `file_use`. State machine: [`FileStatus`].

pub mod announced;
pub mod announcing;
pub mod archiving;
mod attaching;
pub mod checking;
mod erasing;
pub mod file;
mod file_content;
pub mod naming;
pub mod picturing;
pub mod reading;
pub(crate) mod redrawing;
pub mod signing;
pub mod sniffing;
mod store;
pub mod storing;
pub mod sweeping;
mod usage;

pub use announced::Announced;
pub use attaching::{
    add, add_written, attach, discard_all, found, let_go, of_record, owned, replace, uses,
};
pub use erasing::erase_of;
pub use file::{Checked, FileEvent, FileOwner, FileStatus, MediaType, StoredFile};
pub use file_content::FileContent;
pub use signing::picture_url;
pub use signing::{Address, Link};
pub use storing::Discarded;
pub use usage::{FileUse, Viewer};
