//! The officers' inbox: what is late at an institution, what waits for its decision, and what is
//! due soon.
//!
//! `listing` reads it: deadlines as [`crate::figures::deadlines`] lists them, undecided disclosed
//! jobs, clearances that are flagged, filings that wait to be acknowledged. The items are rows of
//! the view `college_inbox`.
//!
//! `handling` assigns items, hides them for a time, and reminds those whose turn it is (`reminding`
//! says whom, and in which words).
//!
//! Table: `inbox_item`, what officers did about an item.

pub mod handling;
mod item;
mod item_ref;
pub mod listing;
mod reminding;
mod store;

pub use item::{
    AssignedTo, GroupCounts, InboxBeside, InboxCounts, InboxGroup, InboxItem, KindCounts,
};
pub use item_ref::{HandledItem, HandledItems, InboxRef, InboxRefs, InboxRefusal};
