//! Receives wake-ups from other servers on the same PostgreSQL: one connection per process.

use std::sync::Arc;
use std::time::Duration;

use super::listeners::Listeners;
use crate::error::Result;
use crate::storage::{ChangeListener, Db};

/// The channel of `pg_notify`.
const CHANNEL: &str = "nil_live";
const FIRST_WAIT: Duration = Duration::from_millis(100);
const LONGEST_WAIT: Duration = Duration::from_secs(5);

/// Listens until it is aborted. After every interruption all streams read again, because messages
/// sent meanwhile are lost.
pub(super) async fn run(db: Db, origin: String, listeners: Arc<Listeners>) {
    let mut wait = FIRST_WAIT;
    loop {
        match db.change_listener(CHANNEL).await {
            // A single process has no other servers.
            Ok(None) => return,
            Ok(Some(listener)) => {
                wait = FIRST_WAIT;
                listeners.wake_all();
                if let Err(error) = follow(listener, &origin, &listeners).await {
                    tracing::warn!(%error, "the connection to other servers was lost; trying again");
                }
            }
            Err(error) => tracing::warn!(%error, "cannot listen to the other servers yet"),
        }
        tokio::time::sleep(wait).await;
        wait = (wait * 2).min(LONGEST_WAIT);
    }
}

async fn follow(mut listener: ChangeListener, origin: &str, listeners: &Listeners) -> Result<()> {
    loop {
        match listener.next().await? {
            Some(word) => listeners.heed(&word, origin),
            None => listeners.wake_all(),
        }
    }
}
