//! SQL of the site's content.

pub(super) mod item;
pub(super) mod upload;
pub(super) mod version;
