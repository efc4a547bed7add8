//! Colleges, portal users, settings.

use crate::accounts::portal_team;
use crate::auth::Role;
use crate::auth::throttle::Throttle;
use crate::catalog::Method::{Get, Post, Put};
use crate::catalog::row::{Entry, anyone, portal};
use crate::error::codes;
use crate::figures::{deadlines, trail};
use crate::institutions::{browsing, configuring, consenting};

/// The rows of this group.
pub(super) fn rows() -> Vec<Entry> {
    vec![
        anyone(
            "compliance.college.list",
            Get,
            "/colleges",
            "list colleges (no authentication)",
            browsing::list,
        )
        .throttled(Throttle::Public),
        portal(
            Role::Viewer,
            "compliance.portal_user.list",
            Get,
            "/college/users",
            "users with portal access",
            portal_team::list,
        ),
        portal(
            Role::Viewer,
            "compliance.college.settings",
            Get,
            "/college-settings",
            "read institution settings",
            configuring::show,
        ),
        portal(
            Role::Owner,
            "compliance.college.save_settings",
            Post,
            "/college-settings",
            "update or create institution settings",
            configuring::save,
        )
        .says("Settings saved"),
        portal(
            Role::Officer,
            "compliance.college.consent_to_job",
            Post,
            "/job-consents",
            "consent to an athlete's job in a restricted category",
            consenting::decide,
        )
        .extension()
        .owned()
        .says("Decision saved"),
        portal(
            Role::Owner,
            "compliance.portal_user.change",
            Put,
            "/college/users/{id}",
            "approve a user, disable one, or change what they may do",
            portal_team::change,
        )
        .extension()
        .owned()
        .says("User updated")
        .errors(&[codes::ILLEGAL_TRANSITION, codes::LAST_OWNER]),
    ]
}

/// The rows of what an institution watches over.
pub(super) fn oversight() -> Vec<Entry> {
    vec![
        portal(
            Role::Viewer,
            "compliance.audit.list",
            Get,
            "/audit-trail",
            "list what the institution's own people did",
            trail::list,
        )
        .extension(),
        portal(
            Role::Viewer,
            "compliance.deadline.list",
            Get,
            "/deadlines",
            "list what is late or due, athlete by athlete",
            deadlines::list,
        )
        .extension(),
    ]
}
