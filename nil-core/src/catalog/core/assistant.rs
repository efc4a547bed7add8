//! The athletes' assistant.

use crate::assistant::remembering::{history, mark_read, unread};
use crate::assistant::waiting::show;
use crate::assistant::{asking, clarifying, drafting, hosting, waiting};
use crate::catalog::table::{Entry, athlete, extensions};
use crate::error::codes;

pub(super) fn clarification() -> Vec<Entry> {
    vec![
        athlete(
            "core.assistant.send_clarification",
            "POST /athlete/ai-athlete-assistant/clarification-drafts/{id}/send",
            clarifying::send,
        )
        .purpose("send a clarification draft to its brand, once")
        .says("Clarification sent")
        .errors(&[codes::ILLEGAL_TRANSITION, codes::RECIPIENT_UNAVAILABLE])
        .owned()
        .unprocessable(),
    ]
}

pub(super) fn conversation() -> Vec<Entry> {
    extensions(vec![
        athlete("core.assistant.chat", "POST /athlete/ai-athlete-assistant/chat", asking::chat)
            .purpose("ask the assistant about the caller's own records")
            .says("Answered")
            .owned()
            .stops(),
        athlete("core.assistant.history", "GET /athlete/ai-athlete-assistant/history", history)
            .purpose("list the caller's messages with the assistant"),
        athlete("core.assistant.mark_read", "POST /athlete/ai-athlete-assistant/read", mark_read)
            .purpose("mark the assistant's answers as read")
            .says("Marked as read"),
        athlete("core.assistant.unread", "GET /athlete/ai-athlete-assistant/unread", unread)
            .purpose("count the assistant's unread answers"),
        athlete(
            "core.assistant.join_waitlist",
            "POST /athlete/ai-athlete-assistant/waitlist",
            waiting::join,
        )
        .purpose("join the assistant's waiting list")
        .says("You are on the list"),
        athlete("core.assistant.waitlist", "GET /athlete/ai-athlete-assistant/waitlist", show)
            .purpose("show whether the caller is on the assistant's waiting list"),
        athlete(
            "core.assistant.hand_token",
            "POST /athlete/ai-athlete-assistant/token",
            hosting::hand_token,
        )
        .purpose("issue a token for a model host to read the caller's deals for ten minutes")
        .says("The token is valid for ten minutes")
        .credentials()
        .stops(),
    ])
}

pub(super) fn drafts() -> Vec<Entry> {
    extensions(vec![
        athlete(
            "core.assistant.clarification_drafts",
            "GET /athlete/ai-athlete-assistant/clarification-drafts",
            drafting::list,
        )
        .purpose("list the caller's clarification drafts"),
        athlete(
            "core.assistant.save_clarification_draft",
            "POST /athlete/ai-athlete-assistant/clarification-drafts",
            drafting::save,
        )
        .purpose("save a draft question to the brand of a job")
        .says("Draft saved")
        .errors(&[codes::TOO_MANY_DRAFTS])
        .owned()
        .stops(),
        athlete(
            "core.assistant.edit_clarification_draft",
            "PUT /athlete/ai-athlete-assistant/clarification-drafts/{id}",
            drafting::edit,
        )
        .purpose("change an unsent clarification draft")
        .says("Draft changed")
        .errors(&[codes::ILLEGAL_TRANSITION])
        .owned(),
        athlete(
            "core.assistant.remove_clarification_draft",
            "DELETE /athlete/ai-athlete-assistant/clarification-drafts/{id}",
            drafting::remove,
        )
        .purpose("delete an unsent clarification draft")
        .says("Draft deleted")
        .errors(&[codes::ILLEGAL_TRANSITION])
        .owned(),
    ])
}
