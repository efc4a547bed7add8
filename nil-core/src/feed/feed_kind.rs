//! The kinds of feeds that live streams follow.

use super::Event;
use crate::kernel::vocabulary::vocabulary;

vocabulary! {
    /// One of a user's feeds.
    FeedKind {
        /// Chat messages.
        Messages = "messages",
        /// In-app notifications.
        Notifications = "notifications",
        /// Contracts and deliverables.
        Deals = "deals",
        /// Jobs, applications, invitations.
        Jobs = "jobs",
        /// Payments, payouts, refunds.
        Payments = "payments",
    }
}

impl FeedKind {
    /// The feed an event belongs to, by its family. An event without a family appears only in the
    /// notifications.
    #[must_use]
    pub fn of(event: Event) -> Option<Self> {
        match event.as_str().split('.').next().unwrap_or_default() {
            "contract" | "deliverable" | "athlete" | "disclosed_job" | "clearance"
            | "deal_file" | "order" => Some(Self::Deals),
            "job" | "application" | "invitation" => Some(Self::Jobs),
            "payment" | "payout" | "refund" | "dispute" | "subscription" => Some(Self::Payments),
            "message" => Some(Self::Messages),
            _ => None,
        }
    }

    /// Whether live streams follow this feed. Clients poll the tokens of the others: notifying
    /// other servers makes PostgreSQL commit transactions one after the other, which would slow
    /// down hiring and paying.
    pub(super) const fn is_followed(self) -> bool {
        matches!(self, Self::Messages | Self::Notifications)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_belong_to_the_feed_of_their_family() {
        for (event, activity) in [
            (Event::DeliverableDenied, Some(FeedKind::Deals)),
            (Event::ContractExecuted, Some(FeedKind::Deals)),
            (Event::ClearanceCleared, Some(FeedKind::Deals)),
            (Event::InvitationReceived, Some(FeedKind::Jobs)),
            (Event::RefundIssued, Some(FeedKind::Payments)),
            (Event::MessageReceived, Some(FeedKind::Messages)),
            (Event::AccountVerified, None),
        ] {
            assert_eq!(FeedKind::of(event), activity, "{event}");
        }
    }
}
