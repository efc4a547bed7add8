//! Which of a user's feeds have changed.

use std::collections::BTreeSet;

use super::hub::Hub;
use super::{Event, store};
use crate::error::Result;
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{Random, Time, UserId};
use crate::storage::Session;

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
    /// The feed an event belongs to, by its family. An event without a family appears only in the notifications.
    #[must_use]
    pub fn of(event: Event) -> Option<Self> {
        match event.as_str().split('.').next().unwrap_or_default() {
            "contract" | "deliverable" | "athlete" | "disclosed_job" | "clearance"
            | "deal_file" | "order" => Some(Self::Deals),
            "job" | "application" | "invitation" => Some(Self::Jobs),
            "payment" | "payout" | "refund" | "subscription" => Some(Self::Payments),
            "message" => Some(Self::Messages),
            _ => None,
        }
    }

    /// Whether live streams follow this feed. Clients poll the tokens of the others: notifying other servers makes
    /// PostgreSQL commit transactions one after the other, which would slow down hiring and paying.
    const fn is_followed(self) -> bool {
        matches!(self, Self::Messages | Self::Notifications)
    }
}

/// The feeds that a transaction has changed.
#[derive(Debug, Default)]
pub struct Touched {
    /// To be written at the end of the transaction.
    due: BTreeSet<(UserId, FeedKind)>,
    /// Already written, and sent to the other servers.
    written: BTreeSet<(UserId, FeedKind)>,
    /// Users to wake although none of their feeds has changed.
    woken: BTreeSet<UserId>,
}

impl Touched {
    #[doc(hidden)]
    pub fn add(&mut self, user: UserId, activity: FeedKind) {
        if !self.written.contains(&(user, activity)) {
            self.due.insert((user, activity));
        }
    }

    #[doc(hidden)]
    pub fn wake(&mut self, user: UserId) {
        self.woken.insert(user);
    }

    /// Gives every touched feed a new token, in one statement and in a fixed order. On PostgreSQL it also notifies the
    /// other servers, which receive it when the transaction commits.
    pub async fn write(
        &mut self,
        session: &mut Session,
        hub: &Hub,
        random: &dyn Random,
        now: Time,
    ) -> Result<()> {
        let followed = followers(&self.due).chain(self.woken.iter().copied());
        let followed: BTreeSet<UserId> = followed.collect();
        let word = (!followed.is_empty()).then(|| hub.word_for(&followed));
        if self.due.is_empty() {
            return match word {
                Some(word) => store::tell(session, word).await,
                None => Ok(()),
            };
        }
        let token = format!("{:016x}", random.draw());
        store::change(session, &self.due, token, word, now).await?;
        self.written.append(&mut self.due);
        Ok(())
    }

    /// Wakes the listeners of this process; called after the commit.
    pub fn tell(&self, hub: &Hub) {
        let users = followers(&self.written).chain(self.woken.iter().copied());
        hub.wake(users);
    }
}

/// The users of those feeds that live streams follow.
fn followers(feeds: &BTreeSet<(UserId, FeedKind)>) -> impl Iterator<Item = UserId> {
    let followed = |(_, activity): &&(UserId, FeedKind)| activity.is_followed();
    feeds.iter().filter(followed).map(|(user, _)| *user)
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
