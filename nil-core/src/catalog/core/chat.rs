//! Chat.

use crate::catalog::table::{Entry, user};
use crate::error::{Code, codes};
use crate::messaging::{broadcasting, chatting, reading, supporting};

/// The refusals of writing to a user.
const WRITING: &[Code] = &[codes::RECIPIENT_UNAVAILABLE, codes::CONVERSATION_CLOSED];

pub(super) fn rows() -> Vec<Entry> {
    vec![
        user("core.chat.send", "POST /sendMessage", chatting::send)
            .purpose("send a direct message")
            .says("Message sent")
            .errors(WRITING)
            .owned(),
        user("core.chat.send_mass", "POST /sendMessageMass", broadcasting::send_mass)
            .purpose("send a message to several recipients")
            .says("Messages sent")
            .owned(),
        user("core.chat.conversations", "POST /fetchMessages", reading::conversations)
            .purpose("list chat contacts and conversations"),
        user("core.chat.messages", "POST /fetchMessagesById", reading::messages)
            .purpose("messages of one conversation")
            .owned(),
        user("core.chat.start", "POST /chatMessageInitiate", chatting::start)
            .purpose("start a conversation")
            .says("Conversation open")
            .errors(&[codes::RECIPIENT_UNAVAILABLE])
            .owned(),
        user("core.chat.pin", "POST /pinUnpinMessage", chatting::pin)
            .purpose("pin or unpin a message")
            .says("Pin changed")
            .errors(&[codes::TOO_MANY_PINS])
            .owned(),
        user("core.chat.open_support", "POST /supportConversation", supporting::open)
            .purpose("open the caller's conversation with the operators")
            .says("Conversation open")
            .extension(),
    ]
}
