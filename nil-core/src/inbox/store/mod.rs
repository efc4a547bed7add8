//! The view `college_inbox` with the rows of `inbox_item`, and whom to remind of its items.

pub(super) mod handled;
pub(super) mod listed;
pub(super) mod reader;
