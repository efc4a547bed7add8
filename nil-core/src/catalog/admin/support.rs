//! The operators' side of support conversations.

use crate::auth::Permission::Messaging;
use crate::catalog::Method::{Get, Post};
use crate::catalog::row::{Entry, operator};
use crate::error::codes;
use crate::messaging::supporting;

/// The rows of this group.
pub(super) fn rows() -> Vec<Entry> {
    vec![
        operator(
            Messaging,
            "admin.support.list",
            Get,
            "/support-conversations",
            "list the users' conversations with the operators",
            supporting::list,
        )
        .extension(),
        operator(
            Messaging,
            "admin.support.messages",
            Get,
            "/support-conversations/{id}",
            "messages of one support conversation",
            supporting::read,
        )
        .extension(),
        operator(
            Messaging,
            "admin.support.reply",
            Post,
            "/support-conversations/reply",
            "write to a user from the operators",
            supporting::reply,
        )
        .extension()
        .says("Message sent")
        .errors(&[codes::NOT_FOUND, codes::RECIPIENT_UNAVAILABLE]),
    ]
}
