//! The rows of files and the content library.

pub(super) mod file;
pub(super) mod object;
