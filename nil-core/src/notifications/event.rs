//! The events that somebody is told of.

use crate::kernel::vocabulary::vocabulary;

vocabulary! {
    /// An event with templates of its own.
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
        /// An operator approved a job.
        JobApproved = "job.approved",
        /// An operator refused a job or asked for changes.
        JobRefused = "job.refused",
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
        /// Both sides have agreed.
        ContractExecuted = "contract.executed",
        /// Somebody asks for a cancellation or a later date.
        ContractRequestRaised = "contract.request_raised",
        /// Such a request was decided.
        ContractRequestDecided = "contract.request_decided",
        /// A contract was cancelled.
        ContractCancelled = "contract.cancelled",
        /// An athlete handed work in.
        DeliverableSubmitted = "deliverable.submitted",
        /// A brand approved it.
        DeliverableApproved = "deliverable.approved",
        /// A brand sent it back.
        DeliverableDenied = "deliverable.denied",
        /// A due date is near.
        DeliverableDueSoon = "deliverable.due_soon",
        /// A due date has passed.
        DeliverableOverdue = "deliverable.overdue",
        /// A payment arrived.
        PaymentSucceeded = "payment.succeeded",
        /// A payment failed.
        PaymentFailed = "payment.failed",
        /// A payout arrived.
        PayoutPaid = "payout.paid",
        /// A payout failed.
        PayoutFailed = "payout.failed",
        /// A payment was refunded.
        RefundIssued = "refund.issued",
        /// A chat message came in.
        MessageReceived = "message.received",
        /// A guardian gets a copy of a message of a minor.
        MessageCopied = "message.copied",
        /// An agent invited an athlete.
        AgentInvited = "agent.invited",
        /// An agent represents an athlete.
        AgentLinked = "agent.linked",
        /// An agent no longer does.
        AgentUnlinked = "agent.unlinked",
        /// A disclosure was filed.
        DisclosureSubmitted = "disclosure.submitted",
        /// A disclosure is due.
        DisclosureDue = "disclosure.due",
        /// A disclosed deal was flagged.
        DisclosedJobFlagged = "disclosed_job.flagged",
        /// An announcement.
        AnnouncementPublished = "announcement.published",
        /// An export is ready.
        ExportReady = "export.ready",
        /// Somebody is invited to the compliance portal.
        PortalUserInvited = "portal_user.invited",
        /// Somebody asks for access to the compliance portal.
        PortalUserPending = "portal_user.pending",
    }
}
