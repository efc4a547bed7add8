//! The events that notifications are sent for, one row each: what happened, its name, who is told,
//! on which channels, and what else holds for it. Preferences, digests and `docs/events.md` follow
//! from the rows. The texts, and with them the names of an event's values, are in
//! `assets/reference/notification_templates.csv`.

use self::Reader::{Agent, Athlete, Brand, Guest, Officer, User};
use crate::kernel::vocabulary::vocabulary;
use crate::ports::courier::Channel::{self, Email, InApp, Sms};

const BRAND: &[HookOwner] = &[HookOwner::Brand];
const INSTITUTION: &[HookOwner] = &[HookOwner::Institution];
const BOTH: &[HookOwner] = &[HookOwner::Brand, HookOwner::Institution];

vocabulary! {
    /// An event with its own templates.
    Event: EventRow {
        /// A one-time code.
        OtpSent = "otp.sent" => to(&[User]).by(&[Email]).required().secret(),
        /// A link to set a new password.
        PasswordReset = "password.reset" => to(&[User, Officer]).by(&[Email]).required().secret(),
        /// A link to verify an e-mail.
        EmailVerify = "email.verify" => to(&[User]).by(&[Email]).required().secret(),
        /// A guardian is asked to consent.
        GuardianConsent = "guardian.consent" => to(&[Guest]).by(&[Email]).required().secret(),
        /// Registration finished.
        AccountVerified = "account.verified" => to(&[User]).by(&[Email, InApp]).required(),
        /// An operator opened an account; its holder chooses a password.
        AccountInvited = "account.invited" => to(&[User]).by(&[Email]).required().secret(),
        /// A user's log-in e-mail has changed; both addresses are notified.
        AccountEmailChanged = "account.email_changed" => to(&[Guest]).by(&[Email]).required(),
        /// An operator acts as an account.
        ImpersonationStarted = "impersonation.started" =>
            to(&[User, Officer]).by(&[Email, InApp]).required(),
        /// A calendar of deadlines has a new secret address.
        CalendarMade = "calendar.made" => to(&[User, Officer]).by(&[Email, InApp]).required(),
        /// An operator changed the sender of mails; this mail shows whether it arrives.
        SenderTested = "sender.tested" => to(&[Guest]).by(&[Email]).required(),
        /// An operator approved a job.
        JobApproved = "job.approved" => to(&[Brand]).by(&[Email, InApp]).heard_by(BRAND),
        /// An operator refused a job or asked for changes.
        JobRefused = "job.refused" => to(&[Brand]).by(&[Email, InApp]).heard_by(BRAND),
        /// An operator posted or changed a job for its brand.
        JobChanged = "job.changed" => to(&[Brand]).by(&[Email, InApp]),
        /// Applications close soon.
        JobClosingSoon = "job.closing_soon" => to(&[Athlete, Brand]).by(&[Email, InApp]),
        /// A brand invited an athlete.
        InvitationReceived = "invitation.received" => to(&[Athlete]).by(&[Email, Sms, InApp]),
        /// An athlete applied.
        ApplicationReceived = "application.received" =>
            to(&[Brand]).by(&[Email, InApp]).heard_by(BRAND),
        /// A brand declined an application.
        ApplicationRejected = "application.rejected" => to(&[Athlete]).by(&[Email, InApp]),
        /// A brand hired an athlete.
        AthleteHired = "athlete.hired" => to(&[Athlete]).by(&[Email, Sms, InApp]),
        /// A contract was written.
        ContractGenerated = "contract.generated" =>
            to(&[Athlete, Brand, Agent]).by(&[Email, InApp]).heard_by(BRAND),
        /// Both sides have agreed to a contract.
        ContractExecuted = "contract.executed" =>
            to(&[Athlete, Brand, Agent, Officer]).by(&[Email, InApp]).digested().heard_by(BOTH),
        /// The athlete requests a cancellation or a later due date.
        ContractRequestRaised = "contract.request_raised" =>
            to(&[Brand]).by(&[Email, Sms, InApp]).heard_by(BRAND),
        /// A contract request was decided.
        ContractRequestDecided = "contract.request_decided" => to(&[Athlete]).by(&[Email, InApp]),
        /// A contract was cancelled.
        ContractCancelled = "contract.cancelled" =>
            to(&[Athlete, Brand, Agent]).by(&[Email, Sms, InApp]).heard_by(BOTH),
        /// An athlete did not confirm a contract in time.
        ContractExpired = "contract.expired" =>
            to(&[Athlete, Brand, Agent]).by(&[Email, InApp]).heard_by(BRAND),
        /// An athlete submitted work.
        DeliverableSubmitted = "deliverable.submitted" =>
            to(&[Brand]).by(&[Email, InApp]).heard_by(BRAND),
        /// A brand approved submitted work.
        DeliverableApproved = "deliverable.approved" =>
            to(&[Athlete]).by(&[Email, InApp]).heard_by(BRAND),
        /// A brand sent submitted work back.
        DeliverableDenied = "deliverable.denied" =>
            to(&[Athlete]).by(&[Email, Sms, InApp]).heard_by(BRAND),
        /// A due date is near.
        DeliverableDueSoon = "deliverable.due_soon" => to(&[Athlete]).by(&[Email, Sms, InApp]),
        /// A due date has passed.
        DeliverableOverdue = "deliverable.overdue" =>
            to(&[Athlete, Brand]).by(&[Email, Sms, InApp]).heard_by(BRAND),
        /// A published post is not up any more.
        PostGone = "post.gone" => to(&[Athlete, Brand]).by(&[Email, Sms, InApp]).heard_by(BRAND),
        /// A published post does not disclose the advertising any more.
        PostUndisclosed = "post.undisclosed" =>
            to(&[Athlete, Brand]).by(&[Email, InApp]).heard_by(BRAND),
        /// A published post is up and disclosed again.
        PostRestored = "post.restored" => to(&[Athlete, Brand]).by(&[Email, InApp]).heard_by(BRAND),
        /// An athlete's published post is gone, or does not disclose the advertising any more: for
        /// the institution.
        PostOutOfPlace = "post.out_of_place" =>
            to(&[Officer]).by(&[Email, InApp]).digested().heard_by(INSTITUTION),
        /// An athlete declined an order.
        OrderDeclined = "order.declined" =>
            to(&[Athlete, Brand, Agent]).by(&[Email, InApp]).heard_by(BRAND),
        /// A brand cancelled an order that was not answered.
        OrderCancelled = "order.cancelled" =>
            to(&[Athlete, Brand, Agent]).by(&[Email, InApp]).heard_by(BRAND),
        /// An order was not answered in time.
        OrderExpired = "order.expired" =>
            to(&[Athlete, Brand, Agent]).by(&[Email, InApp]).heard_by(BRAND),
        /// An order is approved and paid.
        OrderCompleted = "order.completed" =>
            to(&[Athlete, Brand, Agent]).by(&[Email, InApp]).heard_by(BRAND),
        /// A document was added to a deal's folder.
        DealFileAdded = "deal_file.added" => to(&[Athlete, Brand, Agent]).by(&[Email, InApp]),
        /// A document in a deal's folder has a new version.
        DealFileReplaced = "deal_file.replaced" => to(&[Athlete, Brand, Agent]).by(&[Email, InApp]),
        /// The other side approved a document.
        DealFileApproved = "deal_file.approved" => to(&[Athlete, Brand, Agent]).by(&[Email, InApp]),
        /// The other side asks for edits to a document.
        DealFileEditsRequested = "deal_file.edits_requested" =>
            to(&[Athlete, Brand, Agent]).by(&[Email, InApp]),
        /// A document was voided.
        DealFileVoided = "deal_file.voided" => to(&[Athlete, Brand, Agent]).by(&[Email, InApp]),
        /// A document was commented on.
        DealFileCommented = "deal_file.commented" =>
            to(&[Athlete, Brand, Agent]).by(&[Email, InApp]),
        /// A payment arrived.
        PaymentSucceeded = "payment.succeeded" =>
            to(&[Athlete, Brand]).by(&[Email, InApp]).heard_by(BOTH),
        /// A payment failed.
        PaymentFailed = "payment.failed" => to(&[Brand]).by(&[Email, Sms, InApp]).heard_by(BRAND),
        /// A card's bank wants a payment to be confirmed.
        PaymentNeedsConfirmation = "payment.needs_confirmation" =>
            to(&[Brand]).by(&[Email, Sms, InApp]).heard_by(BRAND),
        /// A payout arrived.
        PayoutPaid = "payout.paid" => to(&[Athlete, Agent]).by(&[Email, Sms, InApp]),
        /// A payout failed.
        PayoutFailed = "payout.failed" => to(&[Athlete, Agent]).by(&[Email, Sms, InApp]),
        /// The processor sends no more payouts to an account.
        PayoutAccountRestricted = "payout_account.restricted" =>
            to(&[Athlete, Agent]).by(&[Email, Sms, InApp]),
        /// A payee is asked for a tax form.
        TaxFormRequested = "tax_form.requested" => to(&[Athlete, Agent]).by(&[Email, InApp]),
        /// A payment was refunded.
        RefundIssued = "refund.issued" => to(&[Athlete, Brand]).by(&[Email, InApp]).heard_by(BOTH),
        /// A refund of a payment failed days after the card was refunded.
        RefundFailed = "refund.failed" => to(&[Athlete, Brand]).by(&[Email, InApp]).heard_by(BOTH),
        /// A cardholder's bank asks about a charge, or takes it back.
        DisputeOpened = "dispute.opened" =>
            to(&[Athlete, Brand, Agent]).by(&[Email, InApp]).heard_by(BRAND),
        /// A dispute was decided, withdrawn or closed.
        DisputeClosed = "dispute.closed" =>
            to(&[Athlete, Brand, Agent]).by(&[Email, InApp]).heard_by(BRAND),
        /// A subscription was paid for another period.
        SubscriptionRenewed = "subscription.renewed" =>
            to(&[Brand, Agent]).by(&[Email, InApp]).heard_by(BRAND),
        /// A subscription's charge failed, and will be tried again.
        SubscriptionPaymentFailed = "subscription.payment_failed" =>
            to(&[Brand, Agent]).by(&[Email, InApp]).heard_by(BRAND),
        /// A card's bank wants the charge of a subscription to be confirmed.
        SubscriptionNeedsConfirmation = "subscription.needs_confirmation" =>
            to(&[Brand, Agent]).by(&[Email, InApp]).heard_by(BRAND),
        /// A subscription has another plan.
        SubscriptionChanged = "subscription.changed" =>
            to(&[Brand, Agent]).by(&[Email, InApp]).heard_by(BRAND),
        /// What was charged for a subscription was refunded.
        SubscriptionRefunded = "subscription.refunded" =>
            to(&[Brand, Agent]).by(&[Email, InApp]).heard_by(BRAND),
        /// A refund of a subscription failed days after the card was refunded.
        SubscriptionRefundFailed = "subscription.refund_failed" =>
            to(&[Brand, Agent]).by(&[Email, InApp]).heard_by(BRAND),
        /// A subscription ended.
        SubscriptionEnded = "subscription.ended" =>
            to(&[Brand, Agent]).by(&[Email, InApp]).heard_by(BRAND),
        /// A chat message came in.
        MessageReceived = "message.received" => to(&[User]).by(&[Email, InApp]),
        /// A guardian receives a copy of a message to a minor.
        MessageCopied = "message.copied" => to(&[Guest]).by(&[Email]),
        /// An agent invited an athlete.
        AgentInvited = "agent.invited" => to(&[Athlete, Guest]).by(&[Email, Sms, InApp]),
        /// An agent represents an athlete.
        AgentLinked = "agent.linked" => to(&[Athlete, Agent, Guest]).by(&[Email, InApp]),
        /// An agent no longer represents an athlete.
        AgentUnlinked = "agent.unlinked" => to(&[Athlete, Agent, Guest]).by(&[Email, InApp]),
        /// An athlete cancelled the contract with an agent in time.
        AgentCancelled = "agent.cancelled" => to(&[Athlete, Agent]).by(&[Email, InApp]),
        /// An athlete has an agent, or brought one along: a filing was drafted for the institution.
        AgencyContractDrafted = "agency_contract.drafted" =>
            to(&[Officer]).by(&[Email, InApp]).digested().heard_by(INSTITUTION),
        /// An athlete cancelled a contract with an agent that the institution has a filing about.
        AgencyContractCancelled = "agency_contract.cancelled" =>
            to(&[Officer]).by(&[Email, InApp]).digested().heard_by(INSTITUTION),
        /// An athlete or an agent gave the institution the notice of their contract.
        AgentNoticeGiven = "agent_notice.given" =>
            to(&[Officer]).by(&[Email, InApp]).digested().heard_by(INSTITUTION),
        /// An athlete or an agent must soon give the institution the notice of their contract.
        AgentNoticeDue = "agent_notice.due" => to(&[Athlete, Agent]).by(&[Email, Sms, InApp]),
        /// An institution reminds of something that is due or that it has asked for.
        DeadlineReminded = "deadline.reminded" => to(&[Athlete, Brand, Agent]).by(&[Email, InApp]),
        /// A disclosure was filed.
        DisclosureSubmitted = "disclosure.submitted" =>
            to(&[Officer]).by(&[Email, InApp]).digested().heard_by(INSTITUTION),
        /// A disclosure is due.
        DisclosureDue = "disclosure.due" => to(&[Athlete, Agent, Officer]).by(&[Email, Sms, InApp]),
        /// A disclosure must be submitted soon.
        DisclosureDueSoon = "disclosure.due_soon" => to(&[Athlete, Agent]).by(&[Email, InApp]),
        /// A disclosure was not submitted in time.
        DisclosureOverdue = "disclosure.overdue" => to(&[Athlete, Agent]).by(&[Email, InApp]),
        /// A deal was disclosed after its deadline.
        DisclosureLate = "disclosure.late" =>
            to(&[Officer]).by(&[Email]).digested().heard_by(INSTITUTION),
        /// The institution approved a disclosed deal.
        DisclosedJobApproved = "disclosed_job.approved" =>
            to(&[Athlete, Agent]).by(&[Email, InApp]).heard_by(INSTITUTION),
        /// The institution rejected a disclosed deal.
        DisclosedJobRejected = "disclosed_job.rejected" =>
            to(&[Athlete, Agent]).by(&[Email, InApp]).heard_by(INSTITUTION),
        /// The institution asks for information about a disclosed deal.
        DisclosedJobInfoRequested = "disclosed_job.info_requested" =>
            to(&[Athlete, Agent]).by(&[Email, InApp]).heard_by(INSTITUTION),
        /// The clearinghouse has questions about a deal.
        DisclosedJobFlagged = "disclosed_job.flagged" =>
            to(&[Athlete, Brand, Agent, Officer]).by(&[Email, Sms, InApp]).digested()
                .heard_by(BOTH),
        /// A deal must be submitted to the clearinghouse soon.
        ClearanceDueSoon = "clearance.due_soon" =>
            to(&[Athlete, Agent, Officer]).by(&[Email, Sms, InApp]),
        /// A deal was not submitted to the clearinghouse in time.
        ClearanceOverdue = "clearance.overdue" =>
            to(&[Athlete, Agent, Officer]).by(&[Email, Sms, InApp]),
        /// A deal was submitted to the clearinghouse.
        ClearanceSubmitted = "clearance.submitted" =>
            to(&[Athlete, Brand, Agent, Officer]).by(&[Email, InApp]).digested().heard_by(BOTH),
        /// The clearinghouse cleared a deal.
        ClearanceCleared = "clearance.cleared" =>
            to(&[Athlete, Brand, Agent]).by(&[Email, InApp]).heard_by(BOTH),
        /// The clearinghouse did not clear a deal.
        ClearanceNotCleared = "clearance.not_cleared" =>
            to(&[Athlete, Brand, Agent]).by(&[Email, Sms, InApp]).heard_by(BOTH),
        /// A deal goes to arbitration.
        ClearanceArbitration = "clearance.arbitration" =>
            to(&[Athlete, Brand, Agent]).by(&[Email, InApp]).heard_by(BOTH),
        /// A brand is asked whether it is associated with an athlete's institution.
        AssociationRequested = "association.requested" =>
            to(&[Brand]).by(&[Email, InApp]).heard_by(BRAND),
        /// A brand must soon attest whether it is associated with an athlete's institution.
        AssociationDueSoon = "association.due_soon" => to(&[Brand]).by(&[Email, InApp]),
        /// An endpoint of webhooks was switched off, because its receiver does not answer.
        WebhookDisabled = "webhook.disabled" => to(&[Brand, Officer]).by(&[Email, InApp]),
        /// The events at an institution in a day or a week.
        InstitutionDigest = "institution.digest" => to(&[Officer]).by(&[Email]),
        /// An announcement.
        AnnouncementPublished = "announcement.published" =>
            to(&[User, Officer]).by(&[Email, InApp]),
        /// An export is ready.
        ExportReady = "export.ready" => to(&[Guest]).by(&[Email, InApp]),
        /// The copy of their data that a user asked for can be fetched.
        TakeoutReady = "takeout.ready" => to(&[User]).by(&[Email, InApp]),
        /// A person is invited to the compliance portal.
        PortalUserInvited = "portal_user.invited" =>
            to(&[Officer]).by(&[Email]).required().secret(),
        /// A person requests access to the compliance portal.
        PortalUserPending = "portal_user.pending" => to(&[Officer]).by(&[Email, InApp]),
        /// A person who registers for the compliance portal must verify their mailbox.
        PortalUserConfirm = "portal_user.confirm" => to(&[Guest]).by(&[Email]).required().secret(),
        /// A registration for the compliance portal was attempted with a portal user's e-mail.
        PortalUserKnown = "portal_user.known" => to(&[Guest]).by(&[Email]).required(),
        /// A portal user's log-in e-mail has changed; both addresses are notified.
        PortalUserEmailChanged = "portal_user.email_changed" =>
            to(&[Guest]).by(&[Email]).required(),
    }
}

