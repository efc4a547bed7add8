//! A streaming replica of a cluster of the test's own. The cluster of the suites streams nothing.

use std::process::Child;
use std::time::{Duration, Instant};

use sqlx::{Connection as _, PgConnection};

use crate::cluster::{Cluster, PORT, program, quit, run, says, served};

const SOON: Duration = Duration::from_mins(1);
const REPLICA: u16 = 5433;

/// A primary and its replica; both end with the value.
pub struct Streaming {
    replica: Option<Child>,
    // Ends last.
    primary: Cluster,
}

impl Streaming {
    pub async fn start() -> Self {
        let primary = Cluster::start().await;
        let host = primary.folder().display().to_string();
        run(program("pg_basebackup", primary.folder())
            .args(["-R", "-D", "replica", "-c", "fast", "--no-sync"])
            .args(["-h", &host, "-p", &PORT.to_string(), "-U", "postgres"]));
        let mut streaming = Self { replica: None, primary };
        streaming.start_replica().await;
        streaming
    }

    /// The primary's address.
    pub fn primary(&self) -> String {
        self.primary.url()
    }

    /// The replica's address.
    pub fn replica(&self) -> String {
        self.primary.url_at(REPLICA)
    }

    /// Starts the replica, and waits until it answers.
    pub async fn start_replica(&mut self) {
        self.replica = Some(served(self.primary.folder(), "replica", REPLICA));
        says(&self.replica(), "SELECT 1").await;
    }

    /// Stops the replica at once, as a crash does.
    pub fn stop_replica(&mut self) {
        if let Some(mut replica) = self.replica.take() {
            quit(&mut replica);
        }
    }

    /// The replica receives what the primary writes, but shows none of it.
    pub async fn pause(&self) {
        says(&self.replica(), "SELECT pg_wal_replay_pause()").await;
        let deadline = Instant::now() + SOON;
        let mut on = PgConnection::connect(&self.replica()).await.expect("the replica answers");
        let asked = "SELECT pg_get_wal_replay_pause_state() = 'paused'";
        while !sqlx::query_scalar::<_, bool>(asked).fetch_one(&mut on).await.expect("a state") {
            assert!(Instant::now() < deadline, "replay goes on");
        }
    }

    /// The replica shows what it has received.
    pub async fn resume(&self) {
        says(&self.replica(), "SELECT pg_wal_replay_resume()").await;
    }
}

impl Drop for Streaming {
    fn drop(&mut self) {
        self.stop_replica();
    }
}
