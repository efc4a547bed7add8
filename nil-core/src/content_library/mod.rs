//! The site's content: folders and files that operators keep, with every version of a file.
//!
//! 1. [`browsing`] lists a folder, the trash and the versions of a file.
//! 2. [`saving`] makes folders, takes small files and renames; [`uploading`] takes large files in
//!    parts. `joining` makes an object of the parts and checks it; both end where a file enters the
//!    tree (`entering`).
//! 3. [`arranging`] moves, deletes and restores; `tree` checks what all of them need: a living
//!    folder, room, depth.
//! 4. [`sending`] downloads files and opens signed previews.
//! 5. `expiring` ends uploads that were not completed, and removes what was deleted long ago.
//!
//! Whatever changes the shape of the tree locks it first (`tree::hold`), so that two changes cannot
//! make together what neither would make alone. No object is read or written inside a transaction.
//!
//! Tables: `content_tree`, `content_item`, `content_version`, `multipart_upload`. State machine:
//! [`ContentUploadStatus`]. The view `needed_object` tells `content`, which sweeps the store, which
//! objects are needed.
//!
//! Called by the Admin operations and by the worker.

pub mod arranging;
pub mod browsing;
mod entering;
mod expiring;
mod item;
mod joining;
pub mod saving;
pub mod sending;
mod store;
mod tree;
mod upload;
pub mod uploading;

pub use expiring::{expire_uploads, remove_deleted};
pub use item::{ContentFile, ContentItem, ContentKind, ContentSort, ContentVersion, PathPart};
pub use upload::{ContentUploadEvent, ContentUploadStatus};