impl Event {
    /// Whether the account cannot be used safely without it: it cannot be switched off and ignores
    /// quiet hours.
    #[must_use]
    pub const fn is_required(self) -> bool {
        self.row().required
    }

    /// Whether its message carries a secret with which whoever reads it could act as the recipient.
    #[must_use]
    pub const fn carries_secret(self) -> bool {
        self.row().secret
    }

    /// Whether it can be sent on this channel.
    #[must_use]
    pub fn goes_by(self, channel: Channel) -> bool {
        self.row().by.contains(&channel)
    }

    /// Whether it is sent to users of the Core interface.
    #[must_use]
    pub fn is_for_users(self) -> bool {
        self.row().to.iter().any(|reader| !matches!(reader, Officer | Guest))
    }

    /// Whether it is sent to users of the compliance portal.
    #[must_use]
    pub fn is_for_portal_users(self) -> bool {
        self.row().to.contains(&Officer)
    }

    /// Whether endpoints of webhooks of this kind of owner can hear it.
    #[must_use]
    pub fn is_heard_by(self, listener: HookOwner) -> bool {
        self.row().heard_by.contains(&listener)
    }

    /// Whether it can be collected in a digest. Messages that a user waits for or has requested are
    /// sent at once.
    #[must_use]
    pub const fn can_wait_for_a_digest(self) -> bool {
        self.row().digested
    }
}

