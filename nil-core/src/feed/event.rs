//! The events that notifications are sent for.

use crate::kernel::vocabulary::vocabulary;

use crate::ports::courier::Channel;

vocabulary! {
    /// An event with its own templates.
    Event {
        /// A one-time code.
        OtpSent = "otp.sent",
        /// A link to set a new password.
        PasswordReset = "password.reset",
        /// A link to verify an e-mail.
        EmailVerify = "email.verify",
        /// A guardian is asked to consent.
        GuardianConsent = "guardian.consent",
        /// Registration finished.
        AccountVerified = "account.verified",
        /// An operator opened an account; its holder chooses a password.
        AccountInvited = "account.invited",
        /// A user's log-in e-mail has changed; both addresses are notified.
        AccountEmailChanged = "account.email_changed",
        /// An operator acts as an account.
        ImpersonationStarted = "impersonation.started",
        /// An operator changed the sender of mails; this mail shows whether it arrives.
        SenderTested = "sender.tested",
        /// An operator approved a job.
        JobApproved = "job.approved",
        /// An operator refused a job or asked for changes.
        JobRefused = "job.refused",
        /// An operator posted or changed a job for its brand.
        JobChanged = "job.changed",
        /// Applications close soon.
        JobClosingSoon = "job.closing_soon",
        /// A brand invited an athlete.
        InvitationReceived = "invitation.received",
        /// An athlete applied.
        ApplicationReceived = "application.received",
        /// A brand declined an application.
        ApplicationRejected = "application.rejected",
        /// A brand hired an athlete.
        AthleteHired = "athlete.hired",
        /// A contract was written.
        ContractGenerated = "contract.generated",
        /// Both sides have agreed to a contract.
        ContractExecuted = "contract.executed",
        /// The athlete requests a cancellation or a later due date.
        ContractRequestRaised = "contract.request_raised",
        /// A contract request was decided.
        ContractRequestDecided = "contract.request_decided",
        /// A contract was cancelled.
        ContractCancelled = "contract.cancelled",
        /// An athlete did not confirm a contract in time.
        ContractExpired = "contract.expired",
        /// An athlete submitted work.
        DeliverableSubmitted = "deliverable.submitted",
        /// A brand approved submitted work.
        DeliverableApproved = "deliverable.approved",
        /// A brand sent submitted work back.
        DeliverableDenied = "deliverable.denied",
        /// A due date is near.
        DeliverableDueSoon = "deliverable.due_soon",
        /// A due date has passed.
        DeliverableOverdue = "deliverable.overdue",
        /// A published post is not up any more.
        PostGone = "post.gone",
        /// A published post does not disclose the advertising any more.
        PostUndisclosed = "post.undisclosed",
        /// A published post is up and disclosed again.
        PostRestored = "post.restored",
        /// An athlete's published post is gone, or does not disclose the advertising any more: for the institution.
        PostOutOfPlace = "post.out_of_place",
        /// An athlete declined an order.
        OrderDeclined = "order.declined",
        /// A brand cancelled an order that was not answered.
        OrderCancelled = "order.cancelled",
        /// An order was not answered in time.
        OrderExpired = "order.expired",
        /// An order is approved and paid.
        OrderCompleted = "order.completed",
        /// A document was added to a deal's folder.
        DealFileAdded = "deal_file.added",
        /// A document in a deal's folder has a new version.
        DealFileReplaced = "deal_file.replaced",
        /// The other side approved a document.
        DealFileApproved = "deal_file.approved",
        /// The other side asks for edits to a document.
        DealFileEditsRequested = "deal_file.edits_requested",
        /// A document was voided.
        DealFileVoided = "deal_file.voided",
        /// A document was commented on.
        DealFileCommented = "deal_file.commented",
        /// A payment arrived.
        PaymentSucceeded = "payment.succeeded",
        /// A payment failed.
        PaymentFailed = "payment.failed",
        /// A payout arrived.
        PayoutPaid = "payout.paid",
        /// A payout failed.
        PayoutFailed = "payout.failed",
        /// A payee is asked for a tax form.
        TaxFormRequested = "tax_form.requested",
        /// A payment was refunded.
        RefundIssued = "refund.issued",
        /// A subscription was paid for another period.
        SubscriptionRenewed = "subscription.renewed",
        /// A subscription's charge failed, and will be tried again.
        SubscriptionPaymentFailed = "subscription.payment_failed",
        /// A subscription has another plan.
        SubscriptionChanged = "subscription.changed",
        /// What was charged for a subscription was refunded.
        SubscriptionRefunded = "subscription.refunded",
        /// A subscription ended.
        SubscriptionEnded = "subscription.ended",
        /// A chat message came in.
        MessageReceived = "message.received",
        /// A guardian receives a copy of a message to a minor.
        MessageCopied = "message.copied",
        /// An agent invited an athlete.
        AgentInvited = "agent.invited",
        /// An agent represents an athlete.
        AgentLinked = "agent.linked",
        /// An agent no longer represents an athlete.
        AgentUnlinked = "agent.unlinked",
        /// An athlete cancelled the contract with an agent in time.
        AgentCancelled = "agent.cancelled",
        /// An athlete has an agent, or brought one along: a filing was drafted for the institution.
        AgencyContractDrafted = "agency_contract.drafted",
        /// An athlete cancelled a contract with an agent that the institution has a filing about.
        AgencyContractCancelled = "agency_contract.cancelled",
        /// An athlete or an agent gave the institution the notice of their contract.
        AgentNoticeGiven = "agent_notice.given",
        /// An athlete or an agent must soon give the institution the notice of their contract.
        AgentNoticeDue = "agent_notice.due",
        /// A disclosure was filed.
        DisclosureSubmitted = "disclosure.submitted",
        /// A disclosure is due.
        DisclosureDue = "disclosure.due",
        /// A disclosure must be submitted soon.
        DisclosureDueSoon = "disclosure.due_soon",
        /// A disclosure was not submitted in time.
        DisclosureOverdue = "disclosure.overdue",
        /// A deal was disclosed after its deadline.
        DisclosureLate = "disclosure.late",
        /// The institution approved a disclosed deal.
        DisclosedJobApproved = "disclosed_job.approved",
        /// The institution rejected a disclosed deal.
        DisclosedJobRejected = "disclosed_job.rejected",
        /// The institution asks for information about a disclosed deal.
        DisclosedJobInfoRequested = "disclosed_job.info_requested",
        /// The clearinghouse has questions about a deal.
        DisclosedJobFlagged = "disclosed_job.flagged",
        /// A deal must be submitted to the clearinghouse soon.
        ClearanceDueSoon = "clearance.due_soon",
        /// A deal was not submitted to the clearinghouse in time.
        ClearanceOverdue = "clearance.overdue",
        /// A deal was submitted to the clearinghouse.
        ClearanceSubmitted = "clearance.submitted",
        /// The clearinghouse cleared a deal.
        ClearanceCleared = "clearance.cleared",
        /// The clearinghouse did not clear a deal.
        ClearanceNotCleared = "clearance.not_cleared",
        /// A deal goes to arbitration.
        ClearanceArbitration = "clearance.arbitration",
        /// A brand is asked whether it is associated with an athlete's institution.
        AssociationRequested = "association.requested",
        /// A brand must soon attest whether it is associated with an athlete's institution.
        AssociationDueSoon = "association.due_soon",
        /// The events at an institution in a day or a week.
        InstitutionDigest = "institution.digest",
        /// An announcement.
        AnnouncementPublished = "announcement.published",
        /// An export is ready.
        ExportReady = "export.ready",
        /// The copy of their data that a user asked for can be fetched.
        TakeoutReady = "takeout.ready",
        /// A person is invited to the compliance portal.
        PortalUserInvited = "portal_user.invited",
        /// A person requests access to the compliance portal.
        PortalUserPending = "portal_user.pending",
        /// A person who registers for the compliance portal must verify their mailbox.
        PortalUserConfirm = "portal_user.confirm",
        /// A registration for the compliance portal was attempted with a portal user's e-mail.
        PortalUserKnown = "portal_user.known",
        /// A portal user's log-in e-mail has changed; both addresses are notified.
        PortalUserEmailChanged = "portal_user.email_changed",
    }
}

