//! The officers' inbox: what is late at an institution, what waits for its decision, and what is
//! due soon.
//!
//! `listing` reads it: deadlines as [`crate::figures::deadlines`] lists them, undecided disclosed
//! jobs, clearances that are flagged, filings that wait to be acknowledged. The items are rows of
//! the view `college_inbox`.
//!
//! Table: `inbox_item`, what officers did about an item.

mod item;
pub mod listing;
mod store;

pub use item::{
    AssignedTo, GroupCounts, InboxBeside, InboxCounts, InboxGroup, InboxItem, KindCounts,
};
