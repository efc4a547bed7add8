//! Colleges, portal users, settings.

use crate::accounts::portal;
use crate::auth::Permission;
use crate::catalog::columns::PORTAL_USERS;
use crate::catalog::forms::FieldGroup;
use crate::catalog::table::portal::{officer, owner, viewer};
use crate::catalog::table::{Entry, anyone, extensions};
use crate::catalog::two_step::resetting;
use crate::disclosures::previewing;
use crate::error::codes;
use crate::figures::{deadlines, trail};
use crate::inbox::{handling, listing};
use crate::institutions::{browsing, configuring, consenting};
use crate::notifications::preferring;
use crate::throttle::Throttle;

/// The groups of an institution's settings.
const SETTINGS: &[FieldGroup] = &[
    FieldGroup::new(
        "Institution",
        &["time_zone", "digest", "contact_email", "logo_url", "smallest_group"],
    ),
    FieldGroup::new(
        "Deals",
        &["deadline", "threshold", "approval", "hold_payouts", "automatic_flags"],
    ),
    FieldGroup::new(
        "Restrictions",
        &[
            "prohibited_categories",
            "restricted_categories",
            "sponsor_conflicts",
            "marks",
            "blackouts",
        ],
    ),
    FieldGroup::new("Athletes and agents", &["f1", "agent_notice"]),
];

pub(super) fn rows() -> Vec<Entry> {
    vec![
        anyone("compliance.college.list", "GET /colleges", browsing::list)
            .purpose("list colleges (no authentication)")
            .title("Institutions")
            .columns(&[
                "name",
                "state",
                "division",
                "conference",
                "short_name",
                "time_zone",
                "listed",
            ])
            .for_impersonators(Permission::Accounts)
            .throttled(Throttle::Public),
        viewer("compliance.portal_user.list", "GET /college/users", portal::team::list)
            .purpose("users with portal access")
            .title("Team")
            .columns(PORTAL_USERS)
            .for_impersonators(Permission::Accounts),
        viewer("compliance.college.settings", "GET /college-settings", configuring::show)
            .purpose("read institution settings")
            .title("Rules of the institution")
            .for_impersonators(Permission::Accounts),
        owner("compliance.college.save_settings", "POST /college-settings", configuring::save)
            .purpose("update or create institution settings")
            .groups(SETTINGS)
            .title("Change the rules of the institution")
            .verb("Save")
            .says("Settings saved"),
        owner(
            "compliance.college.preview_settings",
            "POST /college-settings/preview",
            previewing::preview,
        )
        .purpose("see what changed rules would have done in the last twelve months")
        .title("What other rules would have done")
        .verb("See")
        .extension(),
        officer("compliance.college.consent_to_job", "POST /job-consents", consenting::decide)
            .purpose("consent to an athlete's job in a restricted category")
            .title("Consent to an athlete's job")
            .acts_on("athlete", "athlete_id")
            .verb("Decide")
            .says("Decision saved")
            .owned()
            .extension(),
        owner("compliance.portal_user.change", "PUT /college/users/{id}", portal::team::change)
            .purpose("approve, disable or change a portal user")
            .title("Change a colleague's access")
            .acts_on("portal_user", "id")
            .verb("Save")
            .says("User updated")
            .errors(&[codes::ILLEGAL_TRANSITION, codes::LAST_OWNER])
            .owned()
            .extension(),
        resetting(owner(
            "compliance.portal_user.reset_two_step",
            "POST /college/users/reset-two-step",
            portal::team::reset_two_step,
        ))
        .purpose("turn a colleague's two-step log-in off, for a lost authenticator app")
        .title("Reset a colleague's second step")
        .acts_on("portal_user", "id")
        .owned(),
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
        .title("Your notifications")
        .columns(&["event", "email", "in_app", "sms"])
        .for_impersonators(Permission::Accounts),
        viewer(
            "compliance.notification.save_preferences",
            "POST /saveMyNotificationPreference",
            preferring::save_of_portal,
        )
        .purpose("update notification preferences")
        .title("Change your notifications")
        .columns(&["event", "email", "in_app", "sms"])
        .verb("Save")
        .says("Preferences saved"),
    ]
}

/// The institution's audit trail, deadlines and inbox.
pub(super) fn oversight() -> Vec<Entry> {
    extensions(vec![
        viewer("compliance.audit.list", "GET /audit-trail", trail::list)
            .purpose("list the audit trail of the institution's users")
            .title("Trail")
            .columns(&[
                "at",
                "actor",
                "operation",
                "action",
                "name",
                "subject_kind",
                "subject_id",
                "address",
            ]),
        viewer("compliance.deadline.list", "GET /deadlines", deadlines::list)
            .purpose("list late and upcoming deadlines by athlete")
            .title("Deadlines")
            .columns(&["athlete", "due", "late", "first_due_at", "sport"])
            .for_impersonators(Permission::Accounts),
        viewer("compliance.inbox.list", "GET /inbox", listing::list)
            .purpose("list what is late, waits for a decision or is due, with counts")
            .title("Inbox")
            .columns(&[
                "title",
                "kind",
                "status",
                "athlete_name",
                "amount_cents",
                "due_at",
                "assignee_name",
                "counterparty",
                "marks",
            ])
            .for_impersonators(Permission::Accounts),
        officer("compliance.inbox.assign", "POST /inbox/assign", handling::assign)
            .purpose("say who takes care of items of the inbox")
            .title("Assign items of the inbox")
            .verb("Assign")
            .says("Items assigned")
            .owned(),
        officer("compliance.inbox.snooze", "POST /inbox/snooze", handling::snooze)
            .purpose("hide items of the inbox for a time")
            .title("Snooze items of the inbox")
            .verb("Snooze")
            .says("Items snoozed"),
        officer("compliance.inbox.remind", "POST /inbox/remind", handling::remind)
            .purpose("remind those whose turn it is of items of the inbox")
            .title("Remind of items of the inbox")
            .verb("Remind")
            .says("Reminders sent"),
    ])
}
