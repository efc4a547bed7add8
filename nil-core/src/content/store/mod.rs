//! The rows of files and of announced uploads.

pub(super) mod announced;
pub(super) mod file;
pub(super) mod object;
