//! The rows of conversations.

pub(super) mod conversation;
pub(super) mod message;
pub(super) mod people;
