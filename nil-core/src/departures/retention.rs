//! What becomes of each column.
