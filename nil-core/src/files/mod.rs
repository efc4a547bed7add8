//! Files as users read them: by the file's own id (`reading`), and as a brand's content library
//! (`library`).
//!
//! `content` stores files and the records they are attached to; `sharing` asks the modules of these
//! records who may see them. Only the catalog calls this module.
//!
//! No tables.

pub mod library;
pub mod reading;
mod sharing;
mod store;
