//! Whether a server of PostgreSQL is there at all. A server that is stopped, or a line that carries
//! nothing, closes no connection: a statement would wait for its answer for ever.

use std::fmt;
use std::pin::{Pin, pin};
use std::time::{Duration, Instant};

use sqlx::error::DatabaseError;
use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _, Error as SqlError};
use tokio::sync::Mutex;
use tokio::time::timeout;

/// How long a finding counts for others who ask.
const FRESH: Duration = Duration::from_secs(1);

/// What a server says to a new connection: that it serves it, or why it does not. Nothing, if it
/// cannot be reached or says nothing within this time.
pub(super) async fn greeting(
    options: &PgConnectOptions,
    within: Duration,
) -> Option<Result<(), Box<dyn DatabaseError>>> {
    let greeted = timeout(within, async { options.connect().await?.close().await });
    match greeted.await {
        Ok(Ok(())) => Some(Ok(())),
        Ok(Err(SqlError::Database(error))) => Some(Err(error)),
        Ok(Err(_)) | Err(_) => None,
    }
}

/// Looks after the statements that wait for a server.
pub(super) struct Pulse {
    /// How to reach it; through a pool in front, and past it.
    ways: Vec<PgConnectOptions>,
    /// How long a statement takes before anybody looks, and how long the server may take to greet.
    patience: Duration,
    /// When somebody last looked, and whether the server answered. Whoever looks holds it, so that
    /// a hundred statements that wait make one connection.
    last: Mutex<Option<(Instant, bool)>>,
}

impl fmt::Debug for Pulse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pulse").field("patience", &self.patience).finish_non_exhaustive()
    }
}

impl Pulse {
    pub(super) fn new(ways: Vec<PgConnectOptions>, patience: Duration) -> Self {
        Self { ways, patience, last: Mutex::default() }
    }

    /// Waits for an answer of the server as long as the server is there and the limit is not over;
    /// none if it is given up.
    pub(super) async fn wait<T>(
        &self,
        limit: Option<Duration>,
        answer: impl Future<Output = T>,
    ) -> Option<T> {
        let mut answer = pin!(answer);
        match timeout(self.patience, &mut answer).await {
            Ok(answer) => Some(answer),
            // Boxed: it is rare, and each caller's future would hold it.
            Err(_) => Box::pin(self.wait_on(limit, answer)).await,
        }
    }

    async fn wait_on<T>(
        &self,
        limit: Option<Duration>,
        mut answer: Pin<&mut impl Future<Output = T>>,
    ) -> Option<T> {
        let begun = Instant::now();
        while limit.is_none_or(|limit| begun.elapsed() < limit) {
            tokio::select! {
                biased;
                answer = &mut answer => return Some(answer),
                beats = self.beats() => if !beats {
                    return None;
                },
            }
            if let Ok(answer) = timeout(self.patience, &mut answer).await {
                return Some(answer);
            }
        }
        None
    }

    /// Whether the server greets a new connection, on every way.
    async fn beats(&self) -> bool {
        let mut last = self.last.lock().await;
        if let Some((at, beats)) = *last
            && at.elapsed() < FRESH
        {
            return beats;
        }
        let greetings = self.ways.iter().map(|way| greeting(way, self.patience));
        let greetings = futures::future::join_all(greetings).await;
        // Also one that it has no room for: it is slow, not silent.
        let beats = greetings.iter().all(Option::is_some);
        *last = Some((Instant::now(), beats));
        beats
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOON: Duration = Duration::from_millis(20);

    fn nowhere() -> PgConnectOptions {
        // Port 9 discards: nobody speaks the protocol there.
        PgConnectOptions::new_without_pgpass().host("127.0.0.1").port(9)
    }

    #[tokio::test]
    async fn an_answer_is_waited_for_while_the_server_is_there() {
        let there = Pulse::new(Vec::new(), SOON);
        let (tell, told) = tokio::sync::oneshot::channel();
        let slow = async {
            tokio::time::sleep(SOON * 5).await;
            tell.send(7).unwrap();
        };
        let (answer, ()) = tokio::join!(there.wait(None, told), slow);
        assert_eq!(answer, Some(Ok(7)));
    }

    #[tokio::test]
    async fn a_silent_server_and_a_dead_line_are_given_up() {
        let silent = Pulse::new(vec![nowhere()], SOON);
        assert_eq!(silent.wait(None, std::future::pending::<()>()).await, None);
        let dead_line = Pulse::new(Vec::new(), SOON);
        let limit = Some(SOON * 3);
        assert_eq!(dead_line.wait(limit, std::future::pending::<()>()).await, None);
    }
}
