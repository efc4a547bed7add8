//! Every event: who is told, on which channels, and which file sends it. A new event needs one line in the table, a file
//! that sends it, and a test that names it.

use std::collections::BTreeSet;

use nil_core::notifications::Event;
use nil_core::notifications::outbox::Channel;

use crate::tidy::{complain, sources, without_tests};

/// The recipients: users of the Core interface by their kind (`user`: of any kind), `officer` for users of the portal,
/// `guest` for a mailbox without an account: a guardian, an operator, someone who registers. Then the channels, for
/// officers and guests only mail, and the folder or file of `nil-core/src` that sends it.
const TABLE: &[(Event, &str, &str, &str)] = &[
    (Event::OtpSent, "user", "email", "accounts/mail.rs"),
    (Event::PasswordReset, "user officer", "email", "accounts/mail.rs"),
    (Event::EmailVerify, "user", "email", "accounts/mail.rs"),
    (Event::GuardianConsent, "guest", "email", "accounts/mail.rs"),
    (Event::AccountVerified, "user", "email in_app", "accounts/registering/progress.rs"),
    (Event::AccountInvited, "user", "email", "accounts/mail.rs"),
    (Event::AccountEmailChanged, "guest", "email", "accounts/mail.rs"),
    (Event::ImpersonationStarted, "user officer", "email in_app", "accounts/impersonating.rs"),
    (Event::SenderTested, "guest", "email", "backoffice/settings.rs"),
    (Event::JobApproved, "brand", "email in_app", "deals/admin.rs"),
    (Event::JobRefused, "brand", "email in_app", "deals/admin.rs"),
    (Event::JobChanged, "brand", "email in_app", "jobs/posting.rs"),
    (Event::JobClosingSoon, "athlete brand", "email in_app", "deals/reminding.rs"),
    (Event::InvitationReceived, "athlete", "email sms in_app", "jobs/inviting.rs"),
    (Event::ApplicationReceived, "brand", "email in_app", "jobs/applying.rs"),
    (Event::ApplicationRejected, "athlete", "email in_app", "jobs/inviting.rs"),
    (Event::AthleteHired, "athlete", "email sms in_app", "deals/hiring.rs"),
    (Event::ContractGenerated, "athlete brand agent", "email in_app", "deals/hiring.rs"),
    (Event::ContractExecuted, "athlete brand agent officer", "email in_app", "deals/confirming.rs"),
    (Event::ContractRequestRaised, "brand", "email sms in_app", "deals/requesting.rs"),
    (Event::ContractRequestDecided, "athlete", "email in_app", "deals/requesting.rs"),
    (Event::ContractCancelled, "athlete brand agent", "email sms in_app", "deals/ending.rs"),
    (Event::ContractExpired, "athlete brand agent", "email in_app", "deals/ending.rs"),
    (Event::DeliverableSubmitted, "brand", "email in_app", "deals/delivering.rs"),
    (Event::DeliverableApproved, "athlete", "email in_app", "deals/delivering.rs"),
    (Event::DeliverableDenied, "athlete", "email sms in_app", "deals/delivering.rs"),
    (Event::DeliverableDueSoon, "athlete", "email sms in_app", "deals/reminding.rs"),
    (Event::DeliverableOverdue, "athlete brand", "email sms in_app", "deals/reminding.rs"),
    (Event::PostGone, "athlete brand", "email sms in_app", "deals/watching.rs"),
    (Event::PostUndisclosed, "athlete brand", "email in_app", "deals/watching.rs"),
    (Event::PostRestored, "athlete brand", "email in_app", "deals/watching.rs"),
    (Event::PostOutOfPlace, "officer", "email in_app", "deals/watching.rs"),
    (Event::OrderDeclined, "athlete brand agent", "email in_app", "orders/notices.rs"),
    (Event::OrderCancelled, "athlete brand agent", "email in_app", "orders/notices.rs"),
    (Event::OrderExpired, "athlete brand agent", "email in_app", "orders/notices.rs"),
    (Event::OrderCompleted, "athlete brand agent", "email in_app", "orders/notices.rs"),
    (Event::DealFileAdded, "athlete brand agent", "email in_app", "deal_folder/notices.rs"),
    (Event::DealFileReplaced, "athlete brand agent", "email in_app", "deal_folder/notices.rs"),
    (Event::DealFileApproved, "athlete brand agent", "email in_app", "deal_folder/answering.rs"),
    (
        Event::DealFileEditsRequested,
        "athlete brand agent",
        "email in_app",
        "deal_folder/answering.rs",
    ),
    (Event::DealFileVoided, "athlete brand agent", "email in_app", "deal_folder/answering.rs"),
    (Event::DealFileCommented, "athlete brand agent", "email in_app", "deal_folder/commenting.rs"),
    (Event::PaymentSucceeded, "athlete brand", "email in_app", "payments/settling.rs"),
    (Event::PaymentFailed, "brand", "email sms in_app", "payments/settling.rs"),
    (Event::PayoutPaid, "athlete agent", "email sms in_app", "payments/settling_payouts.rs"),
    (Event::PayoutFailed, "athlete agent", "email sms in_app", "payments/settling_payouts.rs"),
    (Event::TaxFormRequested, "athlete agent", "email in_app", "payments/taxes/asking.rs"),
    (Event::RefundIssued, "athlete brand", "email in_app", "payments/refunding.rs"),
    (
        Event::SubscriptionRenewed,
        "brand agent",
        "email in_app",
        "payments/subscriptions/settling.rs",
    ),
    (
        Event::SubscriptionPaymentFailed,
        "brand agent",
        "email in_app",
        "payments/subscriptions/settling.rs",
    ),
    (Event::SubscriptionEnded, "brand agent", "email in_app", "payments/subscriptions/settling.rs"),
    (
        Event::SubscriptionChanged,
        "brand agent",
        "email in_app",
        "payments/subscriptions/changing.rs",
    ),
    (
        Event::SubscriptionRefunded,
        "brand agent",
        "email in_app",
        "payments/subscriptions/refunding.rs",
    ),
    (Event::MessageReceived, "user", "email in_app", "messaging/posting.rs"),
    (Event::MessageCopied, "guest", "email", "messaging/posting.rs"),
    (Event::AgentInvited, "athlete guest", "email sms in_app", "agents/notices.rs"),
    (Event::AgentLinked, "athlete agent guest", "email in_app", "agents/notices.rs"),
    (Event::AgentUnlinked, "athlete agent guest", "email in_app", "agents/notices.rs"),
    (Event::AgentCancelled, "agent athlete", "email in_app", "agents/notices.rs"),
    (Event::AgencyContractDrafted, "officer", "email in_app", "filings/notices.rs"),
    (Event::AgencyContractCancelled, "officer", "email in_app", "filings/notices.rs"),
    (Event::AgentNoticeGiven, "officer", "email in_app", "filings/notices.rs"),
    (Event::AgentNoticeDue, "athlete agent", "email sms in_app", "filings/notices.rs"),
    (Event::DisclosureSubmitted, "officer", "email in_app", "disclosures/telling.rs"),
    (Event::DisclosureDue, "athlete agent officer", "email sms in_app", "disclosures/telling.rs"),
    (Event::DisclosureDueSoon, "athlete agent", "email in_app", "disclosures/reminding.rs"),
    (Event::DisclosureOverdue, "athlete agent", "email in_app", "disclosures/reminding.rs"),
    (Event::DisclosureLate, "officer", "email", "disclosures/telling.rs"),
    (Event::DisclosedJobApproved, "athlete agent", "email in_app", "disclosures/deciding.rs"),
    (Event::DisclosedJobRejected, "athlete agent", "email in_app", "disclosures/deciding.rs"),
    (Event::DisclosedJobInfoRequested, "athlete agent", "email in_app", "disclosures/deciding.rs"),
    (
        Event::DisclosedJobFlagged,
        "athlete agent brand officer",
        "email sms in_app",
        "disclosures/telling.rs",
    ),
    (
        Event::ClearanceDueSoon,
        "athlete agent officer",
        "email sms in_app",
        "disclosures/reminding.rs",
    ),
    (
        Event::ClearanceOverdue,
        "athlete agent officer",
        "email sms in_app",
        "disclosures/reminding.rs",
    ),
    (
        Event::ClearanceSubmitted,
        "athlete agent brand officer",
        "email in_app",
        "disclosures/telling.rs",
    ),
    (Event::ClearanceCleared, "athlete agent brand", "email in_app", "disclosures/telling.rs"),
    (
        Event::ClearanceNotCleared,
        "athlete agent brand",
        "email sms in_app",
        "disclosures/telling.rs",
    ),
    (Event::ClearanceArbitration, "athlete agent brand", "email in_app", "disclosures/telling.rs"),
    (Event::AssociationRequested, "brand", "email in_app", "disclosures/telling.rs"),
    (Event::AssociationDueSoon, "brand", "email in_app", "disclosures/telling.rs"),
    (Event::InstitutionDigest, "officer", "email", "notifications/digesting.rs"),
    (Event::AnnouncementPublished, "user officer", "email in_app", "announcements/announcing.rs"),
    (Event::ExportReady, "guest", "email in_app", "reports/making.rs"),
    (Event::TakeoutReady, "user", "email in_app", "reports/takeouts.rs"),
    (Event::PortalUserInvited, "officer", "email", "accounts/mail.rs"),
    (Event::PortalUserPending, "officer", "email in_app", "accounts/portal_registering.rs"),
    (Event::PortalUserConfirm, "guest", "email", "accounts/mail.rs"),
    (Event::PortalUserKnown, "guest", "email", "accounts/mail.rs"),
    (Event::PortalUserEmailChanged, "guest", "email", "accounts/mail.rs"),
];

