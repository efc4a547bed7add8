//! The word that ends the servers and the worker.

use tokio::sync::watch;

/// Says when to stop. Clones listen to the same word.
#[derive(Clone, Debug)]
pub struct Shutdown(watch::Receiver<bool>);

impl Shutdown {
    /// A word to wait for, and the way to say it (send `true`).
    #[must_use]
    pub fn new() -> (watch::Sender<bool>, Self) {
        let (say, hear) = watch::channel(false);
        (say, Self(hear))
    }

    /// Waits for the word. A sender that is gone says it too.
    pub async fn said(&mut self) {
        let _ = self.0.wait_for(|said| *said).await;
    }
}
