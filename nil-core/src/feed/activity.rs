//! Which of a user's feeds have changed.

use std::collections::BTreeSet;

use super::feed_kind::FeedKind;
use super::hub::Hub;
use super::store;
use crate::error::Result;
use crate::kernel::{Random, Time, UserId};
use crate::storage::Session;

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

    /// Gives every touched feed a new token, in one statement and in a fixed order, before the
    /// transaction asks anything else or commits. On PostgreSQL it also notifies the other servers,
    /// which receive it when the transaction commits.
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
            if let Some(word) = word {
                session.notify_later(word);
            }
            return Ok(());
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
