//! Support conversations and announcements.

use crate::announcements::admin;
use crate::announcements::admin::{list_groups, save_group};
use crate::catalog::table::operator::messaging;
use crate::catalog::table::{Entry, extensions};
use crate::error::codes;
use crate::messaging::supporting;

/// The operators' side of support conversations.
pub(super) fn support() -> Vec<Entry> {
    extensions(vec![
        messaging("admin.support.list", "GET /support-conversations", supporting::list)
            .purpose("list support conversations"),
        messaging("admin.support.messages", "GET /support-conversations/{id}", supporting::read)
            .purpose("show the messages of a support conversation"),
        messaging("admin.support.reply", "POST /support-conversations/reply", supporting::reply)
            .purpose("write to a user on behalf of the operators")
            .says("Message sent")
            .errors(&[codes::NOT_FOUND, codes::RECIPIENT_UNAVAILABLE]),
    ])
}

/// Announcements.
pub(super) fn announcements() -> Vec<Entry> {
    vec![
        messaging("admin.announcement.save", "POST /announcement/save", admin::save)
            .purpose("save an announcement")
            .says("Announcement saved")
            .errors(&[codes::ILLEGAL_TRANSITION]),
        messaging("admin.announcement.save_group", "POST /announcement-group/save", save_group)
            .purpose("create an announcement group")
            .says("Group saved")
            .errors(&[codes::DUPLICATE]),
        messaging("admin.announcement.list", "GET /announcement/{id}", admin::list)
            .purpose("list announcements"),
        messaging("admin.announcement.list_groups", "GET /announcement-group/{id}", list_groups)
            .purpose("list announcement groups")
            .extension(),
    ]
}