impl Event {
    /// Whether the account cannot be used safely without it: it cannot be switched off and ignores quiet hours.
    #[must_use]
    pub const fn is_required(self) -> bool {
        matches!(
            self,
            Self::OtpSent
                | Self::PasswordReset
                | Self::EmailVerify
                | Self::GuardianConsent
                | Self::AccountVerified
                | Self::AccountInvited
                | Self::AccountEmailChanged
                | Self::ImpersonationStarted
                | Self::SenderTested
                | Self::PortalUserInvited
                | Self::PortalUserConfirm
                | Self::PortalUserKnown
                | Self::PortalUserEmailChanged
        )
    }

    /// Whether its message carries a secret with which whoever reads it could act as the recipient.
    #[must_use]
    pub const fn carries_secret(self) -> bool {
        matches!(
            self,
            Self::OtpSent
                | Self::PasswordReset
                | Self::EmailVerify
                | Self::GuardianConsent
                | Self::AccountInvited
                | Self::PortalUserInvited
                | Self::PortalUserConfirm
        )
    }

    /// Whether it can be sent on this channel. One-time codes are sent by mail only.
    #[must_use]
    pub const fn goes_by(self, channel: Channel) -> bool {
        match channel {
            Channel::Event => false,
            Channel::Email => true,
            Channel::Sms => matches!(
                self,
                Self::InvitationReceived
                    | Self::AthleteHired
                    | Self::ContractRequestRaised
                    | Self::ContractCancelled
                    | Self::DeliverableDenied
                    | Self::DeliverableDueSoon
                    | Self::DeliverableOverdue
                    | Self::PostGone
                    | Self::PaymentFailed
                    | Self::PayoutPaid
                    | Self::PayoutFailed
                    | Self::AgentInvited
                    | Self::AgentNoticeDue
                    | Self::DisclosureDue
                    | Self::DisclosedJobFlagged
                    | Self::ClearanceDueSoon
                    | Self::ClearanceOverdue
                    | Self::ClearanceNotCleared
            ),
            Channel::InApp => !matches!(
                self,
                Self::OtpSent
                    | Self::PasswordReset
                    | Self::EmailVerify
                    | Self::GuardianConsent
                    | Self::AccountInvited
                    | Self::AccountEmailChanged
                    | Self::SenderTested
                    | Self::MessageCopied
                    | Self::InstitutionDigest
                    | Self::DisclosureLate
                    | Self::PortalUserInvited
                    | Self::PortalUserConfirm
                    | Self::PortalUserKnown
                    | Self::PortalUserEmailChanged
            ),
        }
    }

