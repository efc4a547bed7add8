//! Chat: conversations of two users about a deal, or about nothing in particular, and each user's
//! conversation with the operators.

mod access;
pub mod broadcasting;
pub mod chatting;
mod conversation;
pub(crate) mod following;
mod posting;
pub mod reading;
mod store;
pub mod supporting;

pub use conversation::{
    ChatMessage, Conversation, ConversationKind, Correspondent, Sender, SenderKind,
};
pub(crate) use posting::to_partner_about;
pub(crate) use reading::may_see;
