//! `GET /events`: a live stream of a user's feeds.

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
use crate::kernel::{Secret, Text, UserId};
use crate::operation::{Beat, Cx, EventStream};
use crate::platform::Platform;

/// The number of records of a source read at a time; more wait in the database, not in memory.
const AT_ONCE: i64 = 50;
/// How long a client should wait after its stream broke off.
const COME_BACK_AFTER: Duration = Duration::from_secs(2);

/// Where to start.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Follow {
    /// The id of the last event received, also accepted as the header `Last-Event-ID`: later events
    /// are sent first. Without it the stream starts now.
    pub last_event_id: Option<Text<1, 100>>,
    /// A ticket of `POST /events/ticket`, for clients that cannot send the bearer token. The server
    /// reads it before the operation runs; a bearer token goes before it.
    pub ticket: Option<Secret>,
}

/// The caller's own feed, live. The first event, `ready`, carries only an id: the start of the
/// stream. A client that opens the stream first and then fetches the feed misses nothing. After
/// that, each new record is one event, a `notification` or a `message`; a client continues after
/// the id of any event. No event is left out or sent twice, on whichever server the client
/// reconnects.
///
/// The stream ends when the session does, and when the server stops. 429 `too_many_streams` if a
/// user has more streams than a server allows.
pub async fn follow(cx: Cx<User>, input: Follow) -> Result<EventStream> {
    let given: Option<Cursor> = input
        .last_event_id
        .map(|id| id.parse().map_err(|why| Error::invalid("last_event_id", why)))
        .transpose()?;
    let platform = cx.platform().clone();
    let user = cx.caller.user_id;
    // Subscribe first: later changes wake the stream, earlier ones are read.
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
        // There may be records after the client's own cursor.
        more: true,
        platform,
    };
    Ok(EventStream::new(stream::unfold(follower, Follower::next)))
}

/// Sets the cursor's missing numbers. A number beyond the latest record comes from another database
/// (this one was restored from a backup): it would hide new records until the ids have caught up.
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
    /// Read but not yet sent.
    told: VecDeque<Beat>,
    /// There may be something to read now.
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
                    // The client reconnects and continues where it was.
                    tracing::warn!(%error, "a live stream broke off");
                    return None;
                }
            }
            if quiet && self.told.is_empty() {
                self.told.push_back(Beat::Heartbeat);
            }
        }
    }

    /// Whether a wake-up arrived before the next heartbeat is due.
    async fn woken(&mut self) -> bool {
        let heartbeat = self.platform.config().heartbeat;
        tokio::time::timeout(heartbeat, self.bell.woken()).await.is_ok()
    }

    /// Reads new records; returns whether the caller may still listen.
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