const USERS: [&str; 5] = ["user", "athlete", "brand", "agent", "fan"];
const OTHERS: [&str; 2] = ["officer", "guest"];

fn named(words: &str) -> BTreeSet<&str> {
    words.split(' ').collect()
}

#[test]
fn every_event_is_told_to_somebody_who_can_choose_it() {
    let mut wrong = Vec::new();
    for event in Event::ALL {
        let lines = TABLE.iter().filter(|(known, ..)| known == event).count();
        if lines != 1 {
            wrong.push(format!("{event} has {lines} lines in the table"));
        }
    }
    for (event, to, channels, _) in TABLE {
        let to = named(to);
        for who in &to {
            if !USERS.contains(who) && !OTHERS.contains(who) {
                wrong.push(format!("{event} is told to `{who}`, whom nobody knows"));
            }
        }
        let users = to.iter().any(|who| USERS.contains(who));
        if event.is_for_users() != users {
            wrong.push(format!("{event} can be chosen by users: {}", event.is_for_users()));
        }
        if event.is_for_portal_users() != to.contains("officer") {
            let chosen = event.is_for_portal_users();
            wrong.push(format!("{event} can be chosen by officers: {chosen}"));
        }
        let sent = [Channel::Email, Channel::Sms, Channel::InApp];
        let sent: Vec<&str> =
            sent.iter().filter(|one| event.goes_by(**one)).map(|c| c.as_str()).collect();
        if sent.join(" ") != *channels {
            wrong.push(format!("{event} is sent by {sent:?}"));
        }
    }
    complain(wrong);
}

/// Whether the code names the event, and not one of a machine such as `JobEvent`.
fn names(code: &str, event: Event) -> bool {
    let wanted = format!("Event::{event:?}");
    code.match_indices(&wanted).any(|(at, _)| {
        let before = code[..at].chars().next_back();
        let after = code[at + wanted.len()..].chars().next();
        let inside = |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric());
        !inside(before) && !inside(after)
    })
}

#[test]
fn every_event_has_a_sender_and_a_test() {
    let mut wrong = Vec::new();
    let all = sources(".rs");
    for (event, .., from) in TABLE {
        let path = format!("nil-core/src/{from}");
        let sender = all.iter().find(|(file, _)| *file == path);
        if !sender.is_some_and(|(_, text)| names(without_tests(text), *event)) {
            wrong.push(format!("{from} does not send {event}"));
        }
        let quoted = format!("\"{event}\"");
        let tested = all.iter().any(|(file, text)| {
            let suite = file.starts_with("tests/domain") || file.starts_with("tests/http");
            suite && text.contains(&quoted)
        });
        if !tested {
            wrong.push(format!("no test of the suites names {event}"));
        }
    }
    complain(wrong);
}
