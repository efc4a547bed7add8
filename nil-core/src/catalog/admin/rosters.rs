//! Rosters.

use crate::auth::Permission::Content;
use crate::catalog::Method::{Get, Post};
use crate::catalog::row::{Entry, operator};
use crate::error::codes;
use crate::rosters::managing;

/// The rows of this group.
pub(super) fn rows() -> Vec<Entry> {
    vec![
        operator(
            Content,
            "admin.roster.list",
            Get,
            "/rosters/{status}/{id}",
            "list rosters",
            managing::list,
        ),
        operator(
            Content,
            "admin.roster.save",
            Post,
            "/rosters/save",
            "create or update a roster",
            managing::save,
        )
        .says("Roster saved")
        .errors(&[codes::DUPLICATE]),
        operator(
            Content,
            "admin.roster.add_athletes",
            Post,
            "/rosters/save-athletes",
            "add athletes to a roster",
            managing::add_athletes,
        )
        .says("Athletes added"),
        operator(
            Content,
            "admin.roster.remove_athletes",
            Post,
            "/rosters/delete-athletes",
            "remove athletes from a roster",
            managing::remove_athletes,
        )
        .says("Athletes removed"),
        operator(
            Content,
            "admin.roster.set_published",
            Post,
            "/rosters/update-publish-status",
            "publish or unpublish",
            managing::set_published,
        )
        .says("Roster saved"),
        operator(
            Content,
            "admin.roster.check_url",
            Post,
            "/rosters/check-url",
            "check that a roster URL is available",
            managing::check_url,
        ),
    ]
}
