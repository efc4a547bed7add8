//! Chat.

use crate::catalog::Method::Post;
use crate::catalog::row::{Entry, user};
use crate::error::{Code, codes};
use crate::messaging::{broadcasting, chatting, reading, supporting};

/// Why somebody cannot be written to.
const WRITING: &[Code] = &[codes::RECIPIENT_UNAVAILABLE, codes::CONVERSATION_CLOSED];

/// The rows of this group.
pub(super) fn rows() -> Vec<Entry> {
    vec![
        user("core.chat.send", Post, "/sendMessage", "send a direct message", chatting::send)
            .owned()
            .says("Message sent")
            .errors(WRITING),
        user(
            "core.chat.send_mass",
            Post,
            "/sendMessageMass",
            "send a message to several recipients",
            broadcasting::send_mass,
        )
        .owned()
        .says("Messages sent"),
        user(
            "core.chat.conversations",
            Post,
            "/fetchMessages",
            "list chat contacts and conversations",
            reading::conversations,
        ),
        user(
            "core.chat.messages",
            Post,
            "/fetchMessagesById",
            "messages of one conversation",
            reading::messages,
        )
        .owned(),
        user(
            "core.chat.start",
            Post,
            "/chatMessageInitiate",
            "start a conversation",
            chatting::start,
        )
        .owned()
        .says("Conversation open")
        .errors(&[codes::RECIPIENT_UNAVAILABLE]),
        user("core.chat.pin", Post, "/pinUnpinMessage", "pin or unpin a message", chatting::pin)
            .owned()
            .says("Pin changed")
            .errors(&[codes::TOO_MANY_PINS]),
        user(
            "core.chat.open_support",
            Post,
            "/supportConversation",
            "open the caller's conversation with the operators",
            supporting::open,
        )
        .extension()
        .says("Conversation open"),
    ]
}
