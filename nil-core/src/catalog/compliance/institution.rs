//! Colleges, portal users, settings.

use crate::accounts::portal_team;
use crate::catalog::table::portal::{officer, owner, viewer};
use crate::catalog::table::{Entry, anyone, extensions};
use crate::error::codes;
use crate::figures::{deadlines, trail};
use crate::institutions::{browsing, configuring, consenting};
use crate::notifications::preferring;
use crate::throttle::Throttle;

pub(super) fn rows() -> Vec<Entry> {
    vec![
        anyone("compliance.college.list", "GET /colleges", browsing::list)
            .purpose("list colleges (no authentication)")
            .throttled(Throttle::Public),
        viewer("compliance.portal_user.list", "GET /college/users", portal_team::list)
            .purpose("users with portal access"),
        viewer("compliance.college.settings", "GET /college-settings", configuring::show)
            .purpose("read institution settings"),
        owner("compliance.college.save_settings", "POST /college-settings", configuring::save)
            .purpose("update or create institution settings")
            .says("Settings saved"),
        officer("compliance.college.consent_to_job", "POST /job-consents", consenting::decide)
            .purpose("consent to an athlete's job in a restricted category")
            .says("Decision saved")
            .owned()
            .extension(),
        owner("compliance.portal_user.change", "PUT /college/users/{id}", portal_team::change)
            .purpose("approve a user, disable one, or change what they may do")
            .says("User updated")
            .errors(&[codes::ILLEGAL_TRANSITION, codes::LAST_OWNER])
            .owned()
            .extension(),
    ]
}

/// What a portal user is told.
pub(super) fn preferences() -> Vec<Entry> {
    vec![
        viewer(
            "compliance.notification.preferences",
            "GET /getMyNotificationPreference",
            preferring::list_of_portal,
        )
        .purpose("read notification preferences"),
        viewer(
            "compliance.notification.save_preferences",
            "POST /saveMyNotificationPreference",
            preferring::save_of_portal,
        )
        .purpose("update notification preferences")
        .says("Preferences saved"),
    ]
}

/// What an institution watches over.
pub(super) fn oversight() -> Vec<Entry> {
    extensions(vec![
        viewer("compliance.audit.list", "GET /audit-trail", trail::list)
            .purpose("list what the institution's own people did"),
        viewer("compliance.deadline.list", "GET /deadlines", deadlines::list)
            .purpose("list what is late or due, athlete by athlete"),
    ])
}
