//! Notifications, preferences, live events.

use crate::auth::Permission;
use crate::catalog::section::DEVICES;
use crate::catalog::table::{Entry, anyone, user};
use crate::catalog::{Signer, Takes};
use crate::error::codes;
use crate::live::{stream, ticket};
use crate::notifications::activity::tokens;
use crate::notifications::preferring::set_all_sms;
use crate::notifications::reading::mark_all_read;
use crate::notifications::{devices, preferring, reading, reporting, unsubscribing};
use crate::throttle::Throttle;

pub(super) fn rows() -> Vec<Entry> {
    vec![
        user("core.notification.list", "POST /fetchNotifications", reading::fetch)
            .purpose("in-app notifications of the current user"),
        user("core.notification.mark_read", "POST /updateReadNotification", reading::mark_read)
            .purpose("mark one notification read")
            .says("Notification read")
            .owned(),
        user("core.notification.mark_all_read", "POST /updateReadNotificationAll", mark_all_read)
            .purpose("mark all notifications read")
            .says("Notifications read"),
        user("core.notification.preferences", "GET /getMyNotificationPreference", preferring::list)
            .purpose("read notification preferences")
            .for_impersonators(Permission::Accounts),
        user(
            "core.notification.save_preferences",
            "POST /saveMyNotificationPreference",
            preferring::save,
        )
        .purpose("save notification preferences")
        .says("Preferences saved"),
        user("core.notification.set_all_sms", "POST /updateAllSMSNotificationStatus", set_all_sms)
            .purpose("switch all SMS notifications on or off")
            .says("Preferences saved"),
        user("core.notification.activity_tokens", "GET /getUpdateActivityTokenList", tokens)
            .purpose("the update activity tokens of the caller"),
        anyone("core.notification.unsubscribe", "POST /unsubscribe", unsubscribing::unsubscribe)
            .purpose("end the mails of an event by the link in one")
            .says("You get no more mails of this kind")
            .errors(&[codes::TOKEN_INVALID])
            .throttled(Throttle::Recovery)
            .extension(),
        anyone("core.mail.report", "POST /mail/report", reporting::mail)
            .purpose("hear of a mail that came back")
            .errors(&[codes::SIGNATURE_INVALID])
            .takes(Takes::Raw(Signer::MailService))
            .throttled(Throttle::Public)
            .extension(),
        anyone("core.sms.report", "POST /sms/report", reporting::sms)
            .purpose("hear what became of a text message")
            .errors(&[codes::SIGNATURE_INVALID, codes::NOT_FOUND])
            .takes(Takes::Raw(Signer::TextProvider))
            .throttled(Throttle::Public)
            .extension(),
        user("core.events.follow", "GET /events", stream::follow)
            .purpose("stream the caller's own events (server-sent events)")
            .errors(&[codes::TOO_MANY_STREAMS])
            .extension(),
        user("core.events.ticket", "POST /events/ticket", ticket::issue)
            .purpose("get a ticket that opens the stream in a browser")
            .credentials()
            .extension(),
        user("core.device.save", "POST /device-tokens/save", devices::save)
            .purpose("register a device for push messages")
            .under(&DEVICES)
            .says("Device registered")
            .extension(),
        user("core.device.forget", "POST /device-tokens/delete", devices::forget)
            .purpose("remove a device")
            .under(&DEVICES)
            .says("Device removed")
            .owned()
            .extension(),
        user("core.device.list", "GET /device-tokens", devices::list)
            .purpose("list the caller's devices")
            .under(&DEVICES)
            .extension(),
    ]
}
