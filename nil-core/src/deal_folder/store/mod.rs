//! SQL of the deals' folders.

pub(super) mod comment;
pub(super) mod deal_file;
