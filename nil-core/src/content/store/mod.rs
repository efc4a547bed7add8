//! The rows of this area.

pub(super) mod file;
