//! Runs work that computes for a while where threads may block: not on those that serve requests,
//! and not for ever.

use std::time::Duration;

use tokio::task::spawn_blocking;
use tokio::time::timeout;

use crate::error::{Error, Result, codes};

/// Longer than any work that is handed to it takes.
const DEADLINE: Duration = Duration::from_secs(5);

/// Runs work whose cost is bounded; 503 if it is not done in time.
pub async fn aside<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    match timeout(DEADLINE, spawn_blocking(work)).await {
        Ok(done) => done.map_err(Error::internal),
        Err(_) => Err(codes::UNAVAILABLE.saying("The server is too busy to do this just now.")),
    }
}
