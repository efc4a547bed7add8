//! Backups, restores and copies of a whole installation: its rows, its files, and, in a sealed
//! backup, its secret key.
//!
//! A backup is a ZIP file: `rows/TABLE.jsonl` has the rows of a table, `objects/KEY` a file's
//! bytes, `secret.key` the key, and `manifest.json` at the end what all of it must come to.
//! `packed` reads it, `putting` writes its files into the object store. `resealing` changes the
//! secret key of what is sealed.

mod backing_up;
mod copying;
mod manifest;
mod packed;
mod putting;
mod resealing;
mod restoring;

pub use backing_up::{Backup, backup};
pub use copying::{Copied, Manner, Step, Told, copy};
pub use manifest::{Held, Manifest};
pub use packed::{Packed, Source};
pub use resealing::{Resealed, count_sealed, reseal, sealed_columns};
pub use restoring::restore;
