//! The rows of the assistant.

pub(super) mod draft;
pub(super) mod message;
