//! Who listens for changes of whose feeds.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

use crate::kernel::UserId;

#[derive(Debug, Default)]
pub(super) struct Listeners(Mutex<HashMap<UserId, watch::Sender<()>>>);

impl Listeners {
    pub(super) fn held(&self) -> MutexGuard<'_, HashMap<UserId, watch::Sender<()>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn wake(&self, user: UserId) {
        if let Some(bell) = self.held().get(&user) {
            bell.send_replace(());
        }
    }

    pub(super) fn wake_all(&self) {
        for bell in self.held().values() {
            bell.send_replace(());
        }
    }

    /// Handles a message from another server: its name, a colon, and the users with news.
    pub(super) fn heed(&self, word: &str, own: &str) {
        match word.split_once(':') {
            Some((origin, _)) if origin == own => {}
            Some((_, users)) if users != "*" => {
                let ids = users.split(',').filter_map(|id| id.parse().ok());
                ids.filter_map(UserId::new).for_each(|user| self.wake(user));
            }
            _ => self.wake_all(),
        }
    }
}
