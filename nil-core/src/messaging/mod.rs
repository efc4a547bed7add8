//! Chat: conversations of two users about a job or in general, and each user's conversation with
//! the operators.
//!
//! Tables: `conversation`, `participant`, `message`. There are no state machines.
//!
//! 1. [`chatting`]: a user starts a conversation and sends messages; `access` checks who may write
//!    to whom.
//! 2. `posting` writes a message, counts it as unread, notifies the recipient and copies a minor's
//!    guardian.
//! 3. [`broadcasting`] sends to many; [`supporting`] is the conversation with the operators.
//! 4. [`reading`] lists conversations and messages and marks them as read; `stream` feeds live
//!    streams.
//!
//! Called by the Core and Admin operations, by the assistant (`posting`) and by live streams.

mod access;
pub mod broadcasting;
pub mod chatting;
mod conversation;
mod posting;
pub mod reading;
mod store;
pub mod stream;
mod support;
pub mod supporting;

pub use conversation::{
    ChatMessage, Conversation, ConversationKind, Correspondent, Sender, SenderKind,
};
pub use posting::{copy_between, to_partner_about};
pub use reading::may_see;
pub use support::{ListSupport, SupportConversation, SupportSort};
