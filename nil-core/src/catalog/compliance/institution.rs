//! Colleges, portal users, settings.

use crate::auth::Role;
use crate::auth::throttle::Throttle;
use crate::catalog::Method::{Get, Post};
use crate::catalog::row::{Entry, anyone, portal};
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
    ]
}
