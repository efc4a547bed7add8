//! Messages from other servers on the same PostgreSQL (`LISTEN`).

use sqlx::postgres::{PgListener, PgPoolOptions};

use super::{Db, PATIENCE};
use crate::error::Result;

/// A connection that listens to one channel.
pub struct ChangeListener(PgListener);

impl Db {
    /// Listens to a channel, on a separate connection; nothing on SQLite, which has one process.
    pub async fn change_listener(&self, channel: &str) -> Result<Option<ChangeListener>> {
        let Some(options) = self.postgres_options() else {
            return Ok(None);
        };
        let one = PgPoolOptions::new()
            .max_connections(1)
            .acquire_timeout(PATIENCE)
            .max_lifetime(None)
            .idle_timeout(None)
            .connect_with(options)
            .await?;
        let mut listener = PgListener::connect_with(&one).await?;
        listener.ignore_pool_close_event(true);
        listener.listen(channel).await?;
        Ok(Some(ChangeListener(listener)))
    }
}

impl ChangeListener {
    /// The next message. `None`: the connection was lost and restored, and messages may have been
    /// missed.
    pub async fn next(&mut self) -> Result<Option<String>> {
        let heard = self.0.try_recv().await?;
        Ok(heard.map(|word| word.payload().to_owned()))
    }
}
