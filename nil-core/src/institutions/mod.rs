//! Colleges and universities, and what their compliance officers see.

pub mod browsing;
mod college;
pub mod managing;
pub(crate) mod store;

pub use college::{College, Division};
