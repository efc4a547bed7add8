//! The shutdown signal of the servers and the worker.

use tokio::sync::watch;

/// The shutdown signal. All clones receive the same signal.
#[derive(Clone, Debug)]
pub struct Shutdown(watch::Receiver<bool>);

impl Shutdown {
    /// The sender of the signal (send `true`) and its receiver.
    #[must_use]
    pub fn new() -> (watch::Sender<bool>, Self) {
        let (say, hear) = watch::channel(false);
        (say, Self(hear))
    }

    /// Waits for the signal. A dropped sender counts as the signal.
    pub async fn said(&mut self) {
        let _ = self.0.wait_for(|said| *said).await;
    }
}
