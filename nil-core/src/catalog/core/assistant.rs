//! The athletes' assistant.

use crate::assistant::{asking, clarifying, drafting, hosting, remembering, waiting};
use crate::catalog::Method::{Delete, Get, Post, Put};
use crate::catalog::row::{Entry, athlete};
use crate::error::codes;

/// The rows of this group.
pub(super) fn rows() -> Vec<Entry> {
    let mut rows = vec![
        athlete(
            "core.assistant.send_clarification",
            Post,
            "/athlete/ai-athlete-assistant/clarification-drafts/{id}/send",
            "send a clarification draft to its brand, once",
            clarifying::send,
        )
        .owned()
        .unprocessable()
        .says("Clarification sent")
        .errors(&[codes::ILLEGAL_TRANSITION, codes::RECIPIENT_UNAVAILABLE]),
    ];
    rows.extend(conversation());
    rows.extend(drafts());
    rows
}

fn conversation() -> Vec<Entry> {
    vec![
        athlete(
            "core.assistant.chat",
            Post,
            "/athlete/ai-athlete-assistant/chat",
            "ask the assistant about the caller's own records",
            asking::chat,
        )
        .extension()
        .owned()
        .says("Answered"),
        athlete(
            "core.assistant.history",
            Get,
            "/athlete/ai-athlete-assistant/history",
            "what the caller asked and the assistant answered",
            remembering::history,
        )
        .extension(),
        athlete(
            "core.assistant.mark_read",
            Post,
            "/athlete/ai-athlete-assistant/read",
            "mark the assistant's answers as read",
            remembering::mark_read,
        )
        .extension()
        .says("Marked as read"),
        athlete(
            "core.assistant.unread",
            Get,
            "/athlete/ai-athlete-assistant/unread",
            "count the assistant's answers that are not read",
            remembering::unread,
        )
        .extension(),
        athlete(
            "core.assistant.join_waitlist",
            Post,
            "/athlete/ai-athlete-assistant/waitlist",
            "join the assistant's waiting list",
            waiting::join,
        )
        .extension()
        .says("You are on the list"),
        athlete(
            "core.assistant.waitlist",
            Get,
            "/athlete/ai-athlete-assistant/waitlist",
            "show whether the caller is on the assistant's waiting list",
            waiting::show,
        )
        .extension(),
        athlete(
            "core.assistant.hand_token",
            Post,
            "/athlete/ai-athlete-assistant/token",
            "a token with which a model host may look into the caller's deals for ten minutes",
            hosting::hand_token,
        )
        .credentials()
        .extension()
        .says("The token is good for ten minutes"),
    ]
}

fn drafts() -> Vec<Entry> {
    vec![
        athlete(
            "core.assistant.clarification_drafts",
            Get,
            "/athlete/ai-athlete-assistant/clarification-drafts",
            "list the caller's clarification drafts",
            drafting::list,
        )
        .extension(),
        athlete(
            "core.assistant.save_clarification_draft",
            Post,
            "/athlete/ai-athlete-assistant/clarification-drafts",
            "keep a question to the brand of a job",
            drafting::save,
        )
        .extension()
        .owned()
        .says("Draft saved")
        .errors(&[codes::TOO_MANY_DRAFTS]),
        athlete(
            "core.assistant.edit_clarification_draft",
            Put,
            "/athlete/ai-athlete-assistant/clarification-drafts/{id}",
            "change a clarification draft that is not sent",
            drafting::edit,
        )
        .extension()
        .owned()
        .says("Draft changed")
        .errors(&[codes::ILLEGAL_TRANSITION]),
        athlete(
            "core.assistant.remove_clarification_draft",
            Delete,
            "/athlete/ai-athlete-assistant/clarification-drafts/{id}",
            "delete a clarification draft that is not sent",
            drafting::remove,
        )
        .extension()
        .owned()
        .says("Draft deleted")
        .errors(&[codes::ILLEGAL_TRANSITION]),
    ]
}