/// Who is told of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reader {
    /// A user of the Core interface, of any kind.
    User,
    /// An athlete.
    Athlete,
    /// A brand.
    Brand,
    /// An agent.
    Agent,
    /// A user of the compliance portal, by mail only.
    Officer,
    /// Whoever has this mailbox, without an account of theirs: a guardian, an operator, someone who
    /// registers.
    Guest,
}

impl Reader {
    /// The readers in words.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::User => "users of any kind",
            Self::Athlete => "athletes",
            Self::Brand => "brands",
            Self::Agent => "agents",
            Self::Officer => "portal users",
            Self::Guest => "a mailbox",
        }
    }
}

/// A kind of owner of endpoints of webhooks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HookOwner {
    /// A brand, which hears of its own jobs, deals and payments.
    Brand,
    /// An institution, which hears of its athletes' deals.
    Institution,
}

impl HookOwner {
    /// Every kind of owner.
    pub const ALL: [Self; 2] = [Self::Brand, Self::Institution];

    /// The owners in words.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Brand => "brands",
            Self::Institution => "institutions",
        }
    }
}

/// What an event's row says beside its name.
#[derive(Clone, Copy, Debug)]
pub struct EventRow {
    /// Who is told.
    pub to: &'static [Reader],
    /// The channels that it is sent on, if its reader wants them.
    pub by: &'static [Channel],
    /// Whether the account cannot be used safely without it.
    pub required: bool,
    /// Whether its message carries a secret.
    pub secret: bool,
    /// Whether it can wait for a digest.
    pub digested: bool,
    /// Whose endpoints of webhooks can hear it.
    pub heard_by: &'static [HookOwner],
}

/// The row of an event that is told to these readers.
const fn to(readers: &'static [Reader]) -> EventRow {
    let (required, secret, digested) = (false, false, false);
    EventRow { to: readers, by: &[], required, secret, digested, heard_by: &[] }
}

impl EventRow {
    /// Says on which channels it is sent.
    const fn by(mut self, channels: &'static [Channel]) -> Self {
        self.by = channels;
        self
    }

    /// Says that it cannot be switched off.
    const fn required(mut self) -> Self {
        self.required = true;
        self
    }

    /// Says that its message carries a secret.
    const fn secret(mut self) -> Self {
        self.secret = true;
        self
    }

    /// Says whose endpoints of webhooks can hear it.
    const fn heard_by(mut self, listeners: &'static [HookOwner]) -> Self {
        self.heard_by = listeners;
        self
    }

    /// Says that an institution's digest can collect it.
    const fn digested(mut self) -> Self {
        self.digested = true;
        self
    }
}
