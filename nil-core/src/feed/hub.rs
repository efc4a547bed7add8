//! Live streams: the listeners in this process, and the wake-ups for them.
//!
//! A wake-up carries no data: a woken listener reads the feed again from its cursor. So nothing is
//! buffered for slow listeners, several wake-ups count as one, and after a lost one the next (or
//! the heartbeat) has the same effect.
//!
//! A feed that is sent live must be locked (`Touched::write`) before rows are added to it.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::watch;
use tokio::task::AbortHandle;

use super::listeners::Listeners;
use super::listening;
use crate::error::{Result, codes};
use crate::kernel::UserId;
use crate::metering::STREAMS;
use crate::storage::Db;

/// The longest message to other servers; if it would be longer, all listeners read again.
/// PostgreSQL's limit is 8,000 bytes.
const LONGEST_WORD: usize = 4_000;

/// The listeners of this process, and the messages to other servers.
#[derive(Debug)]
pub struct Hub {
    listeners: Arc<Listeners>,
    /// This server's name among the others, so that it ignores its own messages.
    origin: String,
    hearing: Mutex<Option<AbortHandle>>,
}

impl Hub {
    #[doc(hidden)]
    pub fn new(origin: String) -> Self {
        Self { listeners: Arc::default(), origin, hearing: Mutex::new(None) }
    }

    /// Wakes these users' listeners in this process.
    pub fn wake(&self, users: impl Iterator<Item = UserId>) {
        users.for_each(|user| self.listeners.wake(user));
    }

    /// The message to other servers.
    pub fn word_for(&self, users: &BTreeSet<UserId>) -> String {
        let ids: Vec<String> = users.iter().map(ToString::to_string).collect();
        let word = format!("{}:{}", self.origin, ids.join(","));
        if word.len() > LONGEST_WORD { format!("{}:*", self.origin) } else { word }
    }

    /// Subscribes a user. 429 `too_many_streams` if `most` of their streams are open here.
    pub fn subscribe(&self, db: &Db, user: UserId, most: usize) -> Result<Subscription> {
        self.hear(db);
        let mut held = self.listeners.held();
        let bell = held.entry(user).or_insert_with(|| watch::channel(()).0);
        if bell.receiver_count() >= most {
            return Err(crate::Error::from(codes::TOO_MANY_STREAMS).retry_after(30));
        }
        let woken = bell.subscribe();
        drop(held);
        metrics::gauge!(STREAMS).increment(1.0);
        Ok(Subscription { user, woken, listeners: self.listeners.clone() })
    }

    /// Starts to listen to the other servers, when the first listener subscribes here.
    fn hear(&self, db: &Db) {
        let mut hearing = self.hearing.lock().unwrap_or_else(PoisonError::into_inner);
        if hearing.is_none() {
            let task = listening::run(db.clone(), self.origin.clone(), self.listeners.clone());
            *hearing = Some(tokio::spawn(task).abort_handle());
        }
    }

    /// Stops listening to the other servers.
    pub fn close(&self) {
        let hearing = self.hearing.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(task) = &*hearing {
            task.abort();
        }
    }
}

impl Drop for Hub {
    fn drop(&mut self) {
        self.close();
    }
}

/// A listener. Dropping it frees its place.
#[derive(Debug)]
pub struct Subscription {
    user: UserId,
    woken: watch::Receiver<()>,
    listeners: Arc<Listeners>,
}

impl Subscription {
    /// Waits until the user is woken; returns at once if that happened since the last call.
    pub async fn woken(&mut self) {
        if self.woken.changed().await.is_err() {
            // The sender outlives its listeners; without one, no wake-up ever comes.
            std::future::pending::<()>().await;
        }
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        metrics::gauge!(STREAMS).decrement(1.0);
        let mut held = self.listeners.held();
        let last = |bell: &watch::Sender<()>| bell.receiver_count() <= 1;
        if held.get(&self.user).is_some_and(last) {
            held.remove(&self.user);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use futures::FutureExt as _;

    use super::*;

    fn user(id: i64) -> UserId {
        UserId::new(id).unwrap()
    }

    async fn sqlite(folder: &tempfile::TempDir) -> Db {
        let path = folder.path().join("nil.db");
        Db::open(&crate::storage::Location::Sqlite(path)).await.unwrap()
    }

    #[tokio::test]
    async fn only_whom_it_concerns_is_woken_and_many_times_is_once() {
        let folder = tempfile::tempdir().unwrap();
        let (hub, db) = (Hub::new("a".into()), sqlite(&folder).await);
        let mut five = hub.subscribe(&db, user(5), 3).unwrap();
        let mut six = hub.subscribe(&db, user(6), 3).unwrap();
        hub.wake([user(5), user(5)].into_iter());
        tokio::time::timeout(Duration::from_secs(5), five.woken()).await.unwrap();
        assert!(five.woken().now_or_never().is_none());
        assert!(six.woken().now_or_never().is_none());
        hub.listeners.heed("b:6,x,7", "a");
        assert!(six.woken().now_or_never().is_some());
        hub.listeners.heed("a:6", "a");
        assert!(six.woken().now_or_never().is_none(), "what we said ourselves");
        hub.listeners.heed("b:*", "a");
        assert!(five.woken().now_or_never().is_some() && six.woken().now_or_never().is_some());
    }

    #[tokio::test]
    async fn places_are_limited_and_given_back() {
        let folder = tempfile::tempdir().unwrap();
        let (hub, db) = (Hub::new("a".into()), sqlite(&folder).await);
        let full: Vec<_> = (0..3).map(|_| hub.subscribe(&db, user(5), 3).unwrap()).collect();
        let refused = hub.subscribe(&db, user(5), 3).unwrap_err();
        assert!(refused.is(codes::TOO_MANY_STREAMS) && refused.seconds_to_wait().is_some());
        assert!(hub.subscribe(&db, user(6), 3).is_ok());
        drop(full);
        assert!(hub.listeners.held().is_empty(), "nothing is left of those who went");
    }

    #[test]
    fn words_stay_short() {
        let hub = Hub::new("a".into());
        assert_eq!(hub.word_for(&[user(3), user(12)].into()), "a:3,12");
        let crowd: BTreeSet<UserId> = (1..5_000).map(user).collect();
        assert_eq!(hub.word_for(&crowd), "a:*");
    }
}
