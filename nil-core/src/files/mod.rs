//! Files as people read them: by the file's own id, and as the content library of a brand.
//!
//! It owns no table: `content` keeps files and what they are part of, and the areas of those records say who may
//! see them (`sharing`). It stands above all of them, and nothing but the catalog calls it.

pub mod library;
pub mod reading;
mod sharing;
mod store;
