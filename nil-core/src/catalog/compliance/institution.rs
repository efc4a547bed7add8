//! Colleges, portal users, settings.

use crate::accounts::portal;
use crate::auth::Permission;
use crate::catalog::table::portal::{officer, owner, viewer};
use crate::catalog::table::{Entry, anyone, extensions};
use crate::disclosures::previewing;
use crate::error::codes;
use crate::figures::{deadlines, trail};
use crate::inbox::{handling, listing};
use crate::institutions::{browsing, configuring, consenting};
use crate::notifications::preferring;
use crate::throttle::Throttle;

pub(super) fn rows() -> Vec<Entry> {
    vec![
        anyone("compliance.college.list", "GET /colleges", browsing::list)
            .purpose("list colleges (no authentication)")
            .for_impersonators(Permission::Accounts)
            .throttled(Throttle::Public),
        viewer("compliance.portal_user.list", "GET /college/users", portal::team::list)
            .purpose("users with portal access")
            .for_impersonators(Permission::Accounts),
        viewer("compliance.college.settings", "GET /college-settings", configuring::show)
            .purpose("read institution settings")
            .for_impersonators(Permission::Accounts),
        owner("compliance.college.save_settings", "POST /college-settings", configuring::save)
            .purpose("update or create institution settings")
            .says("Settings saved"),
        owner(
            "compliance.college.preview_settings",
            "POST /college-settings/preview",
            previewing::preview,
        )
        .purpose("see what changed rules would have done in the last twelve months")
        .extension(),
        officer("compliance.college.consent_to_job", "POST /job-consents", consenting::decide)
            .purpose("consent to an athlete's job in a restricted category")
            .says("Decision saved")
            .owned()
            .extension(),
        owner("compliance.portal_user.change", "PUT /college/users/{id}", portal::team::change)
            .purpose("approve, disable or change a portal user")
            .says("User updated")
            .errors(&[codes::ILLEGAL_TRANSITION, codes::LAST_OWNER])
            .owned()
            .extension(),
    ]
}

/// Notification preferences of portal users.
pub(super) fn preferences() -> Vec<Entry> {
    vec![
        viewer(
            "compliance.notification.preferences",
            "GET /getMyNotificationPreference",
            preferring::list_of_portal,
        )
        .purpose("read notification preferences")
        .for_impersonators(Permission::Accounts),
        viewer(
            "compliance.notification.save_preferences",
            "POST /saveMyNotificationPreference",
            preferring::save_of_portal,
        )
        .purpose("update notification preferences")
        .says("Preferences saved"),
    ]
}

/// The institution's audit trail, deadlines and inbox.
pub(super) fn oversight() -> Vec<Entry> {
    extensions(vec![
        viewer("compliance.audit.list", "GET /audit-trail", trail::list)
            .purpose("list the audit trail of the institution's users"),
        viewer("compliance.deadline.list", "GET /deadlines", deadlines::list)
            .purpose("list late and upcoming deadlines by athlete")
            .for_impersonators(Permission::Accounts),
        viewer("compliance.inbox.list", "GET /inbox", listing::list)
            .purpose("list what is late, waits for a decision or is due, with counts")
            .for_impersonators(Permission::Accounts),
        officer("compliance.inbox.assign", "POST /inbox/assign", handling::assign)
            .purpose("say who takes care of items of the inbox")
            .says("Items assigned")
            .owned(),
        officer("compliance.inbox.snooze", "POST /inbox/snooze", handling::snooze)
            .purpose("hide items of the inbox for a time")
            .says("Items snoozed"),
        officer("compliance.inbox.remind", "POST /inbox/remind", handling::remind)
            .purpose("remind those whose turn it is of items of the inbox")
            .says("Reminders sent"),
    ])
}
