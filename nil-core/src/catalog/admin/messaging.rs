//! Support conversations and announcements.

use crate::announcements::AnnouncementStatus;
use crate::announcements::admin;
use crate::announcements::admin::{list_groups, save_group};
use crate::catalog::columns::TEMPLATES;
use crate::catalog::forms::RequiredWhen;
use crate::catalog::table::operator::messaging;
use crate::catalog::table::{Entry, extensions};
use crate::error::codes;
use crate::messaging::supporting;
use crate::notifications::{lifting, overview, templating};

/// The columns of conversations.
const CONVERSATIONS: &[&str] = &["name", "waiting", "kind", "last_text", "updated_at"];

/// The columns of messages.
const MESSAGES: &[&str] = &["text", "created_at", "read_at", "pinned_at", "attachments"];

/// The columns of announcements.
const ANNOUNCEMENTS: &[&str] =
    &["title", "status", "starts_at", "ends_at", "published_at", "told", "told_at", "body"];

/// The columns of groups.
const GROUPS: &[&str] = &["name", "created_at", "updated_at"];

/// The columns of triggers.
const TRIGGERS: &[&str] =
    &["event", "channel", "enabled", "required", "sent", "failed", "fell_back", "subject"];

/// The columns of addresses that take no more messages.
const UNDELIVERABLE: &[&str] = &["address", "channel", "why", "since"];

/// The columns of versions.
const VERSIONS: &[&str] = &["version", "subject", "replaced_at", "replaced_by", "body"];

/// Addresses that take no more messages.
pub(super) fn undeliverable() -> Vec<Entry> {
    extensions(vec![
        messaging("admin.undeliverable.list", "GET /undeliverable-addresses", lifting::list)
            .purpose("list addresses that take no more messages")
            .title("Addresses that take no messages")
            .columns(UNDELIVERABLE),
        messaging(
            "admin.undeliverable.lift",
            "POST /undeliverable-addresses/{id}/lift",
            lifting::lift,
        )
        .purpose("let messages go to an address again")
        .title("Let messages go to an address again")
        .acts_on("undeliverable", "id")
        .verb("Open")
        .says("Messages go there again")
        .errors(&[codes::NOT_FOUND]),
    ])
}

/// The operators' side of support conversations.
pub(super) fn support() -> Vec<Entry> {
    extensions(vec![
        messaging("admin.support.list", "GET /support-conversations", supporting::list)
            .purpose("list support conversations")
            .title("Support conversations")
            .columns(CONVERSATIONS),
        messaging("admin.support.messages", "GET /support-conversations/{id}", supporting::read)
            .purpose("show the messages of a support conversation")
            .title("Messages of a support conversation")
            .columns(MESSAGES),
        messaging("admin.support.reply", "POST /support-conversations/reply", supporting::reply)
            .purpose("write to a user on behalf of the operators")
            .title("Write to a user")
            .acts_on("user", "user_id")
            .verb("Send")
            .says("Message sent")
            .errors(&[codes::NOT_FOUND, codes::RECIPIENT_UNAVAILABLE]),
    ])
}

/// A new announcement has a headline and a text.
const A_TEXT: &[RequiredWhen] =
    &[RequiredWhen::new("title", "id", &[]), RequiredWhen::new("body", "id", &[])];

/// Announcements.
pub(super) fn announcements() -> Vec<Entry> {
    vec![
        messaging("admin.announcement.save", "POST /announcement/save", admin::save)
            .purpose("save an announcement")
            .required_when(A_TEXT)
            .title("Save an announcement")
            .acts_on("announcement", "id")
            .until_over::<AnnouncementStatus>()
            .verb("Save")
            .confirm(
                "At its start it is public, and everyone in its audience is told; a start that has \
                 passed means at once. What is withdrawn stays withdrawn.",
                "Messages that were sent cannot be called back. Without a start it is a draft, \
                 which nobody sees.",
            )
            .says("Announcement saved")
            .errors(&[codes::ILLEGAL_TRANSITION]),
        messaging("admin.announcement.save_group", "POST /announcement-group/save", save_group)
            .purpose("create an announcement group")
            .title("Save a group for announcements")
            .acts_on("announcement_group", "id")
            .verb("Save")
            .says("Group saved")
            .errors(&[codes::DUPLICATE]),
        messaging("admin.announcement.list", "GET /announcement/{id}", admin::list)
            .purpose("list announcements")
            .title("Announcements")
            .columns(ANNOUNCEMENTS),
        messaging("admin.announcement.list_groups", "GET /announcement-group/{id}", list_groups)
            .purpose("list announcement groups")
            .title("Groups for announcements")
            .columns(GROUPS)
            .extension(),
    ]
}

/// The texts of messages, and which are sent.
pub(super) fn templates() -> Vec<Entry> {
    vec![
        messaging(
            "admin.notification.overview",
            "GET /notification-overview/{status}",
            overview::list,
        )
        .purpose("notification overview and trigger status")
        .title("Notifications")
        .columns(TRIGGERS),
        messaging(
            "admin.notification.set_trigger",
            "POST /notification-overview/update/trigger",
            overview::set,
        )
        .purpose("enable or disable a trigger")
        .title("Turn a notification on or off")
        .verb("Save")
        .says("Trigger saved"),
        messaging(
            "admin.email_template.save",
            "POST /email-templates/save",
            templating::save_email,
        )
        .purpose("save an email template")
        .title("Save a mail's text")
        .verb("Save")
        .says("Template saved"),
        messaging(
            "admin.email_template.list",
            "GET /email-templates/{status}/{id}",
            templating::list_email,
        )
        .purpose("list email templates")
        .title("Mail templates")
        .columns(TEMPLATES),
        messaging("admin.email_template.test", "POST /email-templates/test", templating::send_test)
            .purpose("send a template's mail, with sample values, to the caller")
            .title("Send yourself a test mail")
            .verb("Send")
            .says("Test mail sent")
            .extension(),
        messaging("admin.sms_template.save", "POST /sms-template/save", templating::save_sms)
            .purpose("save an SMS template")
            .title("Save a text message's text")
            .verb("Save")
            .says("Template saved"),
        messaging(
            "admin.sms_template.list",
            "GET /sms-template/{status}/{id}",
            templating::list_sms,
        )
        .purpose("list SMS templates")
        .title("Text message templates")
        .columns(TEMPLATES)
        .extension(),
        messaging(
            "admin.inapp_template.save",
            "POST /inapp-template/save",
            templating::save_in_app,
        )
        .purpose("save an in-app template")
        .title("Save an in-app message's text")
        .verb("Save")
        .says("Template saved"),
        messaging(
            "admin.inapp_template.list",
            "GET /inapp-template/{status}",
            templating::list_in_app,
        )
        .purpose("list in-app templates")
        .title("In-app templates")
        .columns(TEMPLATES),
        messaging("admin.template.preview", "POST /email-templates/preview", templating::preview)
            .purpose("show what a template of any channel would say")
            .title("Preview of a template")
            .verb("Preview")
            .extension(),
        messaging(
            "admin.template.versions",
            "GET /email-templates/versions/{id}",
            templating::versions,
        )
        .purpose("list the earlier texts of a template")
        .title("Earlier texts of a template")
        .columns(VERSIONS)
        .extension(),
        messaging("admin.template.reset", "POST /email-templates/reset", templating::reset)
            .purpose("return a template to its first text")
            .title("Return a template to its first text")
            .verb("Return to the first text")
            .confirm(
                "The template says again what the platform came with.",
                "The present text is kept among the earlier ones. Whether the message is sent \
                 stays as it is.",
            )
            .says("Template saved")
            .extension(),
    ]
}
