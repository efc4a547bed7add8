//! What other servers on the same PostgreSQL say (`LISTEN`).

use sqlx::postgres::{PgListener, PgPoolOptions};

use super::{Db, PATIENCE};
use crate::error::Result;

/// A connection that hears one channel.
pub(crate) struct Ear(PgListener);

impl Db {
    /// Hears a channel, on a connection of its own; nothing on SQLite, which has one process.
    pub(crate) async fn ear(&self, channel: &str) -> Result<Option<Ear>> {
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
        Ok(Some(Ear(listener)))
    }
}

impl Ear {
    /// The next word. `None`: the connection was lost and is back, and words may have been missed.
    pub(crate) async fn hear(&mut self) -> Result<Option<String>> {
        let heard = self.0.try_recv().await?;
        Ok(heard.map(|word| word.payload().to_owned()))
    }
}
