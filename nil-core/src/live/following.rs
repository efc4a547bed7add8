//! `GET /events`: a user's feeds as they grow.

use std::collections::VecDeque;
use std::time::Duration;

use futures::stream;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::cursor::Cursor;
use super::source::SOURCES;
use crate::auth::{User, session_is_open};
use crate::error::{Error, Result};
use crate::feed::Subscription;
use crate::kernel::{Text, UserId};
use crate::operation::{Beat, Cx, EventStream};
use crate::platform::Platform;

/// How many records of a source are read at a time; more wait in the database, not here.
const AT_ONCE: i64 = 50;
/// How long a client whose stream broke off should wait.
const COME_BACK_AFTER: Duration = Duration::from_secs(2);

/// From where to follow.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Follow {
    /// The id of the last event that was taken, also as the header `Last-Event-ID`: what came after it
    /// is sent first. Without it the stream begins now.
    pub last_event_id: Option<Text<1, 100>>,
}

/// The caller's own feed, live. The first event, `ready`, carries only an id: where the stream begins.
/// Whoever opens the stream first and asks for the feed then misses nothing. Then each new record is
/// one event, `notification` with the notification as `/fetchNotifications` answers it; the id of each
/// goes on after it. Nothing is left out or sent twice, whichever server the client comes back to.
///
/// It ends when the session does, and when the server stops. 429 `too_many_streams` for more streams
/// of one user than a server holds.
pub async fn follow(cx: Cx<User>, input: Follow) -> Result<EventStream> {
    let given: Option<Cursor> = input
        .last_event_id
        .map(|id| id.parse().map_err(|why| Error::invalid("last_event_id", why)))
        .transpose()?;
    let platform = cx.platform().clone();
    let user = cx.caller.user_id;
    // Listening comes first: what happens from here on wakes, what was before is read.
    let bell =
        platform.live().subscribe(platform.db(), user, platform.config().streams_per_user)?;
    let mut cursor = given.unwrap_or_else(Cursor::unknown);
    begin(&platform, user, &mut cursor).await?;
    let ready = Beat::Event { id: cursor.to_string(), name: "ready", data: json!({}) };
    let follower = Follower {
        user,
        session: cx.caller.session.clone(),
        bell,
        cursor,
        told: VecDeque::from([Beat::Retry(COME_BACK_AFTER), ready]),
        // There may be something after the client's own cursor.
        more: true,
        platform,
    };
    Ok(EventStream::new(stream::unfold(follower, Follower::next)))
}

/// Puts a number where the cursor has none. One beyond the latest record is not of this database (it
/// was restored from a backup): it would let everything pass until the ids have caught up.
async fn begin(platform: &Platform, user: UserId, cursor: &mut Cursor) -> Result<()> {
    let mut session = platform.db().read().await?;
    for (place, source) in SOURCES.iter().enumerate() {
        let head = (source.head)(&mut session, user).await?;
        let from = cursor.at(place).map_or(head, |id| id.min(head));
        cursor.set(place, from);
    }
    Ok(())
}

/// One open stream.
struct Follower {
    platform: Platform,
    user: UserId,
    session: String,
    bell: Subscription,
    cursor: Cursor,
    /// Read and not yet taken.
    told: VecDeque<Beat>,
    /// There may be something to read right now.
    more: bool,
}

impl Follower {
    async fn next(mut self) -> Option<(Beat, Self)> {
        loop {
            if let Some(beat) = self.told.pop_front() {
                return Some((beat, self));
            }
            let quiet = !self.more && !self.woken().await;
            match self.read().await {
                Ok(true) => {}
                Ok(false) => return None,
                Err(error) => {
                    // The client comes back and goes on where it was.
                    tracing::warn!(%error, "a live stream broke off");
                    return None;
                }
            }
            if quiet && self.told.is_empty() {
                self.told.push_back(Beat::Heartbeat);
            }
        }
    }

    /// Whether somebody rang before the next heartbeat is due.
    async fn woken(&mut self) -> bool {
        let heartbeat = self.platform.config().heartbeat;
        tokio::time::timeout(heartbeat, self.bell.woken()).await.is_ok()
    }

    /// Reads what is new; answers whether the caller may still listen.
    async fn read(&mut self) -> Result<bool> {
        let now = self.platform.now();
        let mut session = self.platform.db().read().await?;
        if !session_is_open(&mut session, &self.session, now).await? {
            return Ok(false);
        }
        self.more = false;
        for (place, source) in SOURCES.iter().enumerate() {
            let from = self.cursor.at(place).unwrap_or_default();
            let fresh = (source.after)(&mut session, self.user, from, AT_ONCE).await?;
            self.more |= i64::try_from(fresh.len()).is_ok_and(|read| read >= AT_ONCE);
            for (id, data) in fresh {
                self.cursor.set(place, id);
                self.told.push_back(Beat::Event {
                    id: self.cursor.to_string(),
                    name: source.event,
                    data,
                });
            }
        }
        Ok(true)
    }
}
