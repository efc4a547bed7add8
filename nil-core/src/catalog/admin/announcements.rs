//! Announcements.

use crate::announcements::managing;
use crate::auth::Permission::Messaging;
use crate::catalog::Method::{Get, Post};
use crate::catalog::row::{Entry, operator};
use crate::error::codes;

/// The rows of this group.
pub(super) fn rows() -> Vec<Entry> {
    vec![
        operator(
            Messaging,
            "admin.announcement.save",
            Post,
            "/announcement/save",
            "save an announcement",
            managing::save,
        )
        .says("Announcement saved")
        .errors(&[codes::ILLEGAL_TRANSITION]),
        operator(
            Messaging,
            "admin.announcement.save_group",
            Post,
            "/announcement-group/save",
            "create an announcement group",
            managing::save_group,
        )
        .says("Group saved")
        .errors(&[codes::DUPLICATE]),
        operator(
            Messaging,
            "admin.announcement.list",
            Get,
            "/announcement/{id}",
            "list announcements",
            managing::list,
        ),
        operator(
            Messaging,
            "admin.announcement.list_groups",
            Get,
            "/announcement-group/{id}",
            "list the groups that announcements are for",
            managing::list_groups,
        )
        .extension(),
    ]
}