    /// Whether it is sent to users of the Core interface.
    #[must_use]
    pub const fn is_for_users(self) -> bool {
        !matches!(
            self,
            Self::GuardianConsent
                | Self::AccountEmailChanged
                | Self::SenderTested
                | Self::MessageCopied
                | Self::InstitutionDigest
                | Self::DisclosureSubmitted
                | Self::DisclosureLate
                | Self::PortalUserInvited
                | Self::PortalUserPending
                | Self::PortalUserConfirm
                | Self::PortalUserKnown
                | Self::PortalUserEmailChanged
                | Self::ExportReady
                | Self::AgencyContractDrafted
                | Self::AgencyContractCancelled
                | Self::AgentNoticeGiven
                | Self::PostOutOfPlace
        )
    }

    /// Whether it is sent to users of the compliance portal.
    #[must_use]
    pub const fn is_for_portal_users(self) -> bool {
        matches!(
            self,
            Self::PasswordReset
                | Self::ImpersonationStarted
                | Self::PortalUserInvited
                | Self::PortalUserPending
                | Self::ContractExecuted
                | Self::DisclosureSubmitted
                | Self::DisclosureDue
                | Self::DisclosureLate
                | Self::AgencyContractDrafted
                | Self::AgencyContractCancelled
                | Self::AgentNoticeGiven
                | Self::PostOutOfPlace
                | Self::DisclosedJobFlagged
                | Self::ClearanceDueSoon
                | Self::ClearanceOverdue
                | Self::ClearanceSubmitted
                | Self::InstitutionDigest
                | Self::AnnouncementPublished
        )
    }

    /// Whether it can be collected in a digest. Messages that a user waits for or has requested are sent at once.
    #[must_use]
    pub const fn can_wait_for_a_digest(self) -> bool {
        matches!(
            self,
            Self::ContractExecuted
                | Self::DisclosureSubmitted
                | Self::DisclosureLate
                | Self::DisclosedJobFlagged
                | Self::ClearanceSubmitted
                | Self::AgencyContractDrafted
                | Self::AgencyContractCancelled
                | Self::AgentNoticeGiven
                | Self::PostOutOfPlace
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(serde::Deserialize)]
    struct Template {
        event: String,
        channel: String,
    }

    #[test]
    fn every_event_has_the_templates_of_its_channels() {
        let text = include_str!("../../assets/reference/notification_templates.csv");
        let templates: Vec<(String, String)> = csv::Reader::from_reader(text.as_bytes())
            .deserialize()
            .map(|row| row.unwrap())
            .map(|Template { event, channel }| (event, channel))
            .collect();
        for event in Event::ALL {
            for channel in [Channel::Email, Channel::Sms, Channel::InApp] {
                let name = (event.to_string(), channel.to_string());
                // The text for phones exists for hosts that send codes by SMS themselves.
                let code = *event == Event::OtpSent && channel == Channel::Sms;
                let there = templates.contains(&name);
                assert_eq!(event.goes_by(channel) || code, there, "{name:?}");
            }
        }
    }
}
